import { formatTargetId } from '@doorbell/code-object';
import type { Instruction, InstructionFate, ProcessorComparison, ProcessorQuirk } from '@doorbell/isa';
import { compareProcessors, factsOf, formatInstruction, processorQuirks } from '@doorbell/isa';
import type { FindingKind } from './finding-list.js';
import type { TargetPair } from './relation.js';
import type { InstructionTexts } from './types.js';

/** What was found at one instruction. */
export interface InstructionFinding {
  readonly kind: FindingKind;
  readonly instruction: InstructionTexts;
}

/** Entries by what an instruction of theirs needs: nothing known, no look at it, a look at each. */
const LOOK = { unknown: 0, none: 1, each: 2 } as const;

/** Fewer VALU and transcendental operations between than this: the result may not be there (LLVM GCNHazardRecognizer, fixVALUTransUseHazard). */
const TRANS_WINDOW = { valu: 5, trans: 1 } as const;

/** Decides about the instructions of one pair of targets and one wave size. Most entries are decided once. */
export class InstructionRules {
  readonly comparison: ProcessorComparison;
  readonly #pair: TargetPair;
  readonly #gained: ReadonlySet<ProcessorQuirk>;
  #looks = new Uint8Array(1 << 13);

  constructor(pair: TargetPair, waveSize: 32 | 64) {
    const [source, target] = [pair.source.target.processor, pair.target.target.processor];
    this.comparison = compareProcessors(source, target, { waveSize });
    this.#pair = pair;
    const had = processorQuirks(source);
    this.#gained = new Set([...processorQuirks(target)].filter((quirk) => !had.has(quirk)));
  }

  /** Whether an instruction of this entry is fine wherever it stands. */
  // hot
  isPlain(entry: number): boolean {
    return this.#looks[entry] === LOOK.none;
  }

  /** What speaks against an instruction that is not plain. */
  look(
    instruction: Instruction,
    bytes: Uint8Array,
    { offset, end }: { offset: number; end: number },
  ): InstructionFinding | undefined {
    const { entry } = instruction;
    if (entry >= this.#looks.length) this.#grow(entry);
    const fate = this.comparison.fateOf(instruction, bytes, offset);
    if (fate !== 'same') {
      this.#looks[entry] = LOOK.each;
      return this.#explain(fate, instruction, bytes, offset);
    }
    const quirk = this.#quirkOf(instruction);
    if (quirk !== undefined) {
      this.#looks[entry] = LOOK.each;
      const message = this.#checkQuirk(quirk, instruction, bytes, { offset, end });
      if (message === undefined) return undefined;
      return { kind: { rule: 'hazard', severity: 'doubt', message }, instruction: textsOf(instruction, instruction) };
    }
    if (this.#pair.losesD16Halves && isD16Load(instruction)) {
      this.#looks[entry] = LOOK.each;
      const message = `${instruction.mnemonic} leaves half of its register alone with sramecc off, not on ${formatTargetId(this.#pair.target.target)}`;
      return { kind: { rule: 'feature', severity: 'blocker', message }, instruction: textsOf(instruction, instruction) };
    }
    // An entry whose operands were compared may have others next time.
    if (this.comparison.isSameEverywhere(entry) && !this.#dependsOnOperands(instruction)) this.#looks[entry] = LOOK.none;
    return undefined;
  }

  #explain(
    fate: Exclude<InstructionFate, 'same'>,
    instruction: Instruction,
    bytes: Uint8Array,
    offset: number,
  ): InstructionFinding {
    const { processor } = this.comparison.target;
    const decoded = this.comparison.target.decode(bytes, offset);
    const other = decoded.ok ? decoded.instruction : undefined;
    const { mnemonic } = instruction;
    const texts = textsOf(instruction, other);
    if (fate === 'missing') {
      const message = `${processor} has no ${mnemonic}`;
      return { kind: { rule: 'missing-instruction', severity: 'blocker', message }, instruction: texts };
    }
    const message =
      fate === 'operand'
        ? `${processor} does not take these operands of ${mnemonic}`
        : `${mnemonic} is ${other?.mnemonic ?? ''} on ${processor}`;
    return {
      kind: { rule: 'different-instruction', severity: 'blocker', message },
      instruction: fate === 'operand' ? { ...texts, target: '' } : texts,
    };
  }

  /** The difference in hardware that an instruction may meet. */
  #quirkOf(instruction: Instruction): ProcessorQuirk | undefined {
    const gained = this.#gained;
    if (gained.size === 0) return undefined;
    const { name } = instruction;
    if (gained.has('trans-use') && instruction.hasFlag('TRANS')) return 'trans-use';
    if (gained.has('mad-overlap') && /^v_mad_[iu]64_[iu]32$/.test(name)) return 'mad-overlap';
    if (gained.has('msaa-load') && name === 'image_msaa_load') return 'msaa-load';
    if (gained.has('trap2-nop') && name === 's_trap') return 'trap2-nop';
    if (gained.has('export-priority') && name === 'exp') return 'export-priority';
    return gained.has('point-sample') && name.startsWith('image_sample') ? 'point-sample' : undefined;
  }

  /** Why the instruction at hand is in doubt, if it is. */
  #checkQuirk(
    quirk: ProcessorQuirk,
    instruction: Instruction,
    bytes: Uint8Array,
    place: { offset: number; end: number },
  ): string | undefined {
    const { processor } = this.comparison.target;
    const { name } = instruction;
    switch (quirk) {
      case 'trans-use':
        return this.#mayUseTooSoon(instruction, bytes, place)
          ? `the result of ${name} may be used before ${processor} has it: code for it waits, this code does not`
          : undefined;
      case 'mad-overlap':
        return overlapsItself(instruction) ? `${name} writes registers that it reads, which ${processor} cannot` : undefined;
      case 'msaa-load':
        return `image_msaa_load loads other components on ${processor}`;
      case 'trap2-nop':
        return `${processor} takes s_trap for nothing in privileged mode, which code for it works around`;
      case 'export-priority':
        return `exports need a priority on ${processor}, which this code does not set`;
      case 'point-sample':
        return `samples may finish out of order on ${processor}, which this code does not wait for`;
      case 'dpp-src1-sgpr':
      case 'sgpr-init16':
        return undefined;
    }
  }

  /**
   * Whether a VALU operation may read what a transcendental one wrote without waiting for it. Code is followed straight on; where it
   * branches first, the answer is yes.
   */
  #mayUseTooSoon(trans: Instruction, bytes: Uint8Array, { offset, end }: { offset: number; end: number }): boolean {
    const results = factsOf(trans).writes.filter(({ file }) => file === 'vgpr');
    let valu = 0;
    let transcendental = 0;
    for (let at = offset + trans.sizeBytes; at < end; ) {
      const decoded = this.comparison.source.decode(bytes, at);
      if (!decoded.ok) return true;
      const { instruction } = decoded;
      const { reads, control, waits } = factsOf(instruction);
      const isVector = instruction.hasFlag('VALU');
      const isUse = reads.some((read) => results.some((result) => overlap(read, result)));
      if (isVector && isUse) return true;
      if (waits.some(({ counter, value }) => counter === 'va_vdst' && value === 0)) return false;
      if (control.kind === 'end') return false;
      if (control.kind !== 'fall' && control.kind !== 'barrier' && control.kind !== 'sleep') return true;
      if (isVector) valu++;
      if (instruction.hasFlag('TRANS')) transcendental++;
      if (valu > TRANS_WINDOW.valu || transcendental > TRANS_WINDOW.trans) return false;
      at += instruction.sizeBytes;
    }
    return true;
  }

  /** Whether another instruction of the entry may fare otherwise. */
  #dependsOnOperands(instruction: Instruction): boolean {
    return this.#pair.losesD16Halves && instruction.format.startsWith('MIMG');
  }

  #grow(entry: number): void {
    const grown = new Uint8Array(Math.max(entry + 1, this.#looks.length * 2));
    grown.set(this.#looks);
    this.#looks = grown;
  }
}

function textsOf(source: Instruction, target: Instruction | undefined): InstructionTexts {
  return { source: formatInstruction(source), target: target === undefined ? '' : formatInstruction(target) };
}

function isD16Load(instruction: Instruction): boolean {
  if (!instruction.hasFlag('mayLoad')) return false;
  return instruction.mnemonic.includes('_d16') || instruction.operand('d16')?.value === 1;
}

/** Whether a vector operation writes a register that it reads. */
function overlapsItself(instruction: Instruction): boolean {
  const { reads, writes } = factsOf(instruction);
  return writes.some((write) => reads.some((read) => overlap(read, write)));
}

interface Range {
  readonly file: string;
  readonly first: number;
  readonly count: number;
}

function overlap(a: Range, b: Range): boolean {
  return a.file === b.file && a.first < b.first + b.count && b.first < a.first + a.count;
}
