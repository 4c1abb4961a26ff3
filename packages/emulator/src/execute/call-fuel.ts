/** How much fuel a call of compiled code gets: so much that it takes about as long as it may. */

/** How fast compiled code runs: fuel for a time. */
export interface Speed {
  instructionsPerMs: number;
}

/** Low, so that the first call of a loop that accesses memory lane by lane is short too. */
export const FIRST_SPEED = 20_000;

/** One call of compiled code takes at most about this long, less where many workgroups are in progress, but not less than the least. */
export const CALL_MS = 1;
const MIN_CALL_MS = 0.05;
const MIN_FUEL = 500;
const MAX_FUEL = 20_000_000;

/** Fuel for a call that is one of several in a time. */
export function fuelFor({ instructionsPerMs }: Speed, turnMs: number, calls: number): number {
  const callMs = Math.max(MIN_CALL_MS, turnMs / Math.max(1, calls));
  return Math.min(MAX_FUEL, Math.max(MIN_FUEL, Math.round(instructionsPerMs * callMs)));
}

/** Takes the speed of a call into account, if it says something. */
export function learnSpeed(speed: Speed, { used, elapsedMs }: { readonly used: number; readonly elapsedMs: number }): void {
  if (used < MIN_FUEL || elapsedMs <= 0.02) return;
  speed.instructionsPerMs = (speed.instructionsPerMs + used / elapsedMs) / 2;
}
