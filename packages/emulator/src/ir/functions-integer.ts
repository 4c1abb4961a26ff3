/** Integer and boolean operations. */
import type { OpFunctions } from './op-function.js';
import { wide } from './op-function.js';

const bit = (condition: boolean): number => (condition ? 1 : 0);

/** Leaves `high`, returns `low`, both made unsigned. */
function result64(low: number, high: number): number {
  wide.high = high >>> 0;
  return low >>> 0;
}

/** High dword of the unsigned product; doubles hold each partial sum exactly. */
function mulHiU32(a: number, b: number): number {
  const low = (a & 0xffff) * b;
  const high = (a >>> 16) * b + Math.floor(low / 0x1_0000);
  return Math.floor(high / 0x1_0000) >>> 0;
}

function mulHiS32(a: number, b: number): number {
  return (mulHiU32(a, b) - (a >>> 31 === 1 ? b : 0) - (b >>> 31 === 1 ? a : 0)) >>> 0;
}

function countLeadingZeros(a: number): number {
  return Math.clz32(a);
}

function countTrailingZeros(a: number): number {
  return a === 0 ? 32 : 31 - Math.clz32(a & -a);
}

function countOnes(a: number): number {
  let v = a - ((a >>> 1) & 0x5555_5555);
  v = (v & 0x3333_3333) + ((v >>> 2) & 0x3333_3333);
  v = (v + (v >>> 4)) & 0x0f0f_0f0f;
  return Math.imul(v, 0x0101_0101) >>> 24;
}

function reverseBits(a: number): number {
  let v = ((a >>> 1) & 0x5555_5555) | ((a & 0x5555_5555) << 1);
  v = ((v >>> 2) & 0x3333_3333) | ((v & 0x3333_3333) << 2);
  v = ((v >>> 4) & 0x0f0f_0f0f) | ((v & 0x0f0f_0f0f) << 4);
  v = ((v >>> 8) & 0x00ff_00ff) | ((v & 0x00ff_00ff) << 8);
  return ((v >>> 16) | (v << 16)) >>> 0;
}

function add64(a: number, aHigh: number, b: number, bHigh: number): number {
  const low = a + b;
  return result64(low, aHigh + bHigh + (low > 0xffff_ffff ? 1 : 0));
}

function sub64(a: number, aHigh: number, b: number, bHigh: number): number {
  return result64(a - b, aHigh - bHigh - (a < b ? 1 : 0));
}

function mul64(a: number, aHigh: number, b: number, bHigh: number): number {
  return result64(Math.imul(a, b), mulHiU32(a, b) + (Math.imul(a, bHigh) >>> 0) + (Math.imul(aHigh, b) >>> 0));
}

function shl64(a: number, aHigh: number, b: number): number {
  const amount = b & 63;
  if (amount === 0) return result64(a, aHigh);
  if (amount >= 32) return result64(0, a << (amount - 32));
  return result64(a << amount, (aHigh << amount) | (a >>> (32 - amount)));
}

function shrU64(a: number, aHigh: number, b: number): number {
  const amount = b & 63;
  if (amount === 0) return result64(a, aHigh);
  if (amount >= 32) return result64(aHigh >>> (amount - 32), 0);
  return result64((a >>> amount) | (aHigh << (32 - amount)), aHigh >>> amount);
}

function shrS64(a: number, aHigh: number, b: number): number {
  const amount = b & 63;
  if (amount === 0) return result64(a, aHigh);
  if (amount >= 32) return result64(aHigh >> (amount - 32), aHigh >> 31);
  return result64((a >>> amount) | (aHigh << (32 - amount)), aHigh >> amount);
}

export const INTEGER_FUNCTIONS: OpFunctions = {
  add32: (a, _a, b) => (a + b) >>> 0,
  sub32: (a, _a, b) => (a - b) >>> 0,
  mul32: (a, _a, b) => Math.imul(a, b) >>> 0,
  mulHiU32: (a, _a, b) => mulHiU32(a, b),
  mulHiS32: (a, _a, b) => mulHiS32(a, b),
  and32: (a, _a, b) => (a & b) >>> 0,
  or32: (a, _a, b) => (a | b) >>> 0,
  xor32: (a, _a, b) => (a ^ b) >>> 0,
  shl32: (a, _a, b) => (a << (b & 31)) >>> 0,
  shrU32: (a, _a, b) => a >>> (b & 31),
  shrS32: (a, _a, b) => (a >> (b & 31)) >>> 0,
  clz32: (a) => countLeadingZeros(a),
  ctz32: (a) => countTrailingZeros(a),
  popcnt32: (a) => countOnes(a),
  brev32: (a) => reverseBits(a),
  minU32: (a, _a, b) => (a < b ? a : b),
  maxU32: (a, _a, b) => (a > b ? a : b),
  minS32: (a, _a, b) => ((a | 0) < (b | 0) ? a : b),
  maxS32: (a, _a, b) => ((a | 0) > (b | 0) ? a : b),
  eq32: (a, _a, b) => bit(a === b),
  ltU32: (a, _a, b) => bit(a < b),
  ltS32: (a, _a, b) => bit((a | 0) < (b | 0)),
  pack64: (a, _a, b) => result64(a, b),
  low64: (a) => a,
  high64: (_a, aHigh) => aHigh,
  add64,
  sub64,
  mul64,
  mulWideU32: (a, _a, b) => result64(Math.imul(a, b), mulHiU32(a, b)),
  mulWideS32: (a, _a, b) => result64(Math.imul(a, b), mulHiS32(a, b)),
  and64: (a, aHigh, b, bHigh) => result64(a & b, aHigh & bHigh),
  or64: (a, aHigh, b, bHigh) => result64(a | b, aHigh | bHigh),
  xor64: (a, aHigh, b, bHigh) => result64(a ^ b, aHigh ^ bHigh),
  shl64,
  shrU64,
  shrS64,
  clz64: (a, aHigh) => (aHigh === 0 ? 32 + countLeadingZeros(a) : countLeadingZeros(aHigh)),
  ctz64: (a, aHigh) => (a === 0 ? 32 + countTrailingZeros(aHigh) : countTrailingZeros(a)),
  popcnt64: (a, aHigh) => countOnes(a) + countOnes(aHigh),
  eq64: (a, aHigh, b, bHigh) => bit(a === b && aHigh === bHigh),
  ltU64: (a, aHigh, b, bHigh) => bit(aHigh < bHigh || (aHigh === bHigh && a < b)),
  ltS64: (a, aHigh, b, bHigh) => bit((aHigh | 0) < (bHigh | 0) || (aHigh === bHigh && a < b)),
  not: (a) => a ^ 1,
  and: (a, _a, b) => a & b,
  or: (a, _a, b) => a | b,
  xor: (a, _a, b) => a ^ b,
  select32: (a, _a, b, _b, c) => (a === 1 ? b : c),
  select64: (a, _a, b, bHigh, c, cHigh) => (a === 1 ? result64(b, bHigh) : result64(c, cHigh)),
};
