/**
 * How long a kernel of about 1,000 instructions takes from when it is first asked for to its first workgroup, in baseline code, and the
 * compile worker to optimised code: `npx vitest bench --run bench/compile.bench.ts` in this package. The first round runs a compiler that
 * has not run before in its thread; later rounds have new machine code each. Times are of the processor, not of the wall.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bench, describe } from 'vitest';
import { CodeStore, WishCompiler, createExecutor } from '../src/execute/index.js';
import { CODE_STORE_BYTES } from '../src/memory-map.js';
import { Machine, packArguments } from '../test/execute/machine.js';

const SOURCE = fileURLToPath(new URL('compile.c', import.meta.url));
const VARIED = 0x5bd1_e995;
const ROUNDS = 12;

describe('compile time', () => {
  const object = build();
  for (const name of ['straight', 'branchy']) {
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
  const machine = new Machine();
  machine.load(varied(object, VARIED + number + 1));
  const n = 256;
  const [out, input] = [machine.allocate(n * 64), machine.allocate(n * 64)];
  const dispatch = machine.dispatch(name, [n], [n], packArguments([out, input, n, n - 1]));
  const codeStore = new SharedArrayBuffer(CODE_STORE_BYTES);
  const executor = createExecutor(machine.memory, { codeStore, patience: { ranMs: 0, yields: 20 } });
  const begun = processorMs();
  const kernel = executor.prepare(dispatch);
  if ('kind' in kernel) throw new Error(kernel.message);
  const run = executor.start(kernel, dispatch, 0, 1);
  const start = processorMs() - begun;
  while (executor.resume(run).kind === 'yield');
  const asked = processorMs();
  if (!new WishCompiler(new CodeStore(codeStore)).step()) throw new Error('no optimised code was asked for');
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

/** The object with another number in the place of {@link VARIED}. */
function varied(object: Uint8Array, value: number): Uint8Array {
  const copy = object.slice();
  const view = new DataView(copy.buffer);
  for (let at = 0; at + 4 <= copy.length; at += 4) if (view.getUint32(at, true) === VARIED) view.setUint32(at, value >>> 0, true);
  return copy;
}

function build(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-compile-'));
  const target = ['--target=amdgcn-amd-amdhsa', '-mcpu=gfx1100', '-nogpulib', '-O3', '-ffp-contract=off'];
  execFileSync('clang-22', [...target, '-c', SOURCE, '-o', join(folder, 'compile.o')]);
  execFileSync('ld.lld-22', ['-shared', join(folder, 'compile.o'), '-o', join(folder, 'compile.hsaco')]);
  return new Uint8Array(readFileSync(join(folder, 'compile.hsaco')));
}
