/** Bits that are 0 for certain in the result of a lane-wise operation. The same while facts are followed and while code is emitted. */
import type { OpName } from '../ir/ops.js';
import { addZeros } from './dag-rules.js';

/** Of an operation with one argument. */
export function zerosOfUnary(op: OpName): number {
  if (op === 'f32ToF16') return 0xffff_0000 | 0;
  return op === 'clz32' || op === 'ctz32' || op === 'popcnt32' ? ~0x3f : 0;
}

/** Of an operation with two arguments or more, from the known zeros of the first two and the second's constant. */
export function zerosOfBinary(op: OpName, za: number, zb: number, amount: number | undefined): number {
  const by = (amount ?? 0) & 31;
  switch (op) {
    case 'and32':
      return za | zb;
    case 'or32':
    case 'xor32':
    case 'maxU32':
      return za & zb;
    case 'minU32':
      return leadingZerosMask(za) | leadingZerosMask(zb);
    case 'add32':
      return addZeros(za, zb);
    case 'shl32':
      return amount === undefined ? 0 : (za << by) | ((1 << by) - 1);
    case 'shrU32':
      return amount === undefined ? leadingZerosMask(za) : by === 0 ? za : (za >>> by) | ~(-1 >>> by);
    case 'shrS32':
      return amount === undefined || za >= 0 ? 0 : by === 0 ? za : (za >>> by) | ~(-1 >>> by);
    default:
      return 0;
  }
}

/** The leading run of known zero bits. */
function leadingZerosMask(zeros: number): number {
  const run = Math.clz32(~zeros);
  return run === 0 ? 0 : -1 << (32 - run);
}
