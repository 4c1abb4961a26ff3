/** Minimum, maximum and median of floats with the NaN rules of gfx9 to gfx11 (semantics.md §5). */
import type { Value } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { isNaNF32, isSignallingF16, isSignallingF32, isSignallingF64, quietF32, quietF64 } from './float-bits.js';

/** Operations whose results are never signalling NaNs. */
const QUIET: ReadonlySet<OpName> = new Set<OpName>([
  'addF32',
  'subF32',
  'mulF32',
  'divF32',
  'fmaF32',
  'sqrtF32',
  'truncF32',
  'floorF32',
  'ceilF32',
  'nearestF32',
  's32ToF32',
  'u32ToF32',
  'f64ToF32',
  'f16ToF32',
  'exp2F32',
  'log2F32',
  'sinTurnsF32',
  'cosTurnsF32',
  'addF64',
  'subF64',
  'mulF64',
  'divF64',
  'fmaF64',
  'fmaDown128F64',
  'sqrtF64',
  'truncF64',
  'floorF64',
  'ceilF64',
  'nearestF64',
  's32ToF64',
  'u32ToF64',
  'f32ToF64',
]);

type Extreme = 'minNumF32' | 'maxNumF32' | 'minNumF64' | 'maxNumF64';

/** Whether the value cannot be a signalling NaN. */
function isQuiet(value: Value): boolean {
  if (value.kind === 'const') {
    const high = value.type === 'i64' ? value.high : value.low;
    const quietBit = value.type === 'i64' ? 0x0008_0000 : 0x0040_0000;
    const top = value.type === 'i64' ? 0x7ff0_0000 : 0x7f80_0000;
    return (high & top) !== top || (high & quietBit) !== 0 || ((high & ~0x8000_0000) === top && value.type === 'i32');
  }
  if (value.kind !== 'op') return false;
  if (QUIET.has(value.op)) return true;
  const [a, b, c] = value.args;
  if (value.op === 'minNumF32' || value.op === 'maxNumF32' || value.op === 'minNumF64' || value.op === 'maxNumF64') {
    return a !== undefined && b !== undefined && (a === b || (isQuiet(a) && isQuiet(b)));
  }
  if (value.op === 'select32' || value.op === 'select64') {
    return b !== undefined && c !== undefined && isQuiet(b) && isQuiet(c);
  }
  // The sign alone changes.
  if (value.op === 'xor32' || value.op === 'and32') {
    const isSignBit = b?.kind === 'const' && (b.low === 0x8000_0000 || b.low === 0x7fff_ffff);
    return isSignBit && a !== undefined && isQuiet(a);
  }
  return false;
}

/**
 * With MODE.IEEE a signalling NaN wins, quieted, the first one before the second; then and without IEEE a NaN loses against a
 * number.
 */
export function extreme(b: WaveBuilder, op: Extreme, x: Value, y: Value): Value {
  const number = b.op(op, x, y);
  if (!b.mode.ieee || x === y) return number;
  const isWide = x.type === 'i64';
  const select = isWide ? 'select64' : 'select32';
  const signalling = isWide ? isSignallingF64 : isSignallingF32;
  const quiet = isWide ? quietF64 : quietF32;
  const second = isQuiet(y) ? number : b.op(select, signalling(b, y), quiet(b, y), number);
  return isQuiet(x) ? second : b.op(select, signalling(b, x), quiet(b, x), second);
}

export function extreme3(b: WaveBuilder, op: Extreme, x: Value, y: Value, z: Value): Value {
  return extreme(b, op, extreme(b, op, x, y), z);
}

/** {@link extreme} on f16 bits: compared as f32, which holds every f16 and its NaNs' payloads. */
export function extremeF16(b: WaveBuilder, op: 'minNumF32' | 'maxNumF32', x: Value, y: Value): Value {
  const number = b.op('f32ToF16', b.op(op, b.op('f16ToF32', x), b.op('f16ToF32', y)));
  if (!b.mode.ieee || x === y) return number;
  const quiet = (value: Value): Value => b.op('or32', value, b.i32(0x0200));
  const second = b.op('select32', isSignallingF16(b, y), quiet(y), number);
  return b.op('select32', isSignallingF16(b, x), quiet(x), second);
}

/** The middle of three f32; the minimum if one is a NaN. */
export function medianF32(b: WaveBuilder, x: Value, y: Value, z: Value): Value {
  const smaller = b.op('minNumF32', x, y);
  const larger = b.op('maxNumF32', x, y);
  const middle = b.op('maxNumF32', smaller, b.op('minNumF32', larger, z));
  const hasNaN = [x, y, z].map((value) => isNaNF32(b, value)).reduce((any, is) => b.op('or', any, is));
  return b.op('select32', hasNaN, extreme3(b, 'minNumF32', x, y, z), middle);
}
