import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireTool, skipReason } from '@doorbell/test-support';
import { disassemble } from '../src/index.js';

const CLANG = 'clang-22';
const OBJDUMP = 'llvm-objdump-22';
const OBJCOPY = 'llvm-objcopy-22';

const SOURCE = `
typedef unsigned int u32; typedef unsigned long u64;
#define KERNEL __attribute__((amdgpu_kernel)) void
KERNEL scale(float *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] * 2.0f + (float)i; }
KERNEL divide(int *p, u32 *q, int n) { for (int i = 0; i < n; i++) { p[i] = p[i] / (int)(q[i] | 1); q[i] %= 1000003u; } }
KERNEL wide(u64 *p, double *d, long n) { for (long i = 0; i < n; i++) { p[i] = p[i] * 0x9e3779b97f4a7c15ul ^ p[i] >> 31; d[i] = d[i] * d[i] + 0.5; } }
KERNEL narrow(_Float16 *h, short *s, unsigned char *b, int n) { for (int i = 0; i < n; i++) { h[i] = h[i] * h[i] + (_Float16)s[i]; s[i] += b[i]; b[i] ^= (unsigned char)s[i]; } }
KERNEL atoms(u32 *p, u64 *q) { __atomic_fetch_add(p, 3, __ATOMIC_RELAXED); __atomic_fetch_xor(q, 5, __ATOMIC_SEQ_CST); }
__attribute__((noinline)) float helper(float a, float b) { return a > b ? a - b : b * a; }
KERNEL calls(float *p) { p[0] = helper(p[1], p[2]); }
`;

const missing = skipReason(CLANG, OBJDUMP, OBJCOPY);

it.skipIf(!requireTool(CLANG).available || missing !== '')(`prints what llvm-objdump prints of compiled C ${missing}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-isa-'));
  try {
    const run = (program: string, ...args: string[]): string => {
      const result = spawnSync(program, args, { encoding: 'utf8', cwd: folder });
      if (result.status !== 0) throw new Error(`${program}: ${result.stderr}`);
      return result.stdout;
    };
    writeFileSync(join(folder, 'code.c'), SOURCE);
    let compared = 0;
    for (const [level, feature] of [
      ['-O0', '-mno-wavefrontsize64'],
      ['-O2', '-mno-wavefrontsize64'],
      ['-O3', '-mwavefrontsize64'],
    ] as const) {
      run(
        CLANG,
        '-target',
        'amdgcn-amd-amdhsa',
        '-mcpu=gfx1100',
        '-nogpulib',
        level,
        feature,
        '-w',
        '-c',
        'code.c',
        '-o',
        'code.o',
      );
      run(OBJCOPY, '-O', 'binary', '-j', '.text', 'code.o', 'text.bin');
      // An unlinked object does not say its wave size.
      const attributes = feature === '-mwavefrontsize64' ? ['--mattr=+wavefrontsize64'] : [];
      const expected = run(OBJDUMP, '-d', '-j', '.text', ...attributes, 'code.o')
        .split('\n')
        .map((line) => /^\t(.*?)\s*\/\/ ([0-9A-F]+):((?: [0-9A-F]{8})+)/.exec(line))
        .filter((match) => match !== null)
        .map(([, text, address, words]) => `${address} ${text} //${words}`);
      const waveSize = feature === '-mwavefrontsize64' ? 64 : 32;
      const ours = [...disassemble(readFileSync(join(folder, 'text.bin')), { processor: 'gfx1100', waveSize })].map(
        ({ address, text, instruction, failure }) => {
          const words = (instruction ?? failure)?.words ?? [];
          return `${upperHex(address, 12)} ${text} // ${words.map((word) => upperHex(BigInt(word), 8)).join(' ')}`;
        },
      );
      expect(ours).toEqual(expected);
      compared += ours.length;
    }
    expect(compared).toBeGreaterThan(1000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function upperHex(value: bigint, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
