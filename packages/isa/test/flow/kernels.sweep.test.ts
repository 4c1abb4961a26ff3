/** Control flow and liveness of compiled kernels: what is live when a kernel starts must be what its descriptor has the hardware set. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireTool } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import type { ControlFlow, RegisterSet } from '../../src/index.js';
import { controlFlow, factsOf, liveness } from '../../src/index.js';

const CLANG = 'clang-22';
const READELF = 'llvm-readelf-22';
const TARGETS = [
  'gfx900',
  'gfx906',
  'gfx908',
  'gfx90a',
  'gfx942',
  'gfx950',
  'gfx1010',
  'gfx1030',
  'gfx1100',
  'gfx1150',
  'gfx1201',
  'gfx1250',
];

const SOURCE = `
typedef unsigned int u32; typedef unsigned long u64;
#define KERNEL __attribute__((amdgpu_kernel)) void
#define ID __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define LDS __attribute__((address_space(3)))
__attribute__((noinline)) float leaf(float a, float b) { return a > b ? a - b : b * a; }
__attribute__((noinline)) float middle(float a, float b, int n) { float s = 0; for (int i = 0; i < n; i++) { s += leaf(a, s); if (s > 100.0f) s = leaf(b, s) - a; } return s; }
__attribute__((noinline)) int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
KERNEL add(float *a, float *b, float *c) { u32 i = GROUP * 256 + ID; c[i] = a[i] + b[i]; }
KERNEL loop(float *p, int n) { float x = p[ID]; for (int i = 0; i < n; i++) x = __builtin_fmaf(x, x, 1.0f); p[ID] = x; }
KERNEL nested(float *p, u32 *q, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { if (q[j] & ID) p[i] += p[j]; else q[i]++; } }
KERNEL divide(int *p, u32 *q, int n) { for (int i = ID; i < n; i += 64) { p[i] = p[i] / (int)(q[i] | 1); q[i] %= 1000003u; } }
KERNEL lds(u32 *p) { static LDS __attribute__((loader_uninitialized)) u32 tile[256]; tile[ID] = p[ID]; __builtin_amdgcn_s_barrier(); p[ID] = tile[255 - ID] + GROUP; }
KERNEL atomics(u32 *p, u64 *q) { __atomic_fetch_add(p + ID, 3, __ATOMIC_RELAXED); __atomic_fetch_xor(q + GROUP, 5, __ATOMIC_SEQ_CST); }
KERNEL halves(_Float16 *h, short *s) { h[ID] = h[ID] * h[ID] + (_Float16)s[ID]; s[ID] ^= 3; }
KERNEL calls(float *p, int n) { p[ID] = middle(p[1], p[2], n); }
KERNEL recursion(int *p, int n) { p[0] = factorial(n) + (int)leaf(p[1], p[2]); }
`;

const CALLING = new Set(['calls', 'recursion']);

interface Section {
  readonly name: string;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
}

interface CompiledFile {
  readonly file: Uint8Array;
  readonly section: (name: string) => Section;
  /** Address by name. */
  readonly symbols: ReadonlyMap<string, number>;
}

/** The parts of an ELF file that the test needs, as llvm-readelf lists them. */
function readFile(path: string): CompiledFile {
  const run = spawnSync(READELF, ['-S', '-s', '-W', path], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  const sections = new Map<string, Section>();
  for (const match of run.stdout.matchAll(/\] (\.\S+) +\S+ +([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) /g)) {
    const [address = 0, offset = 0, size = 0] = match.slice(2, 5).map((text) => parseInt(text, 16));
    sections.set(match[1]!, { name: match[1]!, address, offset, size });
  }
  const symbols = new Map<string, number>();
  for (const match of run.stdout.matchAll(/: ([0-9a-f]+) +\d+ \S+ +\S+ +\S+ +\d+ (\S+)$/gm)) {
    symbols.set(match[2]!, parseInt(match[1]!, 16));
  }
  const section = (name: string): Section => {
    const found = sections.get(name);
    if (found === undefined) throw new Error(`${path} has no ${name}`);
    return found;
  };
  return { file: readFileSync(path), section, symbols };
}

/** User and system SGPRs that a kernel descriptor has set at the start (LLVM AMDGPUUsage, "Kernel Descriptor", COMPUTE_PGM_RSRC2). */
function initialSgprs(file: CompiledFile, kernel: string): number {
  const { address, offset } = file.section('.rodata');
  const view = new DataView(file.file.buffer, file.file.byteOffset);
  const rsrc2 = view.getUint32(offset + file.symbols.get(`${kernel}.kd`)! - address + 52, true);
  const user = (rsrc2 >>> 1) & 0x1f;
  // Workgroup ids, workgroup info, and the scratch offset: kernels that only call functions add it although the bit is not set.
  return user + [7, 8, 9, 10].reduce((sum, bit) => sum + ((rsrc2 >>> bit) & 1), 1);
}

/**
 * VGPRs of which only a part is written first: the compiler spills SGPRs to lanes, and puts values together from two halves. What is
 * left of the register before that nobody reads, but the graph cannot tell.
 */
function partlyWritten(flow: ControlFlow): ReadonlySet<number> {
  const registers = new Set<number>();
  for (const { instructions } of flow.blocks) {
    for (const { instruction } of instructions) {
      for (const { file, first, keeps } of factsOf(instruction).writes) {
        if (file === 'vgpr' && keeps.some((what) => what === 'other-lanes' || what === 'other-half')) registers.add(first);
      }
    }
  }
  return registers;
}

/** Functions save what they must preserve, and -O0 what only one side of a branch has set: from s30 on and in AGPRs. */
function unexpected(live: RegisterSet, sgprs: number, parts: ReadonlySet<number>, isLoose: boolean): string[] {
  return live.ranges().flatMap(({ file, first, count }) => {
    const numbers = Array.from({ length: count }, (_, n) => first + n);
    const isSet = (number: number): boolean => {
      switch (file) {
        case 'sgpr':
          return number < sgprs || (isLoose && number >= 30);
        case 'agpr':
          return isLoose;
        case 'vgpr':
          return number < 3 || parts.has(number);
        case 'exec':
        case 'mode':
        case 'flat_scratch':
        case 'ttmp':
          return true;
        default:
          return false;
      }
    };
    return numbers.filter((number) => !isSet(number)).map((number) => `${file}${number}`);
  });
}

const isAvailable = [CLANG, READELF].every((tool) => requireTool(tool).available);

describe.skipIf(!isAvailable)('compiled kernels', () => {
  describe.each(TARGETS)('%s', (target) => {
    it.each(['-O0', '-O1', '-O3'])('are known in full at %s', { timeout: 120_000 }, (level) => {
      const folder = mkdtempSync(join(tmpdir(), 'doorbell-flow-'));
      try {
        writeFileSync(join(folder, 'code.c'), SOURCE);
        const args = ['-target', 'amdgcn-amd-amdhsa', `-mcpu=${target}`, '-nogpulib', level, '-w', 'code.c', '-o', 'code.hsaco'];
        const compiled = spawnSync(CLANG, args, { cwd: folder, encoding: 'utf8' });
        if (compiled.status !== 0) throw new Error(compiled.stderr);
        const file = readFile(join(folder, 'code.hsaco'));
        const text = file.section('.text');
        const kernels = [...file.symbols.keys()].filter((name) => file.symbols.has(`${name}.kd`));
        expect(kernels).toHaveLength(9);
        const flow = controlFlow(file.file.subarray(text.offset, text.offset + text.size), {
          processor: target,
          entries: kernels.map((name) => file.symbols.get(name)! - text.address),
          baseAddress: BigInt(text.address),
        });
        expect(flow.unknownTransfers).toEqual([]);
        expect(flow.blocks.filter(({ exit }) => exit.kind === 'illegal' || exit.kind === 'outside')).toEqual([]);
        const entries = flow.functions.map(({ entry }) => entry + text.address);
        const byAddress = new Map([...file.symbols].map(([name, address]) => [address, name]));
        expect(entries.map((address) => byAddress.get(address)).filter((name) => name === undefined)).toEqual([]);
        const live = liveness(flow);
        const parts = partlyWritten(flow);
        const problems = kernels.flatMap((name, index) => {
          const block = flow.blockAt(flow.functions[index]!.entry)!;
          const found = unexpected(
            live.liveIn(block.index),
            initialSgprs(file, name),
            parts,
            CALLING.has(name) || level === '-O0',
          );
          return found.length > 0 ? [`${name}: ${found.join(' ')}`] : [];
        });
        expect(problems).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});
