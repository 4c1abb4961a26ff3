import type { HsaError as HsaErrorType } from '@doorbell/abi';
import { hsa, HsaError, InternalError, isHsaError, ref } from '@doorbell/abi';
import type { Signal } from '@doorbell/queues';
import { AqlPacket, type AqlQueue, waitSignal } from '@doorbell/queues';
import { LaunchCompletion } from './completion.js';
import type { DeviceContext } from './device-context.js';
import { firstSizes, readGeometry } from './dimensions.js';
import { describeFault } from './fault-report.js';
import type { KernargBlock, KernargPool } from './kernarg-pool.js';
import type { LoadedKernel } from './loaded-kernel.js';
import type { Completion, DeviceEvents, Kernel, KernelTiming, LaunchOptions, Queue } from './types.js';
import type { Signature } from './signature.js';

/** What a queue needs of its device. */
export interface QueueHost {
  readonly context: DeviceContext;
  readonly kernargs: KernargPool;
  /** Whether anybody listens: events that cost something are not made for nobody. */
  hasListeners(event: keyof DeviceEvents): boolean;
  emit<E extends keyof DeviceEvents>(event: E, data: DeviceEvents[E]): void;
  /** Why nothing can be launched any more; undefined while the device is there. */
  whyClosed(): HsaErrorType | undefined;
  asKernel(kernel: Kernel): LoadedKernel;
}

export interface QueueOptions {
  readonly packets: number;
  readonly priority: 'low' | 'normal' | 'high';
}

const PRIORITIES = {
  low: hsa.HSA_AMD_QUEUE_PRIORITY_LOW,
  normal: hsa.HSA_AMD_QUEUE_PRIORITY_NORMAL,
  high: hsa.HSA_AMD_QUEUE_PRIORITY_HIGH,
};
const BARRIER_DEPENDENCIES = 5;
const PROGRESS_INTERVAL_MS = 50;

/** A launch on its way: from the checked arguments to the completion. */
interface Launch {
  readonly kernel: LoadedKernel;
  readonly options: LaunchOptions;
  readonly packet: AqlPacket;
  readonly block: KernargBlock;
  readonly signal: Signal;
  readonly workgroups: number;
  /** Launches of other queues whose signals a packet in this queue waits for. */
  readonly held: LaunchCompletion[];
}

/** A queue of the friendly API: one HSA queue, launches in order, made through the public API table. */
export class LaunchQueue implements Queue {
  readonly id: number;
  readonly queue: AqlQueue;
  readonly #host: QueueHost;
  readonly #handle: bigint;
  readonly #pending = new Set<LaunchCompletion>();
  readonly #onDispose: () => void;
  /** Ends when everything handed in so far is in the ring: packets keep the order of the calls. */
  #submitted: Promise<unknown> = Promise.resolve();
  #submitting = 0;
  #isDisposed = false;

  /** @throws {HsaError} ERR_INVALID_ARGUMENT for the size, ERR_QUEUE_CREATION. */
  constructor(host: QueueHost, { packets, priority }: QueueOptions, onDispose: () => void) {
    this.#host = host;
    this.#onDispose = onDispose;
    const { context } = host;
    const handle = ref(0n);
    const { core, amdExt } = context.table;
    context.hsa.check(`creating a queue of ${packets} packets`, () =>
      core.hsa_queue_create(
        context.agent.handle,
        packets,
        hsa.HSA_QUEUE_TYPE_MULTI,
        null,
        null,
        0xffff_ffff,
        0xffff_ffff,
        handle,
      ),
    );
    this.#handle = handle.value;
    const queue = context.runtime.queues.find(this.#handle);
    if (queue === undefined) throw new InternalError(`the runtime does not know the queue 0x${this.#handle.toString(16)}`);
    this.queue = queue;
    this.id = Number(queue.id);
    // Tools see every launch: slots and rings come from the public table.
    queue.submitThrough({
      reserve: () => Number(core.hsa_queue_add_write_index_scacq_screl(this.#handle, 1n)),
      ring: (index) => core.hsa_signal_store_screlease(queue.doorbellSignalHandle, BigInt(index)),
    });
    if (priority !== 'normal') {
      context.hsa.check('setting the priority', () => amdExt.hsa_amd_queue_set_priority(this.#handle, PRIORITIES[priority]));
    }
  }

  launch<S extends Signature>(kernel: Kernel<S>, options: LaunchOptions<S>): Completion {
    const completion: LaunchCompletion = new LaunchCompletion(
      // Safe: arguments are checked against the kernel's metadata at run time, whatever their static type.
      async (self) => this.#launch(self, this.#host.asKernel(kernel), options),
      (error) => {
        if (isHsaError(error)) this.#host.emit('fault', error);
      },
    );
    this.#pending.add(completion);
    void completion.settled().then(() => this.#pending.delete(completion));
    return completion;
  }

  /** Launches that are not complete. */
  get pending(): readonly LaunchCompletion[] {
    return [...this.#pending];
  }

  get isUsable(): boolean {
    return !this.#isDisposed && this.queue.state === 'active';
  }

  /** Stops the queue: what is in it rejects. */
  stop(error: HsaErrorType): void {
    this.queue.inactivate(error);
  }

  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#onDispose();
    if (this.queue.state === 'active' && this.#pending.size > 0)
      await Promise.all(this.pending.map((completion) => completion.settled()));
    const { context } = this.#host;
    context.hsa.check('destroying a queue', () => context.table.core.hsa_queue_destroy(this.#handle));
    await Promise.all(this.pending.map((completion) => completion.settled()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  async #launch(completion: LaunchCompletion, kernel: LoadedKernel, options: LaunchOptions): Promise<KernelTiming> {
    this.#requireOpen(options);
    const launch = this.#prepare(kernel, options);
    const { signals } = this.#host.context.runtime;
    completion.useSignal(launch.signal, () => signals.destroy(launch.signal.handle));
    try {
      const cancel = this.#stopOnAbort(options.signal);
      try {
        await this.#inOrder(() => this.#submit(launch));
        this.#announce(launch);
        return await this.#complete(launch);
      } finally {
        cancel();
      }
    } catch (error) {
      throw this.#explain(error, launch);
    } finally {
      this.#host.kernargs.give(launch.block);
      completion.dropSignal();
      for (const dependency of launch.held) dependency.dropSignal();
    }
  }

  #requireOpen({ signal }: LaunchOptions): void {
    const closed = this.#host.whyClosed();
    if (closed) throw closed;
    if (this.#isDisposed) throw new HsaError('ERR_DISPOSED', { message: `queue ${this.id} was disposed` });
    if (signal?.aborted)
      throw new HsaError('ERR_ABORTED', { message: 'the launch was aborted before it was submitted', cause: signal.reason });
    if (this.queue.error) throw this.queue.error;
  }

  /** Everything that can be wrong with the arguments is found here, before the ring is touched. */
  #prepare(kernel: LoadedKernel, options: LaunchOptions): Launch {
    const { context, kernargs } = this.#host;
    const { dimensions, grid, workgroup } = readGeometry(options.grid, options.workgroup);
    const packed = kernel.packArguments(options, { grid, workgroup, dimensions });
    const signalHandle = context.createSignal();
    const signal = context.runtime.signals.find(signalHandle);
    if (signal === undefined) throw new InternalError('a signal that was just created is not known');
    const block = kernargs.take(packed.bytes.length);
    block.bytes.set(packed.bytes);
    try {
      const packet = new AqlPacket().kernelDispatch({
        grid: firstSizes(grid, dimensions),
        workgroup: firstSizes(workgroup, dimensions),
        kernelObject: kernel.object,
        kernargAddress: block.address,
        privateBytes: kernel.scratchBytes,
        groupBytes: packed.groupSegmentBytes,
        barrier: true,
        completion: signal,
      });
      const workgroups = grid.reduce((total, size, i) => total * Math.ceil(size / (workgroup[i] ?? 1)), 1);
      return { kernel, options, packet, block, signal, workgroups, held: [] };
    } catch (error) {
      kernargs.give(block);
      context.runtime.signals.destroy(signalHandle);
      throw error;
    }
  }

  /** Runs `submit` after those that came before; at once when there are none. */
  async #inOrder(submit: () => Promise<void>): Promise<void> {
    const before = this.#submitted;
    const turn = this.#submitting === 0 ? submit() : before.then(submit);
    this.#submitting++;
    this.#submitted = turn.then(
      () => void this.#submitting--,
      () => void this.#submitting--,
    );
    await turn;
  }

  async #submit(launch: Launch): Promise<void> {
    const { signal, timeoutMs, after = [] } = launch.options;
    const limits = { ...(signal ? { signal } : {}), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    const dependencies = await this.#dependencies(after, launch);
    for (let i = 0; i < dependencies.length; i += BARRIER_DEPENDENCIES) {
      const barrier = new AqlPacket().barrierAnd({
        dependencies: dependencies.slice(i, i + BARRIER_DEPENDENCIES),
        barrier: true,
      });
      await this.queue.submit(barrier, limits);
    }
    await this.queue.submit(launch.packet, limits);
  }

  /** Signals of the launches to wait for, those of this queue left out: it runs in order. A launch that failed fails this one. */
  async #dependencies(after: readonly Completion[], launch: Launch): Promise<readonly Signal[]> {
    const signals: Signal[] = [];
    for (const completion of after) {
      if (!(completion instanceof LaunchCompletion)) {
        throw new HsaError('ERR_INVALID_ARGUMENT', { message: 'after takes completions that launch returned' });
      }
      if (completion.done || completion.signal === undefined) await completion;
      else if (!this.#pending.has(completion)) {
        completion.holdSignal();
        launch.held.push(completion);
        signals.push(completion.signal);
        this.#stopIfFailed(completion, launch);
      }
    }
    return signals;
  }

  /** The packet that waits for a failed launch would wait for ever: its queue is stopped. */
  #stopIfFailed(dependency: LaunchCompletion, { kernel }: Launch): void {
    void dependency.failure().then((cause) => {
      if (cause === undefined || this.queue.state !== 'active') return;
      this.queue.inactivate(
        new HsaError('ERR_QUEUE_ERROR', {
          message: `${kernel.name} was not run: a launch it waits for failed`,
          details: { cause: 'after' },
          cause,
        }),
      );
    });
  }

  #announce({ kernel, options: { grid, workgroup }, workgroups }: Launch): void {
    if (this.#host.hasListeners('launch')) this.#host.emit('launch', { kernel: kernel.name, grid, workgroup });
    if (this.#host.hasListeners('progress')) {
      this.#host.emit('progress', { kernel: kernel.name, workgroupsDone: 0, workgroupsTotal: workgroups });
    }
  }

  async #complete(launch: Launch): Promise<KernelTiming> {
    const { signal, kernel, options, workgroups } = launch;
    const machine = this.#host.context.runtime.machine;
    const progress = (): number => machine?.device.progress(this.queue.thunkQueue.queueId)?.workgroupsDone ?? 0;
    const timer = this.#host.hasListeners('progress')
      ? setInterval(() => this.#reportProgress(launch), PROGRESS_INTERVAL_MS)
      : undefined;
    try {
      await waitSignal(signal, {
        condition: 'lt',
        value: 1,
        queues: [this.queue],
        progress,
        ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      });
    } finally {
      clearInterval(timer);
    }
    const timing = this.#timing(signal);
    if (this.#host.hasListeners('progress')) {
      this.#host.emit('progress', { kernel: kernel.name, workgroupsDone: workgroups, workgroupsTotal: workgroups });
    }
    if (this.#host.hasListeners('complete')) this.#host.emit('complete', { kernel: kernel.name, durationNs: timing.durationNs });
    return timing;
  }

  #reportProgress({ kernel, workgroups }: Launch): void {
    const state = this.#host.context.runtime.machine?.device.progress(this.queue.thunkQueue.queueId);
    if (state === undefined) return;
    this.#host.emit('progress', { kernel: kernel.name, workgroupsDone: state.workgroupsDone, workgroupsTotal: workgroups });
  }

  #timing(signal: Signal): KernelTiming {
    const { runtime, gpu } = this.#host.context;
    const timing = runtime.clockOf(gpu.gpuId).timing(signal.timestamps());
    if (timing === undefined) throw new InternalError('a completed dispatch left no time stamps');
    return { startNs: timing.startNs, endNs: timing.endNs, durationNs: Number(timing.durationNs) };
  }

  /** An abort stops the queue; returns what takes the listener away. */
  #stopOnAbort(signal: AbortSignal | undefined): () => void {
    if (signal === undefined) return () => undefined;
    const stop = (): void => {
      this.queue.inactivate(
        new HsaError('ERR_ABORTED', { message: 'the launch was aborted', details: { cause: 'signal' }, cause: signal.reason }),
      );
    };
    signal.addEventListener('abort', stop, { once: true });
    return () => signal.removeEventListener('abort', stop);
  }

  /** A failure as the launch's owner should see it. A launch that makes no progress stops its queue: the kernel is hung. */
  #explain(error: unknown, { kernel, options }: Launch): unknown {
    if (!isHsaError(error)) return error;
    if (error.code === 'ERR_ABORTED') {
      if (options.signal?.aborted) return error;
      return new HsaError('ERR_ABORTED', {
        message: `${kernel.name} was not run: its queue was stopped when another launch was aborted`,
        details: { cause: 'queue' },
        cause: error,
      });
    }
    if (error.code === 'ERR_TIMEOUT') {
      const hung = new HsaError('ERR_TIMEOUT', {
        message: `${kernel.name}: ${error.message}`,
        details: { ...error.details, kernel: kernel.name },
        cause: error,
      });
      this.queue.inactivate(
        new HsaError('ERR_ABORTED', {
          message: `queue ${this.id} was stopped: ${hung.message}`,
          details: { cause: 'queue' },
          cause: hung,
        }),
      );
      return hung;
    }
    if (this.queue.error !== error) return error;
    const deviceFault = this.#host.context.runtime.machine?.device.lastFault(this.queue.thunkQueue.queueId);
    const isMine = deviceFault === undefined || deviceFault.kernelObject === 0n || deviceFault.kernelObject === kernel.object;
    return isMine
      ? describeFault(this.#host.context, error, { kernel: kernel.name, deviceFault })
      : new HsaError('ERR_QUEUE_ERROR', {
          message: `${kernel.name} was not run: its queue stopped at another kernel: ${error.message}`,
          hsaStatus: error.hsaStatus,
          details: { ...error.details, cause: 'queue' },
          cause: error,
        });
  }
}
