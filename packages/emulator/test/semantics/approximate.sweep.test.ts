import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { createWaveState } from '../../src/evaluate/index.js';
import { APPROXIMATE } from '../../src/semantics/approximate.js';
import { createRandom } from '../ir/random.js';
import { encode, execute } from './support/assemble.js';

/** Errors of the approximate instructions against libquadmath's values of 113 bits: all f16, many f32 and f64. */
const ITEMS = 1 << 17;

/** The function in __float128; sin and cos take revolutions, reduced exactly first. */
const EXACT: Readonly<Record<string, string>> = {
  rcp: '1 / x',
  rsq: '1 / sqrtq(x)',
  sqrt: 'sqrtq(x)',
  exp: 'exp2q(x)',
  log: 'log2q(x)',
  sin: 'turns(x, 0)',
  cos: 'turns(x, 1)',
};

const PRELUDE = `
#include <math.h>
#include <quadmath.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef uint64_t u64; typedef __float128 q;
static q turns(q x, int cosine) {
  q r = fmodq(x, 1);
  q quarter = roundq(r * 4);
  q rest = (r - quarter / 4) * 2 * M_PIq; /* -pi/4 ... pi/4 */
  int n = ((int)quarter + cosine) & 3;
  q v = n & 1 ? cosq(rest) : sinq(rest);
  return n & 2 ? -v : v;
}
static q value(u64 bits, int width) {
  if (width == 64) { double d; memcpy(&d, &bits, 8); return d; }
  if (width == 32) { uint32_t w = bits; float f; memcpy(&f, &w, 4); return f; }
  uint16_t w = bits; _Float16 h; memcpy(&h, &w, 2); return h;
}
/* error in places of the exact value's last bit; denormals have the least normal number's place */
static double ulps(q exact, q got, int width) {
  if (isnanq(exact)) return isnanq(got) ? 0 : 1e9;
  if (exact == got) return 0;
  int precision = width == 64 ? 53 : width == 32 ? 24 : 11, least = width == 64 ? -1021 : width == 32 ? -125 : -13, exponent;
  if (width == 32 && fabsq(exact) < 0x1p-126Q && got == 0) return 0; /* flushed, as on hardware */
  q largest = width == 64 ? 0x1p1024Q : width == 32 ? 0x1p128Q : 65536;
  if (isinfq(got)) got = copysignq(largest, got);
  if (fabsq(exact) > largest) exact = copysignq(largest, exact);
  if (exact == got) return 0;
  frexpq(exact, &exponent);
  return (double)(fabsq(exact - got) / ldexpq(1, (exponent < least ? least : exponent) - precision));
}
`;

function measure(kind: string, width: 16 | 32 | 64, pairs: BigUint64Array): number {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-approximate-'));
  try {
    const source = `${PRELUDE}
static u64 in[${pairs.length}];
int main(void) {
  if (fread(in, 8, ${pairs.length}, stdin) != ${pairs.length}) return 1;
  double worst = 0;
  for (int i = 0; i < ${pairs.length}; i += 2) {
    q x = value(in[i], ${width}), got = value(in[i + 1], ${width});
    double e = ulps(${EXACT[kind]!}, got, ${width});
    if (e > worst) worst = e;
  }
  printf("%.17g", worst);
  return 0;
}`;
    const [file, program] = [join(folder, 'approximate.c'), join(folder, 'approximate')];
    writeFileSync(file, source);
    execFileSync('gcc', ['-O1', file, '-o', program, '-lquadmath', '-lm']);
    return Number(execFileSync(program, { input: Buffer.from(pairs.buffer), encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Inputs without denormals where the unit takes them as zeros (f32). */
function makeInputs(kind: string, width: 16 | 32 | 64): bigint[] {
  if (width === 16) return Array.from({ length: 1 << 16 }, (_, n) => BigInt(n));
  const random = createRandom(width + kind.length);
  return Array.from({ length: ITEMS }, () => {
    if (width === 64) return (BigInt(random()) << 32n) | BigInt(random());
    // Moderate exponents half of the time: exp, sin and cos have nothing to say about huge ones.
    const bits = random() % 2 === 0 ? random() : ((random() & 0x80ff_ffff) | ((0x3a + (random() % 11)) << 24)) >>> 0;
    return BigInt((bits & 0x7f80_0000) === 0 ? bits & 0x8000_0000 : bits) & 0xffff_ffffn;
  });
}

function run(name: string, width: 16 | 32 | 64, inputs: readonly bigint[]): BigUint64Array {
  const pairs = new BigUint64Array(2 * inputs.length);
  const text = { 16: `${name} v2.l, v0.l`, 32: `${name} v2, v0`, 64: `${name} v[2:3], v[0:1]` }[width];
  const code = encode(text, 'gfx1100', 64);
  for (let first = 0; first < inputs.length; first += 64) {
    const wave = createWaveState(64);
    wave.sgprs[126] = wave.sgprs[127] = 0xffff_ffff;
    for (let lane = 0; lane < 64; lane++) {
      const input = inputs[first + lane]!;
      [wave.vgprs[lane], wave.vgprs[64 + lane]] = [Number(input & 0xffff_ffffn), Number(input >> 32n)];
    }
    execute(code, wave);
    for (let lane = 0; lane < 64; lane++) {
      const low = BigInt(wave.vgprs[128 + lane]!);
      pairs[2 * (first + lane)] = inputs[first + lane]!;
      pairs[2 * (first + lane) + 1] = width === 64 ? low | (BigInt(wave.vgprs[192 + lane]!) << 32n) : low;
    }
  }
  return pairs;
}

const reason = skipReason('gcc');
describe.skipIf(reason !== '')(`errors of approximate instructions are as listed ${reason}`, () => {
  it.each(Object.entries(APPROXIMATE))('%s', (name, { ulps }) => {
    const [, kind, bits] = /^v_(\w+)_f(\d+)$/.exec(name)!;
    const width = Number(bits) as 16 | 32 | 64; // Safe: the names end in one of them.
    const worst = measure(kind!, width, run(name, width, makeInputs(kind!, width)));
    process.stdout.write(`${name} ${worst}\n`);
    expect(worst).toBeLessThanOrEqual(ulps);
  });
});
