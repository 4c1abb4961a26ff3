/** What atomic operations store, on one value (semantics.md §10). */
import { OP_FUNCTIONS, wide } from './op-functions.js';
import type { AtomicOp, OpName } from './ops.js';

/** A dword pair: `high` is 0 for 32-bit operations. */
export interface DwordPair {
  low: number;
  high: number;
}

const SIMPLE: Readonly<Partial<Record<AtomicOp, readonly [bits32: OpName, bits64: OpName]>>> = {
  add: ['add32', 'add64'],
  sub: ['sub32', 'sub64'],
  and: ['and32', 'and64'],
  or: ['or32', 'or64'],
  xor: ['xor32', 'xor64'],
};
const FLOAT: Readonly<Partial<Record<AtomicOp, OpName>>> = {
  addF32: 'addF32',
  minF32: 'minNumF32',
  maxF32: 'maxNumF32',
  addF64: 'addF64',
  minF64: 'minNumF64',
  maxF64: 'maxNumF64',
};

function apply(op: OpName, a: DwordPair, b: DwordPair, bits: 32 | 64): DwordPair {
  const low = OP_FUNCTIONS[op]?.(a.low, a.high, b.low, b.high, 0, 0) ?? 0;
  return { low, high: bits === 64 ? wide.high : 0 };
}

function isLess(a: DwordPair, b: DwordPair, op: 'minS' | 'maxS' | 'minU' | 'maxU', bits: 32 | 64): boolean {
  const isSigned = op === 'minS' || op === 'maxS';
  const less = bits === 64 ? (isSigned ? 'ltS64' : 'ltU64') : isSigned ? 'ltS32' : 'ltU32';
  return OP_FUNCTIONS[less]?.(a.low, a.high, b.low, b.high, 0, 0) === 1;
}

/** The value that takes the place of `old`. `compare`: the value to compare with for cmpswap, the mask for mskor. */
export function applyAtomic(op: AtomicOp, bits: 32 | 64, old: DwordPair, data: DwordPair, compare: DwordPair): DwordPair {
  const one: DwordPair = { low: 1, high: 0 };
  const zero: DwordPair = { low: 0, high: 0 };
  const isAbove = (a: DwordPair, b: DwordPair): boolean => isLess(b, a, 'minU', bits);
  switch (op) {
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
    case 'xor':
      return apply((SIMPLE[op] ?? ['add32', 'add64'])[bits === 64 ? 1 : 0], old, data, bits);
    case 'rsub':
      return apply(bits === 64 ? 'sub64' : 'sub32', data, old, bits);
    case 'swap':
      return data;
    case 'minS':
    case 'minU':
      return isLess(data, old, op, bits) ? data : old;
    case 'maxS':
    case 'maxU':
      return isLess(old, data, op, bits) ? data : old;
    case 'inc':
      return isAbove(data, old) ? apply(bits === 64 ? 'add64' : 'add32', old, one, bits) : zero;
    case 'dec':
      if ((old.low === 0 && old.high === 0) || isAbove(old, data)) return data;
      return apply(bits === 64 ? 'sub64' : 'sub32', old, one, bits);
    case 'cmpswap':
      return old.low === compare.low && old.high === compare.high ? data : old;
    case 'mskor':
      return {
        low: ((old.low & ~compare.low) | data.low) >>> 0,
        high: ((old.high & ~compare.high) | data.high) >>> 0,
      };
    case 'addF32':
    case 'minF32':
    case 'maxF32':
    case 'addF64':
    case 'minF64':
    case 'maxF64':
      return apply(FLOAT[op] ?? 'addF32', old, data, bits);
    default:
      return op satisfies never;
  }
}
