/** A call of C's that a function of the TypeScript table answers. */
import type { HsaFunction, HsaParam } from '@doorbell/abi';
import { InternalError, isHsaFailure } from '@doorbell/abi';
import type { AnyFunction } from '@doorbell/api-table';
import type { CValue } from '@doorbell/thunk-loader';
import type { Border } from './border.js';
import type { ElementType } from './elements.js';
import { elementBytes, readElement, writeElement, zeroOf } from './elements.js';
import { encodeInfo, infoTypeOf } from './info-types.js';
import { countOf, isPointerToHandle } from './parameters.js';

/** What a parameter's kind says of the value behind the pointer. */
export function elementOf({ kind, element, struct }: HsaParam): ElementType {
  const own = kind === 'struct' ? 'struct' : kind === 'handle' ? 'handle' : (element ?? 'u8');
  return { kind: own, struct };
}

/**
 * Answers one call: reads what the arguments point to, calls `target`, writes what it gave back. An out-parameter is left alone when the
 * call fails without having set it.
 */
export function answerCall(border: Border, signature: HsaFunction, target: AnyFunction, args: readonly CValue[]): unknown {
  const call = new CallFromC(border, signature, args);
  const converted = signature.params.map((param, index) => call.convert(param, args[index]));
  const result = target(...converted);
  call.finish(signature.returns === 'hsa_status_t' && typeof result === 'number' && isHsaFailure(result));
  return result;
}

class CallFromC {
  readonly #border: Border;
  readonly #signature: HsaFunction;
  readonly #args: readonly CValue[];
  readonly #writes: ((failed: boolean) => void)[] = [];

  constructor(border: Border, signature: HsaFunction, args: readonly CValue[]) {
    this.#border = border;
    this.#signature = signature;
    this.#args = args;
  }

  finish(failed: boolean): void {
    for (const write of this.#writes) write(failed);
  }

  /** The argument in TypeScript. NULL stays `null`, which the table refuses where it must not be. */
  convert(param: HsaParam, value: CValue): unknown {
    const { ffi, userData, callbacks, isRuntimeMemory } = this.#border;
    if (typeof value !== 'bigint') return value;
    const { kind } = param;
    switch (kind) {
      case 'string':
        return value === 0n ? null : ffi.readString(value);
      case 'struct': {
        const type = elementOf(param);
        return value === 0n ? null : readElement(ffi.view(value, elementBytes(type)), 0, type);
      }
      case 'memory': {
        const size = this.#count(param);
        if (value === 0n || size === 0 || isRuntimeMemory(value)) return value;
        const bytes = ffi.view(value, size);
        // hsa_memory_copy is done when it returns; others keep what they get, and C may free it.
        return this.#signature.name === 'hsa_memory_copy' ? bytes : bytes.slice();
      }
      case 'user-data':
        return userData.fromC(value);
      case 'callback':
        return value === 0n || param.callback === undefined ? null : callbacks.fromC(param.callback, value);
      case 'array':
        return this.#readArray(param, value);
      case 'out':
      case 'in-out':
        return value === 0n ? null : this.#refTo(param, value);
      case 'out-array':
        return value === 0n ? null : this.#arrayRefTo(param, value);
      case 'out-any':
        return value === 0n ? null : this.#infoRefTo(value);
      case 'handle':
        if (!isPointerToHandle(param)) return value;
        return value === 0n ? null : readElement(ffi.view(value, 8), 0, elementOf(param));
      default:
        return value;
    }
  }

  #count(param: HsaParam): number {
    return countOf(this.#signature, param, this.#args);
  }

  #readArray(param: HsaParam, address: bigint): readonly unknown[] | null {
    const count = this.#count(param);
    if (address === 0n) return count === 0 && !param.nullable ? [] : null;
    if (count <= 0) return [];
    const type = elementOf(param);
    const size = elementBytes(type);
    const bytes = this.#border.ffi.view(address, size * count);
    return Array.from({ length: count }, (_, index) => readElement(bytes, index * size, type));
  }

  #refTo(param: HsaParam, address: bigint): { value: unknown } {
    const { ffi, strings } = this.#border;
    const type = elementOf(param);
    const bytes = ffi.view(address, this.#targetBytes(type, address));
    // A caller made for an earlier header has a shorter structure.
    const whole = new Uint8Array(elementBytes(type));
    whole.set(bytes);
    const initial = param.kind === 'in-out' ? readElement(whole, 0, type) : zeroOf(type);
    const ref = { value: initial };
    this.#writes.push((failed) => {
      if (failed && ref.value === initial) return;
      writeElement(whole, 0, type, type.kind === 'string' ? strings.addressOf(textOf(ref.value)) : ref.value);
      bytes.set(whole.subarray(0, bytes.length));
    });
    return ref;
  }

  /** hsa_amd_pointer_info_t begins with the size that its caller knows (hsa_ext_amd.h). */
  #targetBytes(type: ElementType, address: bigint): number {
    const size = elementBytes(type);
    if (type.struct !== 'hsa_amd_pointer_info_t') return size;
    return Math.min(size, Number(readElement(this.#border.ffi.view(address, 4), 0, { kind: 'u32' })));
  }

  #arrayRefTo(param: HsaParam, address: bigint): { value: unknown[] } {
    if (this.#signature.name === 'hsa_amd_pointer_info') return this.#allocatedRefTo(param, address);
    const type = elementOf(param);
    const size = elementBytes(type);
    const count = this.#count(param);
    const bytes = count > 0 ? this.#border.ffi.view(address, size * count) : new Uint8Array(0);
    const ref = { value: Array.from({ length: count }, (_, index) => readElement(bytes, index * size, type)) };
    this.#writes.push((failed) => {
      if (failed) return;
      ref.value.slice(0, count).forEach((value, index) => writeElement(bytes, index * size, type, value));
    });
    return ref;
  }

  /** The agents of hsa_amd_pointer_info: an array that the caller's own allocator makes room for. */
  #allocatedRefTo(param: HsaParam, address: bigint): { value: unknown[] } {
    const { ffi, callbacks } = this.#border;
    const allocator = this.#args[this.#signature.params.findIndex(({ callback }) => callback === 'AllocCallback')];
    const type = elementOf(param);
    const size = elementBytes(type);
    const ref: { value: unknown[] } = { value: [] };
    this.#writes.push((failed) => {
      if (failed || ref.value.length === 0 || typeof allocator !== 'bigint' || allocator === 0n) return;
      const room = callbacks.fromC('AllocCallback', allocator)(BigInt(size * ref.value.length));
      if (typeof room !== 'bigint' || room === 0n) return;
      const bytes = ffi.view(room, size * ref.value.length);
      ref.value.forEach((value, index) => writeElement(bytes, index * size, type, value));
      writeElement(ffi.view(address, 8), 0, { kind: 'pointer' }, room);
    });
    return ref;
  }

  #infoRefTo(address: bigint): { value: unknown } {
    const { ffi, strings } = this.#border;
    const { name, params } = this.#signature;
    const attribute = this.#args[params.findIndex((param) => param.name === 'attribute')];
    const ref: { value: unknown } = { value: undefined };
    this.#writes.push((failed) => {
      if (failed || ref.value === undefined) return;
      const type = infoTypeOf(name, Number(attribute));
      if (type === undefined) throw new InternalError(`attribute ${String(attribute)} of ${name} has no C type`);
      const bytes = encodeInfo(type, type.is === 'string' ? strings.addressOf(textOf(ref.value)) : ref.value);
      if (bytes.length > 0) ffi.view(address, bytes.length).set(bytes);
    });
    return ref;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new InternalError(`${typeof value} where C has a string`);
}
