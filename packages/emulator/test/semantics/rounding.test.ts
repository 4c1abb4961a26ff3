import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { createWaveState } from '../../src/evaluate/index.js';
import { createRandom, edgeValues } from '../ir/random.js';
import { encode, execute } from './support/assemble.js';

/**
 * Arithmetic in every rounding mode of MODE against C with fesetround on the host. x87-free: gcc computes in SSE, whose control word
 * fesetround sets; f16 comes from exact wider values through libgcc's conversions, which look at the same word.
 */
const ITEMS = process.env['DOORBELL_SWEEP'] === '1' ? 64 * 1024 : 64 * 8;
/** Recorded results, for machines without a compiler. */
const RECORDED_ITEMS = 64;
const FIXTURE = new URL('fixtures/rounding.bin', import.meta.url);

/** MODE's codes in order, and C's names. */
const ROUNDINGS = ['FE_TONEAREST', 'FE_UPWARD', 'FE_DOWNWARD', 'FE_TOWARDZERO'] as const;

interface Case {
  readonly asm: string;
  readonly c: string;
  readonly bits: 16 | 32 | 64;
}

/** Sources are v[0:1], v[2:3], v[4:5], the result v[6:7]. */
const CASES: readonly Case[] = [
  { asm: 'v_add_f32 v6, v0, v2', c: 'f(F(a) + F(b))', bits: 32 },
  { asm: 'v_sub_f32 v6, v0, v2', c: 'f(F(a) - F(b))', bits: 32 },
  { asm: 'v_mul_f32 v6, v0, v2', c: 'f(F(a) * F(b))', bits: 32 },
  { asm: 'v_fma_f32 v6, v0, v2, v4', c: 'f(fmaf(F(a), F(b), F(c)))', bits: 32 },
  { asm: 'v_ldexp_f32 v6, v0, v2', c: 'f(ldexpf(F(a), exponent(b)))', bits: 32 },
  { asm: 'v_cvt_f32_f64 v6, v[0:1]', c: 'f((float)D(a))', bits: 32 },
  { asm: 'v_cvt_f32_i32 v6, v0', c: 'f((float)(i32)a)', bits: 32 },
  { asm: 'v_cvt_f32_u32 v6, v0', c: 'f((float)(u32)a)', bits: 32 },
  { asm: 'v_add_f64 v[6:7], v[0:1], v[2:3]', c: 'd(D(a) + D(b))', bits: 64 },
  { asm: 'v_mul_f64 v[6:7], v[0:1], v[2:3]', c: 'd(D(a) * D(b))', bits: 64 },
  { asm: 'v_fma_f64 v[6:7], v[0:1], v[2:3], v[4:5]', c: 'd(fma(D(a), D(b), D(c)))', bits: 64 },
  { asm: 'v_ldexp_f64 v[6:7], v[0:1], v2', c: 'd(ldexp(D(a), exponent(b)))', bits: 64 },
  { asm: 'v_add_f16 v6.l, v0.l, v2.l', c: 'h((double)H(a) + (double)H(b))', bits: 16 },
  { asm: 'v_sub_f16 v6.l, v0.l, v2.l', c: 'h((double)H(a) - (double)H(b))', bits: 16 },
  { asm: 'v_mul_f16 v6.l, v0.l, v2.l', c: 'h((double)H(a) * (double)H(b))', bits: 16 },
  { asm: 'v_fma_f16 v6.l, v0.l, v2.l, v4.l', c: 'q((__float128)H(a) * (__float128)H(b) + (__float128)H(c))', bits: 16 },
  { asm: 'v_cvt_f16_f32 v6.l, v0', c: 'h((double)F(a))', bits: 16 },
  { asm: 'v_cvt_f16_u16 v6.l, v0.l', c: 'h((double)(uint16_t)a)', bits: 16 },
  { asm: 'v_cvt_pk_rtz_f16_f32 v6, v0, v2', c: 'truncated(F(a)) | truncated(F(b)) << 16', bits: 32 },
];

const PRELUDE = `
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef uint64_t u64; typedef uint32_t u32; typedef int32_t i32; typedef _Float16 f16;
static float F(u64 a) { u32 w = (u32)a; float x; memcpy(&x, &w, 4); return x; }
static double D(u64 a) { double x; memcpy(&x, &a, 8); return x; }
static f16 H(u64 a) { uint16_t w = (uint16_t)a; f16 x; memcpy(&x, &w, 2); return x; }
static u64 f(float x) { u32 w; memcpy(&w, &x, 4); return w; }
static u64 d(double x) { u64 w; memcpy(&w, &x, 8); return w; }
static u64 bits16(f16 x) { uint16_t w; memcpy(&w, &x, 2); return w; }
__attribute__((noipa)) static u64 h(double x) { return bits16((f16)x); }
__attribute__((noipa)) static u64 q(__float128 x) { return bits16((f16)x); }
static int exponent(u64 b) { i32 n = (i32)b; return n > 5000 ? 5000 : n < -5000 ? -5000 : n; }
static u64 truncated(float x) {
  int rounding = fegetround();
  fesetround(FE_TOWARDZERO);
  volatile double y = x;
  u64 r = h(y);
  fesetround(rounding);
  return r;
}
`;

function runHost(inputs: BigUint64Array): BigUint64Array {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-rounding-'));
  try {
    const source = `${PRELUDE}
static u64 in[${inputs.length}];
static const int modes[] = { ${ROUNDINGS.join(', ')} };
static u64 run(int op, u64 a, u64 b, u64 c) { switch (op) { ${CASES.map(({ c }, n) => `case ${n}: return ${c};`).join('\n')} } return 0; }
int main(void) {
  if (fread(in, 8, ${inputs.length}, stdin) != ${inputs.length}) return 1;
  for (int i = 0; i < ${inputs.length}; i += 3) for (int op = 0; op < ${CASES.length}; op++) for (int m = 0; m < 4; m++) {
    fesetround(modes[m]);
    u64 r = run(op, in[i], in[i + 1], in[i + 2]);
    fesetround(FE_TONEAREST);
    fwrite(&r, 8, 1, stdout);
  }
  return 0;
}`;
    const [file, program] = [join(folder, 'rounding.c'), join(folder, 'rounding')];
    writeFileSync(file, source);
    execFileSync('gcc', ['-O1', '-fwrapv', '-ffp-contract=off', '-frounding-math', file, '-o', program, '-lm']);
    const output = execFileSync(program, { input: Buffer.from(inputs.buffer), maxBuffer: 1 << 28 });
    return new BigUint64Array(new Uint8Array(output).buffer);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Triples of any bits, edges, near each other in exponent, small integers. */
function makeInputs(): BigUint64Array {
  const random = createRandom(23);
  const edges = edgeValues();
  const word = (): bigint => (BigInt(random()) << 32n) | BigInt(random());
  const inputs = new BigUint64Array(ITEMS * 3);
  for (let i = 0; i < inputs.length; i++) {
    const kind = random() % 6;
    let value = word();
    if (kind === 0) value = edges[random() % edges.length]!;
    // f64, f32 and f16 of moderate size in their places.
    if (kind === 1) value = (value & 0x803f_ffff_81ff_83ffn) | 0x3fc0_0000_3e00_3c00n;
    if (kind === 2) value = (value & 0x800f_ffff_807f_83ffn) | (BigInt(random() % 32) << 10n); // denormal or small
    if (kind === 3) value = BigInt.asUintN(64, BigInt((random() % 600) - 300));
    if (kind === 4 && i % 3 > 0) value = inputs[i - 1]! ^ (1n << BigInt(random() % 64));
    inputs[i] = value;
  }
  return inputs;
}

const isNaNOf = (value: bigint, bits: 16 | 32 | 64): boolean => {
  const [size, top] = { 16: [0x7fffn, 0x7c00n], 32: [0x7fff_ffffn, 0x7f80_0000n], 64: [(1n << 63n) - 1n, 0x7ffn << 52n] }[
    bits
  ] as [bigint, bigint];
  return (value & size) > top;
};

/** Runs every case in every mode on the first `items` triples; result n of an item is case n/4 in mode n%4. */
function runDevice(inputs: BigUint64Array, items: number): BigUint64Array {
  const results = new BigUint64Array(items * CASES.length * 4);
  for (const [n, { asm, bits }] of CASES.entries()) {
    const code = encode(asm, 'gfx1100', 64);
    for (let first = 0; first < items; first += 64) {
      for (let rounding = 0; rounding < 4; rounding++) {
        const wave = createWaveState(64);
        wave.sgprs[126] = wave.sgprs[127] = 0xffff_ffff;
        for (let lane = 0; lane < 64; lane++) {
          for (let argument = 0; argument < 3; argument++) {
            const value = inputs[(first + lane) * 3 + argument]!;
            wave.vgprs[argument * 128 + lane] = Number(value & 0xffff_ffffn);
            wave.vgprs[argument * 128 + 64 + lane] = Number(value >> 32n);
          }
        }
        const outcome = execute(code, wave, { mode: 0x3f0 | (rounding * 5) });
        expect(outcome.kind, asm).toBe('next');
        for (let lane = 0; lane < 64; lane++) {
          const low = BigInt(wave.vgprs[6 * 64 + lane]!);
          const value = bits === 64 ? low | (BigInt(wave.vgprs[7 * 64 + lane]!) << 32n) : bits === 16 ? low & 0xffffn : low;
          results[(first + lane) * CASES.length * 4 + n * 4 + rounding] = value;
        }
      }
    }
  }
  return results;
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;

function isSame({ bits, asm }: Case, x: bigint, y: bigint): boolean {
  if (x === y) return true;
  if (!asm.includes('cvt_pk')) return isNaNOf(x, bits) && isNaNOf(y, bits);
  return [0n, 16n].every((shift) => {
    const [p, q] = [(x >> shift) & 0xffffn, (y >> shift) & 0xffffn];
    return p === q || (isNaNOf(p, 16) && isNaNOf(q, 16));
  });
}

function expectEqual(inputs: BigUint64Array, results: BigUint64Array, expected: BigUint64Array): void {
  for (const [n, result] of results.entries()) {
    const test = CASES[Math.floor(n / 4) % CASES.length]!;
    if (isSame(test, result, expected[n]!)) continue;
    const item = Math.floor(n / CASES.length / 4);
    const given = Array.from(inputs.slice(item * 3, item * 3 + 3), hex).join(', ');
    expect.fail(`${test.asm} ${ROUNDINGS[n % 4]!} of ${given}: ${hex(result)}, C has ${hex(expected[n]!)}`);
  }
}

describe('rounding modes', () => {
  const inputs = makeInputs();

  it('give what C gave on the host', () => {
    const expected = new BigUint64Array(new Uint8Array(readFileSync(FIXTURE)).buffer);
    expectEqual(inputs, runDevice(inputs, RECORDED_ITEMS), expected);
  });

  it('FP16_OVFL makes a finite overflow the largest number, and leaves infinities', () => {
    const run = (asm: string, x: number, y: number): number => {
      const wave = createWaveState(64);
      [wave.sgprs[126], wave.vgprs[0], wave.vgprs[64]] = [1, x, y];
      execute(encode(asm, 'gfx1100', 64), wave, { mode: 0x80_03f0 });
      return wave.vgprs[128]!;
    };
    expect(run('v_add_f16 v2.l, v0.l, v1.l', 0x7bff, 0x7bff)).toBe(0x7bff);
    expect(run('v_mul_f16 v2.l, v0.l, v1.l', 0xfbff, 0x7bff)).toBe(0xfbff);
    expect(run('v_fma_f16 v2.l, v0.l, v1.l, v0.l', 0x7bff, 0x4000)).toBe(0x7bff);
    expect(run('v_cvt_f16_f32 v2.l, v0', 0x7f00_0000, 0)).toBe(0x7bff);
    expect(run('v_cvt_f16_f32 v2.l, v0', 0x7f80_0000, 0)).toBe(0x7c00);
    expect(run('v_add_f16 v2.l, v0.l, v1.l', 0x7c00, 0x3c00)).toBe(0x7c00);
    expect(run('v_rcp_f16 v2.l, v0.l', 0x8000, 0)).toBe(0xfc00);
  });

  const reason = skipReason('gcc');
  it.skipIf(reason !== '')(`give what C gives ${reason}`, () => {
    const expected = runHost(inputs);
    const recorded = expected.slice(0, RECORDED_ITEMS * CASES.length * 4);
    if (process.env['DOORBELL_RECORD'] === '1') writeFileSync(FIXTURE, new Uint8Array(recorded.buffer));
    expectEqual(inputs, runDevice(inputs, ITEMS), expected);
  });
});
