/**
 * The eight kernels at size L on one executor, warm, beside the same kernels in C. `npx vitest bench` is not used: each kernel is one
 * long run, and the best and median of a few say more. Run: node --import tsx is not needed either; see README, "Measuring".
 */
import { kernelCase, KERNEL_NAMES } from '../test/execute/kernel-cases.js';
import { Machine } from '../test/execute/machine.js';

/** Lane-instructions of hash_loop at L: kernels.cl at -O3, counted by execution at S and scaled. */
const HASH_LANE_INSTRUCTIONS = 10_522_624 * 1024;
const VECTOR_ADD_BYTES = 3 * 4 * (1 << 24);

export function measureKernels(object: URL, repetitions: number, names: readonly string[] = KERNEL_NAMES): void {
  for (const name of names) {
    const machine = new Machine();
    machine.load(object);
    const item = kernelCase(machine, name, 'L');
    const executor = machine.executor();
    const times: number[] = [];
    for (let i = 0; i < repetitions; i++) {
      item.reset();
      const start = performance.now();
      const result = machine.run(item.dispatch, {}, executor);
      times.push(performance.now() - start);
      if (typeof result !== 'number') throw new Error(result.message);
    }
    const { sum, expected, relative } = item.check();
    const isRight = Math.abs(sum - expected) <= relative * Math.abs(expected);
    const sorted = [...times].sort((a, b) => a - b);
    const [best, median] = [sorted[0]!, sorted[sorted.length >> 1]!];
    const rate =
      name === 'hash_loop'
        ? `${(HASH_LANE_INSTRUCTIONS / best / 1e6).toFixed(1)}e9 lane-instructions/s`
        : name === 'vector_add'
          ? `${(VECTOR_ADD_BYTES / best / 1e6).toFixed(1)} GB/s`
          : '';
    console.log(
      `${name.padEnd(14)} best ${best.toFixed(2)} ms  median ${median.toFixed(2)} ms  first ${times[0]!.toFixed(1)} ms  ${isRight ? 'right' : `WRONG ${sum}`}  ${rate}`,
    );
  }
}
