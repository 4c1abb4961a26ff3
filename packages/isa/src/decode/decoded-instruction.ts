import type { Extension, Format, Instruction } from '../instruction.js';
import type { DecodedOperand } from './decoded-operand.js';
import { readOperand } from './decoded-operand.js';
import type { DecodeContext } from './decode-context.js';
import { matrixOperandBits } from './matrix.js';
import { countAddressFields, imageOperandBits, imageRegisters } from './image.js';
import type { Candidate } from './candidate.js';

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
    return this.context.table.mnemonics[this.entry] ?? '';
  }

  get name(): string {
    return this.context.table.names[this.entry] ?? '';
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

  #readOperands(): readonly DecodedOperand[] {
    const { table } = this.context;
    const { words } = this;
    const literalWord = (table.extension(this.entry).startsWith('LIT') ? 4 : this.candidate.sizeBytes) / 4;
    const image = this.candidate.isImage ? imageRegisters(table, this.entry, words) : undefined;
    const addressFields = countAddressFields(this.candidate.plan.operands);
    const operands: DecodedOperand[] = [];
    for (const plan of this.candidate.plan.operands) {
      let { bits } = plan;
      if (image) bits = imageOperandBits(plan, image, addressFields);
      else if (this.candidate.isMatrix) bits = matrixOperandBits(table, this.entry, plan, words);
      if (bits === 0 && plan.name.startsWith('vaddr')) continue;
      operands.push(readOperand(table, plan, words, literalWord, bits));
    }
    return operands;
  }
}
