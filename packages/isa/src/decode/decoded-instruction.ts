import type { Extension, Format, Instruction } from '../instruction.js';
import type { DecodedOperand } from './decoded-operand.js';
import type { DecodeContext } from './decode-context.js';
import { matrixOperandBits } from './matrix.js';
import { countAddressFields, imageOperandBits, imageRegisters } from './image.js';
import type { Candidate } from './candidate.js';
import type { OperandReader } from './operand-reader.js';

/**
 * An instruction of one table entry, and the {@link Decoded} that holds it. Words are kept as signed numbers, operands are made on
 * first use.
 */
export class DecodedInstruction implements Instruction {
  readonly candidate: Candidate;
  readonly sizeBytes: number;
  readonly word0: number;
  readonly word1: number;
  readonly word2: number;
  readonly word3: number;
  readonly word4: number;
  knownOperands: readonly DecodedOperand[] | undefined = undefined;

  constructor(
    candidate: Candidate,
    sizeBytes: number,
    word0: number,
    word1: number,
    word2: number,
    word3: number,
    word4: number,
  ) {
    this.candidate = candidate;
    this.sizeBytes = sizeBytes;
    this.word0 = word0;
    this.word1 = word1;
    this.word2 = word2;
    this.word3 = word3;
    this.word4 = word4;
  }

  get ok(): true {
    return true;
  }

  get instruction(): this {
    return this;
  }

  get entry(): number {
    return this.candidate.entry;
  }

  get context(): DecodeContext {
    return this.candidate.context;
  }

  get mnemonic(): string {
    return this.context.table.mnemonic(this.entry);
  }

  get name(): string {
    return this.context.table.name(this.entry);
  }

  get format(): Format {
    return this.context.table.format(this.entry);
  }

  get extension(): Extension {
    return this.context.table.extension(this.entry);
  }

  get words(): readonly number[] {
    const all = [this.word0, this.word1, this.word2, this.word3, this.word4];
    return all.slice(0, this.sizeBytes / 4).map((word) => word >>> 0);
  }

  get operands(): readonly DecodedOperand[] {
    this.knownOperands ??= this.#readOperands();
    return this.knownOperands;
  }

  get implicitReads(): readonly string[] {
    return this.context.table.implicitReads(this.entry);
  }

  get implicitWrites(): readonly string[] {
    return this.context.table.implicitWrites(this.entry);
  }

  hasFlag(flag: string): boolean {
    return this.context.table.flags(this.entry).has(flag);
  }

  operand(name: string): DecodedOperand | undefined {
    return this.operands.find((operand) => operand.name === name);
  }

  // hot
  #readOperands(): readonly DecodedOperand[] {
    const { candidate, word0, word1, word2 } = this;
    if (candidate.isSized) return this.#readSized();
    const { readers } = candidate;
    // A copy of a list that is full already is faster than one that grows.
    const operands = candidate.firstOperands.slice();
    for (let i = 0; i < readers.length; i++) {
      const reader = readers[i];
      if (reader !== undefined) operands[i] = reader.find(word0, word1, word2) ?? this.#readOperand(reader);
    }
    if (operands.length !== candidate.firstOperands.length) candidate.firstOperands = operands;
    return operands;
  }

  #readOperand(reader: OperandReader): DecodedOperand {
    return reader.read(this.#loadWords(), this.candidate.literalWord);
  }

  #readSized(): readonly DecodedOperand[] {
    const { candidate } = this;
    return candidate.isImage ? readImageOperands(candidate, this.#loadWords()) : readMatrixOperands(candidate, this.#loadWords());
  }

  #loadWords(): Int32Array {
    const words = scratch;
    words[0] = this.word0;
    words[1] = this.word1;
    words[2] = this.word2;
    words[3] = this.word3;
    words[4] = this.word4;
    return words;
  }
}

/** The words of the instruction whose operands are being read. */
const scratch = new Int32Array(5);

/** Operands whose widths fields decide; address registers that are not used are left out. */
function readImageOperands(candidate: Candidate, words: Int32Array): readonly DecodedOperand[] {
  const image = imageRegisters(candidate.context.table, candidate.entry, words);
  const addressFields = countAddressFields(candidate.plan.operands);
  const operands: DecodedOperand[] = [];
  for (const reader of candidate.readers) {
    const bits = imageOperandBits(reader.plan, image, addressFields);
    if (bits > 0 || !reader.plan.name.startsWith('vaddr')) operands.push(reader.readSized(words, bits));
  }
  return operands;
}

/** Operands of which some have widths that formats decide. */
function readMatrixOperands({ context, entry, readers }: Candidate, words: Int32Array): readonly DecodedOperand[] {
  return readers.map((reader) => reader.readSized(words, matrixOperandBits(context.table, entry, reader.plan, words)));
}
