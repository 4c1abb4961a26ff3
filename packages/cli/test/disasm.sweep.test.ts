import { requireTool } from '@doorbell/test-support';
import { codeObject, isa } from '@doorbell/runtime/layers';
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

/** Whether Debian's ROCm libraries are here; in CI they must be. */
function hasLibraries(): boolean {
  const missing = LIBRARY_FILES.filter(({ path }) => !existsSync(path)).map(({ path }) => path);
  if (missing.length > 0 && process.env['DOORBELL_CI'] === '1') throw new Error(`missing: ${missing.join(', ')}`);
  return missing.length === 0;
}

/** Instructions of one code object of a library that are assembled again: its first ones. */
const ASSEMBLED = 10_000;

interface RoundTrip {
  instructions: number;
  /** v_cmpx whose result field is not what llvm-mc 22 writes: older compilers left 0 in it, hardware ignores it, text has no place for it. */
  ignoredFields: number;
  readonly differences: string[];
}

/** Text of each instruction back to bytes. */
function assembleAgain(bytes: Uint8Array, limit = Infinity): RoundTrip {
  const code = codeObject.parseCodeObject(bytes);
  const result: RoundTrip = { instructions: 0, ignoredFields: 0, differences: [] };
  for (const section of listSections(code)) {
    for (const { lines, waveSize } of section.blocks) {
      const assembler = isa.createAssembler(code.target.processor, { waveSize });
      for (const line of lines) {
        // Data, and runs of zeros, which have no text.
        if (line.text === '' || line.text.startsWith('.')) continue;
        if (result.instructions >= limit) return result;
        result.instructions++;
        const assembled = assembler.assemble(line.text);
        const again = assembled.ok ? Buffer.from(Uint32Array.from(assembled.words).buffer) : Buffer.alloc(0);
        if (again.equals(line.bytes)) continue;
        if (line.text.startsWith('v_cmpx_') && again.subarray(1).equals(line.bytes.subarray(1))) result.ignoredFields++;
        else if (result.differences.length < MAX_SHOWN) {
          const got = assembled.ok ? again.toString('hex') : `${assembled.column}: ${assembled.message}`;
          result.differences.push(`${line.text}: ${Buffer.from(line.bytes).toString('hex')}, again ${got}`);
        }
      }
    }
  }
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
      const again = assembleAgain(new Uint8Array(readFileSync(path)));
      console.log(`${target} ${level}: ${instructions} instructions, ${again.instructions} assembled again`);
      expect(instructions).toBeGreaterThan(500);
      expect(differences).toEqual([]);
      expect(again.differences).toEqual([]);
      expect(again.instructions).toBeGreaterThan(500);
    }
  });

  it.skipIf(!hasLibraries())('prints the code objects of rocRAND and rocSPARSE as llvm-objdump does', async () => {
    const counts = new Map<string, number>();
    const differences: unknown[] = [];
    const again = { instructions: 0, ignoredFields: 0 };
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
            const trip = assembleAgain(bytes, ASSEMBLED);
            again.instructions += trip.instructions;
            again.ignoredFields += trip.ignoredFields;
            differences.push(
              ...trip.differences.map((difference) => `${target.processor}: ${difference}`),
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
    console.log(`${again.instructions} assembled again, but for the ignored field of ${again.ignoredFields} v_cmpx`);
    expect([...counts.keys()].sort()).toEqual(['gfx1030', 'gfx900', 'gfx906', 'gfx908', 'gfx90a']);
    expect(differences).toEqual([]);
  });
});
