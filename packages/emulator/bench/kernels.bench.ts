/**
 * The eight kernels at size L on one executor, warm, beside the same kernels in C on one thread: `npx vitest bench` in this package.
 * Best of the runs counts: both sides share the machine with whatever else runs.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bench, describe } from 'vitest';
import { bytesAtL, laneInstructionsAtL } from '../../../bench/kernels/inputs.mjs';
import type { WaveFault } from '../src/executor.js';
import { codeObject, kernelCase, KERNELS } from '../test/execute/kernel-cases.js';
import { Machine } from '../test/execute/machine.js';

const NATIVE = new URL('../../../bench/native/native.c', import.meta.url);
const COMPILER = 'clang-22';

describe('kernels at size L', () => {
  console.log(`Node ${process.version}\n${nativeTimes()}`);
  for (const name of KERNELS) {
    // All machines share one memory: each is made when its turn comes.
    let run = (): number | WaveFault => 0;
    let best = Infinity;
    bench(
      name,
      () => {
        const start = performance.now();
        const result = run();
        if (typeof result !== 'number') throw new Error(result.message);
        best = Math.min(best, performance.now() - start);
      },
      {
        time: 0,
        iterations: 7,
        warmupTime: 0,
        warmupIterations: 2,
        setup: (_task, mode) => {
          if (mode === 'run') return;
          const machine = new Machine();
          machine.load(codeObject(3));
          const item = kernelCase(machine, name, 'L');
          const executor = machine.executor();
          item.reset();
          run = () => machine.run(item.dispatch, {}, executor);
        },
        teardown: (_task, mode) => {
          if (mode === 'run') console.log(`${name}: best ${best.toFixed(2)} ms ${rateOf(name, best)}`);
        },
      },
    );
  }
});

/** Lane-instructions or bytes a second, where a kernel is about that. */
function rateOf(kernel: string, milliseconds: number): string {
  const [lanes, bytes] = [laneInstructionsAtL(kernel), bytesAtL(kernel)];
  if (bytes !== undefined) return `${(bytes / milliseconds / 1e6).toFixed(1)} GB/s`;
  return lanes === undefined ? '' : `${(lanes / milliseconds / 1e6).toFixed(1)}e9 lane-instructions/s`;
}

/** The C program's own lines, or why there are none. */
function nativeTimes(): string {
  const out = join(mkdtempSync(join(tmpdir(), 'doorbell-native-')), 'native');
  try {
    execFileSync(COMPILER, ['-O3', '-march=native', '-DW=32', fileURLToPath(NATIVE), '-lpthread', '-o', out]);
    return execFileSync(out, { encoding: 'utf8' });
  } catch (error) {
    return `no figures of C: ${String(error)}`;
  }
}
