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

/** A denormal f32 as the zero of its sign. */
const flush = (bits: number): number => ((bits & 0x7f80_0000) === 0 ? bits & 0x8000_0000 : bits) >>> 0;
const flushed = ({ low }: DwordPair): DwordPair => ({ low: flush(low), high: 0 });

/** The sum of the low halves, in f32 and then rounded to nearest even. */
function addHalves(op: 'pkAddF16' | 'pkAddBf16', a: number, b: number): number {
  const run = (name: OpName, x: number, y: number = 0): number => OP_FUNCTIONS[name]?.(x, 0, y, 0, 0, 0) ?? 0;
  const [x, y] = [a & 0xffff, b & 0xffff];
  if (op === 'pkAddF16') return run('f32ToF16', run('addF32', run('f16ToF32', x), run('f16ToF32', y)));
  const sum = run('addF32', x << 16, y << 16);
  const isNan = (sum & 0x7fff_ffff) > 0x7f80_0000;
  return isNan ? (sum >>> 16) | 0x40 : (sum + 0x7fff + ((sum >>> 16) & 1)) >>> 16;
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
    case 'wrap':
      return isLess(old, data, 'minU', bits) ? apply('add32', old, compare, 32) : apply('sub32', old, data, 32);
    case 'subClamp':
      return isLess(old, data, 'minU', bits) ? zero : apply('sub32', old, data, bits);
    case 'condSub':
      return isLess(old, data, 'minU', bits) ? old : apply('sub32', old, data, bits);
    case 'cmpswapF32':
      return OP_FUNCTIONS.eqF32?.(old.low, 0, compare.low, 0, 0, 0) === 1 ? data : old;
    case 'cmpswapF64':
      return OP_FUNCTIONS.eqF64?.(old.low, old.high, compare.low, compare.high, 0, 0) === 1 ? data : old;
    case 'mskor':
      return {
        low: ((old.low & ~compare.low) | data.low) >>> 0,
        high: ((old.high & ~compare.high) | data.high) >>> 0,
      };
    case 'addFlushF32':
      return { low: flush(apply('addF32', flushed(old), flushed(data), 32).low), high: 0 };
    case 'pkAddF16':
    case 'pkAddBf16':
      return { low: (addHalves(op, old.low >>> 16, data.low >>> 16) << 16) | addHalves(op, old.low, data.low), high: 0 };
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
