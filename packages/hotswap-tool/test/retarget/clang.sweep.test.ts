import { applyLoad, parseCodeObject, planLoad } from '@doorbell/code-object';
import { requireTool } from '@doorbell/test-support';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rewrite, verifyRewrite } from '../../src/index.js';
import { sectionBytes, unknownInstructions } from './llvm-checks.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCES = ['vadd', 'matmul', 'mandelbrot', 'pipeline', 'arguments', 'contention', 'wrong', 'faults'];
/** Has an instruction that no processor has. */
const ILLEGAL = 'wrong';
const LEVELS = ['-O0', '-O3'];
/** Members of the families that code moves within. */
const FAMILIES = [
  ['gfx1030', 'gfx1031', 'gfx1032', 'gfx1033', 'gfx1034', 'gfx1035', 'gfx1036', 'gfx10-3-generic'],
  ['gfx1100', 'gfx1101', 'gfx1102', 'gfx1103', 'gfx1150', 'gfx1151', 'gfx1152', 'gfx1153', 'gfx11-generic'],
  ['gfx1200', 'gfx1201', 'gfx12-generic'],
];

function compile(folder: string, source: string, level: string, target: string): Uint8Array {
  const out = join(folder, `${source}${level}.${target}.hsaco`);
  const language = ['-x', 'cl', '-cl-std=CL2.0', '-Xclang', '-finclude-default-header', '-w', level];
  const args = [...language, '-target', 'amdgcn-amd-amdhsa', `-mcpu=${target}`, '-nogpulib', `tools/kernels/src/${source}.cl`];
  const run = spawnSync('clang-22', [...args, '-o', out], { cwd: ROOT, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return new Uint8Array(readFileSync(out));
}

function run(program: string, ...args: readonly string[]): { readonly stdout: string; readonly stderr: string } {
  const { stdout, stderr, status, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error !== undefined || status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
  return { stdout, stderr };
}

const hasTools = ['clang-22', 'llvm-readelf-22', 'llvm-objdump-22', 'llvm-mc-22'].every((tool) => requireTool(tool).available);

describe.skipIf(!hasTools)('kernels as clang 22 compiles them', () => {
  it.each(FAMILIES)('of $0 and its relatives', { timeout: 3_600_000 }, (...family) => {
    const folder = mkdtempSync(join(tmpdir(), 'doorbell-retarget-'));
    const counts = { pairs: 0, identical: 0, sameCode: 0, otherCode: 0, refused: 0 };
    const checked = new Set<string>();
    try {
      for (const source of SOURCES) {
        for (const level of LEVELS) {
          const objects = new Map(family.map((target) => [target, compile(folder, source, level, target)]));
          for (const [from, original] of objects) {
            for (const [to, wanted] of objects) {
              if (from === to) continue;
              counts.pairs++;
              const result = rewrite(original, { target: to });
              const isSameCode = ['.text', '.rodata'].every(
                (name) => sectionBytes(original, name) === sectionBytes(wanted, name),
              );
              if (result.status !== 'rewritten') {
                counts.refused++;
                // Code that clang makes alike for both may not be refused, unless it is illegal on purpose.
                expect(isSameCode && source !== ILLEGAL ? `${source} ${level} ${from} → ${to}` : '').toBe('');
                continue;
              }
              const { bytes } = result;
              expect(verifyRewrite(original, bytes).problems).toEqual([]);
              const plan = planLoad(parseCodeObject(bytes));
              applyLoad(plan, new Uint8Array(plan.imageBytes), 0x4200_0000n);
              if (!isSameCode) counts.otherCode++;
              else if (Buffer.from(bytes).equals(Buffer.from(wanted))) counts.identical++;
              else {
                counts.sameCode++;
                // The note moves where the name has another length.
                expect(from.length).not.toBe(to.length);
              }
              // The same code for the same target need not be looked at again, nor a file that clang made.
              const key = `${sectionBytes(bytes, '.text')} ${to} ${bytes.length}`;
              if (checked.has(key)) continue;
              checked.add(key);
              const file = join(folder, 'rewritten.hsaco');
              writeFileSync(file, bytes);
              expect(run('llvm-readelf-22', '--all', file).stderr).toBe('');
              expect(unknownInstructions(file, to)).toBe('');
            }
          }
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    console.log(family.join(' '), JSON.stringify(counts));
    expect(counts.identical + counts.sameCode + counts.otherCode).toBeGreaterThan(0);
  });
});
