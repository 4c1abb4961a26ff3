/**
 * The reference interpreter: executes blocks of IR lane by lane on plain arrays. It is what the compiler is compared with, what
 * finds lane and address of a fault, and what single-steps a wave.
 */
import { InternalError } from '@doorbell/abi';
import type { AtomicNode, Block, Effect, LoadNode, MatrixNode, OpNode, StoreEffect, Value } from '../ir/block.js';
import { OP_FUNCTIONS, wide } from '../ir/op-functions.js';
import { evaluateMatrix } from './evaluate-matrix.js';
import type { AccessFault, EvaluatorMemory, Position, WaveState } from './wave-state.js';
import { FAULT } from './wave-state.js';

/** How control goes on, conditions resolved. */
export type Outcome =
  | { readonly kind: 'next'; readonly to: number }
  | { readonly kind: 'indirect'; readonly target: bigint; readonly mode: number }
  | { readonly kind: 'barrier'; readonly to: number }
  | { readonly kind: 'yield'; readonly to: number }
  | { readonly kind: 'request'; readonly request: bigint; readonly to: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'trap'; readonly id: number; readonly pc: number; readonly to: number }
  | { readonly kind: 'illegal'; readonly reason: string; readonly pc: number }
  | { readonly kind: 'fault'; readonly fault: BlockFault };

/** A memory access that failed: registers are as before the block, memory effects before it have happened. */
export interface BlockFault extends AccessFault {
  /** Byte offset of the instruction. */
  readonly pc: number;
  /** -1: a scalar access. */
  readonly lane: number;
  readonly address: bigint;
  readonly access: 'read' | 'write' | 'atomic';
}

/** Executes a block: changes registers and memory. A block can be evaluated any number of times. */
export function evaluateBlock(block: Block, wave: WaveState, memory: EvaluatorMemory): Outcome {
  let evaluation = evaluations.get(block);
  if (evaluation === undefined) {
    evaluation = new BlockEvaluation(block, wave, memory);
    evaluations.set(block, evaluation);
  }
  return evaluation.run(wave, memory);
}

/** The values of a block's nodes are kept for its next evaluation. */
const evaluations = new WeakMap<Block, BlockEvaluation>();

class BlockEvaluation {
  readonly #block: Block;
  readonly #waveSize: number;
  /** Low and high dwords of each node: one element if uniform, else one per lane. */
  readonly #low: Uint32Array[];
  readonly #high: (Uint32Array | undefined)[];
  readonly #position: Position = { low: 0, high: 0 };
  /** Results of matrix instructions: register by register, one dword per lane. */
  readonly #matrices = new Map<MatrixNode, Uint32Array>();
  #wave: WaveState;
  #memory: EvaluatorMemory;

  constructor(block: Block, wave: WaveState, memory: EvaluatorMemory) {
    this.#block = block;
    this.#waveSize = wave.waveSize;
    this.#wave = wave;
    this.#memory = memory;
    const allocate = (node: Value): Uint32Array => new Uint32Array(node.uniform ? 1 : wave.waveSize);
    this.#low = block.nodes.map(allocate);
    this.#high = block.nodes.map((node) => (node.type === 'i64' ? allocate(node) : undefined));
  }

  run(wave: WaveState, memory: EvaluatorMemory): Outcome {
    this.#wave = wave;
    this.#memory = memory;
    const { nodes, effects, effectPcs } = this.#block;
    // Stores are no nodes: each happens before the first later load, atomic or clock.
    let done = 0;
    for (const node of nodes) {
      if (node.kind !== 'load' && node.kind !== 'atomic' && node.kind !== 'clock' && node.kind !== 'matrix') {
        this.#evaluate(node);
        continue;
      }
      const own = effects.indexOf(node, done);
      if (own < 0) throw new InternalError('an effect node is not in the list of effects');
      for (; done <= own; done++) {
        const fault = this.#perform(effects[done], effectPcs[done] ?? 0);
        if (fault !== undefined) return { kind: 'fault', fault };
      }
    }
    for (; done < effects.length; done++) {
      const fault = this.#perform(effects[done], effectPcs[done] ?? 0);
      if (fault !== undefined) return { kind: 'fault', fault };
    }
    this.#writeRegisters();
    return this.#outcome();
  }

  #lowOf(node: Value, lane: number): number {
    return this.#low[node.id]?.[node.uniform ? 0 : lane] ?? 0;
  }

  #highOf(node: Value, lane: number): number {
    return node.type === 'i64' ? (this.#high[node.id]?.[node.uniform ? 0 : lane] ?? 0) : 0;
  }

  #evaluate(node: Value): void {
    const result = this.#lows(node);
    switch (node.kind) {
      case 'const':
        result[0] = node.low;
        if (node.type === 'i64') this.#setHigh(node, 0, node.high);
        return;
      case 'read':
        if (node.file === 'sgpr') result[0] = this.#wave.sgprs[node.index] ?? 0;
        else if (node.file === 'scc') result[0] = this.#wave.scc;
        else {
          const start = node.index * this.#waveSize;
          result.set(this.#wave.vgprs.subarray(start, start + this.#waveSize));
        }
        return;
      case 'blend':
        for (let lane = 0; lane < result.length; lane++) {
          result[lane] = this.#lowOf(this.#lowOf(node.mask, lane) === 1 ? node.value : node.old, lane);
        }
        return;
      case 'op':
        this.#operation(node, result);
        return;
      case 'part': {
        const start = node.register * this.#waveSize;
        result.set((this.#matrices.get(node.of) ?? NOTHING).subarray(start, start + this.#waveSize));
        return;
      }
      case 'load':
      case 'atomic':
      case 'clock':
      case 'matrix':
        throw new InternalError('an effect is evaluated as a value');
      default:
        node satisfies never;
    }
  }

  #setHigh(node: Value, lane: number, high: number): void {
    const values = this.#high[node.id];
    if (values !== undefined) values[lane] = high;
  }

  // hot
  #operation(node: OpNode, result: Uint32Array): void {
    const compute = OP_FUNCTIONS[node.op];
    if (compute === undefined) {
      this.#laneOperation(node, result);
      return;
    }
    const [a, b, c] = node.args;
    const [aLow, aHigh, aStep] = [this.#lows(a), this.#highs(a), stepOf(a)];
    const [bLow, bHigh, bStep] = [this.#lows(b), this.#highs(b), stepOf(b)];
    const [cLow, cHigh, cStep] = [this.#lows(c), this.#highs(c), stepOf(c)];
    const high = this.#high[node.id] ?? NOTHING;
    const isWide = node.type === 'i64';
    for (let lane = 0; lane < result.length; lane++) {
      const [x, y, z] = [lane * aStep, lane * bStep, lane * cStep];
      result[lane] = compute(aLow[x] ?? 0, aHigh[x] ?? 0, bLow[y] ?? 0, bHigh[y] ?? 0, cLow[z] ?? 0, cHigh[z] ?? 0);
      if (isWide) high[lane] = wide.high;
    }
  }

  #lows(node: Value | undefined): Uint32Array {
    return node === undefined ? NOTHING : (this.#low[node.id] ?? NOTHING);
  }

  #highs(node: Value | undefined): Uint32Array {
    return node?.type === 'i64' ? (this.#high[node.id] ?? NOTHING) : NOTHING;
  }

  #laneOperation(node: OpNode, result: Uint32Array): void {
    const [a, b, c] = node.args;
    if (node.op === 'laneId') {
      for (let lane = 0; lane < result.length; lane++) result[lane] = lane;
      return;
    }
    if (a === undefined) throw new InternalError(`${node.op} without arguments`);
    const size = this.#waveSize;
    switch (node.op) {
      case 'ballot': {
        const bits = [0, 0];
        for (let lane = 0; lane < size; lane++) {
          if (this.#lowOf(a, lane) === 1) bits[lane >> 5] = ((bits[lane >> 5] ?? 0) | (1 << (lane & 31))) >>> 0;
        }
        result[0] = bits[0] ?? 0;
        this.#setHigh(node, 0, bits[1] ?? 0);
        return;
      }
      case 'inverseBallot':
        for (let lane = 0; lane < size; lane++) {
          const half = lane < 32 ? this.#lowOf(a, lane) : this.#highOf(a, lane);
          result[lane] = (half >>> (lane & 31)) & 1;
        }
        return;
      case 'any':
        result[0] = 0;
        for (let lane = 0; lane < size; lane++) if (this.#lowOf(a, lane) === 1) result[0] = 1;
        return;
      case 'readLane':
        result[0] = this.#lowOf(a, this.#lowOf(b ?? a, 0) & (size - 1));
        return;
      case 'readFirstLane': {
        let first = 0;
        while (first < size && this.#lowOf(b ?? a, first) === 0) first++;
        result[0] = this.#lowOf(a, first === size ? 0 : first);
        return;
      }
      case 'insertLane': {
        for (let lane = 0; lane < size; lane++) result[lane] = this.#lowOf(a, lane);
        result[this.#lowOf(b ?? a, 0) & (size - 1)] = this.#lowOf(c ?? a, 0);
        return;
      }
      case 'shuffle':
        for (let lane = 0; lane < size; lane++) result[lane] = this.#lowOf(a, this.#lowOf(b ?? a, lane) & (size - 1));
        return;
      default:
        throw new InternalError(`no function for ${node.op}`);
    }
  }

  /** A memory effect or the clock. */
  #perform(effect: Effect | undefined, pc: number): BlockFault | undefined {
    switch (effect?.kind) {
      case 'load':
        return this.#load(effect, pc);
      case 'store':
        return this.#store(effect, pc);
      case 'atomic':
        return this.#atomic(effect, pc);
      case 'clock': {
        const now = this.#memory.clock(effect.counter);
        this.#lows(effect)[0] = Number(now & 0xffff_ffffn);
        this.#setHigh(effect, 0, Number((now >> 32n) & 0xffff_ffffn));
        return undefined;
      }
      case 'matrix':
        this.#matrices.set(effect, evaluateMatrix(effect.op, this.#tuple(effect)));
        return undefined;
      case undefined:
        return undefined;
      default:
        return effect satisfies never;
    }
  }

  /** The registers of a matrix instruction's operands, lane by lane. */
  #tuple(node: MatrixNode): Uint32Array {
    const size = this.#waveSize;
    const registers = new Uint32Array(node.args.length * size);
    for (const [n, arg] of node.args.entries()) {
      for (let lane = 0; lane < size; lane++) registers[n * size + lane] = this.#lowOf(arg, lane);
    }
    return registers;
  }

  #load(node: LoadNode, pc: number): BlockFault | undefined {
    const result = this.#lows(node);
    for (let lane = 0; lane < result.length; lane++) {
      if (node.mask !== undefined && this.#lowOf(node.mask, lane) === 0) continue;
      const position = this.#locate(node, lane);
      const value = this.#memory.load(node.space, position, node.bits === 64 ? 32 : node.bits, lane);
      if (value === FAULT) return this.#fault(pc, node.mask === undefined ? -1 : lane, position, 'read');
      result[lane] = value;
      if (node.bits !== 64) continue;
      advance(position);
      const high = this.#memory.load(node.space, position, 32, lane);
      if (high === FAULT) return this.#fault(pc, node.mask === undefined ? -1 : lane, position, 'read');
      this.#setHigh(node, lane, high);
    }
    return undefined;
  }

  #store(node: StoreEffect, pc: number): BlockFault | undefined {
    for (let lane = 0; lane < this.#waveSize; lane++) {
      if (this.#lowOf(node.mask, lane) === 0) continue;
      const position = this.#locate(node, lane);
      const bits = node.bits === 64 ? 32 : node.bits;
      if (this.#memory.store(node.space, position, bits, this.#lowOf(node.data, lane), lane) === FAULT) {
        return this.#fault(pc, lane, position, 'write');
      }
      if (node.bits !== 64) continue;
      advance(position);
      if (this.#memory.store(node.space, position, 32, this.#highOf(node.data, lane), lane) === FAULT) {
        return this.#fault(pc, lane, position, 'write');
      }
    }
    return undefined;
  }

  #atomic(node: AtomicNode, pc: number): BlockFault | undefined {
    const result = this.#lows(node);
    for (let lane = 0; lane < result.length; lane++) {
      if (this.#lowOf(node.mask, lane) === 0) continue;
      const position = this.#locate(node, lane);
      const old = this.#memory.atomic({
        space: node.space,
        position,
        op: node.op,
        bits: node.bits,
        data: { low: this.#lowOf(node.data, lane), high: this.#highOf(node.data, lane) },
        compare:
          node.compare === undefined
            ? { low: 0, high: 0 }
            : { low: this.#lowOf(node.compare, lane), high: this.#highOf(node.compare, lane) },
        lane,
      });
      if (old === FAULT) return this.#fault(pc, lane, position, 'atomic');
      result[lane] = old.low;
      this.#setHigh(node, lane, old.high);
    }
    return undefined;
  }

  /** base + offset + vector + constant, 64 bits wide; LDS and scratch: offset + constant, 32 bits. */
  #locate(node: LoadNode | AtomicNode | StoreEffect, lane: number): Position {
    const { base, offset, vector, constant } = node.address;
    const position = this.#position;
    position.low = 0;
    position.high = 0;
    if (base !== undefined) addTo(position, this.#lowOf(base, lane), this.#highOf(base, lane));
    if (vector !== undefined) addTo(position, this.#lowOf(vector, lane), this.#highOf(vector, lane));
    if (offset !== undefined) addTo(position, this.#lowOf(offset, lane), 0);
    addTo(position, constant >>> 0, constant < 0 ? 0xffff_ffff : 0);
    if (node.space === 'lds' || node.space === 'scratch') position.high = 0;
    return position;
  }

  #fault(pc: number, lane: number, position: Position, access: BlockFault['access']): BlockFault {
    const address = (BigInt(position.high) << 32n) | BigInt(position.low);
    return { ...this.#memory.lastFault, pc, lane, address, access };
  }

  #writeRegisters(): void {
    const { sgprs, vgprs } = this.#wave;
    const size = this.#waveSize;
    for (const { file, index, value } of this.#block.writes) {
      if (file === 'sgpr') sgprs[index] = this.#lowOf(value, 0);
      else if (file === 'scc') this.#wave.scc = this.#lowOf(value, 0);
      else for (let lane = 0; lane < size; lane++) vgprs[index * size + lane] = this.#lowOf(value, lane);
    }
  }

  #wideOf(value: Value): bigint {
    return (BigInt(this.#highOf(value, 0)) << 32n) | BigInt(this.#lowOf(value, 0));
  }

  #outcome(): Outcome {
    const { exit, end } = this.#block;
    switch (exit.kind) {
      case 'fall':
      case 'jump':
        return { kind: 'next', to: exit.to };
      case 'branch':
        return { kind: 'next', to: this.#lowOf(exit.condition, 0) === 1 ? exit.taken : exit.fall };
      case 'indirect':
        return { kind: 'indirect', target: this.#wideOf(exit.target), mode: this.#lowOf(exit.mode, 0) };
      case 'request':
        return { kind: 'request', request: this.#wideOf(exit.request), to: exit.to };
      case 'trap':
        return { kind: 'trap', id: exit.id, pc: end - 4, to: exit.to };
      case 'illegal':
        return { kind: 'illegal', reason: exit.reason, pc: end };
      case 'barrier':
      case 'yield':
      case 'end':
        return exit;
      default:
        return exit satisfies never;
    }
  }
}

/** The dwords of an argument that is not there. */
const NOTHING = new Uint32Array(64);

/** Distance between the values of two lanes. */
function stepOf(node: Value | undefined): 0 | 1 {
  return node === undefined || node.uniform ? 0 : 1;
}

function addTo(position: Position, low: number, high: number): void {
  const sum = position.low + low;
  position.low = sum >>> 0;
  position.high = (position.high + high + (sum > 0xffff_ffff ? 1 : 0)) >>> 0;
}

function advance(position: Position): void {
  addTo(position, 4, 0);
}
