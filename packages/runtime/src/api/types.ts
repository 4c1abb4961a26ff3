/** The friendly API: what a program that wants to run kernels sees. */
import type { HsaError } from '@doorbell/abi';
import type { ScalarType } from '@doorbell/code-object/core';
import type { ThunkBackend } from '@doorbell/thunk-loader';
import type { ApiTable } from '../core/api.js';
import type { FailedTool } from '../tools/failed-tool.js';
import type { ArrayOf, ElementOf, TypedArray } from './scalar.js';
import type { KernelArgs, Signature } from './signature.js';

/** Work-items in each dimension; a number is one dimension. */
export type Dim3 = number | readonly [x: number, y?: number, z?: number];

/** Where a device comes from; `auto` takes a GPU if there is one, else the emulated one. */
export type Backend = 'auto' | ThunkBackend;

export interface OpenDeviceOptions {
  /** Default: `auto`, or what `DOORBELL_DEVICE` says. A named backend fails if it is not there. */
  readonly backend?: Backend;
  /** Index as {@link DeviceInfo.index} counts. Default: the discrete GPU with the largest VRAM. */
  readonly index?: number;
  /** Target of the emulated GPU, or what a real one must have: `gfx1100`. */
  readonly isa?: string;
  readonly signal?: AbortSignal;
}

export interface DeviceInfo {
  readonly index: number;
  readonly name: string;
  /** Target id: `gfx1100`, `gfx90a:sramecc+:xnack-`. */
  readonly isa: string;
  readonly backend: Exclude<Backend, 'auto'>;
  readonly vramBytes: number;
  readonly uuid?: string;
  readonly pciAddress?: string;
}

/** Events of a device, by name. */
export interface DeviceEvents {
  launch: { readonly kernel: string; readonly grid: Dim3; readonly workgroup: Dim3 };
  complete: { readonly kernel: string; readonly durationNs: number };
  progress: { readonly kernel: string; readonly workgroupsDone: number; readonly workgroupsTotal: number };
  log: { readonly level: 'error' | 'warn' | 'info' | 'debug' | 'trace'; readonly package: string; readonly message: string };
  /** A launch failed and nobody awaited it, or the device was lost. */
  fault: HsaError;
}

export interface DeviceLostInfo {
  readonly reason: 'hang' | 'fault' | 'disposed';
  readonly error?: HsaError;
}

export interface BufferOptions {
  /** `vram` (default), `gtt` (system memory that the GPU reaches) or `kernarg` (uncached system memory). */
  readonly pool?: 'vram' | 'gtt' | 'kernarg';
  /** Name for error messages. */
  readonly label?: string;
}

/**
 * An open device. It owns what is made from it: dispose releases queues, modules and buffers that are left, with one warning each.
 */
export interface Device extends AsyncDisposable {
  readonly name: string;
  readonly isa: string;
  readonly backend: Exclude<Backend, 'auto'>;
  /** Resolves when the device can no longer be used; never rejects. */
  readonly lost: Promise<DeviceLostInfo>;
  /** The runtime's public HSA API table: what tools patch, and what this API calls through. */
  readonly apiTable: ApiTable;
  /** Tools of `HSA_TOOLS_LIB` and `DOORBELL_TOOLS` that are not there, each with the reason; the device works without them. */
  readonly failedTools: readonly FailedTool[];

  /** Zeroed memory for `length` elements. @throws {HsaError} ERR_OUT_OF_MEMORY, ERR_INVALID_ARGUMENT, ERR_DISPOSED. */
  alloc<T extends ScalarType>(type: T, length: number, options?: BufferOptions): DeviceBuffer<T>;
  /** A buffer with a copy of `data`; the element type is the array's. */
  from<A extends TypedArray>(data: A, options?: BufferOptions): Promise<DeviceBuffer<ElementOf<A>>>;
  /** Loads a code object (ELF or offload bundle): bytes, a `file:` URL, or a path relative to the working directory. */
  load(code: Uint8Array | URL | string, options?: { readonly signal?: AbortSignal }): Promise<Module>;
  /** A queue of its own. Launches in one queue run in order. `packets`: a power of two, 64 … 131072; default 1024. */
  queue(options?: { readonly packets?: number; readonly priority?: 'low' | 'normal' | 'high' }): Queue;
  /** Waits until everything launched so far is complete. */
  synchronize(options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<void>;
  on<E extends keyof DeviceEvents>(event: E, listener: (data: DeviceEvents[E]) => void): Disposable;
  dispose(): Promise<void>;
}

/** Device memory with an element type. Dispose frees it; a kernel that still uses it faults. */
export interface DeviceBuffer<T extends ScalarType = ScalarType> extends Disposable {
  readonly type: T;
  readonly length: number;
  readonly byteLength: number;
  readonly address: bigint;
  readonly label?: string;
  /** Copies `data` in, from element `offset` on. Its element type must be the buffer's. */
  write(data: ArrayOf<T>, options?: { readonly offset?: number }): Promise<void>;
  /** Copies `length` elements out, from element `offset` on; default: all. */
  read(options?: { readonly offset?: number; readonly length?: number; readonly signal?: AbortSignal }): Promise<ArrayOf<T>>;
  /** The memory itself; valid until the buffer is disposed. @throws {HsaError} ERR_NOT_HOST_VISIBLE. */
  view(): ArrayOf<T>;
  /** A pointer argument to element `elementOffset`. */
  at(elementOffset: number): DevicePointer<T>;
  dispose(): void;
}

/** A pointer into a buffer, as a kernel argument. */
export interface DevicePointer<T extends ScalarType = ScalarType> {
  readonly buffer: DeviceBuffer<T>;
  readonly elementOffset: number;
  readonly address: bigint;
}

export interface Module extends Disposable {
  /** Target id of the code object. */
  readonly target: string;
  readonly kernelNames: readonly string[];
  /** @throws {HsaError} ERR_SYMBOL_NOT_FOUND, or ERR_INVALID_ARGUMENT when `signature` is not what the kernel's metadata says. */
  kernel(name: string): Kernel;
  kernel<const S extends Signature>(name: string, signature: S): Kernel<S>;
  dispose(): void;
}

/** One argument as the code object's metadata has it. */
export interface KernelArg {
  readonly name: string;
  readonly kind: 'value' | 'global' | 'lds';
  readonly offset: number;
  readonly sizeBytes: number;
  readonly typeName?: string;
}

export interface Kernel<S extends Signature = Signature> {
  readonly name: string;
  readonly args: readonly KernelArg[];
  readonly kernargBytes: number;
  /** Static LDS. */
  readonly ldsBytes: number;
  readonly vgprs: number;
  readonly sgprs: number;
  /** Private memory of one work-item. */
  readonly scratchBytes: number;
  /** Launches on the device's default queue. */
  launch(options: LaunchOptions<S>): Completion;
  occupancy(workgroup: Dim3): Occupancy;
}

export interface Occupancy {
  readonly wavesPerSimd: number;
  readonly limitedBy: 'vgpr' | 'sgpr' | 'lds' | 'workgroup' | 'none';
}

export interface LaunchOptions<S extends Signature = Signature> {
  /** Total work-items (as in the AQL packet), never workgroups; need not be a multiple of `workgroup`. */
  readonly grid: Dim3;
  readonly workgroup: Dim3;
  readonly args?: KernelArgs<S> | readonly unknown[];
  /** Raw bytes of the kernarg segment in place of `args`. */
  readonly kernarg?: Uint8Array;
  /** LDS beyond the static size that no argument names. */
  readonly dynamicLdsBytes?: number;
  /**
   * Bytes of stack for each work-item beyond the frame that the metadata names, up to 1 MiB: for kernels whose stack the compiler
   * cannot bound (recursion, calls through pointers). Default: 4096 for these, 0 for all others.
   */
  readonly stackBytes?: number;
  readonly signal?: AbortSignal;
  /** Time without progress after which the launch fails; default 30 s. */
  readonly timeoutMs?: number;
  /** Launches that must be complete before this one begins, on any queue of the device. */
  readonly after?: readonly Completion[];
}

/** A launch in progress. Await it; a failure that nobody awaits becomes a `fault` event of the device. */
export interface Completion extends PromiseLike<KernelTiming> {
  readonly id: number;
  readonly done: boolean;
}

export interface KernelTiming {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly durationNs: number;
}

export interface Queue extends AsyncDisposable {
  readonly id: number;
  launch<S extends Signature>(kernel: Kernel<S>, options: LaunchOptions<S>): Completion;
  dispose(): Promise<void>;
}
