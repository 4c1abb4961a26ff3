/**
 * The first kernel of a thread: how long from when it is first asked for to its first workgroup, in baseline code, and how long the
 * compile worker takes from its start to optimised code: `npx vitest bench --run bench/cold.bench.ts` in this package. The threads run a
 * bundle as the device's are, where nothing has run before. Times are of the wall; best and median of several threads.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'tsup';
import { bench, describe } from 'vitest';
import { CODE_STORE_BYTES } from '../src/memory-map.js';
import { buildKernels, COMPILE_KERNELS, variedKernels } from './compile-kernels.js';
import type { ThreadJob, ThreadReport, Times } from './cold-thread.js';

/** Threads of each kind, and kernels in each thread: the first is cold, the last ones are warm. */
const THREADS = 7;
const KERNELS = 30;

describe('cold compile time', () => {
  const object = buildKernels();
  for (const kernel of COMPILE_KERNELS) {
    bench(
      kernel,
      async () => {
        const folder = mkdtempSync(join(tmpdir(), 'doorbell-cold-'));
        try {
          const thread = await bundle(folder);
          const reports: Record<ThreadJob['role'], ThreadReport[]> = { compute: [], compiler: [] };
          for (let number = 0; number < THREADS; number++) {
            const objects = Array.from({ length: KERNELS }, (_, index) => variedKernels(object, index + 1));
            const job = { kernel, objects, codeStore: new SharedArrayBuffer(CODE_STORE_BYTES) };
            for (const role of ['compute', 'compiler'] as const)
              reports[role].push(await run(thread, { ...job, role, startedMs: 0 }));
          }
          for (const role of ['compute', 'compiler'] as const) print(`${kernel}, ${role}`, reports[role]);
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
      { time: 0, iterations: 1, warmupTime: 0, warmupIterations: 0 },
    );
  }
});

/** Bundles the thread as the device's workers are bundled (tsup.config.ts). */
async function bundle(folder: string): Promise<string> {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await build({
    config: false,
    silent: true,
    entry: { thread: fileURLToPath(new URL('cold-thread.ts', import.meta.url)) },
    outDir: folder,
    clean: false,
    format: ['esm'],
    target: 'node20',
    noExternal: [/^@doorbell\//],
    esbuildOptions: (options) => {
      options.conditions = ['@doorbell/source'];
    },
  });
  return join(folder, 'thread.js');
}

async function run(thread: string, job: ThreadJob): Promise<ThreadReport> {
  const workerData: ThreadJob = { ...job, startedMs: performance.timeOrigin + performance.now() };
  const worker = new Worker(thread, { workerData, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function print(what: string, reports: readonly ThreadReport[]): void {
  const row = (name: string, of: (times: Times) => number | undefined): string => {
    const cold = reports.map(({ rounds }) => of(rounds[0] ?? {}) ?? 0);
    const warm = reports.map(({ rounds }) => of(rounds.at(-1) ?? {}) ?? 0);
    return `  ${name.padEnd(10)} first ${figures(cold)}   ${KERNELS}th ${figures(warm)}`;
  };
  const lines = Object.keys(reports[0]?.rounds[0] ?? {}).map((name) => row(name, (times) => times[name]));
  console.log(`${what}: thread ${figures(reports.map(({ threadMs }) => threadMs))} (ms: best, median)\n${lines.join('\n')}`);
}

function figures(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  return [sorted[0] ?? 0, sorted[sorted.length >> 1] ?? 0].map((ms) => ms.toFixed(1).padStart(6)).join(' ');
}
