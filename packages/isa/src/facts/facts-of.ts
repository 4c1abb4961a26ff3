import type { DecodeContext } from '../decode/decode-context.js';
import { DecodedInstruction } from '../decode/decoded-instruction.js';
import { PairInstruction } from '../decode/pairs.js';
import type { Instruction, Operand } from '../instruction.js';
import { controlOf, notDecoded } from './control.js';
import { readWaits } from './counters.js';
import type { EntryFacts } from './entry-facts.js';
import { describeEntry } from './entry-facts.js';
import { hardwareRegisterRange } from './hardware-registers.js';
import type {
  ControlFacts,
  CounterWait,
  InstructionFacts,
  MemoryFacts,
  RegisterFile,
  RegisterRead,
  RegisterWrite,
  Remainder,
  WaitCounter,
} from './instruction-facts.js';
import { PairFacts } from './pair-facts.js';
import { operandRange } from './registers.js';

/**
 * What an instruction reads, writes, waits for and does to memory and control flow. What the table entry decides is worked out
 * once for all its instructions; register lists are made when first asked for.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT the instruction is not one that a decoder of this package made.
 */
export function factsOf(instruction: Instruction): InstructionFacts {
  if (instruction instanceof DecodedInstruction) {
    return new SingleFacts(instruction, entryFacts(instruction.context, instruction.entry));
  }
  if (instruction instanceof PairInstruction) return new PairFacts(instruction);
  throw notDecoded();
}

const factsByContext = new WeakMap<DecodeContext, (EntryFacts | undefined)[]>();

function entryFacts(context: DecodeContext, entry: number): EntryFacts {
  let list = factsByContext.get(context);
  if (list === undefined) {
    list = [];
    factsByContext.set(context, list);
  }
  return (list[entry] ??= describeEntry(context.table, entry, context.waveSize));
}

/** dst_sel DWORD and dst_unused PRESERVE (AMD Vega ISA document, "SDWA"). */
const SDWA_DWORD = 6;
const SDWA_PRESERVE = 2;
const ALL_ROWS = 15;

class SingleFacts implements InstructionFacts {
  readonly #instruction: DecodedInstruction;
  readonly #entry: EntryFacts;
  #reads: readonly RegisterRead[] | undefined = undefined;
  #writes: readonly RegisterWrite[] | undefined = undefined;

  constructor(instruction: DecodedInstruction, entry: EntryFacts) {
    this.#instruction = instruction;
    this.#entry = entry;
  }

  get control(): ControlFacts {
    return controlOf(this.#instruction);
  }

  get memory(): MemoryFacts | undefined {
    const { memory } = this.#entry;
    if (memory === undefined) {
      const usesDirect = this.#instruction.operands.some(({ special }) => special.endsWith('lds_direct'));
      return usesDirect ? LDS_DIRECT : undefined;
    }
    if (memory.space === 'image') {
      // Fields for addresses that the dimension does not need are no operands.
      return { ...memory, address: memory.address.filter((name) => this.#instruction.operand(name) !== undefined) };
    }
    return memory.space === 'lds' && this.#isGds() ? { ...memory, space: 'gds' } : memory;
  }

  get counters(): readonly WaitCounter[] {
    const { counters } = this.#entry;
    return this.#entry.memory?.space === 'lds' && this.#isGds() ? [...counters, 'expcnt'] : counters;
  }

  get waits(): readonly CounterWait[] {
    const { waits } = this.#entry;
    return waits.kind === 'none' ? [] : readWaits(waits, this.#instruction.context.table, this.#instruction.operands);
  }

  get relativeReads(): readonly RegisterFile[] {
    return this.#entry.relativeReads;
  }

  get relativeWrites(): readonly RegisterFile[] {
    return this.#entry.relativeWrites;
  }

  get changesExec(): boolean {
    return this.writes.some(({ file }) => file === 'exec');
  }

  get changesMode(): boolean {
    if (this.#entry.hardwareRegister === 'write') return this.writes.some(({ file }) => file === 'mode');
    return this.#entry.changesMode;
  }

  get changesVgprMsb(): boolean {
    return this.#entry.changesVgprMsb;
  }

  get changesGprIndexing(): boolean {
    return this.#entry.changesGprIndexing;
  }

  get mayTrap(): boolean {
    const { memory } = this.#entry;
    const { kind } = this.control;
    if (kind === 'trap' || kind === 'illegal') return true;
    return memory !== undefined && memory.access !== 'maintenance' && memory.access !== 'prefetch' && memory.space !== 'export';
  }

  get reads(): readonly RegisterRead[] {
    return (this.#reads ??= this.#findReads());
  }

  get writes(): readonly RegisterWrite[] {
    return (this.#writes ??= this.#findWrites());
  }

  #isGds(): boolean {
    return this.#instruction.operand('gds')?.value === 1;
  }

  #findReads(): readonly RegisterRead[] {
    const { results, relativeOperands, implicitReads, hardwareRegister } = this.#entry;
    const { waveSize } = this.#instruction.context;
    const reads: RegisterRead[] = [];
    for (const operand of this.#instruction.operands) {
      const result = results.get(operand.name);
      if ((result !== undefined && !result.isRead) || relativeOperands.has(operand.name)) continue;
      const range = operandRange(operand, waveSize);
      if (range) reads.push({ ...range, operand: operand.name, half: readHalf(operand) });
    }
    if (hardwareRegister === 'read') reads.push(...this.#hardwareRegister().map((range) => ({ ...range, half: undefined })));
    if (this.#entry.memory?.space === 'lds' && this.#isGds())
      reads.push({ file: 'm0', first: 0, count: 1, operand: '', half: undefined });
    for (const read of implicitReads) if (!reads.some((other) => covers(other, read))) reads.push(read);
    return reads;
  }

  #findWrites(): readonly RegisterWrite[] {
    const { results, relativeOperands, implicitWrites, hardwareRegister } = this.#entry;
    const { waveSize } = this.#instruction.context;
    const writes: RegisterWrite[] = [];
    for (const operand of this.#instruction.operands) {
      const result = results.get(operand.name);
      if (result === undefined || relativeOperands.has(operand.name)) continue;
      const range = operandRange(operand, waveSize);
      if (range) writes.push({ ...range, operand: operand.name, keeps: this.#keeps(operand, result.keeps) });
    }
    if (hardwareRegister === 'write') {
      writes.push(...this.#hardwareRegister().map((range) => ({ ...range, keeps: OTHER_BITS })));
    }
    for (const write of implicitWrites) if (!writes.some((other) => covers(other, write))) writes.push(write);
    return writes;
  }

  /** What a write keeps, with what the fields of this instruction say. */
  #keeps(operand: Operand, fixed: readonly Remainder[]): readonly Remainder[] {
    if (operand.kind !== 'vgpr' && operand.kind !== 'agpr') return fixed;
    const { hasLaneSelect, hasByteSelect, selectsResultHalf } = this.#entry;
    if (hasLaneSelect && this.#skipsLanes()) return [...fixed, 'other-lanes'];
    if (hasByteSelect && this.#preservesBytes()) return [...fixed, 'other-bytes'];
    if (selectsResultHalf && operand.opSel && operand.selectsHalf && !fixed.includes('other-half'))
      return [...fixed, 'other-half'];
    return fixed;
  }

  /** DPP16 leaves lanes that its masks exclude, and those without a source lane unless bound_ctrl is set. DPP8 writes them all. */
  #skipsLanes(): boolean {
    const instruction = this.#instruction;
    if (instruction.extension === 'DPP8') return false;
    const field = (name: string): number => instruction.operand(name)?.value ?? 0;
    return field('row_mask') !== ALL_ROWS || field('bank_mask') !== ALL_ROWS || field('bound_ctrl') === 0;
  }

  #preservesBytes(): boolean {
    const instruction = this.#instruction;
    return instruction.operand('dst_unused')?.value === SDWA_PRESERVE && instruction.operand('dst_sel')?.value !== SDWA_DWORD;
  }

  #hardwareRegister(): readonly { file: RegisterFile; first: number; count: number; operand: string }[] {
    const { context } = this.#instruction;
    const ranges = hardwareRegisterRange(context, this.#instruction.operand('simm16')?.value ?? 0, this.#entry.hardwareRegister);
    return ranges.map((range) => ({ ...range, operand: 'simm16' }));
  }
}

const OTHER_BITS: readonly Remainder[] = ['other-bits'];

/** A VALU source that reads a dword of LDS. */
const LDS_DIRECT: MemoryFacts = {
  space: 'lds',
  access: 'load',
  bytes: 4,
  accesses: 1,
  returnsOld: false,
  usesLds: false,
  address: [],
};

function readHalf(operand: Operand): 'low' | 'high' | undefined {
  if (operand.bits !== 16 || operand.kind !== 'vgpr') return undefined;
  return operand.isHighHalf ? 'high' : 'low';
}

function covers(outer: RegisterWrite | RegisterRead, inner: RegisterWrite | RegisterRead): boolean {
  return outer.file === inner.file && outer.first <= inner.first && outer.first + outer.count >= inner.first + inner.count;
}
