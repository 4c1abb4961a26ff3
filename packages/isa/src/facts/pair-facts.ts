import type { PairInstruction } from '../decode/pairs.js';
import type { ControlFacts, InstructionFacts, RegisterRead, RegisterWrite, Remainder } from './instruction-facts.js';
import { implicitRange, operandRange } from './registers.js';

const FALL: ControlFacts = { kind: 'fall' };
const LANES: readonly Remainder[] = ['inactive-lanes'];

/** Facts of a VOPD pair: both halves read before either writes, under EXEC, and touch registers only. */
export class PairFacts implements InstructionFacts {
  readonly memory = undefined;
  readonly control: ControlFacts = FALL;
  readonly counters: readonly [] = [];
  readonly waits: readonly [] = [];
  readonly relativeReads: readonly [] = [];
  readonly relativeWrites: readonly [] = [];
  readonly changesExec = false;
  readonly changesMode = false;
  readonly changesVgprMsb = false;
  readonly changesGprIndexing = false;
  readonly mayTrap = false;
  readonly #instruction: PairInstruction;
  #reads: readonly RegisterRead[] | undefined = undefined;

  constructor(instruction: PairInstruction) {
    this.#instruction = instruction;
  }

  get reads(): readonly RegisterRead[] {
    return (this.#reads ??= this.#findReads());
  }

  get writes(): readonly RegisterWrite[] {
    const { operands, context } = this.#instruction;
    return operands.flatMap((operand) => {
      const range = operand.isResult ? operandRange(operand, context.waveSize) : undefined;
      return range ? [{ ...range, operand: operand.name, keeps: LANES }] : [];
    });
  }

  #findReads(): readonly RegisterRead[] {
    const { operands, implicitReads, context } = this.#instruction;
    const reads: RegisterRead[] = [];
    for (const operand of operands) {
      const range = operand.isRead ? operandRange(operand, context.waveSize) : undefined;
      if (range) reads.push({ ...range, operand: operand.name, half: undefined });
    }
    for (const name of implicitReads) {
      const range = implicitRange(name, context.waveSize);
      if (range) reads.push({ ...range, operand: '', half: undefined });
    }
    return reads;
  }
}
