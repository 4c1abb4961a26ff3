/** What the graph knows of WebAssembly operations: result types, constants, bits that are 0 for certain. */
import { F32, F64, I32, I64, OP, V128, type WasmType } from '../wasm/opcodes.js';

/** Types by number, as the graph holds them. */
export const TYPE_LIST: readonly WasmType[] = [I32, I64, F32, F64, V128];
export const T_I32 = 0;
export const T_I64 = 1;
const T_F32 = 2;
const T_F64 = 3;
export const T_V128 = 4;

/** Known zero bits of a sum. */
export function addZeros(a: number, b: number): number {
  const both = a & b;
  const low = trailingOnes(both);
  const high = Math.max(0, Math.clz32(~both) - 1);
  return (low >= 32 ? -1 : (1 << low) - 1) | (high === 0 ? 0 : -1 << (32 - high));
}

export function trailingOnes(bits: number): number {
  const inverted = ~bits;
  return inverted === 0 ? 32 : 31 - Math.clz32(inverted & -inverted);
}

export function foldI32(op: number, x: number, y: number): number | undefined {
  switch (op) {
    case OP.i32Add:
      return x + y;
    case OP.i32Sub:
      return x - y;
    case OP.i32Mul:
      return Math.imul(x, y);
    case OP.i32And:
      return x & y;
    case OP.i32Or:
      return x | y;
    case OP.i32Xor:
      return x ^ y;
    case OP.i32Shl:
      return x << (y & 31);
    case OP.i32ShrU:
      return x >>> (y & 31);
    case OP.i32ShrS:
      return x >> (y & 31);
    case OP.i32Eq:
      return x === y ? 1 : 0;
    case OP.i32Ne:
      return x !== y ? 1 : 0;
    case OP.i32LtU:
      return x >>> 0 < y >>> 0 ? 1 : 0;
    case OP.i32LeU:
      return x >>> 0 <= y >>> 0 ? 1 : 0;
    case OP.i32GtU:
      return x >>> 0 > y >>> 0 ? 1 : 0;
    case OP.i32GeU:
      return x >>> 0 >= y >>> 0 ? 1 : 0;
    case OP.i32LtS:
      return x < y ? 1 : 0;
    default:
      return undefined;
  }
}

export function hasLane(op: number): boolean {
  return op === OP.i32x4ExtractLane || op === OP.i32x4ReplaceLane || op === OP.i64x2ExtractLane || op === OP.i64x2ReplaceLane;
}

const SCALAR_TYPES = new Uint8Array(0x100).fill(T_I32);
for (let op: number = OP.i64Clz; op <= OP.i64ShrU; op++) SCALAR_TYPES[op] = T_I64;
for (let op: number = OP.f32Ceil - 2; op <= 0x98; op++) SCALAR_TYPES[op] = T_F32;
for (let op = 0x99; op <= 0xa6; op++) SCALAR_TYPES[op] = T_F64;
for (const op of [OP.i64ExtendI32S, OP.i64ExtendI32U, OP.i64ReinterpretF64]) SCALAR_TYPES[op] = T_I64;
for (const op of [OP.f32ConvertI32S, OP.f32ConvertI32U, OP.f32DemoteF64, OP.f32ReinterpretI32]) SCALAR_TYPES[op] = T_F32;
for (const op of [0xb7, 0xb8, OP.f64PromoteF32, OP.f64ReinterpretI64]) SCALAR_TYPES[op] = T_F64;

const VECTOR_TO_I32: ReadonlySet<number> = new Set([
  OP.i32x4ExtractLane,
  OP.v128AnyTrue,
  OP.i32x4AllTrue,
  OP.i32x4Bitmask,
  OP.i32TruncSatF32S,
  OP.i32TruncSatF32U,
  OP.i32TruncSatF64S,
  OP.i32TruncSatF64U,
]);

export function resultType(op: number): number {
  if (op < 0x100) return SCALAR_TYPES[op] ?? T_I32;
  if (op === OP.i64x2ExtractLane) return T_I64;
  return VECTOR_TO_I32.has(op) ? T_I32 : T_V128;
}
