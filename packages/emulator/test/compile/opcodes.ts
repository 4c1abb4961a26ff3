/** Encodings of every implemented instruction, found by decoding: each format's opcode field is tried with random operands. */
import { createDecoder, type Decoder, type Instruction } from '@doorbell/isa';
import type { Block } from '../../src/ir/block.js';
import { buildBlock, generationOf, semanticsOf } from '../../src/semantics/index.js';
import type { Random } from './harness.js';
import { BUFFER, BUFFER_BYTES, MODE, VGPRS } from './harness.js';
import { GPU_BASE_HIGH } from '../../src/memory-map.js';

/** First dword of a format: fixed bits, and where the opcode is (ISA document of RDNA3, encodings). */
const FORMATS: readonly {
  readonly name: string;
  readonly base: number;
  readonly shift: number;
  readonly bits: number;
  readonly dwords: number;
}[] = [
  { name: 'SOP1', base: 0xbe80_0000, shift: 8, bits: 8, dwords: 1 },
  { name: 'SOP2', base: 0x8000_0000, shift: 23, bits: 7, dwords: 1 },
  { name: 'SOPC', base: 0xbf00_0000, shift: 16, bits: 7, dwords: 1 },
  { name: 'SOPK', base: 0xb000_0000, shift: 23, bits: 5, dwords: 1 },
  { name: 'VOP1', base: 0x7e00_0000, shift: 9, bits: 8, dwords: 1 },
  { name: 'VOP2', base: 0x0000_0000, shift: 25, bits: 6, dwords: 1 },
  { name: 'VOPC', base: 0x7c00_0000, shift: 17, bits: 8, dwords: 1 },
  { name: 'VOP3', base: 0xd400_0000, shift: 16, bits: 10, dwords: 2 },
  { name: 'VOP3P', base: 0xcc00_0000, shift: 16, bits: 7, dwords: 2 },
  { name: 'VOPD', base: 0xc800_0000, shift: 17, bits: 9, dwords: 2 },
  { name: 'DS', base: 0xd800_0000, shift: 18, bits: 8, dwords: 2 },
  { name: 'FLAT', base: 0xdc00_0000, shift: 18, bits: 7, dwords: 2 },
  { name: 'SMEM', base: 0xf400_0000, shift: 18, bits: 8, dwords: 2 },
];

export interface Sample {
  readonly instruction: Instruction;
  readonly block: Block;
}

/** Up to `variants` encodings of each implemented instruction, with registers below the test's. */
export function findSamples(waveSize: 32 | 64, variants: number, random: Random): Map<string, Sample[]> {
  const decoder = createDecoder('gfx1100', { waveSize });
  const samples = new Map<string, Sample[]>();
  for (const format of FORMATS) {
    for (let opcode = 0; opcode < 1 << format.bits; opcode++) {
      for (let attempt = 0; attempt < 24 * variants; attempt++) {
        const sample = trySample(decoder, format, opcode, random);
        if (sample === undefined) continue;
        const { name, format: decodedFormat } = sample.instruction;
        const key = `${decodedFormat} ${name}`;
        const list = samples.get(key) ?? [];
        if (list.length < variants) list.push(sample);
        samples.set(key, list);
        if (list.length >= variants) break;
      }
    }
  }
  return samples;
}

function trySample(decoder: Decoder, format: (typeof FORMATS)[number], opcode: number, random: Random): Sample | undefined {
  const words = new Uint32Array(4);
  const fields = format.dwords === 1 ? scalarFields(random) : 0;
  const opcodeMask = ((1 << format.bits) - 1) << format.shift;
  const fixed = format.base | (opcode << format.shift);
  words[0] = (fixed | (fieldsOf(format.name, random, fields) & ~opcodeMask & ~fixedMask(format.name))) >>> 0;
  words[1] = secondWord(format.name, random);
  words[2] = random.bits();
  const decoded = decoder.decode(new Uint8Array(words.buffer), 0);
  if (!decoded.ok || decoded.instruction.format === 'SOPP') return undefined;
  const { instruction } = decoded;
  const semantics = semanticsOf(generationOf('gfx1100'));
  const isKnown = instruction.vopd?.every((half) => semantics.has(half.name)) ?? semantics.has(instruction.name);
  if (!isKnown || !instruction.operands.every(isSmall)) return undefined;
  const block = buildBlock([{ offset: 0, instruction }], {
    waveSize: decoder.waveSize,
    mode: MODE,
    processor: 'gfx1100',
    codeBase: 0n,
  });
  if (block.exit.kind !== 'fall' || block.modeAfter !== undefined) return undefined;
  if (block.effects.some((effect) => effect.kind === 'clock')) return undefined;
  return { instruction, block };
}

const fixedMask = (name: string): number =>
  (name === 'VOP2'
    ? 0x8000_0000
    : name === 'SOP2'
      ? 0xc000_0000
      : name.startsWith('VOP3') || name === 'VOPD'
        ? 0xfc00_0000
        : 0xff00_0000) | 0;

const scalarFields = (random: Random): number => random.word();

/** Sources and destinations among the first registers. */
function fieldsOf(name: string, random: Random, fields: number): number {
  const vgpr = (): number => random.below(VGPRS);
  const source = (): number => (random.below(3) === 0 ? SOURCES[random.below(SOURCES.length)]! : 256 + vgpr());
  const scalar = (): number => (random.below(3) === 0 ? SOURCES[random.below(SOURCES.length)]! : random.below(32) & ~1);
  switch (name) {
    case 'SOP1':
      return scalar() | ((random.below(32) & ~1) << 16);
    case 'SOP2':
      return scalar() | (scalar() << 8) | ((random.below(32) & ~1) << 16);
    case 'SOPC':
      return scalar() | (scalar() << 8);
    case 'SOPK':
      return (fields & 0xffff) | ((random.below(32) & ~1) << 16);
    case 'VOP1':
      return source() | (vgpr() << 17);
    case 'VOP2':
      return source() | (vgpr() << 9) | (vgpr() << 17);
    case 'VOPC':
      return source() | (vgpr() << 9);
    case 'VOP3':
    case 'VOP3P':
      // vdst or sdst, modifiers
      return (
        (random.below(2) === 0 ? vgpr() & ~1 : vgpr()) |
        ((random.below(4) === 0 ? random.below(256) : name === 'VOP3P' ? 0x40 : 0) << 8)
      );
    case 'VOPD':
      return source() | (vgpr() << 9) | (random.below(16) << 22);
    case 'DS':
      return random.below(4) === 0 ? random.word() & 0xffff : random.below(32) * 4;
    case 'FLAT':
      return random.below(64) * 4 - 128 + (((1 + random.below(2)) * (random.below(5) === 0 ? 0 : 1)) << 16);
    case 'SMEM':
      return ((random.below(4) * 2 + 16) >> 1) | ((random.below(2) * 16 + 32) << 6);
    default:
      return fields;
  }
}

const SOURCES: readonly number[] = [
  0, 2, 4, 6, 8, 12, 106, 128, 129, 133, 160, 193, 194, 208, 240, 241, 242, 243, 244, 246, 248, 255, 253, 126,
];

function secondWord(name: string, random: Random): number {
  const vgpr = (): number => random.below(VGPRS);
  const source = (): number => (random.below(3) === 0 ? SOURCES[random.below(SOURCES.length)]! : 256 + vgpr());
  switch (name) {
    case 'VOP3':
    case 'VOP3P': {
      const modifiers = random.below(3) === 0 ? random.below(8) << 29 : 0;
      return (source() | (source() << 9) | (source() << 18) | (name === 'VOP3P' ? 0x1800_0000 : 0) | modifiers) >>> 0;
    }
    case 'VOPD':
      return (source() | (vgpr() << 9) | (vgpr() << 17) | (vgpr() << 24)) >>> 0;
    case 'DS':
      // address in v0; data v4…, v8…; result anywhere
      return ((random.below(3) * 4 + 4) << 8) | (8 << 16) | ((vgpr() & 12) << 24);
    case 'FLAT': {
      const saddr = random.below(2) === 0 ? 0x7c : 16;
      return ((random.below(2) * 2) | ((random.below(2) * 4 + 4) << 8) | (saddr << 16) | ((vgpr() & 12) << 24)) >>> 0;
    }
    case 'SMEM':
      return (random.below(3) === 0 ? 20 << 25 : 0xf800_0000) | (random.below(64) * 4);
    default:
      return random.bits();
  }
}

/** All registers are there in the test's waves. */
function isSmall(operand: Instruction['operands'][number]): boolean {
  if (operand.kind === 'vgpr') return operand.index + Math.ceil(operand.bits / 32) <= VGPRS;
  return operand.kind !== 'agpr';
}

/** Registers for a memory instruction: addresses in the buffer. */
export function addressRegister(index: number, waveSize: number, random: Random): number {
  const vgpr = Math.floor(index / waveSize);
  if (vgpr === 0 || vgpr === 2) return BUFFER + 512 + (random.word() % (BUFFER_BYTES - 1024) & ~7);
  if (vgpr === 1 || vgpr === 3) return GPU_BASE_HIGH;
  return random.bits();
}
