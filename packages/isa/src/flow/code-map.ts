import { factsOf } from '../facts/facts-of.js';
import type { InstructionFacts } from '../facts/instruction-facts.js';
import type { Decoder, Instruction } from '../instruction.js';

export const DWORD_BYTES = 4;

/** What is known of the dword at an offset. */
export const MARK = {
  /** A reachable instruction begins here. */
  visited: 1,
  /** A block begins here. */
  leader: 2,
  /** A function begins here: an entry or the target of a call. */
  entry: 4,
  /** Part of a reachable instruction. */
  covered: 8,
} as const;

/** Code bytes with their instructions, each decoded once, and marks per dword. */
export class CodeMap {
  readonly bytes: Uint8Array;
  readonly decoder: Decoder;
  /** Offsets from here on are outside; instructions begin at multiples of 4. */
  readonly sizeBytes: number;
  readonly marks: Uint8Array;
  /** By dword; null: not an instruction. */
  readonly #instructions: (Instruction | null | undefined)[];
  readonly #facts: (InstructionFacts | undefined)[] = [];

  constructor(bytes: Uint8Array, decoder: Decoder) {
    this.bytes = bytes;
    this.decoder = decoder;
    this.sizeBytes = bytes.length;
    const dwords = Math.ceil(bytes.length / DWORD_BYTES);
    this.marks = new Uint8Array(dwords);
    this.#instructions = Array.from({ length: dwords });
  }

  /** Whether an instruction can begin at this offset. */
  contains(offset: number): boolean {
    return offset >= 0 && offset < this.sizeBytes && offset % DWORD_BYTES === 0;
  }

  /** The instruction at an offset; undefined: none, or outside. */
  at(offset: number): Instruction | undefined {
    if (!this.contains(offset)) return undefined;
    const slot = offset / DWORD_BYTES;
    let instruction = this.#instructions[slot];
    if (instruction === undefined) {
      const decoded = this.decoder.decode(this.bytes, offset);
      instruction = decoded.ok ? decoded.instruction : null;
      this.#instructions[slot] = instruction;
    }
    return instruction ?? undefined;
  }

  /** Facts of the instruction at an offset. */
  factsAt(offset: number, instruction: Instruction): InstructionFacts {
    return (this.#facts[offset / DWORD_BYTES] ??= factsOf(instruction));
  }

  has(offset: number, mark: number): boolean {
    return ((this.marks[offset / DWORD_BYTES] ?? 0) & mark) !== 0;
  }

  mark(offset: number, mark: number): void {
    const slot = offset / DWORD_BYTES;
    this.marks[slot] = (this.marks[slot] ?? 0) | mark;
  }
}
