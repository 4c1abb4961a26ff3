/** What a failed launch tells its owner, and whether its queue has to stop. */
import { HsaError, isHsaError } from '@doorbell/abi';
import type { AqlQueue } from '@doorbell/queues';
import type { DeviceContext } from './device-context.js';
import { describeFault } from './fault-report.js';
import type { LoadedKernel } from './loaded-kernel.js';

/** The launch that failed. */
export interface FailedLaunch {
  readonly context: DeviceContext;
  readonly queue: AqlQueue;
  readonly kernel: LoadedKernel;
  readonly limits: { readonly signal?: AbortSignal };
  /** Undefined when its packet did not get into the ring. */
  readonly packetIndex: number | undefined;
}

/** The error that a failure becomes, and the one that its queue is to be stopped with: the kernel is hung. */
export interface ExplainedFailure {
  readonly error: unknown;
  readonly stop?: HsaError;
}

/** A failure as the launch's owner should see it. A launch that makes no progress stops its queue. */
export function explainFailure(error: unknown, launch: FailedLaunch): ExplainedFailure {
  if (!isHsaError(error)) return { error };
  const { queue, kernel, limits } = launch;
  if (error.code === 'ERR_ABORTED') {
    if (limits.signal?.aborted) return { error };
    const text = error.details['cause'] === 'queue' ? error.message : 'its queue was stopped when another launch was aborted';
    return {
      error: new HsaError('ERR_ABORTED', {
        message: `${kernel.name} was not run: ${text}`,
        details: { cause: 'queue' },
        cause: error,
      }),
    };
  }
  if (error.code === 'ERR_TIMEOUT') {
    const hung = new HsaError('ERR_TIMEOUT', {
      message: `${kernel.name}${launch.packetIndex === undefined ? '' : ` (packet ${launch.packetIndex})`}: ${error.message}`,
      details: {
        ...error.details,
        kernel: kernel.name,
        ...(launch.packetIndex === undefined ? {} : { packetIndex: launch.packetIndex }),
      },
      cause: error,
    });
    const stop = new HsaError('ERR_ABORTED', {
      message: `${queue.label} was stopped: ${hung.message}`,
      details: { cause: 'queue' },
      cause: hung,
    });
    return { error: hung, stop };
  }
  return { error: queue.error === error ? explainQueueError(error, launch) : error };
}

/** A launch that waits for one that failed. */
export function dependencyFailed(kernel: string, cause: unknown): HsaError {
  return new HsaError('ERR_QUEUE_ERROR', {
    message: `${kernel} was not run: a launch it waits for failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: 'Look at the cause.',
    details: { cause: 'after' },
    cause,
  });
}

/** The device says which packet stopped the queue: the launches behind it were not run. */
function explainQueueError(error: HsaError, { context, queue, kernel, packetIndex }: FailedLaunch): HsaError {
  if (error.details['cause'] === 'after' || error.code === 'ERR_DISPOSED') return error;
  const deviceFault = context.runtime.machine?.device.lastFault(queue.thunkQueue.queueId);
  const isMine = deviceFault === undefined || (packetIndex !== undefined && deviceFault.packetIndex === BigInt(packetIndex));
  if (isMine) return describeFault(context, error, { kernel: kernel.name, deviceFault });
  return new HsaError('ERR_QUEUE_ERROR', {
    message: `${kernel.name} was not run: its queue stopped at another packet: ${error.message}`,
    hsaStatus: error.hsaStatus,
    details: { ...error.details, cause: 'queue' },
    cause: error,
  });
}
