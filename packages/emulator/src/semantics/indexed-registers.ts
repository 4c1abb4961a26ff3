/**
 * Vector registers whose number is known only at run time: every register that can be meant is a candidate, from the operand's to the
 * end of the wave's allocation. Beyond it a source is register 0 and a write is dropped (semantics.md §1).
 */
import type { Value } from '../ir/block.js';
import { FIRST_AGPR } from '../ir/block.js';
import type { Operation } from './operation.js';

/** Accumulation registers are not indexed. */
const endOf = (o: Operation): number => Math.min(o.vgprCount, FIRST_AGPR);

/** The value of v[first + index] under EXEC. */
export function readIndexed(o: Operation, first: number, index: Value): Value {
  const { b } = o;
  let value = b.vgpr(0);
  for (let register = first; register < endOf(o); register++) {
    const isMeant = b.op('eq32', index, b.i32(register - first));
    value = b.op('select32', isMeant, b.vgpr(register), value);
  }
  return value;
}

/** Writes v[first + index] in the lanes of the operation. */
export function writeIndexed(o: Operation, first: number, index: Value, value: Value): void {
  const { b } = o;
  for (let register = first; register < endOf(o); register++) {
    const isMeant = b.op('eq32', index, b.i32(register - first));
    b.setVgprUnder(o.writeMask(), register, b.op('select32', isMeant, value, b.vgpr(register)));
  }
}
