import type { Decoded, DecodeFailure, Decoder } from '../instruction.js';
import type { InstructionTable } from '../table/instruction-table.js';
import { instructionTable } from '../table/processors.js';
import { chooseWaveSize } from '../table/wave-size.js';
import type { DecodeContext } from './decode-context.js';
import { DecodedInstruction } from './decoded-instruction.js';
import { BAD_OPERAND, NO_MATCH, TOO_SHORT } from './flat-checks.js';
import { hasImageRegisters } from './image.js';
import { hasMatrixRegisters } from './matrix.js';
import type { Candidate, Requirement } from './candidate.js';
import { EntryLookup } from './lookup.js';
import { FIELD_VALUE, checkField } from './operand-plan.js';
import { OperandReaders } from './operand-reader.js';
import { PairDecoder } from './pairs.js';

export interface DecoderOptions {
  /** Lanes of a wave; default: 64 on gfx9 and CDNA, else 32. */
  readonly waveSize?: 32 | 64;
}

const MAX_WORDS = 5;
const DWORD_BYTES = 4;

/**
 * A decoder for one processor and wave size. Its tables are made on first use and shared by all callers.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT not a processor, or a wave size it does not have; ERR_NOT_SUPPORTED no table for it.
 * @example
 * const decoder = createDecoder('gfx1100');
 * const result = decoder.decode(Uint8Array.of(0x80, 0x02, 0x00, 0x7e), 0);
 * if (result.ok) console.log(result.instruction.mnemonic); // v_mov_b32_e32
 */
export function createDecoder(processor: string, options: DecoderOptions = {}): Decoder {
  const table = instructionTable(processor);
  const waveSize = chooseWaveSize(table, processor, options.waveSize);
  const key = `${processor}/${waveSize}`;
  let decoder = decoders.get(key);
  if (!decoder) {
    decoder = new TableDecoder(table, processor, waveSize);
    decoders.set(key, decoder);
  }
  return decoder;
}

/** Decoders keep nothing between calls, so that every caller of one target can have the same. */
const decoders = new Map<string, Decoder>();

class TableDecoder implements Decoder {
  readonly processor: string;
  readonly waveSize: 32 | 64;
  readonly lookup: EntryLookup;
  readonly pairs: PairDecoder | undefined;
  /** Words of the instruction at hand, signed; only valid during one call. */
  readonly words: Int32Array = new Int32Array(MAX_WORDS);

  constructor(table: InstructionTable, processor: string, waveSize: 32 | 64) {
    const context: DecodeContext = { table, processor, waveSize, readers: new OperandReaders(table) };
    const pairs = waveSize === 32 && table.parts.vopd !== undefined ? new PairDecoder(context) : undefined;
    this.processor = processor;
    this.waveSize = waveSize;
    this.pairs = pairs;
    this.lookup = new EntryLookup(context, (word) => pairs?.matches(word) === true);
  }

  // hot
  decode(bytes: Uint8Array, offset: number): Decoded {
    const left = bytes.length - offset;
    if (!(left >= DWORD_BYTES && offset >= 0)) return failed('truncated', 'fewer than 4 bytes left', tail(bytes, offset));
    const word0 = readWord(bytes, offset);
    // Words past the end count as 0; a candidate that needs them is refused by its size.
    const word1 = left >= 2 * DWORD_BYTES ? readWord(bytes, offset + DWORD_BYTES) : 0;
    const bucket = this.lookup.find(word0);
    let outcome = NO_MATCH;
    if (bucket.isPair && this.pairs !== undefined) {
      const word2 = left >= 3 * DWORD_BYTES ? readWord(bytes, offset + 2 * DWORD_BYTES) : 0;
      const pair = this.pairs.decode(word0, word1, word2, left);
      if (typeof pair !== 'number') return pair;
      outcome = pair;
    }
    const { candidates } = bucket;
    for (let i = 0; i < candidates.length; i++) {
      const candidate = candidates[i];
      if (candidate === undefined) break;
      if (((word0 ^ candidate.value0) & candidate.mask0) !== 0 || ((word1 ^ candidate.value1) & candidate.mask1) !== 0) continue;
      const { flat } = candidate;
      const result =
        flat === undefined ? measureSpecial(candidate, this.readWords(bytes, offset), left) : flat.measure(word0, word1, 0, left);
      if (result > 0) {
        const word2 = result > 8 ? readWord(bytes, offset + 8) : 0;
        const word3 = result > 12 ? readWord(bytes, offset + 12) : 0;
        const word4 = result > 16 ? readWord(bytes, offset + 16) : 0;
        return new DecodedInstruction(candidate, result, word0, word1, word2, word3, word4);
      }
      if (result < outcome) outcome = result;
    }
    return failure(outcome, word0, left);
  }

  /** All words that an instruction can have. */
  readWords(bytes: Uint8Array, offset: number): Int32Array {
    const { words } = this;
    for (let i = 0; i < MAX_WORDS; i++) {
      const at = offset + i * DWORD_BYTES;
      words[i] = at + DWORD_BYTES <= bytes.length ? readWord(bytes, at) : 0;
    }
    return words;
  }
}

/** {@link FlatChecks.measure} for a candidate that needs more than that, or whose fixed bits agree for the first time. */
function measureSpecial(candidate: Candidate, words: Int32Array, left: number): number {
  const { plan } = candidate;
  if ((((words[2] ?? 0) ^ candidate.value2) & candidate.mask2) !== 0) return NO_MATCH;
  if ((((words[3] ?? 0) ^ candidate.value3) & candidate.mask3) !== 0) return NO_MATCH;
  if (candidate.requirement !== undefined && !meetsRequirement(candidate.requirement, words)) return NO_MATCH;
  if (candidate.sizeBytes > left) return TOO_SHORT;
  let literalBytes = 0;
  for (const check of plan.checks) {
    const state = checkField(check, words);
    if (state === FIELD_VALUE.invalid) return BAD_OPERAND;
    if (state !== FIELD_VALUE.valid) {
      if (literalBytes !== 0 && state !== literalBytes) return BAD_OPERAND;
      literalBytes = state;
    }
  }
  const { table } = candidate.context;
  if (candidate.isMatrix && !hasMatrixRegisters(table, candidate, words)) return BAD_OPERAND;
  if (candidate.isImage && !hasImageRegisters(table, candidate, words)) return BAD_OPERAND;
  const size = candidate.hasOwnLiteral ? candidate.sizeBytes : candidate.sizeBytes + literalBytes;
  return size > left ? TOO_SHORT : size;
}

function meetsRequirement(requirement: Requirement, words: Int32Array): boolean {
  for (const [bit, width, allowed] of requirement) {
    if (!allowed.includes(((words[bit >>> 5] ?? 0) >>> (bit & 31)) & ((1 << width) - 1))) return false;
  }
  return true;
}

function readWord(bytes: Uint8Array, offset: number): number {
  return (
    (bytes[offset] ?? 0) | ((bytes[offset + 1] ?? 0) << 8) | ((bytes[offset + 2] ?? 0) << 16) | ((bytes[offset + 3] ?? 0) << 24)
  );
}

function failure(outcome: number, word0: number, left: number): Decoded {
  const words = [word0 >>> 0];
  const hex = `0x${(word0 >>> 0).toString(16).padStart(8, '0')}`;
  if (outcome === TOO_SHORT) {
    return failed('truncated', `the instruction that begins with ${hex} needs more than the ${left} bytes left`, { words });
  }
  if (outcome === BAD_OPERAND)
    return failed('invalid-operand', `an operand of ${hex} has a value that it cannot have`, { words });
  return failed('unknown-opcode', `no instruction begins with ${hex}`, { words });
}

function failed(
  reason: DecodeFailure['reason'],
  message: string,
  { words, sizeBytes = DWORD_BYTES }: { words: readonly number[]; sizeBytes?: number },
): Decoded {
  return { ok: false, failure: { reason, message, sizeBytes, words } };
}

/** The 0…3 bytes at the end, as one word. */
function tail(bytes: Uint8Array, offset: number): { words: readonly number[]; sizeBytes: number } {
  const sizeBytes = Math.max(0, Math.min(DWORD_BYTES - 1, bytes.length - offset));
  return sizeBytes > 0 ? { words: [readWord(bytes, offset) >>> 0], sizeBytes } : { words: [], sizeBytes: 0 };
}
