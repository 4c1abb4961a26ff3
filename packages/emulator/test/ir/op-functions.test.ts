import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { OP_FUNCTIONS, wide } from '../../src/ir/op-functions.js';
import type { OpName } from '../../src/ir/ops.js';
import { OPS } from '../../src/ir/ops.js';
import { createRandom, edgeValues } from './random.js';

const TRIPLES = 6000;

/** The same operations in C: u64 a, b, c → u64; floats are bit patterns in the low bits. */
const WITNESS: Readonly<Partial<Record<OpName, string>>> = {
  add32: 'W(a) + W(b)',
  sub32: 'W(a) - W(b)',
  mul32: 'W(a) * W(b)',
  mulHiU32: '((u64)W(a) * W(b)) >> 32',
  mulHiS32: '(u32)(((i64)S(a) * S(b)) >> 32)',
  and32: 'W(a) & W(b)',
  or32: 'W(a) | W(b)',
  xor32: 'W(a) ^ W(b)',
  shl32: 'W(a) << (b & 31)',
  shrU32: 'W(a) >> (b & 31)',
  shrS32: '(u32)(S(a) >> (b & 31))',
  clz32: 'W(a) ? __builtin_clz(W(a)) : 32',
  ctz32: 'W(a) ? __builtin_ctz(W(a)) : 32',
  popcnt32: '__builtin_popcount(W(a))',
  brev32: 'reverse(W(a))',
  minU32: 'W(a) < W(b) ? W(a) : W(b)',
  maxU32: 'W(a) > W(b) ? W(a) : W(b)',
  minS32: 'S(a) < S(b) ? W(a) : W(b)',
  maxS32: 'S(a) > S(b) ? W(a) : W(b)',
  eq32: 'W(a) == W(b)',
  ltU32: 'W(a) < W(b)',
  ltS32: 'S(a) < S(b)',
  pack64: '(u64)W(a) | (u64)W(b) << 32',
  low64: 'W(a)',
  high64: 'a >> 32',
  add64: 'a + b',
  sub64: 'a - b',
  mul64: 'a * b',
  mulWideU32: '(u64)W(a) * W(b)',
  mulWideS32: '(u64)((i64)S(a) * S(b))',
  and64: 'a & b',
  or64: 'a | b',
  xor64: 'a ^ b',
  shl64: 'a << (b & 63)',
  shrU64: 'a >> (b & 63)',
  shrS64: '(u64)((i64)a >> (b & 63))',
  clz64: 'a ? __builtin_clzll(a) : 64',
  ctz64: 'a ? __builtin_ctzll(a) : 64',
  popcnt64: '__builtin_popcountll(a)',
  eq64: 'a == b',
  ltU64: 'a < b',
  ltS64: '(i64)a < (i64)b',
  not: '!(a & 1)',
  and: 'a & b & 1',
  or: '(a | b) & 1',
  xor: '(a ^ b) & 1',
  select32: 'a & 1 ? W(b) : W(c)',
  select64: 'a & 1 ? b : c',
  addF32: 'f(F(a) + F(b))',
  subF32: 'f(F(a) - F(b))',
  mulF32: 'f(F(a) * F(b))',
  divF32: 'f(F(a) / F(b))',
  fmaF32: 'f(fmaf(F(a), F(b), F(c)))',
  sqrtF32: 'f(sqrtf(F(a)))',
  ltF32: 'F(a) < F(b)',
  leF32: 'F(a) <= F(b)',
  eqF32: 'F(a) == F(b)',
  truncF32: 'f(truncf(F(a)))',
  floorF32: 'f(floorf(F(a)))',
  ceilF32: 'f(ceilf(F(a)))',
  nearestF32: 'f(rintf(F(a)))',
  s32ToF32: 'f((float)S(a))',
  u32ToF32: 'f((float)W(a))',
  f32ToS32: '(u32)toS32(F(a))',
  f32ToU32: 'toU32(F(a))',
  f32ToF64: 'd((double)F(a))',
  f64ToF32: 'f((float)D(a))',
  f32ToF16: 'h((_Float16)F(a))',
  f16ToF32: 'f((float)H(a))',
  f64ToF16: 'h((_Float16)D(a))',
  addF64: 'd(D(a) + D(b))',
  subF64: 'd(D(a) - D(b))',
  mulF64: 'd(D(a) * D(b))',
  divF64: 'd(D(a) / D(b))',
  fmaF64: 'd(fma(D(a), D(b), D(c)))',
  fmaDownwardF64: 'd(fmaDownward(D(a), D(b), D(c)))',
  sqrtF64: 'd(sqrt(D(a)))',
  ltF64: 'D(a) < D(b)',
  leF64: 'D(a) <= D(b)',
  eqF64: 'D(a) == D(b)',
  truncF64: 'd(trunc(D(a)))',
  floorF64: 'd(floor(D(a)))',
  ceilF64: 'd(ceil(D(a)))',
  nearestF64: 'd(rint(D(a)))',
  f64ToS32: '(u32)toS32(D(a))',
  f64ToU32: 'toU32(D(a))',
  s32ToF64: 'd((double)S(a))',
  u32ToF64: 'd((double)W(a))',
};

/** Which results are floats: a NaN then only has to be one. */
function floatBits(name: OpName): 0 | 16 | 32 | 64 {
  if (OPS[name].result === 'bool' || /To[SU]32$/.test(name)) return 0;
  if (/ToF16$/.test(name)) return 16;
  if (/F32$/.test(name)) return 32;
  return /F64$/.test(name) ? 64 : 0;
}

const PRELUDE = `
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef uint64_t u64; typedef uint32_t u32; typedef int64_t i64; typedef int32_t i32;
static u32 W(u64 a) { return (u32)a; }
static i32 S(u64 a) { return (i32)a; }
static float F(u64 a) { u32 w = (u32)a; float x; memcpy(&x, &w, 4); return x; }
static double D(u64 a) { double x; memcpy(&x, &a, 8); return x; }
static _Float16 H(u64 a) { uint16_t w = (uint16_t)a; _Float16 x; memcpy(&x, &w, 2); return x; }
static u64 f(float x) { u32 w; memcpy(&w, &x, 4); return w; }
static u64 d(double x) { u64 w; memcpy(&w, &x, 8); return w; }
static u64 h(_Float16 x) { uint16_t w; memcpy(&w, &x, 2); return w; }
static double fmaDownward(double x, double y, double z) {
  fesetround(FE_DOWNWARD);
  double r = fma(x, y, z);
  fesetround(FE_TONEAREST);
  return r;
}
static u32 reverse(u32 a) { u32 r = 0; for (int i = 0; i < 32; i++) r |= ((a >> i) & 1u) << (31 - i); return r; }
static i32 toS32(double x) { return isnan(x) ? 0 : x >= 2147483647.0 ? INT32_MAX : x <= -2147483648.0 ? INT32_MIN : (i32)x; }
static u32 toU32(double x) { return isnan(x) || x <= 0 ? 0 : x >= 4294967295.0 ? UINT32_MAX : (u32)x; }
`;

function runWitness(names: readonly OpName[], inputs: BigUint64Array): BigUint64Array {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-ops-'));
  try {
    const cases = names.map((name, n) => `case ${n}: return ${WITNESS[name] ?? ''};`).join('\n');
    const source = `${PRELUDE}
static u64 run(int op, u64 a, u64 b, u64 c) { switch (op) { ${cases} } return 0; }
static u64 in[${inputs.length}];
int main(void) {
  if (fread(in, 8, ${inputs.length}, stdin) != ${inputs.length}) return 1;
  for (int op = 0; op < ${names.length}; op++) for (int i = 0; i < ${inputs.length}; i += 3) {
    u64 r = run(op, in[i], in[i + 1], in[i + 2]);
    fwrite(&r, 8, 1, stdout);
  }
  return 0;
}`;
    const [file, program] = [join(folder, 'ops.c'), join(folder, 'ops')];
    writeFileSync(file, source);
    execFileSync('gcc', ['-O1', '-fwrapv', '-ffp-contract=off', '-frounding-math', file, '-o', program, '-lm']);
    const output = execFileSync(program, { input: Buffer.from(inputs.buffer), maxBuffer: 1 << 28 });
    return new BigUint64Array(new Uint8Array(output).buffer);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isNaNBits(bits: bigint, width: 16 | 32 | 64): boolean {
  const [exponent, size] = { 16: [0x7c00n, 0x7fffn], 32: [0x7f80_0000n, 0x7fff_ffffn], 64: [0x7ff0n << 48n, (1n << 63n) - 1n] }[
    width
  ] as [bigint, bigint];
  return (bits & size) > exponent;
}

function apply(name: OpName, inputs: readonly bigint[]): bigint {
  const dwords: number[] = [];
  for (const [n, input] of inputs.entries()) {
    const type = OPS[name].args[n];
    const value = type === 'bool' ? input & 1n : input;
    dwords.push(Number(value & 0xffff_ffffn), type === 'i64' ? Number(value >> 32n) : 0);
  }
  const [a = 0, aHigh = 0, b = 0, bHigh = 0, c = 0, cHigh = 0] = dwords;
  const low = OP_FUNCTIONS[name]!(a, aHigh, b, bHigh, c, cHigh);
  return BigInt(low) | (OPS[name].result === 'i64' ? BigInt(wide.high) << 32n : 0n);
}

describe('operations on one value', () => {
  const lanes = new Set(['laneId', 'ballot', 'inverseBallot', 'any', 'readLane', 'readFirstLane', 'insertLane', 'shuffle']);

  it('has a function for every operation but those over lanes', () => {
    // Safe: the keys of the table are the names.
    const names = Object.keys(OPS) as OpName[];
    expect(names.filter((name) => OP_FUNCTIONS[name] === undefined)).toEqual([...lanes]);
  });

  const reason = skipReason('gcc');
  describe.skipIf(reason !== '')(`against C ${reason}`, () => {
    const inputs = makeInputs();
    // Safe: the keys are names.
    const names = Object.keys(WITNESS) as OpName[];
    const expected = reason === '' ? runWitness(names, inputs) : new BigUint64Array();
    for (const [n, name] of names.entries()) {
      it(`${name} gives what C gives`, () => {
        const width = floatBits(name);
        for (let i = 0; i < TRIPLES; i++) {
          const triple = [inputs[3 * i]!, inputs[3 * i + 1]!, inputs[3 * i + 2]!];
          const [actual, wanted] = [apply(name, triple), expected[n * TRIPLES + i]!];
          if (actual === wanted || (width !== 0 && isNaNBits(actual, width) && isNaNBits(wanted, width))) continue;
          expect.fail(`${name}(${triple.map(hex).join(', ')}): ${hex(actual)}, C has ${hex(wanted)}`);
        }
      });
    }
  });

  it('returns the first NaN, quieted, of an operation with NaNs', () => {
    expect(apply('addF32', [0x3f80_0000n, 0x7f80_0001n])).toBe(0x7fc0_0001n);
    expect(apply('mulF32', [0xff80_0002n, 0x7f80_0001n])).toBe(0xffc0_0002n);
    expect(apply('fmaF32', [0x3f80_0000n, 0x7fc0_0005n, 0x7fc0_0006n])).toBe(0x7fc0_0005n);
    expect(apply('fmaF64', [0n, 0x7ff0_0000_0000_0000n, 0x7ff0_0000_0000_0009n])).toBe(0x7ff8_0000_0000_0009n);
    expect(apply('f32ToF64', [0xff80_0001n])).toBe(0xfff8_0000_2000_0000n);
    expect(apply('f64ToF32', [0x7ff0_0000_2000_0000n])).toBe(0x7fc0_0001n);
    expect(apply('f32ToF16', [0x7f80_2000n])).toBe(0x7e01n);
    expect(apply('f16ToF32', [0xfc01n])).toBe(0xffc0_2000n);
  });

  it('makes the positive NaN without payload of an invalid operation', () => {
    expect(apply('subF32', [0x7f80_0000n, 0x7f80_0000n])).toBe(0x7fc0_0000n);
    expect(apply('mulF64', [0n, 0xfff0_0000_0000_0000n])).toBe(0x7ff8_0000_0000_0000n);
    expect(apply('sqrtF32', [0xbf80_0000n])).toBe(0x7fc0_0000n);
  });

  it('prefers numbers to NaNs and -0 to +0 in minima', () => {
    expect(apply('minNumF32', [0x7fc0_0000n, 0x3f80_0000n])).toBe(0x3f80_0000n);
    expect(apply('minNumF32', [0x3f80_0000n, 0x7f80_0001n])).toBe(0x3f80_0000n);
    expect(apply('minNumF32', [0x7f80_0001n, 0x7fc0_0000n])).toBe(0x7fc0_0001n);
    expect(apply('minNumF32', [0n, 0x8000_0000n])).toBe(0x8000_0000n);
    expect(apply('maxNumF32', [0x8000_0000n, 0n])).toBe(0n);
    expect(apply('maxNumF64', [0x8000_0000_0000_0000n, 0n])).toBe(0n);
    expect(apply('minNumF64', [0x7ff8_0000_0000_0000n, 0x8000_0000_0000_0000n])).toBe(0x8000_0000_0000_0000n);
    expect(apply('maxNumF32', [0xc000_0000n, 0xbf80_0000n])).toBe(0xbf80_0000n);
  });

  it('rounds (a·b + c)·2^-128 once', () => {
    const bits = (value: number): bigint => new BigUint64Array(new Float64Array([value]).buffer)[0]!;
    // 3·2^-946 is 1.5 places of the result's last: the tie goes to even, and any addend decides it.
    expect(apply('fmaDown128F64', [bits(3 * 2 ** -947), bits(1), bits(0)])).toBe(2n);
    expect(apply('fmaDown128F64', [bits(2 ** -1000), bits(-(2 ** -60)), bits(3 * 2 ** -947)])).toBe(1n);
    expect(apply('fmaDown128F64', [bits(3), bits(5), bits(7)])).toBe(bits(22 * 2 ** -128));
    expect(apply('fmaDown128F64', [bits(0), bits(5), bits(-0)])).toBe(0n);
  });

  it('is within one place of the transcendental functions', () => {
    const random = createRandom(7);
    const bits = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;
    for (let i = 0; i < 2000; i++) {
      const x = Math.fround((random() / 2 ** 32 - 0.5) * 200);
      const check = (name: OpName, argument: number, exact: number): void => {
        const distance = Math.abs(Number(apply(name, [BigInt(bits(argument))])) - bits(Math.fround(exact)));
        expect(distance, `${name}(${argument})`).toBeLessThanOrEqual(1);
      };
      check('exp2F32', x, 2 ** x);
      check('log2F32', Math.abs(x), Math.log2(Math.abs(x)));
      const turns = Math.fround(x / 256);
      check('sinTurnsF32', turns, Math.sin(2 * Math.PI * turns));
      check('cosTurnsF32', turns, Math.cos(2 * Math.PI * turns));
    }
    expect(apply('log2F32', [0n])).toBe(0xff80_0000n);
    expect(apply('log2F32', [1n])).toBe(0xff80_0000n); // denormals count as zero
    expect(apply('exp2F32', [BigInt(bits(-127))])).toBe(0n);
    expect(apply('sinTurnsF32', [0x7f80_0000n])).toBe(0x7fc0_0000n);
    expect(apply('sinTurnsF32', [BigInt(bits(0.5))])).toBe(0n);
    expect(apply('cosTurnsF32', [BigInt(bits(0.25))])).toBe(0n);
  });
});

const hex = (value: bigint): string => `0x${value.toString(16)}`;

/** Random bits, edge values, and floats whose exponents are near each other, so that sums cancel and round. */
function makeInputs(): BigUint64Array {
  const random = createRandom(42);
  const edges = edgeValues();
  const random64 = (): bigint => (BigInt(random()) << 32n) | BigInt(random());
  const inputs = new BigUint64Array(3 * TRIPLES);
  for (let i = 0; i < TRIPLES; i++) {
    const near = random64();
    for (let n = 0; n < 3; n++) {
      const kind = random() % 4;
      let value = random64();
      if (kind === 0) value = edges[random() % edges.length]!;
      // Exponents of f32 (low dword) and f64 (high dword) within a few places of a common one.
      if (kind === 1) value = (near & 0x7f80_0000_7f80_0000n) ^ (value & 0x803f_ffff_81ff_ffffn);
      inputs[3 * i + n] = value;
    }
    // Products near the least denormals, where a second rounding shows.
    if (i % 16 === 0) {
      inputs[3 * i] = (random64() & 0x800f_ffff_807f_ffffn) | (0x1ffn << 52n) | (0x30n << 23n);
      inputs[3 * i + 1] = (random64() & 0x800f_ffff_807f_ffffn) | (0x1d0n << 52n) | (0x37n << 23n);
      inputs[3 * i + 2] = random64() & 0x800f_ffff_807f_ffffn;
    }
  }
  return inputs;
}
