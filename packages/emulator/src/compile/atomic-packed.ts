/** Atomic additions of two halves, f16 or bf16, as code: each sum in f32, which is wide enough that rounding it is the only rounding. */
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, OP } from '../wasm/opcodes.js';

interface HalfFormat {
  /** Exponent all ones, the quiet bit of a NaN, the NaN made of numbers. */
  readonly infinity: number;
  readonly quiet: number;
  readonly nan: number;
  /** Pushes the f32 of the half in a local; NaNs need not be right. */
  readonly widen: (b: FunctionBody, half: number) => void;
  /** Pushes the half of the f32 bits in a local, no NaN, rounded to nearest even. */
  readonly narrow: (b: FunctionBody, bits: number) => void;
}

const F16: HalfFormat = { infinity: 0x7c00, quiet: 0x0200, nan: 0x7e00, widen: widenF16, narrow: narrowF16 };
const BF16: HalfFormat = { infinity: 0x7f80, quiet: 0x0040, nan: 0x7fc0, widen: widenBf16, narrow: narrowBf16 };

/** Pushes both sums. */
export function emitPackedAdd(b: FunctionBody, op: 'pkAddF16' | 'pkAddBf16', old: number, data: number): void {
  const format = op === 'pkAddF16' ? F16 : BF16;
  const [x, y] = [b.local(I32), b.local(I32)];
  for (const shift of [16, 0]) {
    for (const [half, whole] of [
      [x, old],
      [y, data],
    ] as const) {
      b.get(whole);
      b.i32(shift);
      b.op(OP.i32ShrU);
      b.i32(0xffff);
      b.op(OP.i32And);
      b.set(half);
    }
    emitSum(b, format, x, y);
    if (shift === 0) continue;
    b.i32(shift);
    b.op(OP.i32Shl);
  }
  b.op(OP.i32Or);
}

/** Of NaNs the first, quieted. */
function emitSum(b: FunctionBody, format: HalfFormat, x: number, y: number): void {
  const bits = b.local(I32);
  const quieted = (half: number): void => {
    b.get(half);
    b.i32(format.quiet);
    b.op(OP.i32Or);
  };
  const isNan = (half: number): void => {
    b.get(half);
    b.i32(0x7fff);
    b.op(OP.i32And);
    b.i32(format.infinity);
    b.op(OP.i32GtU);
  };
  format.widen(b, x);
  format.widen(b, y);
  b.op(OP.f32Add);
  b.op(OP.i32ReinterpretF32);
  b.set(bits);
  quieted(x);
  quieted(y);
  b.i32(format.nan);
  format.narrow(b, bits);
  b.get(bits);
  b.i32(0x7fff_ffff);
  b.op(OP.i32And);
  b.i32(0x7f80_0000);
  b.op(OP.i32GtU);
  b.op(OP.select);
  isNan(y);
  b.op(OP.select);
  isNan(x);
  b.op(OP.select);
}

/** Exponent and mantissa at their places, the exponent then corrected by a product; infinities have all ones already. */
function widenF16(b: FunctionBody, half: number): void {
  const size = b.local(I32);
  b.get(half);
  b.i32(0x7fff);
  b.op(OP.i32And);
  b.i32(13);
  b.op(OP.i32Shl);
  b.set(size);
  b.i32(0x7f80_0000);
  b.get(size);
  b.op(OP.f32ReinterpretI32);
  b.i32(0x7780_0000); // 2^112
  b.op(OP.f32ReinterpretI32);
  b.op(OP.f32Mul);
  b.op(OP.i32ReinterpretF32);
  b.get(size);
  b.i32(F16.infinity << 13);
  b.op(OP.i32GeU);
  b.op(OP.select);
  b.get(half);
  b.i32(0x8000);
  b.op(OP.i32And);
  b.i32(16);
  b.op(OP.i32Shl);
  b.op(OP.i32Or);
  b.op(OP.f32ReinterpretI32);
}

function narrowF16(b: FunctionBody, bits: number): void {
  const size = b.local(I32);
  b.get(bits);
  b.i32(0x7fff_ffff);
  b.op(OP.i32And);
  b.set(size);
  // From 65520 on to infinity; else below 2^-14 by the sum with 1/2, whose last place is that of the denormals; else in place.
  b.i32(F16.infinity);
  b.get(size);
  b.op(OP.f32ReinterpretI32);
  b.i32(0x3f00_0000);
  b.op(OP.f32ReinterpretI32);
  b.op(OP.f32Add);
  b.op(OP.i32ReinterpretF32);
  b.i32(0x3f00_0000);
  b.op(OP.i32Sub);
  b.get(size);
  b.get(size);
  b.i32(13);
  b.op(OP.i32ShrU);
  b.i32(1);
  b.op(OP.i32And);
  b.op(OP.i32Add);
  b.i32(0xfff - 0x3800_0000);
  b.op(OP.i32Add);
  b.i32(13);
  b.op(OP.i32ShrU);
  b.get(size);
  b.i32(0x3880_0000);
  b.op(OP.i32LtU);
  b.op(OP.select);
  b.get(size);
  b.i32(0x477f_f000);
  b.op(OP.i32GeU);
  b.op(OP.select);
  b.get(bits);
  b.i32(16);
  b.op(OP.i32ShrU);
  b.i32(0x8000);
  b.op(OP.i32And);
  b.op(OP.i32Or);
}

function widenBf16(b: FunctionBody, half: number): void {
  b.get(half);
  b.i32(16);
  b.op(OP.i32Shl);
  b.op(OP.f32ReinterpretI32);
}

function narrowBf16(b: FunctionBody, bits: number): void {
  b.get(bits);
  b.get(bits);
  b.i32(16);
  b.op(OP.i32ShrU);
  b.i32(1);
  b.op(OP.i32And);
  b.op(OP.i32Add);
  b.i32(0x7fff);
  b.op(OP.i32Add);
  b.i32(16);
  b.op(OP.i32ShrU);
}
