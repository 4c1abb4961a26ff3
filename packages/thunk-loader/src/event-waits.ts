/** What waits for events have in common, whichever thunk they go through: slices, ends, and what the driver reports with events. */
import { HsaError } from '@doorbell/abi';
import type { HwException, MemoryException, WaitEventsOptions, WaitOutcome } from './thunk.js';

/** A wait in the driver cannot be called off, so that long ones are cut in slices: an abandoned one ends within this time. */
const SLICE_MS = 1000;

/** Names of KFD_HW_EXCEPTION_* and KFD_MEM_ERR_*, which hsakmttypes.h numbers alike. */
const RESET_TYPES = ['whole-gpu', 'engine'] as const;
const RESET_CAUSES = ['hang', 'ecc'] as const;
const MEMORY_ERRORS = ['none', 'sram-ecc', 'poison', 'gpu-hang'] as const;

/** Waits slice after slice until one is complete or the time is over; an `interrupted` one is made again at once. */
export async function waitInSlices(
  { timeoutMs, signal }: WaitEventsOptions,
  waitSlice: (sliceMs: number) => Promise<WaitOutcome | 'interrupted'>,
): Promise<WaitOutcome> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    // Between two slices nobody listens to the signal, so it is looked at before each.
    if (signal?.aborted === true) throw abortError(signal);
    const outcome = await waitSlice(Math.ceil(Math.min(SLICE_MS, Math.max(0, deadline - performance.now()))));
    if (outcome === 'interrupted') continue;
    if (outcome.result === 'complete' || performance.now() >= deadline) return outcome;
  }
}

/** How a wait can end before the driver answers. */
export interface WaitEnds {
  readonly signal: AbortSignal | undefined;
  /** Told when it ended so: what the driver answers then is for nobody. */
  readonly abandon: () => unknown;
  /** Whoever holds one of these ends the wait with an error by calling what is in it. */
  readonly listeners?: readonly Set<(error: HsaError) => void>[];
}

/** Settles as `promise` does, or rejects when the wait ends otherwise first; what `promise` does then is ignored. */
export async function orEnded<T>(promise: Promise<T>, { signal, abandon, listeners = [] }: WaitEnds): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const end = (error: HsaError): void => {
      abandon();
      done();
      reject(error);
    };
    const onAbort = (): void => {
      if (signal !== undefined) end(abortError(signal));
    };
    const done = (): void => {
      signal?.removeEventListener('abort', onAbort);
      for (const set of listeners) set.delete(end);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    for (const set of listeners) set.add(end);
    promise.then(
      (value) => {
        done();
        resolve(value);
      },
      (error: unknown) => {
        done();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

/** The numbers as the driver has them. */
export function memoryException(fault: {
  readonly gpuId: number;
  readonly address: bigint;
  readonly notPresent: number;
  readonly readOnly: number;
  readonly noExecute: number;
  readonly imprecise: number;
  readonly errorType: number;
}): MemoryException {
  return {
    gpuId: fault.gpuId,
    address: fault.address,
    notPresent: fault.notPresent !== 0,
    readOnly: fault.readOnly !== 0,
    noExecute: fault.noExecute !== 0,
    imprecise: fault.imprecise !== 0,
    errorType: MEMORY_ERRORS[fault.errorType] ?? 'other',
  };
}

/** The numbers as the driver has them. */
export function hwException(reset: {
  readonly gpuId: number;
  readonly resetType: number;
  readonly resetCause: number;
  readonly memoryLost: number;
}): HwException {
  return {
    gpuId: reset.gpuId,
    resetType: RESET_TYPES[reset.resetType] ?? 'other',
    resetCause: RESET_CAUSES[reset.resetCause] ?? 'other',
    memoryLost: reset.memoryLost !== 0,
  };
}

function abortError(signal: AbortSignal): HsaError {
  return new HsaError('ERR_ABORTED', { message: 'the wait for events was aborted', cause: signal.reason });
}
