/** Per-lane i32 values and lane masks: what keeps a shape stays scalar, the rest is done on v128 groups. */
import { InternalError } from '@doorbell/abi';
import type { OpName } from '../ir/ops.js';
import { OP, I32 } from '../wasm/opcodes.js';
import type { Dag } from './dag.js';
import { zerosOfBinary, zerosOfUnary } from './known-zeros.js';
import { SCALAR_OPS } from './scalar-ops.js';
import type { Partition, Pattern, Shapes } from './shapes.js';
import { ALL, NONE, type Mask, type Vec } from './values.js';
import { VECTOR_OPS, blend, shiftBy, type OpContext } from './vector-ops.js';

/** More scalar classes than this are not worth their registers: the value becomes a vector. */
const MAX_CLASSES = 8;
const MAX_FLOAT_CLASSES = 2;
/** Stands for the groups of a vector while facts are computed. */
const NO_GROUPS: readonly number[] = [];

const SHIFTS = { shl32: OP.i32x4Shl, shrU32: OP.i32x4ShrU, shrS32: OP.i32x4ShrS } as const;

export interface LanesOptions extends OpContext {
  readonly shapes: Shapes;
  /** Nodes for vectors are made; else only shapes and known bits are followed. */
  readonly emitting: boolean;
}

export class Lanes {
  readonly x: LanesOptions;
  readonly dag: Dag;
  readonly shapes: Shapes;
  readonly emitting: boolean;

  constructor(options: LanesOptions) {
    this.x = options;
    this.dag = options.dag;
    this.shapes = options.shapes;
    this.emitting = options.emitting;
  }

  // Construction

  /** One scalar in all lanes. */
  uniform(node: number): Vec {
    return this.shaped(this.shapes.one, [node], this.shapes.zero);
  }

  constantLanes(pattern: Pattern): Vec {
    return this.shaped(this.shapes.one, [this.dag.i32(0)], pattern);
  }

  shaped(partition: Partition, bases: readonly number[], pattern: Pattern): Vec {
    let zeros = -1;
    for (const base of bases) zeros &= this.dag.zeros(base);
    return { partition, bases, pattern, groups: undefined, zeros, pair: undefined };
  }

  vector(groups: readonly number[], zeros = 0): Vec {
    return { partition: undefined, bases: [], pattern: this.shapes.zero, groups, zeros, pair: undefined };
  }

  // Questions

  /** The scalar that all lanes have, if it is one. */
  scalarOf(v: Vec): number | undefined {
    return v.partition?.count === 1 && v.pattern.isZero ? v.bases[0] : undefined;
  }

  constantOf(v: Vec): number | undefined {
    const node = this.scalarOf(v);
    return node === undefined ? undefined : this.dag.constant(node);
  }

  /** The lanes' constants, if nothing else is in the value. */
  patternOf(v: Vec): Pattern | undefined {
    if (v.partition?.count !== 1) return undefined;
    const base = this.dag.constant(v.bases[0] ?? 0);
    if (base === undefined) return undefined;
    return base === 0 ? v.pattern : this.shapes.map(`add${base}`, v.pattern, (value) => value + base);
  }

  /** Base and pattern have no bit in common: adding them is or-ing them. */
  isDisjoint(v: Vec): boolean {
    return v.partition !== undefined && v.pattern.min >= 0 && (v.pattern.bits & ~v.zeros) === 0;
  }

  /** Known zero bits of the whole value. */
  zerosOf(v: Vec): number {
    if (v.partition === undefined) return v.zeros;
    if (v.pattern.isZero) return v.zeros;
    return this.isDisjoint(v) ? v.zeros & ~v.pattern.bits : 0;
  }

  // Materialisation

  /** A v128 node for each group. */
  groups(v: Vec): readonly number[] {
    if (v.groups !== undefined) return v.groups;
    if (!this.emitting) return NO_GROUPS;
    const { dag } = this;
    const { partition } = v;
    if (partition === undefined) throw new RangeError('A value without a form.');
    const groups: number[] = [];
    for (let group = 0; group < this.shapes.groups; group++) {
      const p = v.pattern.lanes;
      const lane = group * 4;
      const constant = dag.v128(p[lane] ?? 0, p[lane + 1] ?? 0, p[lane + 2] ?? 0, p[lane + 3] ?? 0);
      const base = v.bases[partition.classes[group] ?? 0] ?? 0;
      groups.push(dag.binary(OP.i32x4Add, dag.unary(OP.i32x4Splat, base), constant));
    }
    v.groups = groups;
    return groups;
  }

  // Operations

  /** A lane-wise operation with an i32 result. */
  apply(op: OpName, a: Vec, b: Vec | undefined, c: Vec | undefined): Vec {
    return (
      this.#scalar(op, a, b, c) ??
      (b === undefined ? undefined : this.#shape(op, a, b)) ??
      this.#flat(op, a, b, c) ??
      this.#map(op, a, b, c)
    );
  }

  /** A lane-wise comparison. */
  compare(op: OpName, a: Vec, b: Vec): Mask {
    const [x, y] = [this.scalarOf(a), this.scalarOf(b)];
    const scalar = SCALAR_OPS[op];
    if (x !== undefined && y !== undefined && scalar !== undefined) return this.condition(scalar(this.dag, x, y, 0));
    if (!this.emitting) return this.mask(NO_GROUPS);
    const unsigned = op === 'ltU32' && (this.zerosOf(a) & this.zerosOf(b)) >>> 31 === 1;
    const emit = VECTOR_OPS[unsigned ? 'ltS32' : op];
    if (emit === undefined) throw new RangeError(`No vector form of ${op}.`);
    const other = this.groups(b);
    const groups = this.groups(a).map((node, i) => emit(this.x, node, other[i] ?? 0, -1));
    return { ...this.mask(groups), ...this.#shapeTests(op, a, b) };
  }

  /** Whether a comparison of a shape with a scalar holds in all lanes or in none, by the lowest and the highest lane. */
  #shapeTests(op: OpName, a: Vec, b: Vec): { every?: number; none?: number } {
    const { dag } = this;
    if (op !== 'ltU32') return {};
    const [x, y] = [this.scalarOf(a), this.scalarOf(b)];
    const shape = x === undefined ? a : b;
    const scalar = x ?? y;
    if (scalar === undefined || shape.partition?.count !== 1) return {};
    const { min, max } = shape.pattern;
    const low = dag.binary(OP.i32Add, shape.bases[0] ?? 0, dag.i32(min));
    const high = dag.binary(OP.i32Add, shape.bases[0] ?? 0, dag.i32(max));
    const wraps = (~dag.zeros(low) >>> 0) + (max - min) > 0xffff_ffff;
    const both = (test: number): number => (wraps ? dag.binary(OP.i32And, test, dag.binary(OP.i32LeU, low, high)) : test);
    // lanes < scalar, or scalar < lanes
    return x === undefined
      ? { every: both(dag.binary(OP.i32LtU, high, scalar)), none: both(dag.binary(OP.i32GeU, low, scalar)) }
      : { every: both(dag.binary(OP.i32LtU, scalar, low)), none: both(dag.binary(OP.i32GeU, scalar, high)) };
  }

  select(mask: Mask, a: Vec, b: Vec): Vec {
    if (mask.known !== undefined) return mask.known === 1 ? a : b;
    if (a === b) return a;
    const { dag } = this;
    if (mask.condition >= 0 && a.partition !== undefined && b.partition !== undefined && a.pattern === b.pattern) {
      const { partition, left, right } = this.shapes.refine(a.partition, b.partition);
      const bases = left.map((l, i) => dag.select(mask.condition, a.bases[l] ?? 0, b.bases[right[i] ?? 0] ?? 0));
      return this.shaped(partition, bases, a.pattern);
    }
    const zeros = this.zerosOf(a) & this.zerosOf(b);
    if (!this.emitting) return this.vector(NO_GROUPS, zeros);
    const masks = this.maskGroups(mask);
    const [yes, no] = [this.groups(a), this.groups(b)];
    return this.vector(
      masks.map((m, i) => this.#selectGroup(m, yes[i] ?? 0, no[i] ?? 0)),
      zeros,
    );
  }

  #selectGroup(mask: number, yes: number, no: number): number {
    const { dag } = this;
    const zero = dag.splatConst(0);
    if (yes === no) return yes;
    if (no === zero) return dag.binary(OP.v128And, yes, mask);
    if (yes === zero) return dag.binary(OP.v128Andnot, no, mask);
    return blend(this.x, mask, yes, no);
  }

  // Masks

  mask(groups: readonly number[]): Mask {
    return { known: undefined, condition: -1, groups };
  }

  condition(node: number): Mask {
    const known = this.dag.constant(node);
    return known === undefined ? { known: undefined, condition: node, groups: undefined } : known !== 0 ? ALL : NONE;
  }

  /** A v128 mask for each of the first `count` groups. */
  maskGroups(mask: Mask, count: number = this.shapes.groups): readonly number[] {
    if (mask.groups !== undefined) return mask.groups;
    const { dag } = this;
    const node =
      mask.known !== undefined
        ? dag.splatConst(-mask.known)
        : dag.unary(OP.i32x4Splat, dag.binary(OP.i32Sub, dag.i32(0), mask.condition));
    return new Array<number>(count).fill(node);
  }

  not(a: Mask): Mask {
    if (a.known !== undefined) return a.known === 1 ? NONE : ALL;
    if (a.condition >= 0) return this.condition(this.dag.unary(OP.i32Eqz, a.condition));
    return {
      ...this.mask((a.groups ?? NO_GROUPS).map((node) => this.dag.unary(OP.v128Not, node))),
      ...(a.none === undefined ? {} : { every: a.none }),
      ...(a.every === undefined ? {} : { none: a.every }),
    };
  }

  logic(op: 'and' | 'or' | 'xor', a: Mask, b: Mask): Mask {
    if (a.known !== undefined || b.known !== undefined) {
      const [known, other] = a.known !== undefined ? [a.known, b] : [b.known ?? 0, a];
      if (op === 'xor') return known === 1 ? this.not(other) : other;
      return (op === 'and') === (known === 1) ? other : known === 1 ? ALL : NONE;
    }
    if (a.condition >= 0 && b.condition >= 0) {
      const code = op === 'and' ? OP.i32And : op === 'or' ? OP.i32Or : OP.i32Xor;
      return this.condition(this.dag.binary(code, a.condition, b.condition));
    }
    if (!this.emitting) return this.mask(NO_GROUPS);
    const code = op === 'and' ? OP.v128And : op === 'or' ? OP.v128Or : OP.v128Xor;
    const count = (a.groups ?? b.groups ?? NO_GROUPS).length;
    const right = this.maskGroups(b, count);
    const mask = this.mask(this.maskGroups(a, count).map((node, i) => this.dag.binary(code, node, right[i] ?? 0)));
    return op === 'xor' ? mask : { ...mask, ...this.#joinTests(op, a, b) };
  }

  /** Cheap tests of a conjunction or disjunction, where both sides have them. */
  #joinTests(op: 'and' | 'or', a: Mask, b: Mask): { every?: number; none?: number } {
    const { dag } = this;
    const join = (code: number, x: number | undefined, y: number | undefined): number | undefined =>
      x === undefined || y === undefined ? undefined : dag.binary(code, x, y);
    const every = join(op === 'and' ? OP.i32And : OP.i32Or, a.every, b.every);
    const none = join(op === 'and' ? OP.i32Or : OP.i32And, a.none, b.none);
    return { ...(every === undefined ? {} : { every }), ...(none === undefined ? {} : { none }) };
  }

  /** i32 node: whether any lane is set. */
  any(mask: Mask): number {
    if (mask.known !== undefined) return this.dag.i32(mask.known);
    if (mask.condition >= 0) return mask.condition;
    return this.#reduce(mask, OP.v128Or, OP.v128AnyTrue);
  }

  /** i32 node: whether every lane is set. */
  all(mask: Mask): number {
    if (mask.known !== undefined) return this.dag.i32(mask.known);
    if (mask.condition >= 0) return mask.condition;
    return this.#reduce(mask, OP.v128And, OP.i32x4AllTrue);
  }

  #reduce(mask: Mask, join: number, test: number): number {
    const { dag } = this;
    // Facts do not need the value, only that it is not a constant.
    if (!this.emitting) return dag.fresh(I32);
    let nodes = [...(mask.groups ?? NO_GROUPS)];
    while (nodes.length > 1) {
      const next: number[] = [];
      for (let i = 0; i < nodes.length; i += 2) {
        const other = nodes[i + 1];
        next.push(other === undefined ? (nodes[i] ?? 0) : dag.binary(join, nodes[i] ?? 0, other));
      }
      nodes = next;
    }
    return dag.unary(test, nodes[0] ?? 0);
  }

  /** i32 node: 1 only if every lane is set, the cheaper test if there is one. */
  surelyAll(mask: Mask): number {
    return mask.every ?? this.all(mask);
  }

  /** i32 node: the bits of 32 lanes (8 groups). */
  bits(mask: Mask): number {
    const { dag } = this;
    if (mask.known !== undefined) return dag.i32(-mask.known);
    if (mask.condition >= 0) return dag.binary(OP.i32Sub, dag.i32(0), mask.condition);
    if (!this.emitting) return dag.fresh(I32);
    let result = dag.i32(0);
    for (const [i, node] of (mask.groups ?? NO_GROUPS).entries()) {
      result = dag.binary(OP.i32Or, result, dag.binary(OP.i32Shl, dag.unary(OP.i32x4Bitmask, node), dag.i32(4 * i)));
    }
    return result;
  }

  /** The mask of 8 groups whose bits a scalar holds. */
  fromBits(node: number): Mask {
    const { dag } = this;
    const known = dag.constant(node);
    if (known === 0) return NONE;
    if (known === -1) return ALL;
    if (dag.opcode(node) === OP.select && dag.constant(dag.arg(node, 0)) === -1 && dag.constant(dag.arg(node, 1)) === 0) {
      return this.condition(dag.arg(node, 2));
    }
    if (!this.emitting) return this.mask(NO_GROUPS);
    const splat = dag.unary(OP.i32x4Splat, node);
    const groups: number[] = [];
    for (let i = 0; i < 8; i++) {
      const lane = (n: number): number => 1 << (4 * i + n);
      const bits = dag.v128(lane(0), lane(1), lane(2), lane(3));
      groups.push(dag.binary(OP.i32x4Eq, dag.binary(OP.v128And, splat, bits), bits));
    }
    return this.mask(groups);
  }

  // Shape rules

  #scalar(op: OpName, a: Vec, b: Vec | undefined, c: Vec | undefined): Vec | undefined {
    const x = this.scalarOf(a);
    const y = b === undefined ? -1 : this.scalarOf(b);
    const z = c === undefined ? -1 : this.scalarOf(c);
    if (x === undefined || y === undefined || z === undefined) return undefined;
    return this.uniform(this.scalar(op, x, y, z));
  }

  /** An operation on scalars: its own form, or lane 0 of the vector form. */
  scalar(op: OpName, a: number, b: number, c: number): number {
    const { dag } = this;
    const own = SCALAR_OPS[op];
    if (own !== undefined) return own(dag, a, b, c);
    const emit = VECTOR_OPS[op];
    if (emit === undefined) throw new RangeError(`No form of ${op}.`);
    const splat = (node: number): number => (node < 0 ? -1 : dag.unary(OP.i32x4Splat, node));
    return dag.lane(OP.i32x4ExtractLane, 0, emit(this.x, splat(a), splat(b), splat(c)));
  }

  #shape(op: OpName, a: Vec, b: Vec): Vec | undefined {
    switch (op) {
      case 'add32':
        return this.#sum(a, b);
      case 'sub32': {
        if (a.partition === undefined || b.partition === undefined) return undefined;
        const { partition, left, right } = this.shapes.refine(a.partition, b.partition);
        const pattern = this.shapes.combine('sub', a.pattern, b.pattern, (x, y) => x - y);
        const bases = left.map((l, i) => this.dag.binary(OP.i32Sub, a.bases[l] ?? 0, b.bases[right[i] ?? 0] ?? 0));
        return this.#settled(this.shaped(partition, bases, pattern));
      }
      case 'or32':
      case 'xor32': {
        if ((~this.zerosOf(a) & ~this.zerosOf(b)) === 0) return this.#sum(a, b) ?? undefined;
        const constant = this.constantOf(b);
        if (constant === undefined || !this.isDisjoint(a)) return undefined;
        const code = op === 'or32' ? OP.i32Or : OP.i32Xor;
        // Bits of the constant go to the pattern where a pattern has bits, else to the base.
        const low = a.pattern.bits;
        const apply = op === 'or32' ? (x: number): number => x | (constant & low) : (x: number): number => x ^ (constant & low);
        const pattern = this.shapes.map(`${op}${constant & low}`, a.pattern, apply);
        return this.#rebased(a, pattern, (base) => this.dag.binary(code, base, this.dag.i32(constant & ~low)));
      }
      case 'and32': {
        const constant = this.constantOf(b);
        if (constant === undefined || a.partition === undefined) return undefined;
        const pattern = this.shapes.map(`and${constant}`, a.pattern, (x) => x & constant);
        if (this.isDisjoint(a))
          return this.#rebased(a, pattern, (base) => this.dag.binary(OP.i32And, base, this.dag.i32(constant)));
        // A mask of low bits in which every base is 0 sees the pattern only.
        const below = constant >= 0 ? (1 << (32 - Math.clz32(constant))) - 1 : -1;
        return (below & ~a.zeros) === 0 ? this.constantLanes(pattern) : undefined;
      }
      case 'mul32': {
        const constant = this.constantOf(b);
        if (constant === undefined || a.partition === undefined) return undefined;
        const pattern = this.shapes.map(`mul${constant}`, a.pattern, (x) => Math.imul(x, constant));
        return this.#rebased(a, pattern, (base) => this.dag.binary(OP.i32Mul, base, this.dag.i32(constant)));
      }
      case 'shl32':
      case 'shrU32':
      case 'shrS32':
        return this.#shifted(op, a, b);
      default:
        return undefined;
    }
  }

  #sum(a: Vec, b: Vec): Vec | undefined {
    if (a.partition === undefined || b.partition === undefined) return undefined;
    const { partition, left, right } = this.shapes.refine(a.partition, b.partition);
    const pattern = this.shapes.combine('add', a.pattern, b.pattern, (x, y) => x + y);
    const bases = left.map((l, i) => this.dag.binary(OP.i32Add, a.bases[l] ?? 0, b.bases[right[i] ?? 0] ?? 0));
    return this.#settled(this.shaped(partition, bases, pattern));
  }

  #shifted(op: 'shl32' | 'shrU32' | 'shrS32', a: Vec, b: Vec): Vec | undefined {
    const amount = this.constantOf(b);
    if (amount === undefined || a.partition === undefined) return undefined;
    const by = amount & 31;
    const { dag } = this;
    if (op === 'shl32') {
      const pattern = this.shapes.map(`shl${by}`, a.pattern, (x) => x << by);
      return this.#rebased(a, pattern, (base) => dag.binary(OP.i32Shl, base, dag.i32(by)));
    }
    if (!this.isDisjoint(a)) return undefined;
    const code = op === 'shrU32' ? OP.i32ShrU : OP.i32ShrS;
    return this.#rebased(
      a,
      this.shapes.map(`shr${by}`, a.pattern, (x) => x >> by),
      (base) => dag.binary(code, base, dag.i32(by)),
    );
  }

  #rebased(a: Vec, pattern: Pattern, change: (base: number) => number): Vec | undefined {
    return a.partition === undefined ? undefined : this.#settled(this.shaped(a.partition, a.bases.map(change), pattern));
  }

  /** Constants of the bases go into the pattern, so that equal bases are recognised; a flat pattern goes into the bases. */
  #settled(v: Vec): Vec {
    const { dag, shapes } = this;
    const { partition } = v;
    if (partition === undefined) return v;
    if (v.bases.every((base) => dag.isConst(base)) && !(partition.count === 1 && v.pattern.isZero)) {
      const lanes = v.pattern.lanes.map((x, lane) => x + (dag.constant(v.bases[partition.classes[lane >> 2] ?? 0] ?? 0) ?? 0));
      const first = lanes[0] ?? 0;
      if (lanes.every((x) => x === first)) return this.uniform(dag.i32(first));
      return this.constantLanes(shapes.pattern(lanes));
    }
    return v;
  }

  /** All arguments uniform within each group: one scalar operation for each class. */
  #flat(op: OpName, a: Vec, b: Vec | undefined, c: Vec | undefined): Vec | undefined {
    if (a.partition === undefined || !a.pattern.isFlat) return undefined;
    if (b !== undefined && (b.partition === undefined || !b.pattern.isFlat)) return undefined;
    if (c !== undefined && (c.partition === undefined || !c.pattern.isFlat)) return undefined;
    let partition = this.shapes.flatten(a.partition, a.pattern).partition;
    for (const v of [b, c]) {
      if (v?.partition === undefined) continue;
      partition = this.shapes.refine(partition, this.shapes.flatten(v.partition, v.pattern).partition).partition;
    }
    const limit = SCALAR_OPS[op] === undefined ? MAX_FLOAT_CLASSES : MAX_CLASSES;
    if (partition.count > limit) return undefined;
    const at = (v: Vec | undefined, group: number): number => (v === undefined ? -1 : this.laneScalar(v, group * 4));
    const bases = partition.first.map((group) => this.scalar(op, at(a, group), at(b, group), at(c, group)));
    return this.#settled(this.shaped(partition, bases, this.shapes.zero));
  }

  /** The scalar of one lane of a shaped value. */
  laneScalar(v: Vec, lane: number): number {
    const { dag } = this;
    const base = v.partition === undefined ? undefined : v.bases[v.partition.classes[lane >> 2] ?? 0];
    if (base === undefined) throw new InternalError('a scalar of a value without a shape');
    return dag.binary(OP.i32Add, base, dag.i32(v.pattern.lanes[lane] ?? 0));
  }

  #map(op: OpName, a: Vec, b: Vec | undefined, c: Vec | undefined): Vec {
    const zeros = b === undefined ? zerosOfUnary(op) : zerosOfBinary(op, this.zerosOf(a), this.zerosOf(b), this.constantOf(b));
    if (zeros === -1) return this.uniform(this.dag.i32(0));
    if (!this.emitting) return this.vector(NO_GROUPS, zeros);
    const { dag, x } = this;
    const left = this.groups(a);
    if ((op === 'shl32' || op === 'shrU32' || op === 'shrS32') && b !== undefined) {
      const amount = this.scalarOf(b);
      if (amount !== undefined) {
        const code = SHIFTS[op];
        return this.vector(
          left.map((node) => dag.binary(code, node, amount)),
          zeros,
        );
      }
    }
    const signed = op === 'u32ToF32' && this.zerosOf(a) >>> 31 === 1;
    const emit = VECTOR_OPS[signed ? 's32ToF32' : op];
    if (emit === undefined) throw new RangeError(`No vector form of ${op}.`);
    const middle = b === undefined ? undefined : this.groups(b);
    const right = c === undefined ? undefined : this.groups(c);
    return this.vector(
      left.map((node, i) => emit(x, node, middle?.[i] ?? -1, right?.[i] ?? -1)),
      zeros,
    );
  }

  /** A constant shift of every group: for code that is written in vectors. */
  shiftGroups(code: number, groups: readonly number[], amount: number): readonly number[] {
    return groups.map((node) => shiftBy(this.dag, code, node, amount));
  }
}
