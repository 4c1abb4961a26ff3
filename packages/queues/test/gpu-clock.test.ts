import type { ClockCounters, Thunk } from '@doorbell/thunk-loader';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GpuClock } from '../src/gpu-clock.js';

/** A GPU whose clock runs at `ghz`, read every `stepNs`. */
const clocks = (options: { readonly gpuHz: bigint; readonly stepNs: bigint; readonly startNs?: bigint }) => {
  let now = options.startNs ?? 1_000_000_000_000n;
  const reads: bigint[] = [];
  const thunk: Pick<Thunk, 'clockCounters'> = {
    clockCounters(): ClockCounters {
      const systemTicks = now;
      now += options.stepNs;
      reads.push(systemTicks);
      return {
        gpuTicks: (systemTicks * options.gpuHz) / 1_000_000_000n,
        cpuNs: systemTicks,
        systemTicks,
        systemFrequencyHz: 1_000_000_000n,
      };
    },
  };
  // Only clockCounters is asked for.
  return { clock: new GpuClock(thunk as Thunk, 1), reads };
};

describe('GpuClock', () => {
  it('translates ticks of 100 MHz to nanoseconds', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10_000_000_000n }), (afterNs) => {
        const { clock } = clocks({ gpuHz: 100_000_000n, stepNs: 20_000_000_000n });
        const ns = 1_000_000_000_000n + afterNs;
        const difference = clock.toNs(ns / 10n) - (ns / 10n) * 10n;
        expect(difference >= -10n && difference <= 10n).toBe(true);
      }),
    );
  });

  it('reads the clocks again for ticks far beyond the last reading, and not for near ones', () => {
    const { clock, reads } = clocks({ gpuHz: 100_000_000n, stepNs: 1_000_000_000n });
    clock.toNs(100_100_000_000n);
    expect(reads).toHaveLength(2);
    clock.toNs(100_110_000_000n);
    expect(reads).toHaveLength(2);
    clock.toNs(100_200_000_000n);
    expect(reads).toHaveLength(3);
  });

  it('waits for a base line that is long enough', () => {
    const { clock, reads } = clocks({ gpuHz: 100_000_000n, stepNs: 100_000n });
    clock.toNs(100_000_000_000n);
    expect(reads).toHaveLength(11);
  });

  it('gives duration and order of a packet, and nothing where nothing was written', () => {
    const { clock } = clocks({ gpuHz: 100_000_000n, stepNs: 1_000_000_000n });
    const timing = clock.timing({ startTicks: 100_000_000_000n, endTicks: 100_000_050_000n })!;
    expect(timing.durationNs).toBe(500_000n);
    expect(timing.endNs).toBe(timing.startNs + timing.durationNs);
    expect(clock.timing({ startTicks: 0n, endTicks: 0n })).toBeUndefined();
  });

  it('reports a clock that stands still', () => {
    const { clock } = clocks({ gpuHz: 0n, stepNs: 1000n });
    expect(() => clock.toNs(1n)).toThrow(expect.objectContaining({ code: 'ERR_DEVICE_LOST' }));
  });
});
