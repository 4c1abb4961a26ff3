import { requireTool } from '@doorbell/test-support';
import { codeObject, isa } from '@doorbell/runtime';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { formatObjdump, listSections } from '../src/disassembly.js';

const OBJDUMP = 'llvm-objdump-22';
const CLANG = 'clang-22';
const LIBRARIES = '/usr/lib/x86_64-linux-gnu';
/** Debian's librocrand1 and librocsparse0. Of the second, which is 1.3 GB, a fixed sample: `DOORBELL_SWEEP_ALL=1` takes all of it. */
const LIBRARY_FILES = [
  { path: `${LIBRARIES}/librocrand.so.1`, every: 1 },
  { path: `${LIBRARIES}/librocsparse.so.0`, every: process.env['DOORBELL_SWEEP_ALL'] === '1' ? 1 : 12 },
];
const KERNELS = fileURLToPath(new URL('../../../bench/kernels/kernels.cl', import.meta.url));
const TARGETS = ['gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'];
const BUNDLE_MAGIC = '__CLANG_OFFLOAD_BUNDLE__';
/** Differences shown of one file. */
const MAX_SHOWN = 20;

const folder = mkdtempSync(join(tmpdir(), 'doorbell-disasm-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Comparison {
  instructions: number;
  /** Pairs of lines that differ. */
  readonly differences: { readonly expected: string; readonly printed: string }[];
}

/** Compares our text of a code object with llvm-objdump's, line by line, while both are made. */
async function compare(bytes: Uint8Array): Promise<Comparison> {
  const path = join(folder, 'code.hsaco');
  writeFileSync(path, bytes);
  const result: Comparison = { instructions: 0, differences: [] };
  const ours = linesOf(bytes, path, result);
  const child = spawn(OBJDUMP, ['-d', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8');
  let rest = '';
  const check = (expected: string): void => {
    const next = ours.next();
    const printed = next.done === true ? '(end)' : next.value;
    if (printed !== expected && result.differences.length < MAX_SHOWN) result.differences.push({ expected, printed });
  };
  for await (const chunk of child.stdout) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) check(line);
  }
  for (const printed of ours) if (result.differences.length < MAX_SHOWN) result.differences.push({ expected: '(end)', printed });
  return result;
}

function* linesOf(bytes: Uint8Array, path: string, result: Comparison): Generator<string, void, undefined> {
  for (const text of formatObjdump(path, listSections(codeObject.parseCodeObject(bytes)))) {
    const lines = text.split('\n');
    lines.pop();
    for (const line of lines) {
      if (line.startsWith('\t')) result.instructions++;
      yield line;
    }
  }
}

/** Offsets of the bundles in a file. */
function findBundles(file: number): number[] {
  const step = 1 << 24;
  const chunk = Buffer.alloc(step + BUNDLE_MAGIC.length);
  const offsets: number[] = [];
  const { size } = fstatSync(file);
  for (let base = 0; base < size; base += step) {
    const part = chunk.subarray(0, readSync(file, chunk, 0, chunk.length, base));
    for (let at = part.indexOf(BUNDLE_MAGIC); at >= 0 && at < step; at = part.indexOf(BUNDLE_MAGIC, at + 1))
      offsets.push(base + at);
  }
  return [...offsets, size];
}

describe.skipIf(!requireTool(OBJDUMP).available)('doorbell disasm --objdump', () => {
  it.skipIf(!requireTool(CLANG).available).each(TARGETS)('prints the kernels of %s as llvm-objdump does', async (target) => {
    for (const level of ['-O0', '-O3']) {
      const path = join(folder, 'kernels.hsaco');
      const language = ['-x', 'cl', '-cl-std=CL2.0', '-Xclang', '-finclude-default-header', '-w'];
      const machine = ['-target', 'amdgcn-amd-amdhsa', `-mcpu=${target}`, '-nogpulib'];
      execFileSync(CLANG, [...language, level, ...machine, KERNELS, '-o', path]);
      const { instructions, differences } = await compare(new Uint8Array(readFileSync(path)));
      console.log(`${target} ${level}: ${instructions} instructions`);
      expect(instructions).toBeGreaterThan(500);
      expect(differences).toEqual([]);
    }
  });

  it.skipIf(!LIBRARY_FILES.every(({ path }) => existsSync(path)))(
    'prints the code objects of rocRAND and rocSPARSE as llvm-objdump does',
    async () => {
      const counts = new Map<string, number>();
      const differences: unknown[] = [];
      for (const { path, every } of LIBRARY_FILES) {
        const file = openSync(path, 'r');
        try {
          const offsets = findBundles(file);
          for (let i = 0; i + 1 < offsets.length; i += every) {
            const bundle = new Uint8Array(offsets[i + 1]! - offsets[i]!);
            readSync(file, bundle, 0, bundle.length, offsets[i]!);
            for (const { target, bytes } of codeObject.parseOffloadBundle(bundle).entries) {
              if (target === undefined || bytes.length === 0 || !isa.hasTable(target.processor)) continue;
              const result = await compare(bytes);
              counts.set(target.processor, (counts.get(target.processor) ?? 0) + result.instructions);
              differences.push(
                ...result.differences.map((difference) => ({ file: path, bundle: i, target: target.processor, ...difference })),
              );
            }
          }
        } finally {
          closeSync(file);
        }
      }
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      console.log(`${total} instructions: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`);
      expect([...counts.keys()].sort()).toEqual(['gfx1030', 'gfx900', 'gfx906', 'gfx908', 'gfx90a']);
      expect(differences).toEqual([]);
    },
  );
});
