import { HsaError } from '@doorbell/abi';
import { inspect } from 'node:util';

/** How long a launch or a wait may be without progress, and what aborts it. */
export interface Limits {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** The longest time that timers count to. */
const MAX_TIMER_MS = 0x7fff_ffff;

/** Limits as callers give them, checked; Infinity never ends a wait. @throws {HsaError} ERR_INVALID_ARGUMENT. */
export function readLimits(options: {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}): Limits {
  const { signal, timeoutMs } = options;
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0)) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `timeoutMs is a positive number of milliseconds without progress, not ${inspect(timeoutMs)}`,
      details: { timeoutMs },
    });
  }
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new HsaError('ERR_INVALID_ARGUMENT', { message: `signal is an AbortSignal, not ${inspect(signal, { depth: 0 })}` });
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs: timeoutMs === Infinity ? Infinity : Math.min(timeoutMs, MAX_TIMER_MS) }),
  };
}
