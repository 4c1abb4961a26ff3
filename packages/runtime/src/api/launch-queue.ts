import { hsa, HsaError, InternalError, isHsaError, ref } from '@doorbell/abi';
import type { Signal } from '@doorbell/queues';
import type { EmulatedDevice } from '@doorbell/emulator';
import { AqlPacket, type AqlQueue, waitSignal } from '@doorbell/queues';
import { LaunchCompletion } from './completion.js';
import type { DeviceContext } from './device-context.js';
import { firstSizes, readGeometry } from './dimensions.js';
import type { KernargBlock, KernargPool } from './kernarg-pool.js';
import { toolError } from './hsa-call.js';
import { dependencyFailed, explainFailure } from './launch-failure.js';
import type { Limits } from './launch-limits.js';
import { readLimits } from './launch-limits.js';
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
  /** A launch failed, whether somebody awaits it or not. */
  noteFailure(error: HsaError): void;
  /** Why nothing can be launched any more; undefined while the device is there. */
  whyClosed(): HsaError | undefined;
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
/** Private and group segment sizes of a queue that takes any kernel: UINT32_MAX (hsa.h, hsa_queue_create). */
const ANY_SIZE = 0xffff_ffff;
const BARRIER_DEPENDENCIES = 5;
const PROGRESS_INTERVAL_MS = 50;

/** A launch on its way: from the checked arguments to the completion. */
interface Launch {
  readonly completion: LaunchCompletion;
  readonly kernel: LoadedKernel;
  readonly options: LaunchOptions;
  readonly packet: AqlPacket;
  readonly block: KernargBlock;
  readonly signal: Signal;
  readonly workgroups: number;
  readonly limits: Limits;
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
  #closing: Promise<void> | undefined;

  /** @throws {HsaError} ERR_INVALID_ARGUMENT for the size, ERR_QUEUE_CREATION. */
  constructor(host: QueueHost, { packets, priority }: QueueOptions, onDispose: () => void) {
    this.#host = host;
    this.#onDispose = onDispose;
    const { context } = host;
    const level = requirePriority(priority);
    const handle = ref(0n);
    const { core, amdExt } = context.table;
    context.hsa.check(`creating a queue of ${packets} packets`, () =>
      core.hsa_queue_create(context.agent.handle, packets, hsa.HSA_QUEUE_TYPE_MULTI, null, null, ANY_SIZE, ANY_SIZE, handle),
    );
    this.#handle = handle.value;
    const queue = context.runtime.queues.find(this.#handle);
    if (queue === undefined) throw toolError('creating a queue', { error: `there is no queue 0x${this.#handle.toString(16)}` });
    this.queue = queue;
    this.id = Number(queue.id);
    // Tools see every launch: slots and rings come from the public table.
    queue.submitThrough({ reserve: () => this.#reserve(), ring: (index) => this.#ring(index) });
    if (priority === 'normal') return;
    try {
      context.hsa.check('setting the priority', () => amdExt.hsa_amd_queue_set_priority(this.#handle, level));
    } catch (error) {
      core.hsa_queue_destroy(this.#handle);
      throw error;
    }
  }

  launch<S extends Signature>(kernel: Kernel<S>, options: LaunchOptions<S>): Completion {
    const completion: LaunchCompletion = new LaunchCompletion(
      // Safe: arguments are checked against the kernel's metadata at run time, whatever their static type.
      async (self) => this.#launch(self, this.#host.asKernel(kernel), options),
      (error) => {
        if (!isHsaError(error)) throw error;
        this.#host.emit('fault', error);
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

  /** Changes while there is progress. */
  progress(): string {
    return this.queue.state === 'active' ? `${this.queue.readIndex} ${this.#workgroupsDone()} ${this.#pending.size}` : '';
  }

  get isUsable(): boolean {
    return this.#closing === undefined && this.queue.state === 'active';
  }

  /** Stops the queue: what is in it rejects. */
  stop(error: HsaError): void {
    this.queue.inactivate(error);
  }

  /** Waits for what is in it, then destroys it; whoever calls again waits for the same end. */
  dispose(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  async #close(): Promise<void> {
    try {
      if (this.queue.state === 'active') await this.#settled();
      const { context } = this.#host;
      context.hsa.check('destroying a queue', () => context.table.core.hsa_queue_destroy(this.#handle));
      await this.#settled();
    } finally {
      this.#onDispose();
    }
  }

  async #settled(): Promise<void> {
    if (this.#pending.size > 0) await Promise.all(this.pending.map((completion) => completion.settled()));
  }

  async #launch(completion: LaunchCompletion, kernel: LoadedKernel, options: LaunchOptions): Promise<KernelTiming> {
    this.#requireOpen(options);
    const launch = this.#prepare(completion, kernel, options);
    const { signals } = this.#host.context.runtime;
    completion.begin({
      kernel: kernel.name,
      queue: this.queue.label,
      signal: launch.signal,
      giveBackSignal: () => signals.destroy(launch.signal.handle),
    });
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
      const { error: explained, stop } = explainFailure(error, {
        context: this.#host.context,
        queue: this.queue,
        kernel,
        limits: launch.limits,
        packetIndex: completion.packetIndex,
      });
      if (stop) this.queue.inactivate(stop);
      if (isHsaError(explained)) this.#host.noteFailure(explained);
      throw explained;
    } finally {
      this.#host.kernargs.give(launch.block);
      completion.dropSignal();
      for (const dependency of launch.held) dependency.dropSignal();
    }
  }

  #requireOpen(options: LaunchOptions): void {
    // Types are erased in JavaScript callers: look.
    if (typeof options !== 'object' || (options as unknown) === null)
      throw new HsaError('ERR_INVALID_ARGUMENT', { message: 'launch takes an object with grid and workgroup' });
    const { signal } = options;
    const closed = this.#host.whyClosed();
    if (closed) throw closed;
    if (this.#closing) throw new HsaError('ERR_DISPOSED', { message: `queue ${this.id} was disposed` });
    if (signal?.aborted)
      throw new HsaError('ERR_ABORTED', { message: 'the launch was aborted before it was submitted', cause: signal.reason });
    if (this.queue.error) throw this.queue.error;
  }

  /** Everything that can be wrong with the arguments is found here, before the ring is touched. */
  #prepare(completion: LaunchCompletion, kernel: LoadedKernel, options: LaunchOptions): Launch {
    const { context, kernargs } = this.#host;
    const { dimensions, grid, workgroup } = readGeometry(options.grid, options.workgroup);
    const limits = readLimits(options);
    const privateBytes = kernel.privateBytes(options);
    const packed = kernel.packArguments(options, { grid, workgroup, dimensions });
    const signalHandle = context.createSignal();
    const signal = context.runtime.signals.find(signalHandle);
    if (signal === undefined)
      throw toolError('creating a signal', { error: `there is no signal 0x${signalHandle.toString(16)}` });
    const block = kernargs.take(packed.bytes.length);
    block.bytes.set(packed.bytes);
    try {
      const packet = new AqlPacket().kernelDispatch({
        grid: firstSizes(grid, dimensions),
        workgroup: firstSizes(workgroup, dimensions),
        kernelObject: kernel.object,
        kernargAddress: block.address,
        privateBytes,
        groupBytes: packed.groupSegmentBytes,
        barrier: true,
        completion: signal,
      });
      const workgroups = grid.reduce((total, size, i) => total * Math.ceil(size / (workgroup[i] ?? 1)), 1);
      return { completion, kernel, options, packet, block, signal, workgroups, limits, held: [] };
    } catch (error) {
      kernargs.give(block);
      context.runtime.signals.destroy(signalHandle);
      throw error;
    }
  }

  #reserve(): number {
    const what = 'reserving a slot in the ring';
    let index: unknown;
    try {
      index = this.#host.context.table.core.hsa_queue_add_write_index_scacq_screl(this.#handle, 1n);
    } catch (error) {
      throw toolError(what, { error });
    }
    if (typeof index === 'bigint') return Number(index);
    throw toolError(what, { error: `${String(index)} is no index` });
  }

  /** The packet is in the ring: where a tool keeps the doorbell from being rung, it is rung without it. */
  #ring(index: number): void {
    const { table, runtime } = this.#host.context;
    try {
      table.core.hsa_signal_store_screlease(this.queue.doorbellSignalHandle, BigInt(index));
    } catch (error) {
      const { message } = toolError('ringing the doorbell', { error });
      runtime.events.publish({ source: 'runtime', name: 'tool-failed', level: 'error', message, details: { error } });
      this.queue.ringDoorbell(index);
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
    const limits = { ...launch.limits, progress: () => this.#workgroupsDone() };
    const dependencies = await this.#dependencies(launch.options.after ?? [], launch);
    for (let i = 0; i < dependencies.length; i += BARRIER_DEPENDENCIES) {
      const barrier = new AqlPacket().barrierAnd({
        dependencies: dependencies.slice(i, i + BARRIER_DEPENDENCIES),
        barrier: true,
      });
      await this.queue.submit(barrier, limits);
    }
    launch.completion.noteSubmitted(await this.queue.submit(launch.packet, limits));
  }

  /**
   * Signals of the launches to wait for. Those in this queue's ring are left out: it runs in order. A launch that failed fails this
   * one, which is not submitted then.
   */
  async #dependencies(after: unknown, launch: Launch): Promise<readonly Signal[]> {
    const signals: Signal[] = [];
    if (!Array.isArray(after)) throw notCompletions();
    for (const completion of after) {
      if (!(completion instanceof LaunchCompletion)) throw notCompletions();
      const signal = completion.parts?.signal;
      if (signal !== undefined && !completion.done && this.#host.context.runtime.signals.find(signal.handle) !== signal)
        throw new HsaError('ERR_INVALID_ARGUMENT', { message: 'after takes launches of the same device' });
      const isHere = this.#pending.has(completion);
      if (isHere && completion.packetIndex !== undefined) continue;
      if (completion.done || signal === undefined || isHere) {
        const cause = await completion.failure();
        if (cause !== undefined) throw dependencyFailed(launch.kernel.name, cause);
        continue;
      }
      completion.holdSignal();
      launch.held.push(completion);
      signals.push(signal);
      this.#stopIfFailed(completion, launch);
    }
    return signals;
  }

  /** The packet that waits for a failed launch would wait for ever: its queue is stopped. */
  #stopIfFailed(dependency: LaunchCompletion, { kernel }: Launch): void {
    void dependency.failure().then((cause) => {
      if (cause === undefined || this.queue.state !== 'active') return;
      this.queue.inactivate(dependencyFailed(kernel.name, cause));
    });
  }

  #announce({ kernel, options: { grid, workgroup }, workgroups }: Launch): void {
    if (this.#host.hasListeners('launch')) this.#host.emit('launch', { kernel: kernel.name, grid, workgroup });
    if (this.#host.hasListeners('progress')) {
      this.#host.emit('progress', { kernel: kernel.name, workgroupsDone: 0, workgroupsTotal: workgroups });
    }
  }

  async #complete(launch: Launch): Promise<KernelTiming> {
    const { signal, kernel, limits, workgroups } = launch;
    const timer = this.#host.hasListeners('progress')
      ? setInterval(() => this.#reportProgress(launch), PROGRESS_INTERVAL_MS)
      : undefined;
    try {
      await waitSignal(signal, {
        condition: 'lt',
        value: 1,
        queues: [this.queue],
        progress: () => this.#workgroupsDone(),
        ...(limits.timeoutMs === undefined ? {} : { timeoutMs: limits.timeoutMs }),
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

  #workgroupsDone(): number {
    return this.#deviceProgress()?.workgroupsDone ?? 0;
  }

  /** The dispatch of this queue that is running; a real device does not tell. */
  #deviceProgress(): ReturnType<EmulatedDevice['progress']> {
    return this.#host.context.runtime.machine?.device.progress(this.queue.thunkQueue.queueId);
  }

  #reportProgress({ kernel, workgroups, completion: { packetIndex } }: Launch): void {
    const state = this.#deviceProgress();
    if (state === undefined || state.dispatchId !== BigInt(packetIndex ?? -1)) return;
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
}

function notCompletions(): HsaError {
  return new HsaError('ERR_INVALID_ARGUMENT', { message: 'after takes an array of completions that launch returned' });
}

function requirePriority(name: QueueOptions['priority']): number {
  if (Object.hasOwn(PRIORITIES, name)) return PRIORITIES[name];
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `priority is one of ${Object.keys(PRIORITIES).join(', ')}, not ${String(name)}`,
    details: { priority: name },
  });
}
