import { badCodeObject, ByteReader } from '../internal/byte-reader.js';
import type { Unpacked } from './unpack-zstd.js';

/** A prefix code: symbols in the order of their codes, and how many codes there are of each length (RFC 1951, 3.2.2). */
interface PrefixCode {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

const MAX_BITS = 15;
/** RFC 1951, 3.2.5: length codes 257 … 285, distance codes 0 … 29, and the bits that follow them. */
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const LENGTH_BASE = Uint16Array.from([...bases(3, LENGTH_BITS.slice(0, -1)), 258]);
const DISTANCE_BITS = Array.from({ length: 30 }, (_, code) => Math.max(0, (code >> 1) - 1));
const DISTANCE_BASE = Uint16Array.from(bases(1, DISTANCE_BITS));
/** RFC 1951, 3.2.7: the order in which lengths of the lengths' code are stored. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** RFC 1951, 3.2.6 "Compression with fixed Huffman codes". */
const FIXED_LITERALS = prefixCode([
  ...new Array<number>(144).fill(8),
  ...new Array<number>(112).fill(9),
  ...new Array<number>(24).fill(7),
  ...new Array<number>(8).fill(8),
]);
const FIXED_DISTANCES = prefixCode(new Array<number>(30).fill(5));

/**
 * Unpacks a zlib stream (RFC 1950) that holds `sizeBytes` bytes. Writes no byte more, and compares the checksum.
 *
 * @throws {HsaError} ERR_CODE_OBJECT for data that is damaged, needs a dictionary, or unpacks to another size.
 */
export function unpackZlib(input: Uint8Array, sizeBytes: number): Unpacked {
  const reader = new ByteReader(input);
  const method = reader.u8(0, 'zlib header');
  const flags = reader.u8(1, 'zlib header');
  if ((method & 15) !== 8 || ((method << 8) | flags) % 31 !== 0) throw damaged('its header is none');
  if ((flags & 0x20) !== 0) throw badCodeObject('the zlib data needs a dictionary');
  const inflater = new Inflater(input, 2, new Uint8Array(sizeBytes));
  const end = inflater.run();
  const { bytes } = inflater;
  const checksum = [0, 1, 2, 3].reduce((sum, i) => sum * 256 + reader.u8(end + i, 'zlib checksum'), 0);
  if (checksum !== adler32(bytes)) throw damaged('its checksum differs');
  return { bytes, usedBytes: end + 4 };
}

/** The blocks of RFC 1951. */
class Inflater {
  readonly bytes: Uint8Array;
  readonly #input: Uint8Array;
  /** Next byte of the input; bits that were taken from it and not used yet. */
  #next: number;
  #bits = 0;
  #bitCount = 0;
  #at = 0;

  constructor(input: Uint8Array, start: number, bytes: Uint8Array) {
    this.#input = input;
    this.#next = start;
    this.bytes = bytes;
  }

  /** Unpacks everything; gives where the input ends. */
  run(): number {
    let isLast = false;
    while (!isLast) {
      isLast = this.#read(1) === 1;
      const kind = this.#read(2);
      if (kind === 0) this.#stored();
      else if (kind === 1) this.#compressed(FIXED_LITERALS, FIXED_DISTANCES);
      else if (kind === 2) this.#dynamic();
      else throw damaged('a block is of the reserved kind');
    }
    if (this.#at !== this.bytes.length) {
      throw badCodeObject(`the compressed data unpacks to ${this.#at} bytes, not to the ${this.bytes.length} that it claims`);
    }
    return this.#next - (this.#bitCount >> 3);
  }

  #stored(): void {
    this.#next -= this.#bitCount >> 3;
    this.#bits = 0;
    this.#bitCount = 0;
    const reader = new ByteReader(this.#input);
    const sizeBytes = reader.u16(this.#next, 'stored block');
    if ((sizeBytes ^ 0xffff) !== reader.u16(this.#next + 2, 'stored block')) throw damaged('the size of a stored block differs');
    const block = reader.slice(this.#next + 4, sizeBytes, 'stored block');
    this.#room(sizeBytes);
    this.bytes.set(block, this.#at);
    this.#at += sizeBytes;
    this.#next += 4 + sizeBytes;
  }

  /** RFC 1951, 3.2.7 "Compression with dynamic Huffman codes". */
  #dynamic(): void {
    const literals = this.#read(5) + 257;
    const distances = this.#read(5) + 1;
    const given = this.#read(4) + 4;
    const lengths = new Array<number>(19).fill(0);
    for (const symbol of LENGTH_ORDER.slice(0, given)) lengths[symbol] = this.#read(3);
    const code = prefixCode(lengths);
    const all: number[] = [];
    while (all.length < literals + distances) {
      const symbol = this.#symbol(code);
      if (symbol < 16) {
        all.push(symbol);
        continue;
      }
      const previous = all.at(-1);
      if (symbol === 16 && previous === undefined) throw damaged('the first code length repeats one');
      const value = symbol === 16 ? (previous ?? 0) : 0;
      const times = symbol === 16 ? 3 + this.#read(2) : symbol === 17 ? 3 + this.#read(3) : 11 + this.#read(7);
      for (let i = 0; i < times; i++) all.push(value);
    }
    if (all.length > literals + distances) throw damaged('code lengths repeat beyond their end');
    this.#compressed(prefixCode(all.slice(0, literals)), prefixCode(all.slice(literals)));
  }

  // hot
  #compressed(literals: PrefixCode, distances: PrefixCode): void {
    const { bytes } = this;
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol < 256) {
        this.#room(1);
        bytes[this.#at++] = symbol;
        continue;
      }
      if (symbol === 256) return;
      const base = LENGTH_BASE[symbol - 257];
      if (base === undefined) throw damaged(`there is no length code ${symbol}`);
      const length = base + this.#read(LENGTH_BITS[symbol - 257] ?? 0);
      const distanceCode = this.#symbol(distances);
      const distanceBase = DISTANCE_BASE[distanceCode];
      if (distanceBase === undefined) throw damaged(`there is no distance code ${distanceCode}`);
      const distance = distanceBase + this.#read(DISTANCE_BITS[distanceCode] ?? 0);
      if (distance > this.#at) throw damaged(`a match lies ${distance} bytes back, behind the begin`);
      this.#room(length);
      const end = this.#at + length;
      for (let to = this.#at; to < end; to++) bytes[to] = bytes[to - distance] ?? 0;
      this.#at = end;
    }
  }

  /** Codes come highest bit first; the codes of each length follow those of the shorter ones. */
  // hot
  #symbol({ counts, symbols }: PrefixCode): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_BITS; length++) {
      if (this.#bitCount === 0) this.#take();
      code |= this.#bits & 1;
      this.#bits >>>= 1;
      this.#bitCount--;
      const count = counts[length] ?? 0;
      if (code - first < count) return symbols[index + code - first] ?? 0;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw damaged('a code is none');
  }

  // hot
  #read(count: number): number {
    while (this.#bitCount < count) this.#take();
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  #take(): void {
    const byte = this.#input[this.#next];
    if (byte === undefined) throw damaged('it ends early');
    this.#bits |= byte << this.#bitCount;
    this.#next++;
    this.#bitCount += 8;
  }

  #room(sizeBytes: number): void {
    if (this.#at + sizeBytes > this.bytes.length) {
      throw badCodeObject(`the compressed data unpacks to more than the ${this.bytes.length} bytes that it claims`);
    }
  }
}

function prefixCode(lengths: readonly number[]): PrefixCode {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  let free = 1;
  const starts = new Uint16Array(MAX_BITS + 2);
  for (let length = 1; length <= MAX_BITS; length++) {
    free = free * 2 - (counts[length] ?? 0);
    if (free < 0) throw damaged('a code has more symbols than there is room for');
    starts[length + 1] = (starts[length] ?? 0) + (counts[length] ?? 0);
  }
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const at = starts[length] ?? 0;
    symbols[at] = symbol;
    starts[length] = at + 1;
  }
  return { counts, symbols };
}

function bases(first: number, extra: readonly number[]): number[] {
  let next = first;
  return extra.map((bits) => {
    const own = next;
    next += 1 << bits;
    return own;
  });
}

/** RFC 1950, section 8. */
function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let start = 0; start < bytes.length; start += 3800) {
    const end = Math.min(start + 3800, bytes.length);
    for (let i = start; i < end; i++) {
      low += bytes[i] ?? 0;
      high += low;
    }
    low %= 65521;
    high %= 65521;
  }
  return high * 0x1_0000 + low;
}

function damaged(problem: string): Error {
  return badCodeObject(`the zlib data is damaged: ${problem}`);
}
