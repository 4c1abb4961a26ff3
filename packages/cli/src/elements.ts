import { ELEMENT_ARRAYS, type ScalarType, type TypedArray } from '@doorbell/runtime';

/** Size of an element in bytes. */
export function elementBytes(type: ScalarType): number {
  return ELEMENT_ARRAYS[type].BYTES_PER_ELEMENT;
}

/** The elements of a little-endian file; undefined when its size is no whole number of them. */
export function elementsOf(type: ScalarType, bytes: Uint8Array): TypedArray | undefined {
  const size = elementBytes(type);
  if (bytes.length === 0 || bytes.length % size !== 0) return undefined;
  // A copy begins at an aligned offset.
  const copy = new Uint8Array(bytes);
  return new ELEMENT_ARRAYS[type](copy.buffer, 0, copy.length / size);
}

/** Random elements: floats uniform in [0, 1), integers uniform over their range. The same seed gives the same elements. */
export function randomElements(type: ScalarType, length: number, seed: number): TypedArray {
  const next = randomWords(seed);
  const array = new ELEMENT_ARRAYS[type](length);
  if (array instanceof BigInt64Array || array instanceof BigUint64Array) {
    // Storing keeps the low 64 bits, as the element type wants them.
    for (let i = 0; i < length; i++) array[i] = (BigInt(next()) << 32n) | BigInt(next());
    return array;
  }
  for (let i = 0; i < length; i++) array[i] = randomElement(type, next());
  return array;
}

function randomElement(type: ScalarType, word: number): number {
  switch (type) {
    case 'f32':
      return (word >>> 8) / 2 ** 24;
    case 'f64':
      return word / 2 ** 32;
    case 'f16':
      return halfOfFraction(word >>> 21);
    case 'bf16':
      return bfloatOfFraction(word >>> 24);
    default:
      // Storing keeps the low bits.
      return word;
  }
}

/** Bits of the binary16 number m/2048, m < 2048: exact. */
function halfOfFraction(m: number): number {
  if (m === 0) return 0;
  const exponent = 31 - Math.clz32(m);
  return ((exponent - 11 + 15) << 10) | ((m << (10 - exponent)) & 0x3ff);
}

/** Bits of the bfloat16 number m/256, m < 256: exact. */
function bfloatOfFraction(m: number): number {
  if (m === 0) return 0;
  const exponent = 31 - Math.clz32(m);
  return ((exponent - 8 + 127) << 7) | ((m << (7 - exponent)) & 0x7f);
}

/** The generator mulberry32: 32 random bits a call. */
function randomWords(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return (word ^ (word >>> 14)) >>> 0;
  };
}

/** What a run prints of a result that goes to no file. 64-bit integers as decimal strings. */
export interface Summary {
  readonly type: ScalarType;
  readonly length: number;
  readonly first: readonly (number | string)[];
  readonly min: number | string;
  readonly max: number | string;
  readonly sum: number | string;
}

const SHOWN = 8;

/** First elements, smallest, largest and sum of a buffer; NaNs count in the sum alone. */
export function summarize(type: ScalarType, data: TypedArray): Summary {
  const { length } = data;
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    let [min, max, sum] = [data[0] ?? 0n, data[0] ?? 0n, 0n];
    for (const value of data) {
      if (value < min) min = value;
      if (value > max) max = value;
      sum += value;
    }
    return { type, length, first: Array.from(data.subarray(0, SHOWN), String), min: `${min}`, max: `${max}`, sum: `${sum}` };
  }
  let [min, max, sum] = [Infinity, -Infinity, 0];
  for (const bits of data) {
    const value = toNumber(type, bits);
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
  }
  const first = Array.from(data.subarray(0, SHOWN), (bits) => printable(toNumber(type, bits)));
  return { type, length, first, min: printable(min), max: printable(max), sum: printable(sum) };
}

/** JSON has no infinities and no NaN. */
function printable(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function toNumber(type: ScalarType, bits: number): number {
  if (type === 'f16') return halfToNumber(bits);
  if (type === 'bf16') return new Float32Array(Uint32Array.of(bits << 16).buffer)[0] ?? 0;
  return bits;
}

function halfToNumber(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
