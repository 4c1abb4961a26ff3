import type { ScalarType } from '@doorbell/code-object/core';
import { HsaError } from '@doorbell/abi';
import { inspect } from 'node:util';
import type { Runtime } from '../core/runtime.js';
import type { DeviceContext } from './device-context.js';
import type { ArrayOf } from './scalar.js';
import { ELEMENT_ARRAYS, elementTypeOf } from './scalar.js';
import type { BufferOptions, DeviceBuffer, DevicePointer } from './types.js';

/** Device memory with an element type, allocated through the API table. */
export class Buffer<T extends ScalarType> implements DeviceBuffer<T> {
  readonly type: T;
  readonly length: number;
  readonly byteLength: number;
  readonly address: bigint;
  readonly label?: string;
  readonly #context: DeviceContext;
  readonly #onDispose: () => void;
  #isDisposed = false;

  constructor(
    context: DeviceContext,
    shape: { readonly type: T; readonly length: number; readonly options: BufferOptions },
    onDispose: () => void,
  ) {
    const { type, length, options } = shape;
    // Types are erased in JavaScript callers: look.
    if (!Object.hasOwn(ELEMENT_ARRAYS, type)) throw invalid(`no element type is called ${inspect(type)}`, { type });
    if (!Number.isSafeInteger(length) || length <= 0)
      throw invalid(`a buffer has a positive number of elements, not ${inspect(length)}`, { length });
    this.type = type;
    this.length = length;
    this.byteLength = length * ELEMENT_ARRAYS[type].BYTES_PER_ELEMENT;
    if (options.label !== undefined) this.label = options.label;
    this.#context = context;
    this.#onDispose = onDispose;
    this.address = context.allocate(options.pool ?? 'vram', { sizeBytes: this.byteLength, label: options.label });
  }

  // A copy is done at once; the promise leaves room for memory that only a copy engine reaches.
  async write(data: ArrayOf<T>, { offset = 0 }: { readonly offset?: number } = {}): Promise<void> {
    this.#requireElements(data);
    this.#requireRange(offset, data.length);
    // Safe: #requireElements looked that it has the buffer's element type.
    (this.view() as { set(array: ArrayLike<unknown>, offset: number): void }).set(data, offset);
    return Promise.resolve();
  }

  async read({
    offset = 0,
    length = this.length - offset,
    signal,
  }: { readonly offset?: number; readonly length?: number; readonly signal?: AbortSignal } = {}): Promise<ArrayOf<T>> {
    if (signal?.aborted) throw new HsaError('ERR_ABORTED', { message: 'reading the buffer was aborted', cause: signal.reason });
    this.#requireRange(offset, length);
    const copy = new Uint8Array(length * ELEMENT_ARRAYS[this.type].BYTES_PER_ELEMENT);
    const start = offset * ELEMENT_ARRAYS[this.type].BYTES_PER_ELEMENT;
    copy.set(this.#bytes().subarray(start, start + copy.length));
    return Promise.resolve(this.#asElements(copy));
  }

  view(): ArrayOf<T> {
    return this.#asElements(this.#bytes());
  }

  at(elementOffset: number): DevicePointer<T> {
    this.#requireLive();
    this.#requireRange(elementOffset, 0);
    return {
      buffer: this,
      elementOffset,
      address: this.address + BigInt(elementOffset * ELEMENT_ARRAYS[this.type].BYTES_PER_ELEMENT),
    };
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#onDispose();
    this.#context.free(this.address);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Whether kernels of this runtime reach it: addresses of another one mean other memory here. */
  isOf(runtime: Runtime): boolean {
    return this.#context.runtime === runtime;
  }

  #requireLive(): void {
    if (this.#isDisposed) throw new HsaError('ERR_DISPOSED', { message: `${this.#name()} was disposed` });
  }

  #bytes(): Uint8Array {
    this.#requireLive();
    return this.#context.view(this.address, this.byteLength);
  }

  #asElements(bytes: Uint8Array): ArrayOf<T> {
    const array = ELEMENT_ARRAYS[this.type];
    // Safe: the table pairs each element type with its array.
    return new array(bytes.buffer, bytes.byteOffset, bytes.byteLength / array.BYTES_PER_ELEMENT) as ArrayOf<T>;
  }

  #requireElements(data: unknown): void {
    const given = elementTypeOf(data);
    const wanted = this.type === 'f16' || this.type === 'bf16' ? 'u16' : this.type;
    if (given !== wanted) {
      throw invalid(
        `${this.#name()} has ${this.type} elements; it takes a ${ELEMENT_ARRAYS[this.type].name}, not ${describe(data)}`,
        { type: this.type },
      );
    }
  }

  #requireRange(offset: number, length: number): void {
    if (
      Number.isSafeInteger(offset) &&
      Number.isSafeInteger(length) &&
      offset >= 0 &&
      length >= 0 &&
      offset + length <= this.length
    )
      return;
    throw invalid(`elements ${offset} … ${offset + length} do not lie in ${this.#name()} of ${this.length}`, {
      offset,
      length,
      available: this.length,
    });
  }

  #name(): string {
    return this.label === undefined ? 'the buffer' : `buffer ${this.label}`;
  }
}

function describe(value: unknown): string {
  return ArrayBuffer.isView(value) ? `a ${value.constructor.name}` : inspect(value, { depth: 0 });
}

function invalid(message: string, details: Readonly<Record<string, unknown>>): HsaError {
  return new HsaError('ERR_INVALID_ARGUMENT', { message, details });
}
