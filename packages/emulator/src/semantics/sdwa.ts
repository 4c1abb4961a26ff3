/** Sub-dword addressing of gfx9 and gfx10: a source that is a byte or word of its register, a result that goes into one (semantics.md §8). */
import type { Operand } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import type { Operation } from './operation.js';

/** SDWA_SEL: bytes 0 … 3, words 4 and 5, the whole dword (LLVM SIDefines.h, namespace SDWA). */
const SELECT_DWORD = 6;
/** DST_UNUSED: what becomes of the bits beside the part written. */
const UNUSED_SIGN = 1;
const UNUSED_PRESERVE = 2;

interface Part {
  readonly shift: number;
  readonly bits: number;
}

/** The part of a dword; undefined: all of it. */
function partOf(o: Operation, field: string): Part | undefined {
  const select = o.find(field)?.value ?? SELECT_DWORD;
  if (select >= SELECT_DWORD) return undefined;
  return select < 4 ? { shift: 8 * select, bits: 8 } : { shift: 16 * (select - 4), bits: 16 };
}

/** The selected part of a source, zero-extended, or sign-extended where the source says so. */
export function sdwaSource(o: Operation, operand: Operand, value: Value): Value {
  const { b } = o;
  const part = partOf(o, `${operand.name}_sel`);
  if (part === undefined) return value;
  const top = b.op('shl32', value, b.i32(32 - part.shift - part.bits));
  return b.op(operand.sext ? 'shrS32' : 'shrU32', top, b.i32(32 - part.bits));
}

/** The dword that the result register becomes. */
export function sdwaResult(o: Operation, value: Value, old: Value): Value {
  const { b } = o;
  const part = partOf(o, 'dst_sel');
  if (part === undefined) return value;
  const mask = (2 ** part.bits - 1) * 2 ** part.shift;
  const shifted = b.op('shl32', value, b.i32(part.shift));
  const unused = o.immediate('dst_unused');
  if (unused === UNUSED_SIGN) {
    const top = b.op('shl32', value, b.i32(32 - part.bits));
    return b.op('shl32', b.op('shrS32', top, b.i32(32 - part.bits)), b.i32(part.shift));
  }
  const own = b.op('and32', shifted, b.i32(mask));
  return unused === UNUSED_PRESERVE ? b.op('or32', own, b.op('and32', old, b.i32(~mask))) : own;
}
