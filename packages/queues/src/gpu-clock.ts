import type { ClockCounters, Thunk } from '@doorbell/thunk-loader';
import { HsaError } from '@doorbell/abi';

/** When a packet ran, in nanoseconds of the system's clock (CLOCK_BOOTTIME on Linux). */
export interface PacketTiming {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly durationNs: bigint;
}

const NS_PER_S = 1_000_000_000n;
/** A second pair of readings that lies closer to the first one than this makes a poor slope. */
const MIN_BASE_NS = 1_000_000n;
const MAX_READINGS = 10_000;

/**
 * Translates ticks of a GPU's clock to nanoseconds, along the line through two readings of both clocks: the first of all, and one
 * not far from the tick in question (ROCr GpuAgent::TranslateTime).
 */
export class GpuClock {
  readonly #thunk: Thunk;
  readonly #gpuId: number;
  readonly #first: ClockCounters;
  #latest: ClockCounters;

  constructor(thunk: Thunk, gpuId: number) {
    this.#thunk = thunk;
    this.#gpuId = gpuId;
    this.#first = thunk.clockCounters(gpuId);
    this.#latest = this.#first;
  }

  /** Nanoseconds of one tick. Ticks before the first reading lie on the same line. */
  toNs(ticks: bigint): bigint {
    if (this.#isStale(ticks)) this.#sync();
    const { gpuTicks, systemTicks, systemFrequencyHz } = this.#latest;
    const deltaGpu = gpuTicks - this.#first.gpuTicks;
    const deltaSystem = systemTicks - this.#first.systemTicks;
    // Whole numbers throughout: absolute ticks exceed what a float holds exactly.
    const system = systemTicks + (deltaSystem * (ticks - gpuTicks)) / deltaGpu;
    return (system * NS_PER_S) / systemFrequencyHz;
  }

  /** The times of a completed packet, or undefined when it left no time stamps. */
  timing({ startTicks, endTicks }: { readonly startTicks: bigint; readonly endTicks: bigint }): PacketTiming | undefined {
    if (startTicks === 0n || endTicks === 0n) return undefined;
    // The end first: the start then lies within the readings that the end asked for.
    const endNs = this.toNs(endTicks);
    const startNs = this.toNs(startTicks);
    return { startNs, endNs, durationNs: endNs - startNs };
  }

  #isStale(ticks: bigint): boolean {
    const base = this.#latest.gpuTicks - this.#first.gpuTicks;
    return base === 0n || ticks > this.#latest.gpuTicks + base / 4n;
  }

  #sync(): void {
    for (let i = 0; i < MAX_READINGS; i++) {
      this.#latest = this.#thunk.clockCounters(this.#gpuId);
      const elapsed = this.#latest.systemTicks - this.#first.systemTicks;
      const isFarEnough = elapsed * NS_PER_S >= MIN_BASE_NS * this.#latest.systemFrequencyHz;
      if (isFarEnough && this.#latest.gpuTicks > this.#first.gpuTicks) return;
    }
    if (this.#latest.gpuTicks > this.#first.gpuTicks && this.#latest.systemTicks > this.#first.systemTicks) return;
    throw new HsaError('ERR_DEVICE_LOST', {
      message: `the clock of GPU ${this.#gpuId} stands still at ${this.#latest.gpuTicks} ticks`,
      details: { gpuId: this.#gpuId },
    });
  }
}
