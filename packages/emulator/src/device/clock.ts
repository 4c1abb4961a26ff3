/** The GPU's clock: the reference clock of gfx11 parts runs at 100 MHz; here it is the host's monotonic clock, divided. */

const NS_PER_TICK = 10n;

/** Ticks of the GPU's clock at a host time. */
export function ticksOfNs(ns: bigint): bigint {
  return ns / NS_PER_TICK;
}
