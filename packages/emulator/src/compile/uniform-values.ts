/** Scalars of a wave: i32 nodes, or lane masks whose bits are the number; 64 bits as a node or as two halves. */
import { OP } from '../wasm/opcodes.js';
import type { Dag } from './dag.js';
import type { Lanes } from './lanes.js';
import type { Mask, Uniform, UniformWide } from './values.js';

export const scalar = (node: number): Uniform => ({ node, mask: undefined });
export const wideNode = (node: number): UniformWide => ({ node, low: undefined, high: undefined });
export const halves = (low: Uniform, high: Uniform): UniformWide => ({ node: -1, low, high });

/** A uniform i32 as the lane mask of 8 groups that its bits are. */
export function laneMaskOf(lanes: Lanes, value: Uniform): Mask {
  return value.mask ?? lanes.fromBits(value.node);
}

export function halfOf(dag: Dag, value: UniformWide, part: 'low' | 'high'): Uniform {
  const own = value[part];
  if (own !== undefined) return own;
  const known = dag.constant64(value.node);
  if (known !== undefined) return scalar(dag.i32(known[part]));
  const bits = part === 'low' ? value.node : dag.binary(OP.i64ShrU, value.node, dag.i64(32, 0));
  return scalar(dag.unary(OP.i32WrapI64, bits));
}

export function maskSlice(lanes: Lanes, mask: Mask, first: number): Uniform {
  if (mask.known !== undefined) return scalar(lanes.dag.i32(-mask.known));
  if (mask.groups === undefined) return { node: -1, mask };
  // What holds for all lanes holds for a half of them.
  return { node: -1, mask: { ...mask, groups: mask.groups.slice(first, first + 8) } };
}

export function uniformLogic(lanes: Lanes, op: 'and32' | 'or32' | 'xor32', a: Uniform, b: Uniform): Uniform {
  const { dag } = lanes;
  if (a.mask === undefined && b.mask === undefined) {
    const code = op === 'and32' ? OP.i32And : op === 'or32' ? OP.i32Or : OP.i32Xor;
    return scalar(dag.binary(code, a.node, b.node));
  }
  const name = op === 'and32' ? 'and' : op === 'or32' ? 'or' : 'xor';
  const mask = lanes.logic(name, laneMaskOf(lanes, a), laneMaskOf(lanes, b));
  return mask.known === undefined ? { node: -1, mask } : scalar(dag.i32(-mask.known));
}

export function uniformSelect(lanes: Lanes, condition: number, a: Uniform, b: Uniform): Uniform {
  const { dag } = lanes;
  if (a.mask === undefined && b.mask === undefined) return scalar(dag.select(condition, a.node, b.node));
  const known = dag.constant(condition);
  if (known !== undefined) return known !== 0 ? a : b;
  if (!lanes.emitting) return { node: -1, mask: lanes.mask([]) };
  const yes = lanes.maskGroups(laneMaskOf(lanes, a), 8);
  const no = lanes.maskGroups(laneMaskOf(lanes, b), 8);
  return { node: -1, mask: lanes.mask(yes.map((node, i) => dag.select(condition, node, no[i] ?? 0))) };
}

export function packHalves(dag: Dag, low: number, high: number): number {
  const [x, y] = [dag.constant(low), dag.constant(high)];
  if (x !== undefined && y !== undefined) return dag.i64(x, y);
  const top = y === 0 ? dag.i64(0, 0) : dag.binary(OP.i64Shl, dag.unary(OP.i64ExtendI32U, high), dag.i64(32, 0));
  const bottom = dag.unary(OP.i64ExtendI32U, low);
  return y === 0 ? bottom : dag.binary(OP.i64Or, bottom, top);
}
