import { findProcessor, HsaError, InternalError } from '@doorbell/abi';
import type { ArgType, KernargLayout, KernelInfo, PackedKernarg, ScalarType } from '@doorbell/code-object/core';
import { layoutKernarg, occupancy, packKernarg, packRawKernarg } from '@doorbell/code-object/core';
import { inspect } from 'node:util';
import type { RuntimeAgent } from '../core/agents.js';
import { Buffer } from './buffer.js';
import type { DeviceContext } from './device-context.js';
import { readGeometry } from './dimensions.js';
import type { ArgSpec, Signature } from './signature.js';
import type { Completion, Dim3, Kernel, KernelArg, LaunchOptions, Occupancy } from './types.js';

/** What a kernel needs of its module. */
export interface KernelHost {
  readonly context: DeviceContext;
  whyClosed(): HsaError | undefined;
  launch(kernel: LoadedKernel, options: LaunchOptions): Completion;
}

/** Sizes of a launch, three of each. */
export interface Geometry {
  readonly grid: readonly [number, number, number];
  readonly workgroup: readonly [number, number, number];
  readonly dimensions: 1 | 2 | 3;
}

/** Stack of kernels whose need is not known; AMD's HIP gives 1 KiB unless told otherwise. */
const DEFAULT_STACK_BYTES = 4096;
const MAX_STACK_BYTES = 1 << 20;
/** Alignment of the stack pointer (LLVM AMDGPU: 16 bytes). */
const STACK_ALIGN_BYTES = 16;

/** A kernel of a loaded code object. */
export class LoadedKernel implements Kernel {
  readonly name: string;
  readonly args: readonly KernelArg[];
  readonly kernargBytes: number;
  readonly ldsBytes: number;
  readonly vgprs: number;
  readonly sgprs: number;
  readonly scratchBytes: number;
  /** Device address of the descriptor. */
  readonly object: bigint;
  readonly #host: KernelHost;
  readonly #info: KernelInfo;
  readonly #layout: KernargLayout;
  readonly #signature: Signature | undefined;

  /** @throws {HsaError} ERR_INVALID_ARGUMENT when the signature is not what the metadata says. */
  constructor(
    host: KernelHost,
    kernel: { readonly info: KernelInfo; readonly object: bigint },
    signature: Signature | undefined,
  ) {
    const { info, object } = kernel;
    this.#host = host;
    this.#info = info;
    this.#signature = signature;
    this.#layout = layoutKernarg(info, signature && argTypes(signature));
    this.object = object;
    this.name = info.name;
    this.args = this.#layout.slots.map(({ name, offset, sizeBytes, type }, index) => {
      const typeName = info.args[index]?.typeName;
      const kind = type === 'global' || type === 'lds' ? type : 'value';
      return { name, kind, offset, sizeBytes, ...(typeName === undefined ? {} : { typeName }) };
    });
    this.kernargBytes = info.kernargBytes;
    this.ldsBytes = info.groupBytes;
    this.vgprs = info.vgprs;
    this.sgprs = info.sgprs;
    this.scratchBytes = info.privateBytes;
  }

  /** Whose memory its code is in. */
  get agent(): RuntimeAgent {
    return this.#host.context.agent;
  }

  launch(options: LaunchOptions): Completion {
    return this.#host.launch(this, options);
  }

  occupancy(workgroup: Dim3): Occupancy {
    const { workgroup: sizes } = readGeometry(1, workgroup);
    const name = this.#host.context.gpu.isa.processor;
    const processor = findProcessor(name);
    if (processor === undefined) throw new InternalError(`the device's processor ${name} is not in the list of processors`);
    return occupancy(this.#info, { workgroup: sizes, processor });
  }

  /** The kernarg bytes of a launch. @throws {HsaError} ERR_INVALID_ARGUMENT, ERR_DISPOSED for a disposed module or buffer. */
  packArguments(options: LaunchOptions, geometry: Geometry): PackedKernarg {
    const closed = this.#host.whyClosed();
    if (closed) throw closed;
    const { grid, workgroup, dimensions: gridDims } = geometry;
    const dispatch = { grid, workgroup, gridDims, dynamicLdsBytes: options.dynamicLdsBytes ?? 0 };
    if (options.kernarg !== undefined) {
      if (options.args !== undefined)
        throw new HsaError('ERR_INVALID_ARGUMENT', { message: `${this.name}: give args or kernarg, not both` });
      // Types are erased in JavaScript callers: look.
      if (!((options.kernarg as unknown) instanceof Uint8Array))
        throw new HsaError('ERR_INVALID_ARGUMENT', {
          message: `${this.name}: kernarg is a Uint8Array, not ${inspect(options.kernarg)}`,
        });
      return this.#requireLds(packRawKernarg(this.#layout, options.kernarg, dispatch));
    }
    return this.#requireLds(packKernarg(this.#layout, this.#addresses(options.args ?? []), dispatch));
  }

  /** Private memory of each work-item in a launch. @throws {HsaError} ERR_INVALID_ARGUMENT for stackBytes out of range. */
  privateBytes({ stackBytes }: LaunchOptions): number {
    const stack = stackBytes ?? (this.#info.usesDynamicStack ? DEFAULT_STACK_BYTES : 0);
    if (!Number.isInteger(stack) || stack < 0 || stack > MAX_STACK_BYTES) {
      throw new HsaError('ERR_INVALID_ARGUMENT', {
        message: `${this.name}: stackBytes is a whole number up to ${MAX_STACK_BYTES}, not ${inspect(stack)}`,
      });
    }
    return this.scratchBytes + Math.ceil(stack / STACK_ALIGN_BYTES) * STACK_ALIGN_BYTES;
  }

  #requireLds(packed: PackedKernarg): PackedKernarg {
    const { ldsBytesPerCu } = this.#host.context.gpu;
    const { groupSegmentBytes } = packed;
    if (groupSegmentBytes <= ldsBytesPerCu) return packed;
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${this.name} asks for ${groupSegmentBytes} bytes of LDS (${this.ldsBytes} of them static); a workgroup has at most ${ldsBytesPerCu}`,
      details: { kernel: this.name, groupSegmentBytes, ldsBytesPerCu },
    });
  }

  /** Buffers and pointers become addresses; their element types are checked where a signature names them. */
  #addresses(args: NonNullable<LaunchOptions['args']>): Readonly<Record<string, unknown>> | readonly unknown[] {
    if (isList(args)) {
      const specs = this.#signature ? Object.values(this.#signature) : [];
      return args.map((value, index) => this.#address(value, specs[index], this.#layout.slots[index]?.name ?? `${index}`));
    }
    return Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, this.#address(value, this.#signature?.[name], name)]),
    );
  }

  #address(value: unknown, spec: ArgSpec | undefined, name: string): unknown {
    const buffer = bufferOf(value);
    if (buffer === undefined) return value;
    if (!buffer.isOf(this.#host.context.runtime))
      throw new HsaError('ERR_INVALID_ARGUMENT', {
        message: `${this.name}: the buffer given for ${name} belongs to another device`,
      });
    if (buffer.isDisposed)
      throw new HsaError('ERR_DISPOSED', { message: `${this.name}: the buffer given for ${name} was disposed` });
    if (typeof spec === 'object' && spec.kind === 'global' && spec.type !== buffer.type) {
      throw new HsaError('ERR_INVALID_ARGUMENT', {
        message: `${this.name}: ${name} takes a buffer of ${spec.type}, not of ${buffer.type}`,
        details: { kernel: this.name, argument: name, expected: spec.type, got: buffer.type },
      });
    }
    // Safe: bufferOf looked that it is a buffer or a pointer into one.
    return (value as { readonly address: bigint }).address;
  }
}

function bufferOf(value: unknown): Buffer<ScalarType> | undefined {
  if (value instanceof Buffer) return value;
  if (typeof value === 'object' && value !== null && 'buffer' in value && value.buffer instanceof Buffer) return value.buffer;
  return undefined;
}

function argTypes(signature: Signature): Record<string, ArgType> {
  return Object.fromEntries(Object.entries(signature).map(([name, spec]) => [name, typeof spec === 'string' ? spec : spec.kind]));
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
