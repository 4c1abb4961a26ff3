/**
 * How long a kernel of about 1,000 instructions takes from when it is first asked for to its first workgroup, in baseline code, and the
 * compile worker to optimised code: `npx vitest bench --run bench/compile.bench.ts` in this package. The first round runs a compiler that
 * has not run before in its thread; later rounds have new machine code each. Times are of the processor, not of the wall.
 */
import { bench, describe } from 'vitest';
import { CodeStore, WishCompiler, createExecutor } from '../src/execute/index.js';
import { CODE_STORE_BYTES } from '../src/memory-map.js';
import { loadKernel } from './compile-dispatch.js';
import { buildKernels, COMPILE_KERNELS, variedKernels } from './compile-kernels.js';

const ROUNDS = 12;

describe('compile time', () => {
  const object = buildKernels();
  for (const name of COMPILE_KERNELS) {
    const starts: number[] = [];
    const optimised: number[] = [];
    bench(
      name,
      () => {
        const { start, optimise } = round(object, name, starts.length);
        starts.push(start);
        optimised.push(optimise);
      },
      {
        time: 0,
        iterations: ROUNDS,
        warmupTime: 0,
        warmupIterations: 0,
        teardown: () => {
          console.log(`${name}: ${figures('start', starts)}; ${figures('optimised code', optimised)} (ms of the processor)`);
        },
      },
    );
  }
});

function round(object: Uint8Array, name: string, number: number): { start: number; optimise: number } {
  const { machine, dispatch } = loadKernel(variedKernels(object, number + 1), name);
  const codeStore = new SharedArrayBuffer(CODE_STORE_BYTES);
  const executor = createExecutor(machine.memory, { codeStore, patience: { ranMs: 0, yields: 20 } });
  const begun = processorMs();
  const kernel = executor.prepare(dispatch);
  if ('kind' in kernel) throw new Error(kernel.message);
  const run = executor.start(kernel, dispatch, 0, 1);
  const start = processorMs() - begun;
  while (executor.resume(run).kind === 'yield');
  const asked = processorMs();
  const compiler = new WishCompiler(new CodeStore(codeStore));
  if (!compiler.step()) throw new Error('no optimised code was asked for');
  while (compiler.step());
  return { start, optimise: processorMs() - asked };
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function figures(what: string, times: readonly number[]): string {
  const [first = 0, ...later] = times;
  const sorted = [...later].sort((a, b) => a - b);
  return `${what} ${first.toFixed(0)} at first, then ${(sorted[sorted.length >> 1] ?? 0).toFixed(1)} (best ${(sorted[0] ?? 0).toFixed(1)})`;
}
