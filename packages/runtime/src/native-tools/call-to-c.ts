/** A call of TypeScript's that a tool's C function answers. */
import type { HsaFunction, HsaParam } from '@doorbell/abi';
import { HsaError } from '@doorbell/abi';
import type { CValue } from '@doorbell/thunk-loader';
import type { Border } from './border.js';
import { elementOf } from './call-from-c.js';
import type { AnyCallback } from './callbacks.js';
import { elementBytes, readElement, writeElement } from './elements.js';
import { decodeInfo, infoTypeOf } from './info-types.js';
import { countOf, isPointerToHandle, keepsCallbacks, signatureOf } from './parameters.js';

/** No attribute's value is longer: the longest is a name. */
const INFO_BYTES = 4096;

/**
 * Calls the C function at `address` with the arguments of a slot, which have been checked. Nothing that C gets outlives the call, but
 * callbacks and user data of functions that keep them, and the bytes of a code object, which stay as long as its reader.
 */
export function callInC(
  border: Border,
  {
    signature,
    address,
    codeObjects,
  }: { readonly signature: HsaFunction; readonly address: bigint; readonly codeObjects: CodeObjectBytes },
  args: readonly unknown[],
): unknown {
  return border.scratch.scoped(() => {
    const call = new CallToC(border, signature, { args, codeObjects });
    try {
      const converted = signature.params.map((param, index) => call.convert(param, args[index]));
      const result = border.ffi.call(address, signatureOf(signature), converted);
      call.readBack(result === 0);
      return result;
    } finally {
      call.release();
    }
  });
}

/** Bytes of code objects that C reads for as long as their readers live, by the reader's handle. */
export class CodeObjectBytes {
  readonly #border: Pick<Border, 'ffi'>;
  readonly #addresses = new Map<bigint, bigint>();

  constructor(border: Pick<Border, 'ffi'>) {
    this.#border = border;
  }

  copy(bytes: Uint8Array): bigint {
    const { ffi } = this.#border;
    const address = ffi.allocate(Math.max(1, bytes.length));
    if (bytes.length > 0) ffi.view(address, bytes.length).set(bytes);
    return address;
  }

  keep(reader: bigint, address: bigint): void {
    this.free(reader);
    this.#addresses.set(reader, address);
  }

  free(reader: bigint): void {
    const address = this.#addresses.get(reader);
    if (address === undefined) return;
    this.#addresses.delete(reader);
    this.#border.ffi.free(address);
  }

  dispose(): void {
    for (const reader of [...this.#addresses.keys()]) this.free(reader);
  }
}

interface Ref {
  value: unknown;
}

class CallToC {
  readonly #border: Border;
  readonly #signature: HsaFunction;
  readonly #args: readonly unknown[];
  readonly #codeObjects: CodeObjectBytes;
  readonly #reads: ((succeeded: boolean) => void)[] = [];
  readonly #releases: (() => void)[] = [];

  constructor(
    border: Border,
    signature: HsaFunction,
    { args, codeObjects }: { readonly args: readonly unknown[]; readonly codeObjects: CodeObjectBytes },
  ) {
    this.#border = border;
    this.#signature = signature;
    this.#args = args;
    this.#codeObjects = codeObjects;
  }

  readBack(succeeded: boolean): void {
    for (const read of this.#reads) read(succeeded);
    if (succeeded && this.#signature.name === 'hsa_code_object_reader_destroy' && typeof this.#args[0] === 'bigint')
      this.#codeObjects.free(this.#args[0]);
  }

  release(): void {
    for (const release of this.#releases) release();
  }

  convert(param: HsaParam, value: unknown): CValue {
    const { scratch } = this.#border;
    switch (param.kind) {
      case 'string':
        return typeof value === 'string' ? scratch.takeString(value) : 0n;
      case 'struct': {
        const type = elementOf(param);
        const block = scratch.take(elementBytes(type));
        writeElement(block.bytes, 0, type, value);
        return block.address;
      }
      case 'memory':
        return this.#memory(param, value);
      case 'user-data':
        return this.#userData(value);
      case 'callback':
        return this.#callback(param, value);
      case 'array':
        return this.#array(param, value);
      case 'out':
      case 'in-out':
        return isRef(value) ? this.#out(param, value) : 0n;
      case 'out-array':
        return isRef(value) ? this.#outArray(param, value) : 0n;
      case 'out-any':
        return isRef(value) ? this.#outInfo(value) : 0n;
      default: {
        if (!isPointerToHandle(param)) return value as CValue; // Safe: the slot has checked that it is of the parameter's kind.
        if (value === null) return 0n;
        const block = scratch.take(8);
        writeElement(block.bytes, 0, elementOf(param), value);
        return block.address;
      }
    }
  }

  #memory(param: HsaParam, value: unknown): bigint {
    if (typeof value === 'bigint') return value;
    if (!(value instanceof Uint8Array)) return 0n;
    const size = this.#countWithin(param, value.length);
    if (this.#signature.name === 'hsa_code_object_reader_create_from_memory') return this.#codeObject(value.subarray(0, size));
    const block = this.#border.scratch.take(size);
    block.bytes.set(value.subarray(0, size));
    if (param.name === 'dst') this.#reads.push(() => value.set(block.bytes));
    return block.address;
  }

  /** How many elements C will look for: it cannot see where an array ends. */
  #countWithin(param: HsaParam, length: number): number {
    const count = countOf(this.#signature, param, this.#args);
    if (count <= length) return count;
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${this.#signature.name}: ${param.name} has ${length} elements of the ${count} that are to be used`,
    });
  }

  #codeObject(bytes: Uint8Array): bigint {
    const address = this.#codeObjects.copy(bytes);
    const reader = this.#args.at(-1);
    this.#reads.push((succeeded) => {
      if (succeeded && isRef(reader) && typeof reader.value === 'bigint') this.#codeObjects.keep(reader.value, address);
      else this.#border.ffi.free(address);
    });
    return address;
  }

  #userData(value: unknown): bigint {
    const { userData } = this.#border;
    if (!keepsCallbacks(this.#signature.name) && !userData.has(value)) this.#releases.push(() => userData.forget(value));
    return userData.toC(value);
  }

  #callback({ callback: name }: HsaParam, value: unknown): bigint {
    const { callbacks } = this.#border;
    if (name === 'AllocCallback' && value === null) return this.#allocator();
    if (typeof value !== 'function' || name === undefined) return 0n;
    const callback = value as AnyCallback; // Safe: whoever calls it passes the arguments of its C type.
    if (!keepsCallbacks(this.#signature.name) && !callbacks.has(callback)) this.#releases.push(() => callbacks.forget(callback));
    return callbacks.toC(name, callback);
  }

  /** For callers in TypeScript, who need none: C answers arrays in memory of the caller's. */
  #allocator(): bigint {
    const { callbacks, ffi } = this.#border;
    const allocate: AnyCallback = (size) => {
      const address = ffi.allocate(Number(size));
      this.#releases.push(() => ffi.free(address));
      return address;
    };
    this.#releases.push(() => callbacks.forget(allocate));
    return callbacks.toC('AllocCallback', allocate);
  }

  #array(param: HsaParam, value: unknown): bigint {
    if (!Array.isArray(value)) return 0n;
    this.#countWithin(param, value.length);
    const type = elementOf(param);
    const size = elementBytes(type);
    const { address, bytes } = this.#border.scratch.take(size * value.length);
    value.forEach((element, index) => writeElement(bytes, index * size, type, element));
    return address;
  }

  #out(param: HsaParam, ref: Ref): bigint {
    const { scratch, ffi } = this.#border;
    const type = elementOf(param);
    const { address, bytes } = scratch.take(elementBytes(type));
    if (param.kind === 'in-out') writeElement(bytes, 0, type, ref.value);
    // The structure begins with the size that its caller knows (hsa_ext_amd.h).
    if (type.struct === 'hsa_amd_pointer_info_t') writeElement(bytes, 0, { kind: 'u32' }, bytes.length);
    const before = bytes.slice();
    this.#reads.push((succeeded) => {
      if (!succeeded && bytes.every((byte, index) => byte === before[index])) return;
      const value = readElement(bytes, 0, type);
      ref.value = type.kind === 'string' ? (value === 0n ? '' : ffi.readString(BigInt(String(value)))) : value;
    });
    return address;
  }

  #outArray(param: HsaParam, ref: Ref): bigint {
    if (this.#signature.name === 'hsa_amd_pointer_info') return this.#allocatedArray(param, ref);
    const type = elementOf(param);
    const size = elementBytes(type);
    const count = countOf(this.#signature, param, this.#args);
    const { address, bytes } = this.#border.scratch.take(size * count);
    if (Array.isArray(ref.value))
      ref.value.slice(0, count).forEach((value, index) => writeElement(bytes, index * size, type, value));
    this.#reads.push(() => {
      ref.value = Array.from({ length: count }, (_, index) => readElement(bytes, index * size, type));
    });
    return address;
  }

  /** The agents of hsa_amd_pointer_info: C writes a pointer to what the caller's allocator gave, and how many there are. */
  #allocatedArray(param: HsaParam, ref: Ref): bigint {
    const { scratch, ffi } = this.#border;
    const type = elementOf(param);
    const size = elementBytes(type);
    const count = this.#args[this.#signature.params.findIndex(({ name }) => name === 'num_agents_accessible')];
    const { address, bytes } = scratch.take(8);
    this.#reads.push(() => {
      const list = readElement(bytes, 0, { kind: 'pointer' });
      const length = isRef(count) ? Number(count.value) : 0;
      if (typeof list !== 'bigint' || list === 0n || length === 0) return;
      const elements = ffi.view(list, size * length);
      ref.value = Array.from({ length }, (_, index) => readElement(elements, index * size, type));
    });
    return address;
  }

  #outInfo(ref: Ref): bigint {
    const { scratch, ffi } = this.#border;
    const { name, params } = this.#signature;
    const attribute = Number(this.#args[params.findIndex((param) => param.name === 'attribute')]);
    const { address, bytes } = scratch.take(INFO_BYTES);
    this.#reads.push((succeeded) => {
      if (!succeeded) return;
      const type = infoTypeOf(name, attribute);
      // An attribute of the tool's own: whoever asks for it knows what it is.
      const value = type === undefined ? bytes.slice() : decodeInfo(type, bytes);
      ref.value = type?.is === 'string' ? ffi.readString(BigInt(String(value))) : value;
    });
    return address;
  }
}

function isRef(value: unknown): value is Ref {
  return typeof value === 'object' && value !== null && 'value' in value;
}
