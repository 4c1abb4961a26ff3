/**
 * The first kernel of a thread: how long from when it is first asked for to its first workgroup, in baseline code, and to optimised code
 * from the compile worker, which starts when it is asked: `npx vitest bench --run bench/cold.bench.ts` in this package. The threads run a
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
          const reports: ThreadReport[] = [];
          const answers: Times[] = [];
          for (let number = 0; number < THREADS; number++) {
            const objects = Array.from({ length: KERNELS }, (_, index) => variedKernels(object, index + 1));
            const report = await run(thread, { kernel, objects, codeStore: new SharedArrayBuffer(CODE_STORE_BYTES) });
            reports.push(report.compute);
            answers.push(report.answer);
          }
          print(kernel, reports, answers);
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

/** Runs a compute thread, and a compile thread once it is asked for; what the one reports, and the other of its first answer. */
async function run(
  thread: string,
  job: Omit<ThreadJob, 'role' | 'startedMs'>,
): Promise<{ readonly compute: ThreadReport; readonly answer: Times }> {
  const start = (role: ThreadJob['role']): Worker => {
    const workerData: ThreadJob = { ...job, role, startedMs: performance.timeOrigin + performance.now() };
    return new Worker(thread, { workerData, execArgv: [] });
  };
  const worker = start('compute');
  let compiler: Worker | undefined;
  let answer: Times = {};
  try {
    const compute = await new Promise<ThreadReport>((resolve, reject) => {
      worker.on('error', reject);
      worker.on('message', (message: ThreadReport | 'asked') => {
        if (message !== 'asked') {
          resolve(message);
          return;
        }
        if (compiler !== undefined) return;
        compiler = start('compiler');
        compiler.once('message', (times: Times) => (answer = times));
        compiler.on('error', reject);
      });
    });
    return { compute, answer };
  } finally {
    await compiler?.terminate();
  }
}

function print(what: string, reports: readonly ThreadReport[], answers: readonly Times[]): void {
  const row = (name: string): string => {
    const cold = reports.map(({ rounds }) => rounds[0]?.[name] ?? 0);
    const warm = reports.map(({ rounds }) => rounds.at(-1)?.[name] ?? 0);
    return `  ${name.padEnd(10)} first ${figures(cold)}   ${KERNELS}th ${figures(warm)}`;
  };
  const lines = Object.keys(reports[0]?.rounds[0] ?? {}).map(row);
  const compiler = Object.keys(answers[0] ?? {}).map((name) => `${name} ${figures(answers.map((times) => times[name] ?? 0))}`);
  console.log(
    `${what}: thread ${figures(reports.map(({ threadMs }) => threadMs))} (ms: best, median)\n${lines.join('\n')}\n` +
      `  the compile worker's first answer: ${compiler.join(', ')}`,
  );
}

function figures(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  return [sorted[0] ?? 0, sorted[sorted.length >> 1] ?? 0].map((ms) => ms.toFixed(1).padStart(6)).join(' ');
}
