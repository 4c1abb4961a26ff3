// Compiles a random program for the host and for a GPU target, and runs the host's.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeInputs } from './random.mjs';
import { writeProgram } from './program.mjs';

const COMMON = ['-w', '-fwrapv', '-ffp-contract=off', '-fno-math-errno', '-fno-strict-aliasing'];
const HOST = ['-x', 'c', '-std=gnu11', '-O1', '-msse4.1', '-fexcess-precision=16', ...COMMON];
const GPU = ['-x', 'c', '-std=gnu11', ...COMMON, '-target', 'amdgcn-amd-amdhsa', '-nogpulib', '-nostdinc'];

/** What a program prints, given `input`; an error with the first of its messages where it fails. */
function mustRun(program, args, { cwd, input }) {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd, encoding: 'buffer', maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} ${args.join(' ')}\n${String(stderr).slice(0, 2000)}`, { cause: error }));
    });
    // A program that ends early closes its end: its exit status says more than that.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

async function inFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), 'doorbell-cgen-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Seed, number of functions and cases → what gcc's code for the host gives: for each function WORDS_OUT words a case. */
export function makeHostResults({ seed, functions, cases, size }) {
  return inFolder(async (cwd) => {
    await writeFile(join(cwd, 'p.c'), writeProgram(seed, functions, size));
    const inputs = makeInputs(seed, cases);
    await mustRun('gcc', [...HOST, 'p.c', '-o', 'host'], { cwd });
    const expected = await mustRun(join(cwd, 'host'), [String(cases)], { cwd, input: Buffer.from(inputs.buffer) });
    return { inputs, expected: new Uint32Array(new Uint8Array(expected).buffer) };
  });
}

/** The code object of the same functions for `target` at `level`. */
export function makeCodeObject({ seed, functions, size, target, level }) {
  return inFolder(async (cwd) => {
    await writeFile(join(cwd, 'p.c'), writeProgram(seed, functions, size));
    await mustRun('clang-22', [...GPU, level, `-mcpu=${target}`, 'p.c', '-o', 'gpu.hsaco'], { cwd });
    return new Uint8Array(await readFile(join(cwd, 'gpu.hsaco')));
  });
}
