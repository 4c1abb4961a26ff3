/**
 * The recorded layouts as the generator's input has them, read by its own rules (coordinate bit n goes to the n-th place), and numbers
 * of the element formats: what the tests of matrix instructions are about, in a second reading.
 */
import { readData } from '../../../../tools/isa-generator/generate.mjs';

export interface RecordedLayout {
  readonly w: number;
  readonly regs: number;
  readonly dup?: string;
  readonly sets?: number;
  readonly setbits?: number;
  readonly half?: string;
  readonly i?: string;
  readonly j?: string;
  readonly k?: string;
  readonly b?: string;
  readonly g?: string;
}

export interface RecordedInstruction {
  readonly arch: string;
  readonly name: string;
  readonly in: string;
  readonly in1: string;
  readonly out: string;
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly blocks: number;
  readonly sparse: boolean;
  readonly cbsz_abid?: boolean;
  readonly blgp?: boolean;
  readonly format?: string;
  readonly wave: Readonly<Record<string, Readonly<Record<'A' | 'B' | 'D' | 'X', number>>>>;
}

// Safe: the file has this shape.
const data = readData('matrix-layouts') as unknown as {
  readonly layouts: readonly RecordedLayout[];
  readonly instructions: readonly RecordedInstruction[];
};

export const RECORDED: readonly RecordedInstruction[] = data.instructions;

export function recordedLayout(number: number): RecordedLayout {
  return data.layouts[number]!;
}

/** Registers of a wave, one dword for each lane. */
export interface Registers {
  readonly waveSize: number;
  readonly dwords: Uint32Array;
}

/** Where the bits of a coordinate go: `l` lane, `r` register, `e` element, `t` bit of the tuple; and how far up. */
type Place = readonly [kind: 'l' | 'r' | 'e' | 't', shift: number];

const placesByLayout = new WeakMap<RecordedLayout, Map<string, readonly Place[]>>();

function placesOf(layout: RecordedLayout, name: string): readonly Place[] {
  let byName = placesByLayout.get(layout);
  if (byName === undefined) placesByLayout.set(layout, (byName = new Map<string, readonly Place[]>()));
  let places = byName.get(name);
  if (places === undefined) {
    const texts = (layout as unknown as Record<string, string | undefined>)[name]?.split(' ') ?? [];
    // Safe: places begin with one of these letters.
    places = texts.map((place) => [place[0] as Place[0], Number(place.slice(1))]);
    byName.set(name, places);
  }
  return places;
}

/** Lane and first bit in the tuple of an element's slot. */
export function slotOf(layout: RecordedLayout, at: Readonly<Record<string, number>>): { lane: number; bit: number } {
  const sum = { l: 0, r: 0, e: 0, t: 0 };
  for (const name in at) {
    const value = at[name]!;
    placesOf(layout, name).forEach(([kind, shift], n) => (sum[kind] += ((value >> n) & 1) << shift));
  }
  const slot = sum.t > 0 || layout.w === 6 ? sum.t * layout.w : sum.r * 32 + (layout.w < 32 ? sum.e * layout.w : 0);
  return { lane: sum.l, bit: slot };
}

/** `count` bits at a bit of a register tuple that begins at register `first`. */
export function readBits({ waveSize, dwords }: Registers, first: number, lane: number, bit: number, count: number): bigint {
  let value = 0n;
  for (let n = 0; n < count; ) {
    const shift = (bit + n) & 31;
    const bits = Math.min(32 - shift, count - n);
    const dword = dwords[(first + ((bit + n) >> 5)) * waveSize + lane]!;
    value |= BigInt(((dword >>> shift) & maskOf(bits)) >>> 0) << BigInt(n);
    n += bits;
  }
  return value;
}

export function writeBits(
  { waveSize, dwords }: Registers,
  first: number,
  lane: number,
  bit: number,
  count: number,
  value: bigint,
): void {
  for (let n = 0; n < count; ) {
    const shift = (bit + n) & 31;
    const bits = Math.min(32 - shift, count - n);
    const at = (first + ((bit + n) >> 5)) * waveSize + lane;
    const mask = maskOf(bits) << shift;
    dwords[at] = (dwords[at]! & ~mask) | ((Number((value >> BigInt(n)) & 0xffff_ffffn) << shift) & mask);
    n += bits;
  }
}

/** The lowest bits of a dword, 1 to 32 of them; signed. */
const maskOf = (bits: number): number => (bits === 32 ? -1 : (1 << bits) - 1);

/** Exponent bits, mantissa bits, bias; the codes that are no finite numbers. */
const FLOATS: Readonly<Record<string, readonly [number, number, number, (code: number) => boolean]>> = {
  f16: [5, 10, 15, (code) => (code & 0x7c00) === 0x7c00],
  bf16: [8, 7, 127, (code) => (code & 0x7f80) === 0x7f80],
  fp8: [4, 3, 7, (code) => (code & 0x7f) === 0x7f],
  bf8: [5, 2, 15, (code) => (code & 0x7c) === 0x7c],
  fp8fnuz: [4, 3, 8, (code) => code === 0x80],
  bf8fnuz: [5, 2, 16, (code) => code === 0x80],
  fp6: [2, 3, 1, () => false],
  bf6: [3, 2, 3, () => false],
  fp4: [2, 1, 1, () => false],
};

export function widthOf(format: string): number {
  if (format === 'f64') return 64;
  if (format === 'f32' || format === 'xf32' || format === 'i32') return 32;
  const float = FLOATS[format];
  return float === undefined ? Number(format.slice(1)) : 1 + float[0] + float[1];
}

/** Bits on their way to numbers and back. */
const bitsOf = new DataView(new ArrayBuffer(8));

/** The number that a code stands for. */
export function numberOf(format: string, code: bigint): number {
  if (format === 'f64') {
    bitsOf.setBigUint64(0, code);
    return bitsOf.getFloat64(0);
  }
  if (format === 'f32' || format === 'xf32') {
    bitsOf.setUint32(0, format === 'xf32' ? Number(code) & ~0x1fff : Number(code));
    return bitsOf.getFloat32(0);
  }
  const float = FLOATS[format];
  if (float === undefined) return Number(format.startsWith('u') ? code : BigInt.asIntN(widthOf(format), code));
  const [exponentBits, mantissaBits, bias] = float;
  const bits = Number(code);
  const size = bits & ((1 << (exponentBits + mantissaBits)) - 1);
  const exponent = Math.max(1, size >> mantissaBits);
  const implicit = size >> mantissaBits === 0 ? 0 : 1 << mantissaBits;
  const value = (implicit + (size & ((1 << mantissaBits) - 1))) * 2 ** (exponent - bias - mantissaBits);
  return bits >> (exponentBits + mantissaBits) === 1 ? -value : value;
}

/** A random code of a number that is neither extreme nor denormal in f16; of 8 bits and less: of any number up to `largest`. */
export function randomCode(format: string, word: () => number, largest: number = Infinity): bigint {
  const width = widthOf(format);
  if (format === 'f64') return new BigUint64Array(new Float64Array([word() / 2 ** 29 - 4]).buffer)[0]!;
  if (format === 'f32' || format === 'xf32') return BigInt(new Uint32Array(new Float32Array([word() / 2 ** 29 - 4]).buffer)[0]!);
  const float = FLOATS[format];
  if (float === undefined) return BigInt(word()) & ((1n << BigInt(width)) - 1n);
  for (;;) {
    const code = word() & ((1 << width) - 1);
    const size = Math.abs(numberOf(format, BigInt(code)));
    const isPlain = format.endsWith('16') ? size > 0.01 && size < 4 : !float[3](code) && size <= largest;
    if (isPlain) return BigInt(code);
  }
}
