// The benchmark kernels in C and in OpenCL on this machine: best milliseconds by kernel, or why there are none.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

const WIDTHS = [16, 32, 64];

/** `{ times }` of C on one thread, each kernel with the strip width that suits it best; or `{ reason }`. */
export function measureNative() {
  return measure('native.c', WIDTHS, (width) => ['-O3', '-march=native', `-DW=${width}`, '-lpthread']);
}

/** `{ times }` of pocl on one thread; or `{ reason }`. */
export function measureOpenCl() {
  return measure('opencl.c', [0], () => ['-O2', '-lOpenCL'], [join(ROOT, 'bench/kernels/kernels.cl')]);
}

function measure(source, variants, flagsOf, args = []) {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-bench-'));
  const times = {};
  try {
    for (const variant of variants) {
      const program = join(folder, `program-${variant}`);
      const cc = spawnSync('clang-22', [join(ROOT, 'bench/native', source), '-w', '-o', program, ...flagsOf(variant)], {
        encoding: 'utf8',
      });
      if (cc.error) return { reason: 'clang-22 is not installed' };
      if (cc.status !== 0) return { reason: `${source} does not compile here: ${firstLine(cc.stderr)}` };
      const run = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, POCL_MAX_PTHREAD_COUNT: '1' } });
      if (run.status !== 0) return { reason: `${source} does not run here: ${firstLine(run.stderr)}` };
      for (const [, name, ms] of run.stdout.matchAll(/^(\w+) .*t1=([\d.]+) ms/gm)) {
        times[name] = Math.min(times[name] ?? Infinity, Number(ms));
      }
    }
    return { times };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function firstLine(text) {
  return text.split('\n').find((line) => line.trim() !== '') ?? 'no message';
}
