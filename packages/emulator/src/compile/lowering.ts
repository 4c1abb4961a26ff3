/**
 * The values of one block, on demand: from IR nodes to scalars, shaped or vector lanes, and masks. Used twice: to follow facts
 * (nothing but shapes and known bits) and to make the nodes that are emitted. Both go through the same code, so that what the facts
 * promise is what is emitted.
 *
 * Over 500 lines: scalars, lanes, wide values and masks are made of each other, node by node, with one memory of what was made.
 */
import { InternalError } from '@doorbell/abi';
import type { MatrixNode, MatrixPart, Value } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import { OP } from '../wasm/opcodes.js';
import type { Dag } from './dag.js';
import type { Lanes } from './lanes.js';
import { LaneMoves, type LaneMemory } from './lane-moves.js';
import { SCALAR_WIDE_OPS } from './scalar-ops.js';
import {
  halfOf,
  halves,
  laneMaskOf,
  maskSlice,
  packHalves,
  scalar,
  uniformLogic,
  uniformSelect,
  wideNode,
} from './uniform-values.js';
import { ALL, NONE, type Mask, type Uniform, type UniformWide, type Vec, type Wide } from './values.js';
import { VECTOR_OPS, WIDE_OPS, WIDE_SHIFTS } from './vector-ops.js';
import { WideLanes } from './wide-lanes.js';

/** Where a block's registers come from. */
export interface RegisterSource {
  sgpr(index: number): Uniform;
  vgpr(index: number): Vec;
  /** i32 node of 0 or 1. */
  scc(): number;
}

export class Lowering {
  readonly lanes: Lanes;
  readonly dag: Dag;
  readonly #source: RegisterSource;
  readonly #moves: LaneMoves;
  readonly #wide: WideLanes;
  readonly #vecs: (Vec | undefined)[] = [];
  readonly #wides: (Wide | undefined)[] = [];
  readonly #masks: (Mask | undefined)[] = [];
  readonly #uniforms: (Uniform | undefined)[] = [];
  readonly #uniformWides: (UniformWide | undefined)[] = [];
  readonly #matrices = new Map<MatrixNode, readonly Vec[]>();

  constructor(lanes: Lanes, source: RegisterSource, memory: LaneMemory) {
    this.lanes = lanes;
    this.dag = lanes.dag;
    this.#source = source;
    this.#moves = new LaneMoves(lanes, memory);
    this.#wide = new WideLanes(lanes);
  }

  // Results of effects

  setVec(node: Value, value: Vec): void {
    this.#vecs[node.id] = value;
  }
  setWide(node: Value, value: Wide): void {
    this.#wides[node.id] = value;
  }
  setUniform(node: Value, value: Uniform): void {
    this.#uniforms[node.id] = value;
  }
  setUniformWide(node: Value, value: UniformWide): void {
    this.#uniformWides[node.id] = value;
  }
  setMask(node: Value, value: Mask): void {
    this.#masks[node.id] = value;
  }

  /** The registers of a matrix instruction's result. */
  setMatrix(node: MatrixNode, registers: readonly Vec[]): void {
    this.#matrices.set(node, registers);
  }

  // Values

  /** An i32, one for each lane. */
  vec(node: Value): Vec {
    const found = this.#vecs[node.id];
    if (found !== undefined) return found;
    const value = node.uniform ? this.lanes.uniform(this.scalar(node)) : this.#makeVec(node);
    this.#vecs[node.id] = value;
    return value;
  }

  /** The same with its lanes computed, not only as the half of a sum. */
  forced(node: Value): Vec {
    return this.force(this.vec(node));
  }

  force(v: Vec): Vec {
    return v.pair === undefined ? v : this.#wide.highOfSum(v.pair);
  }

  /** An i64, one for each lane. */
  wide(node: Value): Wide {
    const found = this.#wides[node.id];
    if (found !== undefined) return found;
    const value = node.uniform ? this.#wide.uniform(this.scalarWide(node)) : this.#makeWide(node);
    this.#wides[node.id] = value;
    return value;
  }

  lowOf(wide: Wide): Vec {
    return this.#wide.low(wide);
  }
  highOf(wide: Wide): Vec {
    return this.#wide.high(wide);
  }
  wideFromHalves(low: Vec, high: Vec): Wide {
    return { low, high, joined: undefined, sum: undefined };
  }

  /** A bool, one for each lane. */
  mask(node: Value): Mask {
    const found = this.#masks[node.id];
    if (found !== undefined) return found;
    const value = this.#makeMask(node);
    this.#masks[node.id] = value;
    return value;
  }

  /** A uniform i32 as a node. */
  scalar(node: Value): number {
    if (node.type === 'bool') return this.condition(node);
    return this.bitsOf(this.uniform(node));
  }

  bitsOf(value: Uniform): number {
    return value.mask === undefined ? value.node : this.lanes.bits(value.mask);
  }

  /** A uniform i64 as a node. */
  scalarWide(node: Value): number {
    return this.wideBits(this.uniformWide(node));
  }

  wideBits(value: UniformWide): number {
    if (value.low === undefined || value.high === undefined) return value.node;
    return packHalves(this.dag, this.bitsOf(value.low), this.bitsOf(value.high));
  }

  /** A uniform bool as an i32 node of 0 or 1. */
  condition(node: Value): number {
    const mask = this.mask(node);
    if (mask.known !== undefined) return this.dag.i32(mask.known);
    if (mask.condition < 0) throw new InternalError('a condition that differs by lane');
    return mask.condition;
  }

  uniform(node: Value): Uniform {
    const found = this.#uniforms[node.id];
    if (found !== undefined) return found;
    const value = this.#makeUniform(node);
    this.#uniforms[node.id] = value;
    return value;
  }

  uniformWide(node: Value): UniformWide {
    const found = this.#uniformWides[node.id];
    if (found !== undefined) return found;
    const value = this.#makeUniformWide(node);
    this.#uniformWides[node.id] = value;
    return value;
  }

  // Per lane

  #makeVec(node: Value): Vec {
    const { lanes } = this;
    switch (node.kind) {
      case 'read':
        return this.#source.vgpr(node.index);
      case 'blend':
        return lanes.select(this.mask(node.mask), this.forced(node.value), this.forced(node.old));
      case 'op':
        return this.#vecOp(node.op, node.args);
      case 'const':
      case 'load':
      case 'atomic':
      case 'clock':
      case 'matrix':
        throw new InternalError(`a ${node.kind} without a value`);
      case 'part':
        return this.#part(node);
      default:
        return node satisfies never;
    }
  }

  #part({ of, register }: MatrixPart): Vec {
    const value = this.#matrices.get(of)?.[register];
    if (value === undefined) throw new InternalError('a part of a matrix that was not computed');
    return value;
  }

  #vecOp(op: OpName, args: readonly Value[]): Vec {
    const { lanes } = this;
    const a = args[0];
    const b = args[1];
    const c = args[2];
    switch (op) {
      case 'laneId':
        return this.laneIds();
      case 'select32':
        return lanes.select(this.mask(need(a)), this.forced(need(b)), this.forced(need(c)));
      case 'low64':
        return this.#wide.low(this.wide(need(a)));
      case 'high64':
        return this.#highHalf(need(a));
      case 'clz64':
      case 'ctz64':
      case 'popcnt64':
        return this.#wide.count(op, this.wide(need(a)));
      case 'f64ToF32':
      case 'f64ToF16':
      case 'f64ToS32':
      case 'f64ToU32':
        return this.#wide.narrow(op, this.wide(need(a)));
      case 'insertLane':
        return this.inserted(need(a), need(b), need(c));
      case 'shuffle':
        return this.shuffled(need(a), need(b));
      default:
        if (VECTOR_OPS[op] === undefined) throw new InternalError(`${op} has no lanes`);
        return lanes.apply(
          op,
          this.forced(need(a)),
          b === undefined ? undefined : this.forced(b),
          c === undefined ? undefined : this.forced(c),
        );
    }
  }

  /** The high half of a sum stays a promise: most are only ever the high half of an address. */
  #highHalf(whole: Value): Vec {
    const wide = this.wide(whole);
    if (wide.sum === undefined || wide.high !== undefined) return this.#wide.high(wide);
    return this.#wide.promise(wide.sum, whole);
  }

  #makeWide(node: Value): Wide {
    if (node.kind !== 'op') throw new InternalError(`a ${node.kind} without a value`);
    const [a, b, c] = node.args;
    switch (node.op) {
      case 'pack64': {
        const low = this.forced(need(a));
        const high = this.vec(need(b));
        if (high.pair !== undefined && high.pair.low === a) return { low, high: undefined, joined: undefined, sum: high.pair };
        const [first, second] = [this.lanes.scalarOf(low), this.lanes.scalarOf(high)];
        const isExtension = this.lanes.constantOf(high) === 0;
        // Before gfx10, of an address's uniform base one half comes from a scalar register, the other from a vector register.
        if (!isExtension && first !== undefined && second !== undefined) {
          return this.#wide.uniform(packHalves(this.dag, first, second));
        }
        const sum = isExtension ? { base: this.dag.i64(0, 0), offset: low, multiplier: 1 } : undefined;
        return { low, high: this.force(high), joined: undefined, sum };
      }
      case 'select64':
        return this.#wide.select(this.mask(need(a)), this.wide(need(b)), this.wide(need(c)));
      case 'mulWideU32':
      case 'mulWideS32':
        return this.#wide.multiply(node.op, this.forced(need(a)), this.forced(need(b)));
      case 'shl64':
      case 'shrU64':
      case 'shrS64':
        return this.#wide.shift(node.op, this.wide(need(a)), this.forced(need(b)));
      case 'f32ToF64':
      case 's32ToF64':
      case 'u32ToF64':
        return this.#wide.widen(node.op, this.forced(need(a)));
      case 'fmaF64':
      case 'fmaDown128F64':
      case 'fmaDownwardF64':
        return this.#wide.fma(node.op, this.wide(need(a)), this.wide(need(b)), this.wide(need(c)));
      case 'and64':
      case 'or64':
      case 'xor64':
        return this.#wide.logic(node.op, this.wide(need(a)), this.wide(need(b)));
      default:
        if (WIDE_OPS[node.op] === undefined) throw new InternalError(`${node.op} has no lanes`);
        return this.#wide.apply(node.op, this.wide(need(a)), b === undefined ? undefined : this.wide(b));
    }
  }

  // Bools

  #makeMask(node: Value): Mask {
    const { lanes } = this;
    switch (node.kind) {
      case 'const':
        return node.low === 1 ? ALL : NONE;
      case 'read':
        return lanes.condition(this.#source.scc());
      case 'op':
        break;
      default:
        throw new InternalError(`a ${node.kind} is no bool`);
    }
    const [a, b, c] = node.args;
    switch (node.op) {
      case 'not':
        return lanes.not(this.mask(need(a)));
      case 'and':
      case 'or':
      case 'xor':
        return lanes.logic(node.op, this.mask(need(a)), this.mask(need(b)));
      case 'any':
        return lanes.condition(lanes.any(this.mask(need(a))));
      case 'inverseBallot':
        return this.inverseBallot(this.uniformWide(need(a)));
      case 'eq32':
        return node.uniform ? this.#uniformEqual(need(a), need(b)) : this.#compare(node.op, need(a), need(b));
      case 'ltU32':
      case 'ltS32':
      case 'ltF32':
      case 'leF32':
      case 'eqF32':
        return this.#compare(node.op, need(a), need(b));
      case 'eq64':
        return this.#compareWide(node, need(a), need(b));
      case 'ltU64':
      case 'ltS64':
      case 'ltF64':
      case 'leF64':
      case 'eqF64':
        return this.#compareWide(node, need(a), need(b));
      default:
        void c;
        throw new InternalError(`${node.op} is no bool`);
    }
  }

  #compare(op: OpName, a: Value, b: Value): Mask {
    return this.lanes.compare(op, this.forced(a), this.forced(b));
  }

  /** A wave mask compared with 0 or all ones asks for any or all lanes. */
  #uniformEqual(a: Value, b: Value): Mask {
    const { lanes, dag } = this;
    const [x, y] = [this.uniform(a), this.uniform(b)];
    const constant = y.mask === undefined ? dag.constant(y.node) : y.mask.known === undefined ? undefined : -y.mask.known;
    if (x.mask !== undefined && constant === 0) return lanes.condition(dag.unary(OP.i32Eqz, lanes.any(x.mask)));
    if (x.mask !== undefined && constant === -1) return lanes.condition(lanes.all(x.mask));
    return this.#compare('eq32', a, b);
  }

  #compareWide(node: Value & { readonly kind: 'op' }, a: Value, b: Value): Mask {
    const { lanes, dag } = this;
    if (!node.uniform) return this.#wide.compare(node.op, this.wide(a), this.wide(b));
    const [x, y] = [this.uniformWide(a), this.uniformWide(b)];
    if (
      node.op === 'eq64' &&
      x.low?.mask !== undefined &&
      x.high !== undefined &&
      b.kind === 'const' &&
      b.low === 0 &&
      b.high === 0
    ) {
      void y;
      const high = x.high.mask === undefined ? dag.binary(OP.i32Ne, x.high.node, dag.i32(0)) : lanes.any(x.high.mask);
      return lanes.condition(dag.unary(OP.i32Eqz, dag.binary(OP.i32Or, lanes.any(x.low.mask), high)));
    }
    const emit = SCALAR_WIDE_OPS[node.op];
    if (emit === undefined) throw new InternalError(`${node.op} has no scalar form`);
    return lanes.condition(emit(dag, this.scalarWide(a), this.scalarWide(b), -1));
  }

  // What depends on how many lanes are held at a time

  /** Each lane's number in the wave. */
  protected laneIds(): Vec {
    return this.lanes.constantLanes(this.lanes.shapes.laneId);
  }

  /** A value with one lane replaced. */
  protected inserted(value: Value, index: Value, replacement: Value): Vec {
    return this.#moves.insertLane(this.forced(value), this.scalar(index), this.scalar(replacement));
  }

  protected shuffled(value: Value, index: Value): Vec {
    return this.#moves.shuffle(this.forced(value), this.forced(index));
  }

  /** The bits of a wave mask as a lane mask. */
  protected inverseBallot(value: UniformWide): Mask {
    const { lanes, dag } = this;
    const half = (part: 'low' | 'high'): Mask => {
      const own = value[part];
      if (own !== undefined) return laneMaskOf(this.lanes, own);
      const bits = part === 'low' ? value.node : dag.binary(OP.i64ShrU, value.node, dag.i64(32, 0));
      return lanes.fromBits(dag.unary(OP.i32WrapI64, bits));
    };
    const low = half('low');
    if (lanes.shapes.waveSize === 32) return low;
    const high = half('high');
    if (low.known !== undefined && low.known === high.known) return low;
    if (low.condition >= 0 && low.condition === high.condition) return low;
    return lanes.mask(lanes.emitting ? [...lanes.maskGroups(low, 8), ...lanes.maskGroups(high, 8)] : []);
  }

  // Uniform

  #makeUniform(node: Value): Uniform {
    const { lanes, dag } = this;
    switch (node.kind) {
      case 'const':
        return scalar(dag.i32(node.low));
      case 'read':
        return this.#source.sgpr(node.index);
      case 'blend':
        return scalar(lanes.scalarOf(this.#makeVec(node)) ?? this.#moves.readLane(this.#makeVec(node), dag.i32(0)));
      case 'op':
        break;
      default:
        throw new InternalError(`a ${node.kind} without a value`);
    }
    const [a, b, c] = node.args;
    switch (node.op) {
      case 'and32':
      case 'or32':
      case 'xor32':
        return uniformLogic(this.lanes, node.op, this.uniform(need(a)), this.uniform(need(b)));
      case 'select32':
        return uniformSelect(this.lanes, this.condition(need(a)), this.uniform(need(b)), this.uniform(need(c)));
      case 'low64':
        return halfOf(this.dag, this.uniformWide(need(a)), 'low');
      case 'high64':
        return halfOf(this.dag, this.uniformWide(need(a)), 'high');
      case 'readLane':
        return scalar(this.#moves.readLane(this.forced(need(a)), this.scalar(need(b))));
      case 'readFirstLane':
        return scalar(this.#moves.readFirstLane(this.forced(need(a)), this.mask(need(b))));
      case 'clz64':
      case 'ctz64':
      case 'popcnt64': {
        const code = node.op === 'clz64' ? OP.i64Clz : node.op === 'ctz64' ? OP.i64Ctz : OP.i64Popcnt;
        return scalar(dag.unary(OP.i32WrapI64, dag.unary(code, this.scalarWide(need(a)))));
      }
      case 'f64ToF32':
      case 'f64ToF16':
      case 'f64ToS32':
      case 'f64ToU32':
        return scalar(this.#moves.firstLane(this.#wide.narrow(node.op, this.#wide.uniform(this.scalarWide(need(a))))));
      default: {
        const arg = (value: Value | undefined): number => (value === undefined ? -1 : this.scalar(value));
        return scalar(lanes.scalar(node.op, arg(a), arg(b), arg(c)));
      }
    }
  }

  #makeUniformWide(node: Value): UniformWide {
    const { lanes, dag } = this;
    if (node.kind === 'const') return wideNode(dag.i64(node.low, node.high));
    if (node.kind !== 'op') throw new InternalError(`a ${node.kind} without a value`);
    const [a, b, c] = node.args;
    switch (node.op) {
      case 'pack64':
        return halves(this.uniform(need(a)), this.uniform(need(b)));
      case 'ballot': {
        const mask = this.mask(need(a));
        if (lanes.shapes.waveSize === 32) return halves(maskSlice(this.lanes, mask, 0), scalar(dag.i32(0)));
        return halves(maskSlice(this.lanes, mask, 0), maskSlice(this.lanes, mask, 8));
      }
      case 'and64':
      case 'or64':
      case 'xor64': {
        const [x, y] = [this.uniformWide(need(a)), this.uniformWide(need(b))];
        const logic = node.op === 'and64' ? 'and32' : node.op === 'or64' ? 'or32' : 'xor32';
        if (x.low === undefined && y.low === undefined) break;
        return halves(
          uniformLogic(this.lanes, logic, halfOf(this.dag, x, 'low'), halfOf(this.dag, y, 'low')),
          uniformLogic(this.lanes, logic, halfOf(this.dag, x, 'high'), halfOf(this.dag, y, 'high')),
        );
      }
      case 'select64': {
        const [x, y] = [this.uniformWide(need(b)), this.uniformWide(need(c))];
        const condition = this.condition(need(a));
        if (x.low === undefined && y.low === undefined) return wideNode(dag.select(condition, x.node, y.node));
        return halves(
          uniformSelect(this.lanes, condition, halfOf(this.dag, x, 'low'), halfOf(this.dag, y, 'low')),
          uniformSelect(this.lanes, condition, halfOf(this.dag, x, 'high'), halfOf(this.dag, y, 'high')),
        );
      }
      case 'mulWideU32':
      case 'mulWideS32': {
        const extend = node.op === 'mulWideU32' ? OP.i64ExtendI32U : OP.i64ExtendI32S;
        const part = (value: Value): number => dag.unary(extend, this.scalar(value));
        return wideNode(dag.binary(OP.i64Mul, part(need(a)), part(need(b))));
      }
      case 'shl64':
      case 'shrU64':
      case 'shrS64': {
        const amount = dag.unary(OP.i64ExtendI32U, this.scalar(need(b)));
        return wideNode(dag.binary(WIDE_SHIFTS[node.op].scalar, this.scalarWide(need(a)), amount));
      }
      case 'f32ToF64':
      case 's32ToF64':
      case 'u32ToF64':
        return wideNode(this.#firstWide(this.#wide.widen(node.op, lanes.uniform(this.scalar(need(a))))));
      case 'fmaF64':
      case 'fmaDown128F64':
      case 'fmaDownwardF64': {
        const part = (value: Value | undefined): Wide => this.#wide.uniform(this.scalarWide(need(value)));
        return wideNode(this.#firstWide(this.#wide.fma(node.op, part(a), part(b), part(c))));
      }
      default:
    }
    const emit = SCALAR_WIDE_OPS[node.op];
    if (emit !== undefined) return wideNode(emit(dag, this.scalarWide(need(a)), b === undefined ? -1 : this.scalarWide(b), -1));
    const part = (value: Value): Wide => this.#wide.uniform(this.scalarWide(value));
    return wideNode(this.#firstWide(this.#wide.apply(node.op, part(need(a)), b === undefined ? undefined : part(b))));
  }

  #firstWide(wide: Wide): number {
    return packHalves(this.dag, this.#moves.firstLane(this.#wide.low(wide)), this.#moves.firstLane(this.#wide.high(wide)));
  }
}

/** An argument of an operation, which is always there. */
export function need(value: Value | undefined): Value {
  if (value === undefined) throw new InternalError('an operation without its argument');
  return value;
}
