import type { RegisterFile, RegisterRange } from '../facts/instruction-facts.js';

const WORD_BITS = 32;

/** Where each file begins in a set, and how many registers it has. VGPRs come last, as their number depends on the processor. */
const PLACES: Readonly<Record<RegisterFile, readonly [first: number, count: number]>> = {
  sgpr: [0, 112],
  ttmp: [112, 16],
  vcc: [128, 2],
  exec: [130, 2],
  flat_scratch: [132, 2],
  xnack_mask: [134, 2],
  m0: [136, 1],
  scc: [137, 1],
  mode: [138, 1],
  agpr: [160, 256],
  vgpr: [416, 256],
};
/** Registers of gfx1250 above v255, which s_set_vgpr_msb selects. */
export const HIGH_VGPRS = 768;
const FILES: readonly RegisterFile[] = [
  'sgpr',
  'vgpr',
  'agpr',
  'ttmp',
  'vcc',
  'exec',
  'flat_scratch',
  'xnack_mask',
  'm0',
  'scc',
  'mode',
];

/** How many words a set has for a processor with so many VGPRs more than 256. */
export function registerSetWords(highVgprs: number): number {
  const [first, count] = PLACES.vgpr;
  return (first + count + highVgprs) / WORD_BITS;
}

/** Bit of a register in the words of a set. */
function registerBit(file: RegisterFile, index: number): number {
  return PLACES[file][0] + index;
}

/** A set of registers. */
export class RegisterSet {
  /** One bit per register. */
  readonly words: Uint32Array;

  constructor(words: Uint32Array) {
    this.words = words;
  }

  has(file: RegisterFile, index: number): boolean {
    if (index < 0 || index >= this.#count(file)) return false;
    const bit = registerBit(file, index);
    return (((this.words[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
  }

  /** Its registers in runs, by file and number. */
  ranges(): readonly RegisterRange[] {
    const ranges: { file: RegisterFile; first: number; count: number }[] = [];
    for (const file of FILES) {
      for (let index = 0; index < this.#count(file); index++) {
        if (!this.has(file, index)) continue;
        const last = ranges.at(-1);
        if (last?.file === file && last.first + last.count === index) last.count++;
        else ranges.push({ file, first: index, count: 1 });
      }
    }
    return ranges;
  }

  #count(file: RegisterFile): number {
    return file === 'vgpr' ? this.words.length * WORD_BITS - PLACES.vgpr[0] : PLACES[file][1];
  }
}

/** Puts registers into the words of a set. */
export function addRange(words: Uint32Array, { file, first, count }: RegisterRange): void {
  for (let index = first; index < first + count; index++) {
    const bit = registerBit(file, index);
    words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

export function removeRange(words: Uint32Array, { file, first, count }: RegisterRange): void {
  for (let index = first; index < first + count; index++) {
    const bit = registerBit(file, index);
    words[bit >>> 5] = (words[bit >>> 5] ?? 0) & ~(1 << (bit & 31));
  }
}

/** Every register of a file: what a relative access can touch. */
export function wholeFile(file: RegisterFile): RegisterRange {
  return { file, first: 0, count: PLACES[file][1] };
}
