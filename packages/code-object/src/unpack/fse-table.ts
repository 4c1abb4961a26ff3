import { badCodeObject } from '../internal/byte-reader.js';

/** A decoding table of finite state entropy: by state, the symbol, and how the next state is found. */
export interface FseTable {
  /** Bits of a state. */
  readonly accuracy: number;
  readonly symbols: Uint8Array;
  /** Bits to read for the next state, and what to add to them. */
  readonly bits: Uint8Array;
  readonly base: Uint16Array;
}

export interface ReadFseTable {
  readonly table: FseTable;
  /** Where the description ends. */
  readonly end: number;
}

export interface FseLimits {
  readonly maxAccuracy: number;
  /** The largest symbol. */
  readonly maxSymbol: number;
}

/**
 * Reads the description of a table that begins at `start` (RFC 8878, 4.1.1 "FSE Table Description").
 *
 * @throws {HsaError} ERR_CODE_OBJECT
 */
export function readFseTable(bytes: Uint8Array, start: number, { maxAccuracy, maxSymbol }: FseLimits): ReadFseTable {
  const accuracy = (byteAt(bytes, start) & 15) + 5;
  if (accuracy > maxAccuracy) throw badTable(`has accuracy ${accuracy}; at most ${maxAccuracy} is allowed`);
  const counts: number[] = [];
  let at = start * 8 + 4;
  const read = (bits: number): number => {
    const byte = at >> 3;
    return (
      ((byteAt(bytes, byte) | (byteAt(bytes, byte + 1) << 8) | (byteAt(bytes, byte + 2) << 16)) >> (at & 7)) & ((1 << bits) - 1)
    );
  };
  let remaining = (1 << accuracy) + 1;
  let threshold = 1 << accuracy;
  let width = accuracy + 1;
  while (remaining > 1) {
    if (counts.length > maxSymbol) throw badTable(`names symbols beyond ${maxSymbol}`);
    // Values below `short` have one bit less.
    const short = 2 * threshold - 1 - remaining;
    let value = read(width - 1);
    if (value < short) {
      at += width - 1;
    } else {
      value = read(width);
      if (value >= threshold) value -= short;
      at += width;
    }
    const count = value - 1;
    counts.push(count);
    remaining -= Math.abs(count);
    if (count === 0) {
      // Two bits at a time: how many more symbols do not occur; 3 says that two more bits follow.
      let more: number;
      do {
        more = read(2);
        at += 2;
        if (at > bytes.length * 8) throw badTable('ends early');
        for (let zero = 0; zero < more; zero++) counts.push(0);
      } while (more === 3);
    }
    while (remaining < threshold && threshold > 1) {
      width--;
      threshold >>= 1;
    }
  }
  const end = (at + 7) >> 3;
  if (end > bytes.length) throw badTable('ends early');
  if (remaining !== 1 || counts.length > maxSymbol + 1) throw badTable('has frequencies that do not add up');
  return { table: buildFseTable(counts, accuracy), end };
}

/** The table of these frequencies, where -1 is "less than one" (RFC 8878, 4.1.1, "From Normalized Distribution to Decoding Tables"). */
export function buildFseTable(counts: readonly number[], accuracy: number): FseTable {
  const size = 1 << accuracy;
  const symbols = new Uint8Array(size);
  const bits = new Uint8Array(size);
  const base = new Uint16Array(size);
  let high = size - 1;
  const next = Uint16Array.from(counts, (count, symbol) => {
    if (count !== -1) return count;
    symbols[high--] = symbol;
    return 1;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let place = 0;
  for (const [symbol, count] of counts.entries()) {
    for (let i = 0; i < count; i++) {
      symbols[place] = symbol;
      do {
        place = (place + step) & (size - 1);
      } while (place > high);
    }
  }
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] ?? 0;
    const value = next[symbol] ?? 1;
    next[symbol] = value + 1;
    const width = accuracy - (31 - Math.clz32(value));
    bits[state] = width;
    base[state] = (value << width) - size;
  }
  return { accuracy, symbols, bits, base };
}

/** The table that gives one symbol always and reads nothing. */
export function constantTable(symbol: number): FseTable {
  return { accuracy: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), base: new Uint16Array(1) };
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function badTable(problem: string): Error {
  return badCodeObject(`the zstd data is damaged: an entropy table ${problem}`);
}
