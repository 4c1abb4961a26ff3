import { badCodeObject } from '../internal/byte-reader.js';
import { BackwardBits } from './backward-bits.js';
import { readFseTable } from './fse-table.js';

/** A decoding table: by the next `width` bits, the symbol and how many of them are its code. */
export interface HuffmanTable {
  readonly width: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
}

const MAX_WIDTH = 11;
const WEIGHT_LIMITS = { maxAccuracy: 6, maxSymbol: MAX_WIDTH } as const;
const MAX_WEIGHTS = 255;

/**
 * Reads the description of a tree that begins at `start` (RFC 8878, 4.2.1 "Huffman Tree Description").
 *
 * @throws {HsaError} ERR_CODE_OBJECT
 */
export function readHuffmanTable(bytes: Uint8Array, start: number): { readonly table: HuffmanTable; readonly end: number } {
  const head = bytes[start] ?? 0;
  const begin = start + 1;
  if (head >= 128) {
    const count = head - 127;
    const end = begin + ((count + 1) >> 1);
    if (end > bytes.length) throw badTree('ends early');
    const weights = Array.from({ length: count }, (_, i) => {
      const pair = bytes[begin + (i >> 1)] ?? 0;
      return i % 2 === 0 ? pair >> 4 : pair & 15;
    });
    return { table: buildTable(weights), end };
  }
  const end = begin + head;
  if (end > bytes.length) throw badTree('ends early');
  return { table: buildTable(readWeights(bytes.subarray(begin, end))), end };
}

/** Two states take turns; what is left in the other one ends the stream (RFC 8878, 4.2.1.2). */
function readWeights(bytes: Uint8Array): number[] {
  const { table, end } = readFseTable(bytes, 0, WEIGHT_LIMITS);
  const bits = new BackwardBits(bytes.subarray(end));
  const weights: number[] = [];
  let state = bits.read(table.accuracy);
  let other = bits.read(table.accuracy);
  while (weights.length < MAX_WEIGHTS) {
    weights.push(table.symbols[state] ?? 0);
    state = (table.base[state] ?? 0) + bits.read(table.bits[state] ?? 0);
    if (bits.left < 0) {
      weights.push(table.symbols[other] ?? 0);
      break;
    }
    [state, other] = [other, state];
  }
  if (bits.left >= 0 || weights.length > MAX_WEIGHTS) throw badTree(`has more than ${MAX_WEIGHTS} weights`);
  return weights;
}

/** The last weight is what is missing to a power of two (RFC 8878, 4.2.1.3 "Conversion from Weights to Huffman Prefix Codes"). */
function buildTable(given: readonly number[]): HuffmanTable {
  let sum = 0;
  for (const weight of given) {
    if (weight > MAX_WIDTH) throw badTree(`has a weight of ${weight}`);
    sum += weight === 0 ? 0 : 1 << (weight - 1);
  }
  const width = 32 - Math.clz32(sum);
  const rest = (1 << width) - sum;
  if (sum === 0 || width > MAX_WIDTH || (rest & (rest - 1)) !== 0) throw badTree('has weights that do not add up');
  const weights = [...given, 32 - Math.clz32(rest)];
  const symbols = new Uint8Array(1 << width);
  const bits = new Uint8Array(1 << width);
  let at = 0;
  for (let weight = 1; weight <= width; weight++) {
    for (const [symbol, own] of weights.entries()) {
      if (own !== weight) continue;
      const next = at + (1 << (weight - 1));
      symbols.fill(symbol, at, next);
      bits.fill(width + 1 - weight, at, next);
      at = next;
    }
  }
  return { width, symbols, bits };
}

/**
 * Decodes one stream that must fill `out` exactly.
 *
 * @throws {HsaError} ERR_CODE_OBJECT
 */
// hot
export function decodeHuffman(bytes: Uint8Array, out: Uint8Array, { width, symbols, bits }: HuffmanTable): void {
  const mask = (1 << width) - 1;
  let left = new BackwardBits(bytes).left;
  for (let i = 0; i < out.length; i++) {
    const at = left - width;
    const byte = at < 0 ? 0 : at >> 3;
    const word = (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16);
    const index = at < 0 ? (word << -at) & mask : (word >> (at & 7)) & mask;
    out[i] = symbols[index] ?? 0;
    left -= bits[index] ?? 0;
    if (left < 0) break;
  }
  if (left !== 0) throw badCodeObject('the zstd data is damaged: a stream of literals has another length than it says');
}

function badTree(problem: string): Error {
  return badCodeObject(`the zstd data is damaged: a Huffman tree ${problem}`);
}
