import { badCodeObject } from '../internal/byte-reader.js';
import { BackwardBits } from './backward-bits.js';
import { buildFseTable, constantTable, type FseTable, readFseTable } from './fse-table.js';

/** The tables of one block; the next one may use them again. */
interface SequenceTables {
  readonly literals: FseTable;
  readonly offsets: FseTable;
  readonly matches: FseTable;
}

/** Where a frame is being unpacked to, and what its blocks hand on. */
export interface FrameState {
  readonly out: Uint8Array;
  /** Where the frame begins in `out`, and how far it is. */
  readonly start: number;
  at: number;
  /** The last three offsets, newest first (RFC 8878, 3.1.1.5 "Repeat Offsets"). */
  readonly offsets: [number, number, number];
  tables?: SequenceTables;
}

/** Bits that follow a code, and what is added to them (RFC 8878, 3.1.1.3.2.1.1: literals lengths, match lengths). */
interface CodeLengths {
  readonly extra: Uint8Array;
  readonly base: Uint32Array;
}

const LITERALS = codeLengths(0, [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const MATCHES = codeLengths(3, [...zeros(32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const MAX_OFFSET_CODE = 31;

/** RFC 8878, 3.1.1.3.2.2 "Default Distributions". */
const DEFAULTS: SequenceTables = {
  literals: buildFseTable(
    [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1],
    6,
  ),
  offsets: buildFseTable([...ones(6), 2, 2, 2, ...ones(15), -1, -1, -1, -1, -1], 5),
  matches: buildFseTable([1, 4, 3, 2, 2, 2, 2, 2, 2, ...ones(37), -1, -1, -1, -1, -1, -1, -1], 6),
};

/**
 * Unpacks the sequences of a block, `bytes` from `start`: each copies some literals and then a match from what was unpacked
 * before (RFC 8878, 3.1.1.3.2 "Sequences Section", 3.1.1.4 "Sequence Execution"). What is left of the literals follows.
 *
 * @throws {HsaError} ERR_CODE_OBJECT
 */
export function unpackSequences(bytes: Uint8Array, start: number, literals: Uint8Array, state: FrameState): void {
  const first = bytes[start];
  if (first === undefined) throw damaged('a block ends before its sequences');
  if (first === 0) {
    copyLiterals(literals, 0, literals.length, state);
    return;
  }
  const [count, at] =
    first < 128
      ? [first, start + 1]
      : first < 255
        ? [((first - 128) << 8) + (bytes[start + 1] ?? 0), start + 2]
        : [(bytes[start + 1] ?? 0) + ((bytes[start + 2] ?? 0) << 8) + 0x7f00, start + 3];
  const { tables, end } = readTables(bytes, at, state.tables);
  state.tables = tables;
  execute(new BackwardBits(bytes.subarray(end)), count, { tables, literals, state });
}

function readTables(
  bytes: Uint8Array,
  start: number,
  previous: SequenceTables | undefined,
): { readonly tables: SequenceTables; readonly end: number } {
  const modes = bytes[start] ?? 0;
  if ((modes & 3) !== 0) throw damaged('reserved bits of the compression modes are set');
  let end = start + 1;
  const read = (shift: number, kind: keyof SequenceTables, maxAccuracy: number, maxSymbol: number): FseTable => {
    switch ((modes >> shift) & 3) {
      case 0:
        return DEFAULTS[kind];
      case 1: {
        const symbol = bytes[end++];
        if (symbol === undefined || symbol > maxSymbol) throw damaged(`a code of ${kind} is ${symbol ?? 'missing'}`);
        return constantTable(symbol);
      }
      case 2: {
        const described = readFseTable(bytes, end, { maxAccuracy, maxSymbol });
        end = described.end;
        return described.table;
      }
      default:
        if (previous === undefined) throw damaged(`the first block repeats a table of ${kind}`);
        return previous[kind];
    }
  };
  const literals = read(6, 'literals', 9, LITERALS.extra.length - 1);
  const offsets = read(4, 'offsets', 8, MAX_OFFSET_CODE);
  const matches = read(2, 'matches', 9, MATCHES.extra.length - 1);
  return { tables: { literals, offsets, matches }, end };
}

interface Execution {
  readonly tables: SequenceTables;
  readonly literals: Uint8Array;
  readonly state: FrameState;
}

// hot
function execute(bits: BackwardBits, count: number, { tables, literals, state }: Execution): void {
  const { out, offsets: recent } = state;
  let literalState = bits.read(tables.literals.accuracy);
  let offsetState = bits.read(tables.offsets.accuracy);
  let matchState = bits.read(tables.matches.accuracy);
  let taken = 0;
  for (let i = 0; i < count; i++) {
    const offsetCode = tables.offsets.symbols[offsetState] ?? 0;
    const matchCode = tables.matches.symbols[matchState] ?? 0;
    const literalCode = tables.literals.symbols[literalState] ?? 0;
    const offsetValue = 2 ** offsetCode + bits.readLong(offsetCode);
    const matchLength = (MATCHES.base[matchCode] ?? 0) + bits.read(MATCHES.extra[matchCode] ?? 0);
    const literalLength = (LITERALS.base[literalCode] ?? 0) + bits.read(LITERALS.extra[literalCode] ?? 0);
    if (i + 1 < count) {
      literalState = (tables.literals.base[literalState] ?? 0) + bits.read(tables.literals.bits[literalState] ?? 0);
      matchState = (tables.matches.base[matchState] ?? 0) + bits.read(tables.matches.bits[matchState] ?? 0);
      offsetState = (tables.offsets.base[offsetState] ?? 0) + bits.read(tables.offsets.bits[offsetState] ?? 0);
    }
    if (bits.left < 0) throw damaged('a block ends inside its sequences');
    const offset = resolveOffset(recent, offsetValue, literalLength);
    copyLiterals(literals, taken, taken + literalLength, state);
    taken += literalLength;
    const { at } = state;
    if (offset === 0 || offset > at - state.start) throw damaged(`a match lies ${offset} bytes back, behind the begin`);
    const end = at + matchLength;
    if (end > out.length) throw tooLong(out);
    if (offset >= matchLength && matchLength > 32) out.copyWithin(at, at - offset, at - offset + matchLength);
    else for (let to = at; to < end; to++) out[to] = out[to - offset] ?? 0;
    state.at = end;
  }
  if (bits.left !== 0) throw damaged(`${bits.left} bits are left behind the sequences of a block`);
  copyLiterals(literals, taken, literals.length, state);
}

/** The offset of an offset value; keeps the three last ones (RFC 8878, 3.1.1.5). */
// hot
function resolveOffset(recent: [number, number, number], value: number, literalLength: number): number {
  if (value > 3) {
    recent[2] = recent[1];
    recent[1] = recent[0];
    recent[0] = value - 3;
    return recent[0];
  }
  const index = literalLength === 0 ? value : value - 1;
  if (index === 0) return recent[0];
  const offset = index === 1 ? recent[1] : index === 2 ? recent[2] : recent[0] - 1;
  if (index > 1) recent[2] = recent[1];
  recent[1] = recent[0];
  recent[0] = offset;
  return offset;
}

// hot
function copyLiterals(literals: Uint8Array, from: number, to: number, state: FrameState): void {
  if (to > literals.length) throw damaged('a sequence takes more literals than there are');
  if (state.at + to - from > state.out.length) throw tooLong(state.out);
  const { out } = state;
  let { at } = state;
  // Most runs are a few bytes long, for which a view costs more than it saves.
  if (to - from > 32) out.set(literals.subarray(from, to), at);
  else for (let i = from; i < to; i++) out[at++] = literals[i] ?? 0;
  state.at += to - from;
}

/** There is more than the container said. */
export function tooLong(out: Uint8Array): Error {
  return badCodeObject(`the compressed data unpacks to more than the ${out.length} bytes that it claims`);
}

function damaged(problem: string): Error {
  return badCodeObject(`the zstd data is damaged: ${problem}`);
}

function codeLengths(first: number, extra: readonly number[]): CodeLengths {
  let next = first;
  const base = extra.map((bits) => {
    const own = next;
    next += 2 ** bits;
    return own;
  });
  return { extra: Uint8Array.from(extra), base: Uint32Array.from(base) };
}

function zeros(count: number): number[] {
  return new Array<number>(count).fill(0);
}

function ones(count: number): number[] {
  return new Array<number>(count).fill(1);
}
