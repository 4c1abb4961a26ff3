/** The new value of an atomic operation, as code. The reference is ir/atomic-functions.ts. */
import type { AtomicOp } from '../ir/ops.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, I64, OP } from '../wasm/opcodes.js';
import { emitPackedAdd } from './atomic-packed.js';

/** Locals with what an atomic operation takes: i64 or i32, as `is64` says. */
export interface AtomicOperands {
  readonly old: number;
  readonly data: number;
  readonly compare: number;
}

/** Pushes the new value. */
export function emitAtomicUpdate(b: FunctionBody, op: AtomicOp, is64: boolean, { old, data, compare }: AtomicOperands): void {
  const pair = (x: number, y: number, op32: number, op64: number): void => {
    b.get(x);
    b.get(y);
    b.op(is64 ? op64 : op32);
  };
  const choose = (yes: number, no: number, x: number, y: number, op32: number, op64: number): void => {
    b.get(yes);
    b.get(no);
    pair(x, y, op32, op64);
    b.op(OP.select);
  };
  const constant = (value: number): void => (is64 ? b.i64(value, value < 0 ? -1 : 0) : b.i32(value));
  switch (op) {
    case 'add':
      pair(old, data, OP.i32Add, OP.i64Add);
      return;
    case 'sub':
      pair(old, data, OP.i32Sub, OP.i64Sub);
      return;
    case 'rsub':
      pair(data, old, OP.i32Sub, OP.i64Sub);
      return;
    case 'and':
      pair(old, data, OP.i32And, OP.i64And);
      return;
    case 'or':
      pair(old, data, OP.i32Or, OP.i64Or);
      return;
    case 'xor':
      pair(old, data, OP.i32Xor, OP.i64Xor);
      return;
    case 'swap':
      b.get(data);
      return;
    case 'minS':
      choose(data, old, data, old, OP.i32LtS, OP.i64LtS);
      return;
    case 'maxS':
      choose(data, old, old, data, OP.i32LtS, OP.i64LtS);
      return;
    case 'minU':
      choose(data, old, data, old, OP.i32LtU, OP.i64LtU);
      return;
    case 'maxU':
      choose(data, old, old, data, OP.i32LtU, OP.i64LtU);
      return;
    case 'inc':
      // old >= data ? 0 : old + 1
      constant(0);
      b.get(old);
      constant(1);
      b.op(is64 ? OP.i64Add : OP.i32Add);
      pair(old, data, OP.i32GeU, OP.i64GeU);
      b.op(OP.select);
      return;
    case 'dec':
      // old == 0 || old > data ? data : old - 1
      b.get(data);
      b.get(old);
      constant(1);
      b.op(is64 ? OP.i64Sub : OP.i32Sub);
      b.get(old);
      b.op(is64 ? OP.i64Eqz : OP.i32Eqz);
      pair(old, data, OP.i32GtU, OP.i64GtU);
      b.op(OP.i32Or);
      b.op(OP.select);
      return;
    case 'cmpswap':
      choose(data, old, old, compare, OP.i32Eq, OP.i64Eq);
      return;
    case 'wrap':
      pair(old, data, OP.i32Sub, OP.i64Sub);
      pair(old, compare, OP.i32Add, OP.i64Add);
      pair(old, data, OP.i32GeU, OP.i64GeU);
      b.op(OP.select);
      return;
    case 'subClamp':
    case 'condSub':
      pair(old, data, OP.i32Sub, OP.i64Sub);
      if (op === 'condSub') b.get(old);
      else constant(0);
      pair(old, data, OP.i32GeU, OP.i64GeU);
      b.op(OP.select);
      return;
    case 'cmpswapF32':
    case 'cmpswapF64': {
      const reinterpret = is64 ? OP.f64ReinterpretI64 : OP.f32ReinterpretI32;
      b.get(data);
      b.get(old);
      for (const value of [old, compare]) {
        b.get(value);
        b.op(reinterpret);
      }
      b.op(is64 ? OP.f64Eq : OP.f32Eq);
      b.op(OP.select);
      return;
    }
    case 'mskor':
      // (old & ~mask) | data: the mask comes as the compare value
      b.get(old);
      b.get(compare);
      constant(-1);
      b.op(is64 ? OP.i64Xor : OP.i32Xor);
      b.op(is64 ? OP.i64And : OP.i32And);
      b.get(data);
      b.op(is64 ? OP.i64Or : OP.i32Or);
      return;
    case 'addF32':
    case 'addF64':
      addFloat(b, is64, old, data);
      return;
    case 'addFlushF32': {
      const operands = [old, data].map((value) => {
        const local = b.local(I32);
        flush(b, value);
        b.set(local);
        return local;
      });
      addFloat(b, false, operands[0] ?? old, operands[1] ?? data);
      const sum = b.local(I32);
      b.set(sum);
      flush(b, sum);
      return;
    }
    case 'pkAddF16':
    case 'pkAddBf16':
      emitPackedAdd(b, op, old, data);
      return;
    case 'minF32':
    case 'maxF32':
    case 'minF64':
    case 'maxF64':
      minMaxFloat(b, op, old, data);
      return;
    default:
      op satisfies never;
  }
}

/** Pushes the f32, the zero of its sign instead of a denormal. */
function flush(b: FunctionBody, value: number): void {
  b.get(value);
  b.get(value);
  b.i32(0x8000_0000 | 0);
  b.op(OP.i32And);
  b.get(value);
  b.i32(0x7f80_0000);
  b.op(OP.i32And);
  b.op(OP.select);
}

/** The sum; of NaNs the first, quieted, and the default NaN for one that was made of numbers (ops.ts). */
function addFloat(b: FunctionBody, is64: boolean, old: number, data: number): void {
  const sum = b.local(is64 ? I64 : I32);
  const [reinterpret, add, back, ne] = is64
    ? [OP.f64ReinterpretI64, OP.f64Add, OP.i64ReinterpretF64, OP.f64Ne]
    : [OP.f32ReinterpretI32, OP.f32Add, OP.i32ReinterpretF32, OP.f32Ne];
  const float = (value: number): void => {
    b.get(value);
    b.op(reinterpret);
  };
  const isNan = (value: number): void => {
    float(value);
    float(value);
    b.op(ne);
  };
  const quiet = (value: number): void => {
    b.get(value);
    if (is64) b.i64(0, 0x0008_0000);
    else b.i32(0x0040_0000);
    b.op(is64 ? OP.i64Or : OP.i32Or);
  };
  float(old);
  float(data);
  b.op(add);
  b.op(back);
  b.set(sum);
  quiet(old);
  quiet(data);
  if (is64) b.i64(0, 0x7ff8_0000);
  else b.i32(0x7fc0_0000);
  b.get(sum);
  isNan(sum);
  b.op(OP.select);
  isNan(data);
  b.op(OP.select);
  isNan(old);
  b.op(OP.select);
}

/** A NaN loses against a number; -0 < +0; two NaNs: the first, quieted (ops.ts, minNum and maxNum). */
function minMaxFloat(b: FunctionBody, op: 'minF32' | 'maxF32' | 'minF64' | 'maxF64', old: number, data: number): void {
  const is64 = op === 'minF64' || op === 'maxF64';
  const isMin = op === 'minF32' || op === 'minF64';
  const reinterpret = is64 ? OP.f64ReinterpretI64 : OP.f32ReinterpretI32;
  const isNan = (value: number): void => {
    b.get(value);
    b.op(reinterpret);
    b.get(value);
    b.op(reinterpret);
    b.op(is64 ? OP.f64Ne : OP.f32Ne);
  };
  // bits in the order of the numbers: x ^ ((x >> all) >>> 1)
  const ordered = (value: number): void => {
    b.get(value);
    b.get(value);
    if (is64) {
      b.i64(63, 0);
      b.op(OP.i64ShrS);
      b.i64(1, 0);
      b.op(OP.i64ShrU);
      b.op(OP.i64Xor);
    } else {
      b.i32(31);
      b.op(OP.i32ShrS);
      b.i32(1);
      b.op(OP.i32ShrU);
      b.op(OP.i32Xor);
    }
  };
  const quietOld = (): void => {
    b.get(old);
    if (is64) {
      b.i64(0, 0x0008_0000);
      b.i64(0, 0);
      isNan(old);
      b.op(OP.select);
      b.op(OP.i64Or);
    } else {
      b.i32(0x0040_0000);
      b.i32(0);
      isNan(old);
      b.op(OP.select);
      b.op(OP.i32Or);
    }
  };
  quietOld();
  b.get(data);
  b.get(data);
  b.get(old);
  ordered(isMin ? data : old);
  ordered(isMin ? old : data);
  b.op(is64 ? OP.i64LtS : OP.i32LtS);
  b.op(OP.select); // the smaller or larger
  isNan(old);
  b.op(OP.select); // data where old is NaN
  isNan(data);
  b.op(OP.select); // old where data is NaN
}
