/** Callbacks across the border: a function of TypeScript as a C function pointer, and the other way round. */
import type { HsaCallbackName } from '@doorbell/abi';
import { HSA_CALLBACKS, InternalError } from '@doorbell/abi';
import type { CScalar, CSignature, CValue, ForeignFunctions } from '@doorbell/thunk-loader';
import { elementBytes, layoutOf, readElement, resultForC, writeElement } from './elements.js';
import type { Scratch } from './scratch.js';
import type { UserData } from './user-data.js';

export type AnyCallback = (...args: unknown[]) => unknown;

/** How a parameter of a callback crosses, by its C type; every other one is a number of its scalar kind. */
type Passing =
  | { readonly as: 'scalar'; readonly scalar: CScalar }
  | { readonly as: 'user-data' }
  /** Read by the callback. */
  | { readonly as: 'struct'; readonly struct: string }
  /** `void **`, written by the callback. */
  | { readonly as: 'out-pointer' }
  /** An address, or bytes of TypeScript. */
  | { readonly as: 'memory' }
  | { readonly as: 'callback'; readonly name: HsaCallbackName };

const PASSING: Readonly<Record<string, Passing>> = {
  'void *': { as: 'user-data' },
  hsa_callback_data_t: { as: 'user-data' },
  'void **': { as: 'out-pointer' },
  'const void *': { as: 'memory' },
  'const hsa_amd_event_t *': { as: 'struct', struct: 'hsa_amd_event_t' },
  'const hsa_ven_amd_pcs_configuration_t *': { as: 'struct', struct: 'hsa_ven_amd_pcs_configuration_t' },
  hsa_amd_queue_intercept_packet_writer: { as: 'callback', name: 'PacketWriter' },
  hsa_ven_amd_pcs_data_copy_callback_t: { as: 'callback', name: 'PcSamplingCopyCallback' },
  hsa_status_t: { as: 'scalar', scalar: 'u32' },
  hsa_signal_value_t: { as: 'scalar', scalar: 'i64' },
  bool: { as: 'scalar', scalar: 'bool' },
};
/** Handles, pointers, size_t and uint64_t. */
const WIDE: Passing = { as: 'scalar', scalar: 'u64' };
const OUT_POINTER = { kind: 'pointer' } as const;

interface CallbackType {
  readonly signature: CSignature;
  readonly params: readonly Passing[];
}

export interface CallbackParts {
  readonly ffi: ForeignFunctions;
  readonly scratch: Scratch;
  readonly userData: UserData;
  /** Takes what a callback of TypeScript threw, or what could not cross the border. */
  readonly report: (name: string, error: unknown) => void;
}

/** The callbacks of one native view. A function that has crossed comes back as itself. */
export class Callbacks {
  readonly #parts: CallbackParts;
  readonly #types = new Map<HsaCallbackName, CallbackType>();
  /** By kind and address: what C handed in. */
  readonly #fromC = new Map<string, AnyCallback>();
  readonly #addresses = new WeakMap<AnyCallback, bigint>();
  /** By address: what TypeScript handed out. */
  readonly #toC = new Map<bigint, AnyCallback>();

  constructor(parts: CallbackParts) {
    this.#parts = parts;
  }

  /** The C function pointer for a callback; it is there until {@link forget} or {@link dispose}. */
  toC(name: HsaCallbackName, callback: AnyCallback): bigint {
    const known = this.#addresses.get(callback);
    if (known !== undefined) return known;
    const { ffi, report } = this.#parts;
    const { signature, params } = this.#typeOf(name);
    const address = ffi.register(signature, (...args) => {
      try {
        return resultForC(signature.returns, this.#runForC(callback, params, args));
      } catch (error) {
        report(name, error);
        // HSA_STATUS_ERROR, «do not call me again», NULL.
        return resultForC(signature.returns, undefined);
      }
    });
    this.#addresses.set(callback, address);
    this.#toC.set(address, callback);
    return address;
  }

  /** The function for a C function pointer. */
  fromC(name: HsaCallbackName, address: bigint): AnyCallback {
    const own = this.#toC.get(address);
    if (own !== undefined) return own;
    const key = `${name} ${address}`;
    const known = this.#fromC.get(key);
    if (known !== undefined) return known;
    const callback: AnyCallback = (...args) => this.#runInC(address, this.#typeOf(name), args);
    this.#addresses.set(callback, address);
    this.#fromC.set(key, callback);
    return callback;
  }

  /** Whether C has a function pointer for it. */
  has(callback: AnyCallback): boolean {
    return this.#addresses.has(callback);
  }

  /** Takes back the function pointer that C had for a callback. */
  forget(callback: AnyCallback): void {
    const address = this.#addresses.get(callback);
    if (address === undefined || !this.#toC.delete(address)) return;
    this.#addresses.delete(callback);
    this.#parts.ffi.unregister(address);
  }

  /** Takes all function pointers back. */
  dispose(): void {
    for (const callback of [...this.#toC.values()]) this.forget(callback);
  }

  #runForC(callback: AnyCallback, params: readonly Passing[], args: readonly CValue[]): unknown {
    const { ffi, userData } = this.#parts;
    const after: (() => void)[] = [];
    const converted = params.map((passing, index) => {
      const value = args[index];
      const address = typeof value === 'bigint' ? value : 0n;
      switch (passing.as) {
        case 'scalar':
          return value;
        case 'user-data':
          return userData.fromC(address);
        case 'memory':
          return address;
        case 'struct':
          return layoutOf(passing.struct).read(ffi.view(address, layoutOf(passing.struct).sizeBytes));
        case 'callback':
          return this.fromC(passing.name, address);
        case 'out-pointer': {
          const out = { value: 0n };
          after.push(() => writeElement(ffi.view(address, elementBytes(OUT_POINTER)), 0, OUT_POINTER, out.value));
          return out;
        }
      }
    });
    const result = callback(...converted);
    for (const write of after) write();
    return result;
  }

  #runInC(address: bigint, { signature, params }: CallbackType, args: readonly unknown[]): unknown {
    const { ffi, scratch, userData } = this.#parts;
    return scratch.scoped(() => {
      const after: (() => void)[] = [];
      const converted = params.map((passing, index): CValue => {
        const value = args[index];
        switch (passing.as) {
          case 'scalar':
            return value as CValue; // Safe: the callback's type in TypeScript has the same kinds.
          case 'user-data':
            return userData.toC(value);
          case 'memory': {
            if (!(value instanceof Uint8Array)) return value as bigint; // Safe: an address is the other choice.
            const copy = scratch.take(value.length);
            copy.bytes.set(value);
            return copy.address;
          }
          case 'struct': {
            const block = scratch.take(layoutOf(passing.struct).sizeBytes);
            writeElement(block.bytes, 0, { kind: 'struct', struct: passing.struct }, value);
            return block.address;
          }
          case 'callback':
            return this.toC(passing.name, value as AnyCallback); // Safe: its type in TypeScript is a function.
          case 'out-pointer': {
            const block = scratch.take(elementBytes(OUT_POINTER));
            const out = value as { value: unknown }; // Safe: its type in TypeScript is Ref<bigint>.
            after.push(() => (out.value = readElement(block.bytes, 0, OUT_POINTER)));
            return block.address;
          }
        }
      });
      const result = ffi.call(address, signature, converted);
      for (const read of after) read();
      return result;
    });
  }

  #typeOf(name: HsaCallbackName): CallbackType {
    let type = this.#types.get(name);
    if (type === undefined) {
      const { returns, params } = HSA_CALLBACKS[name];
      const passings = params.map((param) => PASSING[param] ?? WIDE);
      type = { signature: { returns: returnOf(returns), params: passings.map(scalarOfPassing) }, params: passings };
      this.#types.set(name, type);
    }
    return type;
  }
}

function scalarOfPassing(passing: Passing): CScalar {
  return passing.as === 'scalar' ? passing.scalar : 'u64';
}

function returnOf(cType: string): CSignature['returns'] {
  switch (cType) {
    case 'void':
      return 'void';
    case 'bool':
      return 'bool';
    case 'hsa_status_t':
      return 'u32';
    case 'void *':
      return 'u64';
    default:
      throw new InternalError(`a callback that returns ${cType}`);
  }
}
