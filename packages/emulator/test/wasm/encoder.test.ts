import wabt from 'wabt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteSink } from '../../src/wasm/byte-sink.js';
import { ModuleBuilder } from '../../src/wasm/module-builder.js';
import { I32, I64, OP, V128, VOID } from '../../src/wasm/opcodes.js';

const MEMORY = { module: 'm', name: 'm', initialPages: 1, maximumPages: 1 };

/** LEB128 as the specification's recursive definition has it (§5.2.2). */
function leb(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const isLast = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...leb(rest)];
}

describe('integers', () => {
  it('encodes signed 32-bit numbers as the specification says', () => {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        const sink = new ByteSink(1);
        sink.s32(value);
        expect([...sink.view()]).toEqual(leb(BigInt(value)));
      }),
    );
  });
  it('encodes signed 64-bit numbers as the specification says', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const sink = new ByteSink(1);
        sink.s64(Number(BigInt.asUintN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
        expect([...sink.view()]).toEqual(leb(value));
      }),
    );
  });
});

/** Opcodes and their names in the text format, with the operands that make them valid. */
const INSTRUCTIONS: readonly (readonly [op: number, text: string, args: string, result: string])[] = [
  [OP.i32Add, 'i32.add', 'ii', 'i'],
  [OP.i64ShrU, 'i64.shr_u', 'll', 'l'],
  [OP.i32WrapI64, 'i32.wrap_i64', 'l', 'i'],
  [OP.i32TruncSatF64U, 'i32.trunc_sat_f64_u', 'd', 'i'],
  [OP.i32x4Add, 'i32x4.add', 'vv', 'v'],
  [OP.i32x4Mul, 'i32x4.mul', 'vv', 'v'],
  [OP.i32x4LtU, 'i32x4.lt_u', 'vv', 'v'],
  [OP.i32x4Bitmask, 'i32x4.bitmask', 'v', 'i'],
  [OP.i32x4AllTrue, 'i32x4.all_true', 'v', 'i'],
  [OP.v128AnyTrue, 'v128.any_true', 'v', 'i'],
  [OP.v128Andnot, 'v128.andnot', 'vv', 'v'],
  [OP.v128Bitselect, 'v128.bitselect', 'vvv', 'v'],
  [OP.f32x4Pmin, 'f32x4.pmin', 'vv', 'v'],
  [OP.f32x4Nearest, 'f32x4.nearest', 'v', 'v'],
  [OP.f64x2Nearest, 'f64x2.nearest', 'v', 'v'],
  [OP.f64x2Sqrt, 'f64x2.sqrt', 'v', 'v'],
  [OP.i64x2ExtmulHighI32x4U, 'i64x2.extmul_high_i32x4_u', 'vv', 'v'],
  [OP.i64x2ShrS, 'i64x2.shr_s', 'vi', 'v'],
  [OP.i8x16Popcnt, 'i8x16.popcnt', 'v', 'v'],
  [OP.i32x4ExtaddPairwiseI16x8U, 'i32x4.extadd_pairwise_i16x8_u', 'v', 'v'],
  [OP.f32x4DemoteF64x2Zero, 'f32x4.demote_f64x2_zero', 'v', 'v'],
  [OP.f64x2PromoteLowF32x4, 'f64x2.promote_low_f32x4', 'v', 'v'],
  [OP.i32x4TruncSatF64x2UZero, 'i32x4.trunc_sat_f64x2_u_zero', 'v', 'v'],
  [OP.f64x2ConvertLowI32x4S, 'f64x2.convert_low_i32x4_s', 'v', 'v'],
  [OP.f32x4RelaxedMadd, 'f32x4.relaxed_madd', 'vvv', 'v'],
  [OP.f64x2RelaxedMadd, 'f64x2.relaxed_madd', 'vvv', 'v'],
  [OP.i32x4RelaxedLaneselect, 'i32x4.relaxed_laneselect', 'vvv', 'v'],
];

describe('modules', () => {
  it.each(INSTRUCTIONS)('0x%x is read as %s', async (op, text, args, result) => {
    const builder = new ModuleBuilder(MEMORY);
    const types = { i: I32, l: I64, v: V128, d: 0x7c } as const;
    const type = (letter: string): 0x7f => types[letter as keyof typeof types] as 0x7f;
    const { body } = builder.addFunction({ params: [...args].map(type), results: [type(result)] });
    for (let i = 0; i < args.length; i++) body.get(i);
    body.op(op);
    const tool = await wabt();
    const module = tool.readWasm(builder.finish(), { simd: true, threads: true, relaxed_simd: true });
    const wat = module.toText({});
    module.destroy();
    expect(wat).toContain(text);
  });

  it('reads back control flow, branch tables, memory accesses and atomics', async () => {
    const builder = new ModuleBuilder(MEMORY);
    builder.importFunction('f', 'g', { params: [I32], results: [I32] });
    const { index, body } = builder.addFunction({ params: [I32], results: [I32] });
    builder.exportFunction('run', index);
    const local = body.local(V128);
    body.open(OP.loop, VOID);
    body.open(OP.block, VOID);
    body.get(0);
    body.op(OP.brTable);
    body.code.u32(1);
    body.code.u32(0);
    body.code.u32(1);
    body.end();
    body.end();
    body.get(0);
    body.access(OP.v128Load, 0, 1_000_000);
    body.tee(local);
    body.get(local);
    body.op(OP.i8x16Shuffle);
    for (let i = 0; i < 16; i++) body.code.byte(i * 2);
    body.op(OP.i32x4ExtractLane);
    body.code.byte(3);
    body.op(OP.drop);
    body.get(0);
    body.i32(-5);
    body.access(OP.i32AtomicRmwAdd, 2, 16);
    body.call(0);
    const bytes = builder.finish();
    expect(WebAssembly.validate(bytes)).toBe(true);
    const tool = await wabt();
    const module = tool.readWasm(bytes, { simd: true, threads: true });
    const text = module.toText({});
    module.destroy();
    expect(text).toContain('(import "m" "m" (memory (;0;) 1 1 shared))');
    expect(text).toContain('br_table 0 (;@2;) 1 (;@1;)');
    expect(text).toContain('v128.load offset=1000000 align=1');
    expect(text).toContain('i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30');
    expect(text).toContain('i32.const -5');
    expect(text).toContain('i32.atomic.rmw.add offset=16');
  });
});
