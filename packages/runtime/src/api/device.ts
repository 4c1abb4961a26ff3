import type { ErrorCode } from '@doorbell/abi';
import { HsaError, isHsaError, releaseAllAsync } from '@doorbell/abi';
import type { ScalarType } from '@doorbell/code-object/core';
import { parseTargetId } from '@doorbell/code-object/core';
import { inspect } from 'node:util';
import type { GpuAgent } from '@doorbell/topology';
import type { RuntimeAgent } from '../core/agents.js';
import type { ApiTable } from '../core/api.js';
import { readWholeFile } from '../core/files.js';
import { withRetargetAdvice } from '../core/retarget-advice.js';
import type { Runtime } from '../core/runtime.js';
import type { FailedTool } from '../tools/failed-tool.js';
import { Buffer } from './buffer.js';
import { DeviceContext } from './device-context.js';
import { KernargPool } from './kernarg-pool.js';
import type { QueueHost, QueueOptions } from './launch-queue.js';
import { LaunchQueue } from './launch-queue.js';
import { LoadedKernel } from './loaded-kernel.js';
import { LoadedModule } from './loaded-module.js';
import { deviceName } from './device-name.js';
import { readLimits } from './launch-limits.js';
import { DeviceListeners } from './listeners.js';
import type { ElementOf, TypedArray } from './scalar.js';
import { elementTypeOf } from './scalar.js';
import { settleWithin } from './settle-within.js';
import type {
  Backend,
  BufferOptions,
  Completion,
  Device,
  DeviceBuffer,
  DeviceEvents,
  DeviceLostInfo,
  Kernel,
  LaunchOptions,
  Module,
  Queue,
} from './types.js';

const DEFAULT_QUEUE: QueueOptions = { packets: 1024, priority: 'normal' };
/** What device and driver report when the device itself is gone. */
const LOST: readonly ErrorCode[] = ['ERR_DEVICE_LOST'];

/** A device of the friendly API: one GPU agent of a runtime, and everything made from it. */
export class OpenDevice implements Device {
  readonly name: string;
  readonly isa: string;
  readonly backend: Exclude<Backend, 'auto'>;
  readonly lost: Promise<DeviceLostInfo>;
  readonly #runtime: Runtime;
  readonly #context: DeviceContext;
  readonly #kernargs: KernargPool;
  readonly #listeners: DeviceListeners;
  readonly #queues = new Set<LaunchQueue>();
  readonly #modules = new Set<LoadedModule>();
  readonly #buffers = new Set<Buffer<ScalarType>>();
  #defaultQueue: LaunchQueue | undefined;
  #lose: (info: DeviceLostInfo) => void = () => undefined;
  #lostError: HsaError | undefined;
  #closing: Promise<void> | undefined;

  /** Takes over one reference to the runtime: dispose releases it. */
  constructor(runtime: Runtime, agent: RuntimeAgent, gpu: GpuAgent) {
    this.#runtime = runtime;
    this.#context = new DeviceContext(runtime, agent, gpu);
    this.#kernargs = new KernargPool(this.#context);
    this.#listeners = new DeviceListeners(runtime.events);
    this.name = deviceName(gpu, runtime.backend);
    this.isa = gpu.isa.targetId;
    this.backend = runtime.backend;
    this.lost = new Promise((resolve) => (this.#lose = resolve));
  }

  get apiTable(): ApiTable {
    return this.#runtime.tables.public;
  }

  get failedTools(): readonly FailedTool[] {
    return this.#runtime.failedTools;
  }

  alloc<T extends ScalarType>(type: T, length: number, options: BufferOptions = {}): DeviceBuffer<T> {
    this.#requireOpen();
    const buffer: Buffer<T> = new Buffer(this.#context, { type, length, options }, () => this.#buffers.delete(buffer));
    // Safe: the set only disposes.
    this.#buffers.add(buffer);
    return buffer;
  }

  async from<A extends TypedArray>(data: A, options: BufferOptions = {}): Promise<DeviceBuffer<ElementOf<A>>> {
    const type = elementTypeOf(data);
    if (type === undefined)
      throw new HsaError('ERR_INVALID_ARGUMENT', {
        message: `a buffer is made from a typed array, not from ${inspect(data, { depth: 0 })}`,
      });
    const buffer = this.alloc(type, data.length, options);
    try {
      // Safe: `type` is the array's own element type.
      await (buffer as unknown as DeviceBuffer<ElementOf<A>>).write(data as never);
    } catch (error) {
      buffer.dispose();
      throw error;
    }
    return buffer as unknown as DeviceBuffer<ElementOf<A>>;
  }

  async load(code: Uint8Array | URL | string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Module> {
    this.#requireOpen();
    const bytes = code instanceof Uint8Array ? code : await readWholeFile(code, signal);
    if (signal?.aborted) throw new HsaError('ERR_ABORTED', { message: 'loading was aborted', cause: signal.reason });
    this.#requireOpen();
    try {
      return this.#loadModule(bytes);
    } catch (error) {
      if (!isHsaError(error, 'ERR_ISA_MISMATCH')) throw error;
      throw await withRetargetAdvice(error, bytes, parseTargetId(this.isa));
    }
  }

  #loadModule(bytes: Uint8Array): LoadedModule {
    const module: LoadedModule = new LoadedModule(
      { context: this.#context, whyClosed: () => this.#whyClosed(), launch: (kernel, options) => this.#launch(kernel, options) },
      bytes,
      () => this.#modules.delete(module),
    );
    this.#modules.add(module);
    return module;
  }

  queue({ packets = DEFAULT_QUEUE.packets, priority = DEFAULT_QUEUE.priority }: Partial<QueueOptions> = {}): Queue {
    this.#requireOpen();
    return this.#createQueue({ packets, priority });
  }

  async synchronize(options: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {}): Promise<void> {
    this.#requireOpen();
    const queues = [...this.#queues];
    const pending = queues.flatMap((queue) => queue.pending);
    await settleWithin(pending, { ...readLimits(options), progress: () => queues.map((queue) => queue.progress()).join() });
  }

  on<E extends keyof DeviceEvents>(event: E, listener: (data: DeviceEvents[E]) => void): Disposable {
    return this.#listeners.on(event, listener);
  }

  dispose(): Promise<void> {
    // A turn of its own: the device counts as disposed before anything of it ends.
    this.#closing ??= Promise.resolve().then(() => this.#close());
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  async #close(): Promise<void> {
    await releaseAllAsync(this.#closingSteps(), 'disposing the device left something behind');
  }

  /** Looks for what is left only when its turn comes: a program may dispose things while queues end. */
  *#closingSteps(): Generator<() => unknown> {
    const stopped = new HsaError('ERR_DISPOSED', { message: 'the device was disposed', details: { cause: 'device' } });
    for (const queue of [...this.#queues]) {
      if (queue !== this.#defaultQueue) this.#warnOfLeak('queue', `queue ${queue.id}`);
      yield () => {
        if (queue.pending.length > 0) queue.stop(stopped);
        return queue.dispose();
      };
    }
    for (const module of [...this.#modules]) {
      this.#warnOfLeak('module', module.kernelNames.join(', '));
      yield () => module.dispose();
    }
    for (const buffer of [...this.#buffers]) {
      this.#warnOfLeak('buffer', buffer.label ?? `${buffer.byteLength} bytes`);
      yield () => buffer.dispose();
    }
    yield () => this.#kernargs.dispose();
    yield () => this.#context.hsa[Symbol.dispose]();
    yield () => this.#runtime.release();
    yield () => this.#lose({ reason: 'disposed' });
    yield () => this.#listeners.clear();
  }

  #warnOfLeak(kind: string, name: string): void {
    this.#runtime.events.publish({
      source: 'runtime',
      name: 'leak',
      level: 'warn',
      message: `a ${kind} was left to the device to dispose: ${name}`,
      details: { kind, name },
    });
  }

  #launch(kernel: LoadedKernel, options: LaunchOptions): Completion {
    if (this.#defaultQueue === undefined || (!this.#defaultQueue.isUsable && this.#closing === undefined)) {
      const stopped = this.#defaultQueue;
      this.#defaultQueue = this.#createQueue(DEFAULT_QUEUE);
      // What is in it has rejected or is about to.
      stopped?.dispose().catch((error: unknown) => {
        if (!isHsaError(error)) throw error;
        this.#listeners.emit('fault', error);
      });
    }
    return this.#defaultQueue.launch(kernel, options);
  }

  #createQueue(options: QueueOptions): LaunchQueue {
    const host: QueueHost = {
      context: this.#context,
      kernargs: this.#kernargs,
      hasListeners: (event) => this.#listeners.has(event),
      emit: (event, data) => this.#listeners.emit(event, data),
      noteFailure: (error) => this.#noteFailure(error),
      whyClosed: () => this.#whyClosed(),
      asKernel: (kernel) => this.#asKernel(kernel),
    };
    const queue: LaunchQueue = new LaunchQueue(host, options, () => this.#queues.delete(queue));
    this.#queues.add(queue);
    return queue;
  }

  #asKernel(kernel: Kernel): LoadedKernel {
    if (!(kernel instanceof LoadedKernel))
      throw new HsaError('ERR_INVALID_ARGUMENT', { message: 'launch takes a kernel that module.kernel() returned' });
    if (kernel.agent !== this.#context.agent)
      throw new HsaError('ERR_INVALID_ARGUMENT', {
        message: `${kernel.name} was loaded on another device; load its module on this one`,
      });
    return kernel;
  }

  #noteFailure(error: HsaError): void {
    if (this.#lostError !== undefined || !LOST.includes(error.code)) return;
    this.#lostError = error;
    this.#lose({ reason: 'hang', error });
    this.#listeners.emit('fault', error);
  }

  #whyClosed(): HsaError | undefined {
    if (this.#closing) return new HsaError('ERR_DISPOSED', { message: `device ${this.name} was disposed` });
    return this.#lostError;
  }

  #requireOpen(): void {
    const closed = this.#whyClosed();
    if (closed) throw closed;
  }
}
