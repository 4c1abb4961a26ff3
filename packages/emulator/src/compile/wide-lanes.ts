/** Per-lane i64 values: as halves, as i64x2 nodes, or as sums of a uniform base and a 32-bit offset. */
import { InternalError } from '@doorbell/abi';
import type { Value } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import { OP } from '../wasm/opcodes.js';
import type { Dag } from './dag.js';
import type { Lanes } from './lanes.js';
import type { Mask, Pair, Vec, Wide } from './values.js';
import { WIDE_OPS, WIDE_SHIFTS, fma64, variableShift64 } from './vector-ops.js';

type Joined = readonly [readonly number[], readonly number[]];
type Sum = NonNullable<Wide['sum']>;

/** Larger strides are not worth a special form. */
const MAX_MULTIPLIER = 1 << 16;

const WIDEN = {
  f32ToF64: OP.f64x2PromoteLowF32x4,
  s32ToF64: OP.f64x2ConvertLowI32x4S,
  u32ToF64: OP.f64x2ConvertLowI32x4U,
} as const;
const NARROW = {
  f64ToF32: OP.f32x4DemoteF64x2Zero,
  f64ToS32: OP.i32x4TruncSatF64x2SZero,
  f64ToU32: OP.i32x4TruncSatF64x2UZero,
} as const;

export class WideLanes {
  readonly #lanes: Lanes;
  readonly #dag: Dag;

  constructor(lanes: Lanes) {
    this.#lanes = lanes;
    this.#dag = lanes.dag;
  }

  /** One i64 in all lanes. */
  uniform(node: number): Wide {
    const dag = this.#dag;
    const known = dag.constant64(node);
    const low = known === undefined ? dag.unary(OP.i32WrapI64, node) : dag.i32(known.low);
    const high =
      known === undefined ? dag.unary(OP.i32WrapI64, dag.binary(OP.i64ShrU, node, dag.i64(32, 0))) : dag.i32(known.high);
    const sum = { base: node, offset: this.#lanes.uniform(dag.i32(0)), multiplier: 1 };
    return { low: this.#lanes.uniform(low), high: this.#lanes.uniform(high), joined: undefined, sum };
  }

  low(wide: Wide): Vec {
    if (wide.low !== undefined) return wide.low;
    if (wide.sum !== undefined) wide.low = this.#lowOfSum(wide.sum);
    else wide.low = this.#half(wide, 0);
    return wide.low;
  }

  high(wide: Wide): Vec {
    if (wide.high !== undefined) return wide.high;
    if (wide.sum !== undefined) wide.high = this.highOfSum(wide.sum);
    else wide.high = this.#half(wide, 1);
    return wide.high;
  }

  /** The high half of a sum, not computed yet; `whole` is the block's value of which it is the half. */
  promise(sum: Sum, whole: Value): Vec {
    const pair: Pair = { ...sum, low: whole };
    return { ...this.#lanes.vector([]), groups: undefined, pair };
  }

  highOfSum(sum: Sum): Vec {
    const lanes = this.#lanes;
    const dag = this.#dag;
    const { base, offset, multiplier } = sum;
    const scalarOffset = lanes.scalarOf(offset);
    if (scalarOffset !== undefined) {
      const product = dag.binary(OP.i64Mul, dag.unary(OP.i64ExtendI32U, scalarOffset), dag.i64(multiplier, 0));
      const total = dag.binary(OP.i64Add, base, dag.constant(scalarOffset) === 0 ? dag.i64(0, 0) : product);
      return lanes.uniform(dag.unary(OP.i32WrapI64, dag.binary(OP.i64ShrU, total, dag.i64(32, 0))));
    }
    const known = dag.constant64(base);
    const shift = 31 - Math.clz32(multiplier);
    if (known?.low === 0 && multiplier === 1 << shift) {
      const high =
        shift === 0 ? lanes.uniform(dag.i32(0)) : lanes.apply('shrU32', offset, lanes.uniform(dag.i32(32 - shift)), undefined);
      return known.high === 0 ? high : lanes.apply('add32', high, lanes.uniform(dag.i32(known.high)), undefined);
    }
    if (!lanes.emitting) return lanes.vector([]);
    const factor = dag.splatConst(multiplier);
    const start = dag.unary(OP.i64x2Splat, base);
    return lanes.vector(
      lanes.groups(offset).map((node) => {
        const low = dag.binary(OP.i64x2Add, dag.binary(OP.i64x2ExtmulLowI32x4U, node, factor), start);
        const high = dag.binary(OP.i64x2Add, dag.binary(OP.i64x2ExtmulHighI32x4U, node, factor), start);
        return dag.shuffle(low, high, 1, 3, 5, 7);
      }),
    );
  }

  apply(op: OpName, a: Wide, b: Wide | undefined): Wide {
    const lanes = this.#lanes;
    if (op === 'add64' && b !== undefined) {
      const sum = this.#addSums(a.sum, b.sum);
      if (sum !== undefined) return { low: undefined, high: undefined, joined: undefined, sum };
    }
    if (!lanes.emitting) return joinedWide(UNKNOWN_JOINED);
    const emit = WIDE_OPS[op];
    if (emit === undefined) throw new InternalError(`${op} has no wide form`);
    return this.#mapJoined(a, b, (x, y) => emit(lanes.x, x, y, -1));
  }

  logic(op: 'and64' | 'or64' | 'xor64', a: Wide, b: Wide): Wide {
    const lanes = this.#lanes;
    const half = op === 'and64' ? 'and32' : op === 'or64' ? 'or32' : 'xor32';
    if (a.joined !== undefined && b.joined !== undefined) return this.apply(op, a, b);
    const low = lanes.apply(half, this.low(a), this.low(b), undefined);
    const high = lanes.apply(half, this.high(a), this.high(b), undefined);
    return { low, high, joined: undefined, sum: undefined };
  }

  select(mask: Mask, a: Wide, b: Wide): Wide {
    const lanes = this.#lanes;
    const low = lanes.select(mask, this.low(a), this.low(b));
    return { low, high: lanes.select(mask, this.high(a), this.high(b)), joined: undefined, sum: undefined };
  }

  multiply(op: 'mulWideU32' | 'mulWideS32', a: Vec, b: Vec): Wide {
    const lanes = this.#lanes;
    const dag = this.#dag;
    const constant = lanes.constantOf(b);
    if (op === 'mulWideU32' && constant !== undefined && constant > 0 && constant <= MAX_MULTIPLIER) {
      return {
        low: undefined,
        high: undefined,
        joined: undefined,
        sum: { base: dag.i64(0, 0), offset: a, multiplier: constant },
      };
    }
    if (!lanes.emitting) return joinedWide(UNKNOWN_JOINED);
    const [low, high] =
      op === 'mulWideU32'
        ? [OP.i64x2ExtmulLowI32x4U, OP.i64x2ExtmulHighI32x4U]
        : [OP.i64x2ExtmulLowI32x4S, OP.i64x2ExtmulHighI32x4S];
    const other = lanes.groups(b);
    const left = lanes.groups(a);
    return joinedWide([
      left.map((node, i) => dag.binary(low, node, other[i] ?? 0)),
      left.map((node, i) => dag.binary(high, node, other[i] ?? 0)),
    ]);
  }

  shift(op: 'shl64' | 'shrU64' | 'shrS64', a: Wide, amount: Vec): Wide {
    const lanes = this.#lanes;
    const dag = this.#dag;
    const scalar = lanes.scalarOf(amount);
    const constant = lanes.constantOf(amount);
    if (op === 'shl64' && constant !== undefined && a.sum !== undefined) {
      const { base, offset, multiplier } = a.sum;
      const known = dag.constant64(base);
      const factor = multiplier * 2 ** (constant & 63);
      if (known?.low === 0 && known.high === 0 && factor <= MAX_MULTIPLIER) {
        return { low: undefined, high: undefined, joined: undefined, sum: { base, offset, multiplier: factor } };
      }
    }
    if (constant === 32) {
      const zero = lanes.uniform(dag.i32(0));
      if (op === 'shl64') return { low: zero, high: this.low(a), joined: undefined, sum: undefined };
      if (op === 'shrU64') return { low: this.high(a), high: zero, joined: undefined, sum: undefined };
    }
    if (!lanes.emitting) return joinedWide(UNKNOWN_JOINED);
    const codes = WIDE_SHIFTS[op];
    if (scalar !== undefined) return this.#mapJoined(a, undefined, (x) => dag.binary(codes.vector, x, scalar));
    const masked = lanes.apply('and32', amount, lanes.uniform(dag.i32(63)), undefined);
    const amounts: Wide = { low: masked, high: lanes.uniform(dag.i32(0)), joined: undefined, sum: undefined };
    return this.#mapJoined(a, amounts, (x, y) => variableShift64(lanes.x, codes.scalar, x, y));
  }

  compare(op: OpName, a: Wide, b: Wide): Mask {
    const lanes = this.#lanes;
    const dag = this.#dag;
    if (!lanes.emitting) return lanes.mask([]);
    const emit = WIDE_OPS[op];
    if (emit === undefined) throw new InternalError(`${op} has no wide form`);
    const [p, q] = this.joined(a);
    const [r, s] = this.joined(b);
    return lanes.mask(
      p.map((node, i) => {
        const low = emit(lanes.x, node, r[i] ?? 0, -1);
        const high = emit(lanes.x, q[i] ?? 0, s[i] ?? 0, -1);
        return dag.shuffle(low, high, 0, 2, 4, 6);
      }),
    );
  }

  count(op: 'clz64' | 'ctz64' | 'popcnt64', a: Wide): Vec {
    const lanes = this.#lanes;
    const [low, high] = [this.low(a), this.high(a)];
    const half = op === 'clz64' ? 'clz32' : op === 'ctz64' ? 'ctz32' : 'popcnt32';
    const [x, y] = [lanes.apply(half, low, undefined, undefined), lanes.apply(half, high, undefined, undefined)];
    const total = lanes.apply('add32', x, y, undefined);
    if (op === 'popcnt64') return total;
    const zero = lanes.uniform(this.#dag.i32(0));
    return op === 'clz64'
      ? lanes.select(lanes.compare('eq32', high, zero), total, y)
      : lanes.select(lanes.compare('eq32', low, zero), total, x);
  }

  widen(op: 'f32ToF64' | 's32ToF64' | 'u32ToF64', a: Vec): Wide {
    const lanes = this.#lanes;
    const dag = this.#dag;
    if (!lanes.emitting) return joinedWide(UNKNOWN_JOINED);
    const code = WIDEN[op];
    const groups = lanes.groups(a);
    return joinedWide([
      groups.map((node) => dag.unary(code, node)),
      groups.map((node) => dag.unary(code, dag.shuffle(node, node, 2, 3, 2, 3))),
    ]);
  }

  narrow(op: 'f64ToF32' | 'f64ToF16' | 'f64ToS32' | 'f64ToU32', a: Wide): Vec {
    const lanes = this.#lanes;
    const dag = this.#dag;
    if (!lanes.emitting) return lanes.vector([], op === 'f64ToF16' ? 0xffff_0000 | 0 : 0);
    if (op === 'f64ToF16') {
      const fn = lanes.x.imported('f64ToF16');
      const [low, high] = [lanes.groups(this.low(a)), lanes.groups(this.high(a))];
      return lanes.vector(
        low.map((node, i) => {
          const lane = (n: number): number =>
            dag.call(fn, dag.lane(OP.i32x4ExtractLane, n, node), dag.lane(OP.i32x4ExtractLane, n, high[i] ?? 0));
          let result = dag.unary(OP.i32x4Splat, lane(0));
          for (let n = 1; n < 4; n++) result = dag.lane(OP.i32x4ReplaceLane, n, result, lane(n));
          return result;
        }),
        0xffff_0000 | 0,
      );
    }
    const code = NARROW[op];
    const [p, q] = this.joined(a);
    return lanes.vector(p.map((node, i) => dag.shuffle(dag.unary(code, node), dag.unary(code, q[i] ?? 0), 0, 1, 4, 5)));
  }

  /** Fused multiply-add; only the plain form has instructions. */
  fma(op: 'fmaF64' | 'fmaDown128F64' | 'fmaDownwardF64', a: Wide, b: Wide, c: Wide): Wide {
    const lanes = this.#lanes;
    const dag = this.#dag;
    if (!lanes.emitting) return joinedWide(UNKNOWN_JOINED);
    const [a0, a1] = this.joined(a);
    const [b0, b1] = this.joined(b);
    const [c0, c1] = this.joined(c);
    const one = (x: number, y: number, z: number): number => {
      const fused = op === 'fmaF64' ? fma64(lanes.x, x, y, z) : undefined;
      if (fused !== undefined) return fused;
      const fn = lanes.x.imported(op);
      const lane = (i: number): number => {
        const part = (v: number): number => dag.lane(OP.i64x2ExtractLane, i, v);
        return dag.callWide(fn, part(x), part(y), part(z));
      };
      return dag.lane(OP.i64x2ReplaceLane, 1, dag.unary(OP.i64x2Splat, lane(0)), lane(1));
    };
    return joinedWide([
      a0.map((node, i) => one(node, b0[i] ?? 0, c0[i] ?? 0)),
      a1.map((node, i) => one(node, b1[i] ?? 0, c1[i] ?? 0)),
    ]);
  }

  /** The value as i64x2 nodes. */
  joined(wide: Wide): Joined {
    if (wide.joined !== undefined) return wide.joined;
    const dag = this.#dag;
    const low = this.#lanes.groups(this.low(wide));
    const high = this.#lanes.groups(this.high(wide));
    wide.joined = [
      low.map((node, i) => dag.shuffle(node, high[i] ?? 0, 0, 4, 1, 5)),
      low.map((node, i) => dag.shuffle(node, high[i] ?? 0, 2, 6, 3, 7)),
    ];
    return wide.joined;
  }

  #mapJoined(a: Wide, b: Wide | undefined, compute: (x: number, y: number) => number): Wide {
    const [p, q] = this.joined(a);
    const [r, s] = b === undefined ? [[], []] : this.joined(b);
    return joinedWide([p.map((node, i) => compute(node, r[i] ?? -1)), q.map((node, i) => compute(node, s[i] ?? -1))]);
  }

  #half(wide: Wide, odd: 0 | 1): Vec {
    const lanes = this.#lanes;
    if (!lanes.emitting) return lanes.vector([]);
    const [p, q] = this.joined(wide);
    return lanes.vector(p.map((node, i) => this.#dag.shuffle(node, q[i] ?? 0, odd, 2 + odd, 4 + odd, 6 + odd)));
  }

  #lowOfSum(sum: Sum): Vec {
    const lanes = this.#lanes;
    const dag = this.#dag;
    const product = lanes.apply('mul32', sum.offset, lanes.uniform(dag.i32(sum.multiplier)), undefined);
    const known = dag.constant64(sum.base);
    const low = known === undefined ? dag.unary(OP.i32WrapI64, sum.base) : dag.i32(known.low);
    return lanes.apply('add32', product, lanes.uniform(low), undefined);
  }

  /** One of the sums must be uniform. */
  #addSums(a: Wide['sum'], b: Wide['sum']): Sum | undefined {
    if (a === undefined || b === undefined) return undefined;
    const isUniform = (sum: Sum): boolean => this.#lanes.constantOf(sum.offset) === 0;
    const [base, other] = isUniform(a) ? [a, b] : [b, a];
    if (!isUniform(base)) return undefined;
    return { ...other, base: this.#dag.binary(OP.i64Add, other.base, base.base) };
  }
}

/** Stands for a value that facts say nothing about. */
const UNKNOWN_JOINED: Joined = [[], []];

function joinedWide(joined: Joined): Wide {
  return { low: undefined, high: undefined, joined, sum: undefined };
}
