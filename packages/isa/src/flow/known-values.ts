/**
 * What is known of registers while control flow is followed: parts of code addresses, and the return address that the caller left.
 * The values that long branches and calls compute (LLVM AMDGPUUsage, "Non-Kernel Functions"; s_getpc, then additions).
 */
import type { Instruction, Operand } from '../instruction.js';
import type { InstructionFacts, RegisterRange } from '../facts/instruction-facts.js';

/** Halves of the address after the call by which a function was entered; other values are unsigned dwords. */
export const LINK_LOW = -1;
export const LINK_HIGH = -2;

/** More values than this are not followed. */
const MOST_VALUES = 48;
const SCC = 128;
const FIRST_LANE = 256;
const LANES = 64;
const CARRY = 2 ** 32;

/** Words of a set of SGPRs and VGPRs that a function may write: SGPRs, then VGPRs. */
export const WRITTEN_WORDS = 12;
const FIRST_VGPR_BIT = 128;

/** Known values by place: SGPR number, 128 for SCC, 256 + 64 * VGPR + lane for values that v_writelane keeps there. */
export class KnownValues {
  /** Offset of the function that is running. */
  owner: number;
  /** What it has written so far on some way; undefined for kernels, which do not return. */
  readonly written: Uint32Array | undefined;
  readonly #values: Map<number, number>;

  constructor(owner: number, written?: Uint32Array, values: ReadonlyMap<number, number> = new Map()) {
    this.owner = owner;
    this.written = written;
    this.#values = new Map(values);
  }

  copy(): KnownValues {
    return new KnownValues(this.owner, this.written?.slice(), this.#values);
  }

  /** Keeps what both know, and writes of either; true: less is known than before. */
  meet(other: KnownValues): boolean {
    let isLess = this.written !== undefined && other.written !== undefined && joinWords(this.written, other.written);
    for (const [place, value] of this.#values) {
      if (other.#values.get(place) === value) continue;
      this.#values.delete(place);
      isLess = true;
    }
    return isLess;
  }

  /** The two halves in a register pair. */
  pair(range: RegisterRange | undefined): readonly [low: number, high: number] | undefined {
    if (range?.file !== 'sgpr' || range.count !== 2) return undefined;
    const low = this.#values.get(range.first);
    const high = this.#values.get(range.first + 1);
    return low === undefined || high === undefined ? undefined : [low, high];
  }

  setPair(range: RegisterRange | undefined, low: number, high: number): void {
    if (range?.file !== 'sgpr') return;
    this.#set(range.first, low);
    this.#set(range.first + 1, high);
  }

  /** After a call: what the callee does not write is still known, and what it must preserve where it keeps the calling convention. */
  afterCall(written: Uint32Array, keepsConvention: boolean): void {
    const changes = (bit: number): boolean =>
      (((written[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1 && !(keepsConvention && isPreserved(bit));
    for (const place of this.#values.keys()) {
      const bit = place >= FIRST_LANE ? FIRST_VGPR_BIT + Math.floor((place - FIRST_LANE) / LANES) : place;
      if (place === SCC || changes(bit)) this.#values.delete(place);
    }
    if (!this.written) return;
    for (let bit = 0; bit < WRITTEN_WORDS * 32; bit++) if (changes(bit)) this.#write(bit);
  }

  /** Follows one instruction that does not transfer control; `next`: offset after it, from `base`. */
  step(instruction: Instruction, facts: InstructionFacts, base: bigint, next: number): void {
    if (this.written !== undefined) this.recordWrites(facts);
    const { name } = instruction;
    if (name === 's_getpc_b64' || name === 's_get_pc_i64') {
      const sdst = instruction.operand('sdst');
      if (sdst?.kind === 'sgpr') {
        const address = base + BigInt(next);
        this.#set(sdst.index, Number(address & 0xffffffffn));
        this.#set(sdst.index + 1, Number((address >> 32n) & 0xffffffffn));
      } else this.#forget(instruction, facts);
      return;
    }
    if (this.#values.size === 0 && !/^s_mov_b(?:32|64)$/.test(name)) return;
    if (!this.#compute(instruction, name)) this.#forget(instruction, facts);
  }

  /** Counts what the instruction writes among what the function does. */
  recordWrites({ writes, relativeWrites }: InstructionFacts): void {
    if (!this.written) return;
    if (relativeWrites.length > 0) this.written.fill(0xffffffff);
    for (const { file, first, count } of writes) {
      if (file !== 'sgpr' && file !== 'vgpr') continue;
      for (let n = first; n < first + count; n++) this.#write(file === 'sgpr' ? n : FIRST_VGPR_BIT + n);
    }
  }

  #write(bit: number): void {
    if (this.written) this.written[bit >>> 5] = (this.written[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  /** The operations that addresses are made with; false: it is none, or its sources are not known. */
  #compute(instruction: Instruction, name: string): boolean {
    const result = instruction.operands[0];
    if (result === undefined) return false;
    switch (name) {
      case 's_mov_b32': {
        const source = instruction.operand('src0');
        return source?.kind !== 'inline' && this.#put(result, this.#source(source));
      }
      case 's_mov_b64': {
        const source = instruction.operand('src0');
        if (source?.kind === 'inline') return false;
        const [low, high] = [this.#source(source), this.#source(source, 1)];
        if (low === undefined || high === undefined || result.kind !== 'sgpr') return false;
        this.#set(result.index, low);
        this.#set(result.index + 1, high);
        return true;
      }
      case 's_sext_i32_i16': {
        const source = this.#number(instruction.operand('src0'));
        return this.#put(result, source === undefined ? undefined : ((source << 16) >> 16) >>> 0);
      }
      case 's_add_u32':
      case 's_add_co_u32':
      case 's_add_i32':
      case 's_add_co_i32':
        return this.#add(instruction, result, 0, !name.includes('i32'));
      case 's_addc_u32':
      case 's_add_co_ci_u32': {
        const carry = this.#values.get(SCC);
        return carry !== undefined && this.#add(instruction, result, carry, true);
      }
      case 's_sub_u32':
      case 's_sub_co_u32':
        return this.#subtract(instruction, result, 0);
      case 's_subb_u32':
      case 's_sub_co_ci_u32': {
        const borrow = this.#values.get(SCC);
        return borrow !== undefined && this.#subtract(instruction, result, borrow);
      }
      case 's_add_u64':
      case 's_add_nc_u64':
        return this.#addWide(instruction, result);
      case 'v_writelane_b32': {
        const place = this.#lane(result, instruction.operand('src1'));
        const value = this.#source(instruction.operand('src0'));
        if (place === undefined || value === undefined) return false;
        this.#set(place, value);
        return true;
      }
      case 'v_readlane_b32': {
        const place = this.#lane(instruction.operand('src0'), instruction.operand('src1'));
        return this.#put(result, place === undefined ? undefined : this.#values.get(place));
      }
      default:
        return false;
    }
  }

  #put(result: Operand, value: number | undefined): boolean {
    if (value === undefined || result.kind !== 'sgpr') return false;
    this.#set(result.index, value);
    return true;
  }

  #add(instruction: Instruction, result: Operand, carry: number, hasCarry: boolean): boolean {
    const a = this.#number(instruction.operand('src0'));
    const b = this.#number(instruction.operand('src1'));
    if (a === undefined || b === undefined || result.kind !== 'sgpr') return false;
    const sum = a + b + carry;
    this.#set(result.index, sum % CARRY);
    // The signed forms leave overflow in SCC.
    if (hasCarry) this.#set(SCC, sum >= CARRY ? 1 : 0);
    else this.#values.delete(SCC);
    return true;
  }

  #subtract(instruction: Instruction, result: Operand, borrow: number): boolean {
    const a = this.#number(instruction.operand('src0'));
    const b = this.#number(instruction.operand('src1'));
    if (a === undefined || b === undefined || result.kind !== 'sgpr') return false;
    const difference = a - b - borrow;
    this.#set(result.index, difference < 0 ? difference + CARRY : difference);
    this.#set(SCC, difference < 0 ? 1 : 0);
    return true;
  }

  #addWide(instruction: Instruction, result: Operand): boolean {
    const [a, b] = [instruction.operand('src0'), instruction.operand('src1')];
    const parts = [this.#number(a), this.#number(a, 1), this.#number(b), this.#number(b, 1)];
    const [a0, a1, b0, b1] = parts;
    if (a0 === undefined || a1 === undefined || b0 === undefined || b1 === undefined || result.kind !== 'sgpr') return false;
    const low = a0 + b0;
    this.#set(result.index, low % CARRY);
    this.#set(result.index + 1, (a1 + b1 + (low >= CARRY ? 1 : 0)) % CARRY);
    return true;
  }

  /** Value of dword `part` of a source. */
  #source(operand: Operand | undefined, part: 0 | 1 = 0): number | undefined {
    switch (operand?.kind) {
      case 'sgpr':
        return this.#values.get(operand.index + part);
      case 'literal':
      case 'inline':
        return part === 0 ? operand.low : operand.high;
      default:
        return undefined;
    }
  }

  /** As {@link #source}, but not the halves of an unknown return address. */
  #number(operand: Operand | undefined, part: 0 | 1 = 0): number | undefined {
    const value = this.#source(operand, part);
    return value === undefined || value < 0 ? undefined : value;
  }

  #lane(register: Operand | undefined, lane: Operand | undefined): number | undefined {
    if (register?.kind !== 'vgpr' || lane?.kind !== 'inline' || lane.low >= LANES) return undefined;
    return FIRST_LANE + register.index * LANES + lane.low;
  }

  #set(place: number, value: number): void {
    if (this.#values.size >= MOST_VALUES && !this.#values.has(place)) return;
    this.#values.set(place, value);
  }

  /** Drops what the instruction writes. */
  #forget(instruction: Instruction, facts: InstructionFacts): void {
    if (facts.relativeWrites.length > 0) this.#values.clear();
    for (const { file, first, count, operand } of facts.writes) {
      if (file === 'scc') this.#values.delete(SCC);
      else if (file === 'sgpr') for (let n = 0; n < count; n++) this.#values.delete(first + n);
      else if (file === 'vgpr') this.#forgetLanes(instruction, first, count, operand);
    }
  }

  #forgetLanes(instruction: Instruction, first: number, count: number, operand: string): void {
    const lane =
      instruction.name === 'v_writelane_b32' ? this.#lane(instruction.operand(operand), instruction.operand('src1')) : undefined;
    if (lane !== undefined) {
      this.#values.delete(lane);
      return;
    }
    const [from, to] = [FIRST_LANE + first * LANES, FIRST_LANE + (first + count) * LANES];
    for (const place of this.#values.keys()) if (place >= from && place < to) this.#values.delete(place);
  }
}

/** Registers that a function preserves (LLVM AMDGPUUsage, "Non-Kernel Functions"): stripes of SGPRs and VGPRs. */
function isPreserved(bit: number): boolean {
  if (bit < FIRST_VGPR_BIT) return bit >= 30 && (bit < 40 || (bit >= 48 && bit % 16 < 8 && bit < 106));
  const vgpr = bit - FIRST_VGPR_BIT;
  return vgpr >= 40 && (vgpr - 40) % 16 < 8;
}

/** Adds a set to another; whether that grew. */
export function joinWords(target: Uint32Array, other: Uint32Array): boolean {
  let isNew = false;
  for (let word = 0; word < target.length; word++) {
    const before = target[word] ?? 0;
    const after = (before | (other[word] ?? 0)) >>> 0;
    if (after === before) continue;
    target[word] = after;
    isNew = true;
  }
  return isNew;
}
