/** Sums and differences with carry, in the form that makes two of them one 64-bit operation. */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';

/**
 * x + y + carry. Where the carry is that of a sum of two dwords, the result is the high half of a 64-bit sum, whose low half that
 * sum is: `v_add_co_u32` and `v_add_co_ci_u32` make one add64.
 */
export function addWithCarry(b: WaveBuilder, x: Value, y: Value, carry: Value): { sum: Value; carry: Value } {
  if (carry.kind === 'const' && carry.low === 0) {
    return { sum: b.op('add32', x, y), carry: b.op('ltU32', b.op('xor32', y, b.i32(0xffff_ffff)), x) };
  }
  const low = addendsOf(b, carry);
  const bit = b.op('select32', carry, b.i32(1), b.i32(0));
  const sum =
    low === undefined
      ? b.op('add32', b.op('add32', x, y), bit)
      : b.op('high64', b.op('add64', b.op('pack64', low[0], x), b.op('pack64', low[1], y)));
  // Out of 33 bits: the sum without the carry overflows, or is all ones and the carry comes in.
  const inner = b.op('add32', x, y);
  const wraps = b.op('and', carry, b.op('eq32', inner, b.i32(0xffff_ffff)));
  return { sum, carry: b.op('or', b.op('ltU32', b.op('xor32', y, b.i32(0xffff_ffff)), x), wraps) };
}

/** x - y - borrow; borrow out as semantics.md §4 has it: y + borrow > x. */
export function subtractWithBorrow(b: WaveBuilder, x: Value, y: Value, borrow: Value): { difference: Value; borrow: Value } {
  if (borrow.kind === 'const' && borrow.low === 0) {
    return { difference: b.op('sub32', x, y), borrow: b.op('ltU32', x, y) };
  }
  const isCompare = borrow.kind === 'op' && borrow.op === 'ltU32';
  const [p, q] = isCompare ? borrow.args : [];
  const bit = b.op('select32', borrow, b.i32(1), b.i32(0));
  const difference =
    p === undefined || q === undefined
      ? b.op('sub32', b.op('sub32', x, y), bit)
      : b.op('high64', b.op('sub64', b.op('pack64', p, x), b.op('pack64', q, y)));
  const equal = b.op('and', borrow, b.op('eq32', x, y));
  return { difference, borrow: b.op('or', b.op('ltU32', x, y), equal) };
}

/** The two dwords whose sum has this carry: ~q < p. */
function addendsOf(b: WaveBuilder, carry: Value): readonly [Value, Value] | undefined {
  if (carry.kind !== 'op' || carry.op !== 'ltU32') return undefined;
  const [inverted, p] = carry.args;
  if (inverted === undefined || p === undefined) return undefined;
  if (inverted.kind === 'const') return [p, b.i32(~inverted.low)];
  if (inverted.kind !== 'op' || inverted.op !== 'xor32') return undefined;
  const [q, ones] = inverted.args;
  return q !== undefined && ones?.kind === 'const' && ones.low === 0xffff_ffff ? [p, q] : undefined;
}
