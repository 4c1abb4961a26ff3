/**
 * Builds one block of IR: the interface that instruction semantics are written over. Registers are read and written by number;
 * inside the block every value is in SSA form.
 */
import { InternalError } from '@doorbell/abi';
import type {
  Address,
  AtomicNode,
  Block,
  ClockNode,
  Effect,
  Exit,
  LoadNode,
  MatrixNode,
  MemorySpace,
  RegisterWrite,
  StoreEffect,
  Value,
} from './block.js';
import { SGPR_EXEC } from './block.js';
import type { FloatMode } from './float-mode.js';
import type { MatrixOp } from '../matrix/matrix-op.js';
import { Graph } from './graph.js';
import type { AtomicOp, OpName } from './ops.js';

/** What is constant while a block is built. */
export interface WaveBuilderOptions {
  readonly waveSize: 32 | 64;
  /** MODE at the start of the block. */
  readonly mode: FloatMode;
  /** Byte offset of the first instruction in the code. */
  readonly start: number;
  /** GPU address of byte offset 0, for s_getpc and s_swappc. */
  readonly codeBase: bigint;
  /** VGPRs that the wave has. Others read as v0, and writes to them are dropped (AMD RDNA3 ISA document, "VGPR out of range"). Default: all that there can be. */
  readonly vgprCount?: number;
}

/** A load, store or atomic: where, and for which lanes (absent: once for the wave). */
export interface Access {
  readonly space: MemorySpace;
  readonly address: Address;
  readonly mask?: Value;
}

/** Thrown by semantics for what cannot be executed: the block then ends before the instruction with an `illegal` exit. */
export class Unsupported extends Error {}

/** Slots of the register state: SCC, the SGPRs, the VGPRs. */
const SCC = 0;
const SGPRS = 1;
const VGPRS = SGPRS + 128;
/** gfx1250 has most VGPRs. All slots are there from the start: the engine keeps arrays with gaps as hash tables. */
const VGPR_SLOTS = 1024;
const SLOTS = VGPRS + VGPR_SLOTS;

export class WaveBuilder {
  readonly waveSize: 32 | 64;
  /** MODE as it is now: changed by {@link setMode}. */
  mode: FloatMode;
  /** Byte offsets of the instruction being built and of the one after it. */
  pc: number;
  nextPc: number;
  readonly #graph: Graph;
  readonly #options: WaveBuilderOptions;
  readonly #effects: Effect[] = [];
  readonly #effectPcs: number[] = [];
  /** Current values by slot; undefined: not written in this block. */
  readonly #registers = new Array<Value | undefined>(SLOTS).fill(undefined);
  /** Slots written in this block, in order of the first write. */
  readonly #written: number[] = [];
  /** Old values of the registers that the current instruction wrote, for {@link rollback}. */
  readonly #undo: { readonly slot: number; readonly value: Value | undefined }[] = [];
  #effectMark = 0;
  #modeMark: FloatMode;
  #group = 0;
  #exit: Exit | undefined;
  #execMask: Value | undefined;

  constructor(options: WaveBuilderOptions) {
    this.#options = options;
    this.#graph = new Graph(options.waveSize);
    this.waveSize = options.waveSize;
    this.mode = options.mode;
    this.#modeMark = options.mode;
    this.pc = options.start;
    this.nextPc = options.start;
  }

  // Values

  i32(value: number): Value {
    return this.#graph.i32(value);
  }

  i64(low: number, high: number): Value {
    return this.#graph.i64(low, high);
  }

  bool(value: 0 | 1): Value {
    return this.#graph.bool(value);
  }

  /** A node of an operation, folded and simplified where possible. */
  op(name: OpName, a?: Value, b?: Value, c?: Value): Value {
    return this.#graph.op(name, a, b, c);
  }

  /** The GPU address of a byte offset of the code. */
  codeAddress(offset: number): Value {
    const address = BigInt.asUintN(64, this.#options.codeBase + BigInt(offset));
    return this.i64(Number(address & 0xffff_ffffn), Number(address >> 32n));
  }

  // Scalar registers

  /** A scalar register: uniform i32. */
  sgpr(index: number): Value {
    return this.#registers[SGPRS + index] ?? this.#graph.read('sgpr', index);
  }

  setSgpr(index: number, value: Value): void {
    if (value.type !== 'i32' || !value.uniform) throw new InternalError(`s${index} is written a ${value.type} per lane`);
    this.#write(SGPRS + index, value);
    if (index === SGPR_EXEC || index === SGPR_EXEC + 1) this.#execMask = undefined;
  }

  /** Two scalar registers as i64. */
  sgprPair(index: number): Value {
    return this.op('pack64', this.sgpr(index), this.sgpr(index + 1));
  }

  setSgprPair(index: number, value: Value): void {
    this.setSgpr(index, this.op('low64', value));
    this.setSgpr(index + 1, this.op('high64', value));
  }

  /** The scalar condition code: uniform bool. */
  scc(): Value {
    return this.#registers[SCC] ?? this.#graph.read('scc', 0);
  }

  setScc(value: Value): void {
    if (value.type !== 'bool' || !value.uniform) throw new InternalError('SCC is one bit');
    this.#write(SCC, value);
  }

  // Wave masks

  /** EXEC as one bool per lane. */
  execMask(): Value {
    this.#execMask ??= this.op('inverseBallot', this.waveMask(SGPR_EXEC));
    return this.#execMask;
  }

  /** A wave mask in SGPRs as i64; the upper half is 0 in wave32. */
  waveMask(index: number): Value {
    return this.waveSize === 64 ? this.sgprPair(index) : this.op('pack64', this.sgpr(index), this.i32(0));
  }

  /** Whether no bit of a wave mask is set. */
  maskIsZero(index: number): Value {
    return this.op('eq64', this.waveMask(index), this.i64(0, 0));
  }

  /** Writes a wave mask: one register in wave32, two in wave64. */
  setWaveMask(index: number, mask: Value): void {
    this.setSgpr(index, this.op('low64', mask));
    if (this.waveSize === 64) this.setSgpr(index + 1, this.op('high64', mask));
  }

  /**
   * The bits of a wave mask as one bool per lane, for use under the current EXEC: in inactive lanes the value is unspecified.
   */
  laneMask(index: number): Value {
    const mask = this.op('inverseBallot', this.waveMask(index));
    const exec = this.execMask();
    if (mask.kind === 'op' && mask.op === 'and') {
      const [a, b] = mask.args;
      if (a !== undefined && b === exec) return a;
      if (b !== undefined && a === exec) return b;
    }
    return mask;
  }

  /** Writes one bool per lane as a wave mask with 0 in the inactive lanes: what VOPC and carry-out do. */
  setLaneMask(index: number, value: Value): void {
    this.setWaveMask(index, this.op('ballot', this.op('and', value, this.execMask())));
  }

  // Vector registers

  /** A vector register for use under the current EXEC: in inactive lanes the value is unspecified. */
  vgpr(index: number): Value {
    const value = this.vgprAllLanes(index);
    return value.kind === 'blend' && value.mask === this.execMask() ? value.value : value;
  }

  /** A vector register as it is in every lane: for operations that look across lanes. */
  vgprAllLanes(index: number): Value {
    const register = this.#hasVgpr(index) ? index : 0;
    return this.#registers[VGPRS + register] ?? this.#graph.read('vgpr', register);
  }

  /** Writes a vector register in the active lanes. */
  setVgpr(index: number, value: Value): void {
    this.setVgprUnder(this.execMask(), index, value);
  }

  /** Writes a vector register in the lanes of `mask`. */
  setVgprUnder(mask: Value, index: number, value: Value): void {
    if (value.type !== 'i32') throw new InternalError(`v${index} is written a ${value.type}`);
    if (!this.#hasVgpr(index)) return;
    this.#write(VGPRS + index, this.#graph.blend(mask, value, this.vgprAllLanes(index)));
  }

  /** Writes a vector register in every lane, whatever EXEC is. */
  setVgprAllLanes(index: number, value: Value): void {
    if (this.#hasVgpr(index)) this.#write(VGPRS + index, value);
  }

  #hasVgpr(index: number): boolean {
    return index < (this.#options.vgprCount ?? VGPR_SLOTS);
  }

  // Memory and time

  /** A number that ties the parts of one memory access together. */
  newGroup(): number {
    return this.#group++;
  }

  load(access: Access, bits: 8 | 16 | 32 | 64, group: number = this.newGroup()): Value {
    const { space, address, mask } = access;
    const node: LoadNode = {
      kind: 'load',
      id: this.#graph.nodes.length,
      type: bits === 64 ? 'i64' : 'i32',
      uniform: mask === undefined,
      space,
      address,
      bits,
      ...(mask === undefined ? {} : { mask }),
      group,
    };
    this.#effect(this.#graph.effect(node));
    return node;
  }

  store(access: Required<Access>, bits: 8 | 16 | 32 | 64, data: Value, group: number = this.newGroup()): void {
    const effect: StoreEffect = { kind: 'store', ...access, bits, data, group };
    this.#effect(effect);
  }

  /** Returns the value before the operation. */
  atomic(access: Required<Access>, op: AtomicOp, data: Value, compare?: Value): Value {
    const node: AtomicNode = {
      kind: 'atomic',
      id: this.#graph.nodes.length,
      type: data.type,
      uniform: false,
      ...access,
      op,
      bits: data.type === 'i64' ? 64 : 32,
      data,
      ...(compare === undefined ? {} : { compare }),
    };
    this.#effect(this.#graph.effect(node));
    return node;
  }

  clock(counter: ClockNode['counter']): Value {
    const node: ClockNode = { kind: 'clock', id: this.#graph.nodes.length, type: 'i64', uniform: true, counter };
    this.#effect(this.#graph.effect(node));
    return node;
  }

  /** The registers that a matrix instruction gives, one value each, in all lanes. */
  matrix(op: MatrixOp, args: readonly Value[]): Value[] {
    const node: MatrixNode = { kind: 'matrix', id: this.#graph.nodes.length, type: 'i32', uniform: false, op, args };
    this.#effect(this.#graph.effect(node));
    return Array.from({ length: op.d.registers }, (_, register) =>
      this.#graph.effect({
        kind: 'part',
        id: this.#graph.nodes.length,
        type: 'i32',
        uniform: false,
        of: node,
        register,
      }),
    );
  }

  // Control

  /** Ends the block after this instruction. */
  exit(exit: Exit): void {
    this.#exit = exit;
  }

  get hasExit(): boolean {
    return this.#exit !== undefined;
  }

  /** Changes MODE: the block ends after this instruction. */
  setMode(mode: FloatMode): void {
    this.mode = mode;
    this.#exit ??= { kind: 'fall', to: this.nextPc };
  }

  /** Begins an instruction: what follows can be undone by {@link rollback}. */
  begin(pc: number, sizeBytes: number): void {
    this.pc = pc;
    this.nextPc = pc + sizeBytes;
    this.#undo.length = 0;
    this.#effectMark = this.#effects.length;
    this.#modeMark = this.mode;
  }

  /** Takes back everything since {@link begin}. */
  rollback(): void {
    for (let i = this.#undo.length - 1; i >= 0; i--) {
      const entry = this.#undo[i];
      if (entry !== undefined) this.#registers[entry.slot] = entry.value;
    }
    this.#undo.length = 0;
    this.#effects.length = this.#effectPcs.length = this.#effectMark;
    this.#execMask = undefined;
    this.#exit = undefined;
    this.mode = this.#modeMark;
    this.nextPc = this.pc;
  }

  /** The block. The builder is of no use afterwards. */
  finish(): Block {
    const writes: RegisterWrite[] = [];
    for (const slot of this.#written) {
      const value = this.#registers[slot];
      if (value === undefined) continue;
      const file = slot === SCC ? 'scc' : slot >= VGPRS ? 'vgpr' : 'sgpr';
      const index = slot === SCC ? 0 : slot >= VGPRS ? slot - VGPRS : slot - SGPRS;
      if (value.kind === 'read' && value.file === file && value.index === index) continue;
      writes.push({ file, index, value });
    }
    const exit = this.#exit ?? { kind: 'fall', to: this.nextPc };
    const roots = writes.map((write) => write.value);
    for (const effect of this.#effects) {
      if (effect.kind === 'store') {
        roots.push(effect.data, effect.mask);
        for (const part of [effect.address.base, effect.address.offset, effect.address.vector]) {
          if (part !== undefined) roots.push(part);
        }
      } else roots.push(effect);
    }
    if (exit.kind === 'branch') roots.push(exit.condition);
    if (exit.kind === 'indirect') roots.push(exit.target, exit.mode);
    if (exit.kind === 'request') roots.push(exit.request);
    return {
      start: this.#options.start,
      end: this.nextPc,
      nodes: this.#graph.prune(roots),
      effects: this.#effects,
      writes,
      exit,
      effectPcs: this.#effectPcs,
      ...(this.mode === this.#options.mode ? {} : { modeAfter: this.mode }),
    };
  }

  #effect(effect: Effect): void {
    this.#effects.push(effect);
    this.#effectPcs.push(this.pc);
  }

  #write(slot: number, value: Value): void {
    const before = this.#registers[slot];
    this.#undo.push({ slot, value: before });
    this.#registers[slot] = value;
    if (before === undefined) this.#written.push(slot);
  }
}
