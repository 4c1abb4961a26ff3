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
import type { WaveFault } from '../src/executor.js';
import { kernelCase, KERNEL_NAMES } from '../test/execute/kernel-cases.js';
import { Machine } from '../test/execute/machine.js';

const OBJECT = new URL('../test/fixtures/kernels/kernels.gfx1100.O3.hsaco', import.meta.url);
const NATIVE = new URL('../../../bench/native/native.c', import.meta.url);
const COMPILER = 'clang-22';

/** What one run does, for the rates: lane-instructions counted by execution at S and scaled, and bytes moved. */
const WORK: Readonly<Record<string, readonly [amount: number, unit: string]>> = {
  hash_loop: [10_522_624 * 1024, 'e9 lane-instructions/s'],
  vector_add: [3 * 4 * (1 << 24), ' GB/s'],
};

describe('kernels at size L', () => {
  console.log(`Node ${process.version}\n${nativeTimes()}`);
  for (const name of KERNEL_NAMES) {
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
          machine.load(OBJECT);
          const item = kernelCase(machine, name, 'L');
          const executor = machine.executor();
          item.reset();
          run = () => machine.run(item.dispatch, {}, executor);
        },
        teardown: (_task, mode) => {
          const [amount, unit] = WORK[name] ?? [0, ''];
          if (mode === 'run')
            console.log(`${name}: best ${best.toFixed(2)} ms ${amount > 0 ? (amount / best / 1e6).toFixed(1) + unit : ''}`);
        },
      },
    );
  }
});

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
