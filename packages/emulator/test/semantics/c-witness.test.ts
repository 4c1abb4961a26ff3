import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { createRandom, edgeValues } from '../ir/random.js';
import { EXPRESSIONS } from './c-expressions.js';
import { compileKernels, runKernel } from './support/kernel.js';

/** More in the sweep (npm run test:sweep). */
const IS_SWEEP = process.env['DOORBELL_SWEEP'] === '1';
const ITEMS = IS_SWEEP ? 8192 : 256;
const INPUTS = 3;

/** What both languages share: u64 inputs become variables, results become bits. */
const COMMON = `
#define VARIABLES(in) \\
  u64 A = (in)[0], B = (in)[1], C = (in)[2]; u32 a = (u32)A, b = (u32)B, c = (u32)C; \\
  float x = asF(a), y = asF(b), z = asF(c); double X = asD(A), Y = asD(B), Z = asD(C); \\
  f16 p = asH(a), q = asH(b), r = asH(c); (void)a; (void)b; (void)c; (void)x; (void)y; (void)z; (void)X; (void)Y; (void)Z; \\
  (void)p; (void)q; (void)r;
#define I(v) ((u64)(v))
#define F(v) bitsF(v)
#define D(v) bitsD(v)
#define H(v) bitsH(v)
#define Q(v) ((v) != (v))
#define Z(v) ((v) == 0)
#define LIMIT(v) ((v) > -2.0e9f && (v) < 2.0e9f ? (v) : 3.0f)
`;

const C_PRELUDE = `
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef uint64_t u64; typedef int64_t i64; typedef uint32_t u32; typedef int32_t i32; typedef uint16_t u16; typedef int16_t i16;
typedef uint8_t u8; typedef int8_t i8; typedef _Float16 f16;
static float asF(u32 a) { float v; memcpy(&v, &a, 4); return v; }
static double asD(u64 a) { double v; memcpy(&v, &a, 8); return v; }
static f16 asH(u32 a) { u16 w = (u16)a; f16 v; memcpy(&v, &w, 2); return v; }
static u64 bitsF(float v) { u32 w; if (v != v) return 0x7fc00000; memcpy(&w, &v, 4); return w; }
static u64 bitsD(double v) { u64 w; if (v != v) return 0x7ff8000000000000; memcpy(&w, &v, 8); return w; }
static u64 bitsH(f16 v) { u16 w; if (v != v) return 0x7e00; memcpy(&w, &v, 2); return w; }
`;

const CL_PRELUDE = `
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef ulong u64; typedef long i64; typedef uint u32; typedef int i32; typedef ushort u16; typedef short i16;
typedef uchar u8; typedef char i8; typedef half f16;
float asF(u32 a) { return as_float(a); }
double asD(u64 a) { return as_double(a); }
f16 asH(u32 a) { return as_half((u16)a); }
u64 bitsF(float v) { return v != v ? 0x7fc00000u : as_uint(v); }
u64 bitsD(double v) { return v != v ? 0x7ff8000000000000ul : as_ulong(v); }
u64 bitsH(f16 v) { return v != v ? 0x7e00 : as_ushort(v); }
`;

function hostProgram(expressions: readonly string[]): string {
  const lines = expressions.map((expression, n) => `out[${n}] = ${expression};`);
  return `${C_PRELUDE}${COMMON}
static u64 in[${ITEMS * INPUTS}];
int main(void) {
  if (fread(in, 8, ${ITEMS * INPUTS}, stdin) != ${ITEMS * INPUTS}) return 1;
  for (int i = 0; i < ${ITEMS}; i++) {
    VARIABLES(in + ${INPUTS} * i)
    u64 out[${expressions.length}];
    ${lines.join('\n    ')}
    fwrite(out, 8, ${expressions.length}, stdout);
  }
  return 0;
}`;
}

function deviceProgram(expressions: readonly string[]): string {
  const lines = expressions.map((expression, n) => `out[${n}] = ${expression};`);
  return `${CL_PRELUDE}${COMMON}
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void run(__global const u64 *in, __global u64 *out) {
  u32 i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  in += ${INPUTS} * i;
  out += ${expressions.length} * i;
  VARIABLES(in)
  ${lines.join('\n  ')}
}`;
}

function runHost(expressions: readonly string[], inputs: BigUint64Array): BigUint64Array {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-host-'));
  try {
    const [file, program] = [join(folder, 'host.c'), join(folder, 'host')];
    writeFileSync(file, hostProgram(expressions));
    const flags = ['-O1', '-w', '-fwrapv', '-ffp-contract=off', '-fno-strict-aliasing', '-fexcess-precision=16'];
    execFileSync('gcc', [...flags, file, '-o', program, '-lm'], { stdio: 'pipe' });
    const output = execFileSync(program, { input: Buffer.from(inputs.buffer), maxBuffer: 1 << 28 });
    return new BigUint64Array(new Uint8Array(output).buffer);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function makeInputs(): BigUint64Array {
  const random = createRandom(11);
  const edges = edgeValues();
  const inputs = new BigUint64Array(ITEMS * INPUTS);
  for (let i = 0; i < inputs.length; i++) {
    const kind = random() % 4;
    let value = (BigInt(random()) << 32n) | BigInt(random());
    if (kind === 0) value = edges[random() % edges.length]!;
    // Floats of moderate size in both dwords.
    if (kind === 1) value = (value & 0x803f_ffff_81ff_ffffn) | 0x3fc0_0000_3e00_0000n;
    if (kind === 2) value >>= BigInt(random() % 64);
    inputs[i] = value;
  }
  return inputs;
}

/** Runs the first `items` inputs. */
function runDevice(
  elf: Uint8Array,
  count: number,
  inputs: BigUint64Array,
  items: number,
  processor: string = 'gfx1100',
): BigUint64Array {
  const output = new BigUint64Array(items * count);
  runKernel(elf, {
    processor,
    kernel: 'run',
    groups: items / 64,
    workgroup: 64,
    args: [new Uint32Array(inputs.buffer), new Uint32Array(output.buffer)],
  });
  return output;
}

function expectEqual(name: string, group: readonly string[], output: BigUint64Array, expected: BigUint64Array): void {
  for (let n = 0; n < output.length; n++) {
    if (output[n] === expected[n]) continue;
    const item = Math.floor(n / group.length);
    const given = Array.from(inputs.slice(item * INPUTS, (item + 1) * INPUTS), (value) => `0x${value.toString(16)}`);
    expect.fail(
      `${name}: ${group[n % group.length]!} of ${given.join(', ')} is 0x${output[n]!.toString(16)}, ` +
        `the host has 0x${expected[n]!.toString(16)}`,
    );
  }
}

const FLAGS = ['-ffp-contract=off', '-cl-fp32-correctly-rounded-divide-sqrt'];

const reason = skipReason('gcc', 'clang-22');
const VARIANTS = [
  { name: 'wave32 -O2', processor: 'gfx1100', optimisation: '-O2', wave: [] },
  { name: 'wave64 -O1', processor: 'gfx1100', optimisation: '-O1', wave: ['-mwavefrontsize64'] },
];
/** Other targets, each with its share of the groups, in the sweep with all. */
const TARGET_VARIANTS = ['gfx90a', 'gfx942'].map((processor, n) => ({
  name: `${processor} -O${2 - n}`,
  processor,
  optimisation: `-O${2 - n}`,
  wave: [],
}));

const inputs = makeInputs();

/** The code object of a group's first variant and what the host made of the first items, for machines without compilers. */
const RECORDED_GROUPS = ['integers', 'f32', 'f16'] as const;
const RECORDED_ITEMS = 128;
const fixture = (group: string, kind: 'hsaco' | 'bin'): URL => new URL(`fixtures/${group}.${kind}`, import.meta.url);

describe('recorded C functions', () => {
  for (const group of RECORDED_GROUPS) {
    it(`${group} give what the host gave`, () => {
      const expressions = EXPRESSIONS[group]!;
      const expected = new BigUint64Array(new Uint8Array(readFileSync(fixture(group, 'bin'))).buffer);
      expect(expected.length).toBe(RECORDED_ITEMS * expressions.length);
      const output = runDevice(readFileSync(fixture(group, 'hsaco')), expressions.length, inputs, RECORDED_ITEMS);
      expectEqual('recorded', expressions, output, expected);
    });
  }
});

describe.skipIf(reason !== '')(`compiled C functions ${reason}`, () => {
  for (const [index, [group, expressions]] of Object.entries(EXPRESSIONS).entries()) {
    const isRecorded = RECORDED_GROUPS.some((name) => name === group);
    // One variant and target a group is enough but for the sweep: the recorded one where there is one.
    const own = IS_SWEEP ? VARIANTS : VARIANTS.slice(isRecorded ? 0 : 1).slice(0, 1);
    const variants = [...own, ...TARGET_VARIANTS.filter((_, n) => IS_SWEEP || index % TARGET_VARIANTS.length === n)];
    it(`${group} give the same on the emulated GPU and on the host`, () => {
      const expected = runHost(expressions, inputs);
      for (const { name, processor, optimisation, wave } of variants) {
        const elf = compileKernels(deviceProgram(expressions), { processor, optimisation, flags: [...wave, ...FLAGS] });
        expectEqual(name, expressions, runDevice(elf, expressions.length, inputs, ITEMS, processor), expected);
        if (isRecorded && name === VARIANTS[0]?.name) expectRecorded(group, elf, expected);
      }
    });
  }
});

/** The code object and the host's first results are the committed ones. */
function expectRecorded(group: string, elf: Uint8Array, expected: BigUint64Array): void {
  const results = Buffer.from(expected.slice(0, RECORDED_ITEMS * EXPRESSIONS[group]!.length).buffer);
  if (process.env['DOORBELL_RECORD'] === '1') {
    writeFileSync(fixture(group, 'hsaco'), elf);
    writeFileSync(fixture(group, 'bin'), results);
  }
  expect(Buffer.compare(elf, readFileSync(fixture(group, 'hsaco'))), 'code object').toBe(0);
  expect(Buffer.compare(results, readFileSync(fixture(group, 'bin'))), 'results').toBe(0);
}
