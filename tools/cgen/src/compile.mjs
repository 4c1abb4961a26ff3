// Compiles a random program for the host and for a GPU target, and runs the host's.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeInputs } from './random.mjs';
import { writeProgram } from './program.mjs';

const COMMON = ['-w', '-fwrapv', '-ffp-contract=off', '-fno-math-errno', '-fno-strict-aliasing'];

function mustRun(program, args, options = {}) {
  const run = spawnSync(program, args, { maxBuffer: 1 << 28, ...options });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`${program} ${args.join(' ')}\n${String(run.stderr).slice(0, 2000)}`);
  return run.stdout;
}

/**
 * Seed, number of functions and cases → the code object for `target` at `level`, and what gcc's code for the host gives for the same
 * inputs: for each function WORDS_OUT words a case.
 */
export function makeDifferential({ seed, functions, cases, target, level, size }) {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-cgen-'));
  try {
    writeFileSync(join(folder, 'p.c'), writeProgram(seed, functions, size));
    const inputs = makeInputs(seed, cases);
    mustRun('gcc', ['-x', 'c', '-std=gnu11', '-O1', '-msse4.1', '-fexcess-precision=16', ...COMMON, 'p.c', '-o', 'host'], {
      cwd: folder,
    });
    const expected = mustRun(join(folder, 'host'), [String(cases)], { input: Buffer.from(inputs.buffer) });
    const gpu = [
      '-x',
      'c',
      '-std=gnu11',
      level,
      ...COMMON,
      '-target',
      'amdgcn-amd-amdhsa',
      `-mcpu=${target}`,
      '-nogpulib',
      '-nostdinc',
    ];
    mustRun('clang-22', [...gpu, 'p.c', '-o', 'gpu.hsaco'], { cwd: folder });
    return {
      codeObject: new Uint8Array(readFileSync(join(folder, 'gpu.hsaco'))),
      inputs,
      expected: new Uint32Array(new Uint8Array(expected).buffer),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
