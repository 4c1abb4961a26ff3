import { HsaError } from '@doorbell/abi';
import type { LaunchCompletion } from './completion.js';
import type { Limits } from './launch-limits.js';

/** Progress is looked at this many times within a time-out. */
const LOOKS_PER_TIMEOUT = 4;

/**
 * Waits until launches have settled, however they end. Without `timeoutMs` their own time-outs are the limit.
 * @throws {HsaError} ERR_ABORTED; ERR_TIMEOUT when `progress` has not changed for `timeoutMs`.
 */
export async function settleWithin(
  launches: readonly LaunchCompletion[],
  { signal, timeoutMs, progress }: Limits & { readonly progress: () => string },
): Promise<void> {
  if (signal?.aborted) throw aborted(signal);
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const limits = new Promise<never>((_, reject) => {
    onAbort = () => reject(aborted(signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (timeoutMs !== undefined && timeoutMs !== Infinity) timer = watchProgress({ launches, timeoutMs, progress }, reject);
  });
  try {
    await Promise.race([Promise.all(launches.map((launch) => launch.settled())), limits]);
  } finally {
    clearInterval(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
}

function watchProgress(
  {
    launches,
    timeoutMs,
    progress,
  }: { readonly launches: readonly LaunchCompletion[]; readonly timeoutMs: number; readonly progress: () => string },
  giveUp: (error: HsaError) => void,
): NodeJS.Timeout {
  let seen = progress();
  let since = performance.now();
  return setInterval(
    () => {
      const current = progress();
      const now = performance.now();
      if (current !== seen) {
        seen = current;
        since = now;
      } else if (now - since >= timeoutMs) {
        giveUp(timeoutError(launches, timeoutMs));
      }
    },
    Math.max(1, timeoutMs / LOOKS_PER_TIMEOUT),
  );
}

/** Names the first launch that is not complete. */
function timeoutError(launches: readonly LaunchCompletion[], timeoutMs: number): HsaError {
  const first = launches.find(({ done }) => !done);
  const { kernel, queue, signal } = first?.parts ?? {};
  return new HsaError('ERR_TIMEOUT', {
    message: `no progress for ${timeoutMs} ms: ${kernel ?? 'a launch'} is not complete (${queue ?? 'no queue'}, packet ${first?.packetIndex ?? 'not yet in the ring'}, ${signal?.label ?? 'no signal'})`,
    details: { timeoutMs, kernel, queue, packetIndex: first?.packetIndex, signal: signal?.handle },
  });
}

function aborted(signal: AbortSignal | undefined): HsaError {
  return new HsaError('ERR_ABORTED', { message: 'the wait was aborted', cause: signal?.reason });
}
