/** What the engine can do: asked once, by running a module. */
import { ModuleBuilder } from '../wasm/module-builder.js';
import { I32, OP, V128 } from '../wasm/opcodes.js';

/**
 * Whether `relaxed_madd` exists and is fused: for a = 1 + 2^-12, a·a - round(a·a) is 2^-24 if fused and 0 if not; the same for f64
 * with a = 1 + 2^-30.
 */
export function probeRelaxed(memory: WebAssembly.Memory): boolean {
  const pages = memory.buffer.byteLength / 65_536;
  const builder = new ModuleBuilder({ module: 'm', name: 'm', initialPages: pages, maximumPages: pages });
  const { index, body } = builder.addFunction({ params: [I32], results: [I32] });
  builder.exportFunction('p', index);
  const vector = (low: number, high: number): void => body.v128([low, high, low, high]);
  // f32: the constant is read through a local, so that nothing is folded.
  const local = body.local(V128);
  body.get(0);
  body.op(OP.i32x4Splat);
  body.set(local);
  body.get(local);
  body.get(local);
  body.get(local);
  body.get(local);
  body.op(OP.f32x4Mul);
  vector(0x8000_0000 | 0, 0x8000_0000 | 0);
  body.op(OP.v128Xor);
  body.op(OP.f32x4RelaxedMadd);
  body.op(OP.i32x4ExtractLane);
  body.code.byte(0);
  const wideLocal = body.local(V128);
  body.get(local);
  vector(0, 0);
  body.op(OP.v128And);
  vector(0x0040_0000, 0x3ff0_0000);
  body.op(OP.v128Or);
  body.set(wideLocal);
  body.get(wideLocal);
  body.get(wideLocal);
  body.get(wideLocal);
  body.get(wideLocal);
  body.op(OP.f64x2Mul);
  vector(0, 0x8000_0000 | 0);
  body.op(OP.v128Xor);
  body.op(OP.f64x2RelaxedMadd);
  body.op(OP.i32x4ExtractLane);
  body.code.byte(1);
  body.op(OP.i32Xor);
  const bytes = builder.finish();
  if (!WebAssembly.validate(bytes)) return false;
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { m: { m: memory } });
  // Safe: the module exports this one function.
  const probe = instance.exports['p'] as (a: number) => number;
  // f32: 2^-24 = 0x33800000; f64: 2^-60, high dword 0x3c300000.
  return probe(0x3f80_0800) === (0x3380_0000 ^ 0x3c30_0000);
}
