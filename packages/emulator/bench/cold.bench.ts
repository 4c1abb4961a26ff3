/**
 * The first kernel of a thread: how long from when it is first asked for to its first workgroup, in baseline code, and to optimised code
 * that the thread makes itself: `npx vitest bench --run bench/cold.bench.ts` in this package. The threads run a script that V8 compiled
 * before, as the device's are, in which nothing has run, or which had the time to rehearse, as while a program opens its device, or to warm up too.
 * Times are of the wall; best and median of several threads, beside a process that does nothing: how fast the machine is now.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build, type Options } from 'tsup';
import { bench, describe } from 'vitest';
import { CODE_STORE_BYTES } from '../src/memory-map.js';
import { buildKernels, COMPILE_KERNELS, variedKernels } from './compile-kernels.js';
import type { ThreadJob, ThreadReport } from './cold-thread.js';

/** Threads of each kind, and kernels in each thread: the first is cold, the last ones are warm. */
const THREADS = 5;
const KERNELS = 20;

describe('cold compile time', () => {
  const object = buildKernels();
  for (const kernel of COMPILE_KERNELS) {
    bench(
      kernel,
      async () => {
        const folder = mkdtempSync(join(tmpdir(), 'doorbell-cold-'));
        try {
          const thread = await bundle(folder);
          const objects = Array.from({ length: KERNELS }, (_, index) => variedKernels(object, index + 1));
          console.log(`node -e 0: ${figures(Array.from({ length: THREADS }, emptyProcessMs))} (ms: best, median)`);
          for (const before of ['nothing', 'rehearsal', 'warm-up'] as const) {
            const reports: ThreadReport[] = [];
            for (let number = 0; number < THREADS; number++) {
              const job = { kernel, before, objects, codeStore: new SharedArrayBuffer(CODE_STORE_BYTES) };
              reports.push(await run(thread, job));
            }
            print(`${kernel}, before: ${before}`, reports);
          }
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
      { time: 0, iterations: 1, warmupTime: 0, warmupIterations: 0 },
    );
  }
});

/** Bundles the thread as the device's workers are bundled, and has V8 compile it before (tsup.config.ts). */
async function bundle(folder: string): Promise<string> {
  const script = (name: string, source: string, options: Options = {}): Promise<void> =>
    build({
      config: false,
      silent: true,
      entry: { [name]: fileURLToPath(new URL(source, import.meta.url)) },
      outDir: folder,
      clean: false,
      format: ['cjs'],
      target: 'node20',
      minify: true,
      noExternal: [/^@doorbell\//],
      outExtension: () => ({ js: '.cjs' }),
      ...options,
      esbuildOptions: (options) => {
        options.conditions = ['@doorbell/source'];
        options.charset = 'ascii';
      },
    });
  await script('worker', 'cold-worker.ts');
  await script('device', 'cold-thread.ts', {
    banner: { js: '(function(exports,require,module,__filename,__dirname){' },
    footer: { js: '})' },
  });
  execFileSync(process.execPath, [fileURLToPath(new URL('../make-code-cache.mjs', import.meta.url)), folder]);
  return join(folder, 'worker.cjs');
}

async function run(thread: string, job: Omit<ThreadJob, 'startedMs'>): Promise<ThreadReport> {
  const workerData: ThreadJob = { ...job, startedMs: performance.timeOrigin + performance.now() };
  const worker = new Worker(thread, { workerData, execArgv: [] });
  return await new Promise<ThreadReport>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('message', resolve);
  });
}

function emptyProcessMs(): number {
  const begun = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - begun;
}

function print(what: string, reports: readonly ThreadReport[]): void {
  const row = (name: string): string => {
    const cold = reports.map(({ rounds }) => rounds[0]?.[name] ?? 0);
    const warm = reports.map(({ rounds }) => rounds.at(-1)?.[name] ?? 0);
    return `  ${name.padEnd(14)} first ${figures(cold)}   ${KERNELS}th ${figures(warm)}`;
  };
  const lines = Object.keys(reports[0]?.rounds[0] ?? {}).map(row);
  console.log(`${what}: thread ${figures(reports.map(({ threadMs }) => threadMs))} (ms: best, median)\n${lines.join('\n')}`);
}

function figures(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  return [sorted[0] ?? 0, sorted[sorted.length >> 1] ?? 0].map((ms) => ms.toFixed(1).padStart(6)).join(' ');
}
