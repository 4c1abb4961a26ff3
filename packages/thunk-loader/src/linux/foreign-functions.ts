/**
 * Calls in both directions between this process's C code and TypeScript, by address: what tools that are libraries need. Thunks have
 * declarations of their own.
 */
import type * as Koffi from 'koffi';
import { HsaError } from '@doorbell/abi';
import { loadKoffi } from './libc.js';

/** What fits one argument register: pointers, handles and structures of one 64-bit member are `u64`. */
export type CScalar = 'bool' | 'u8' | 'u16' | 'u32' | 'i32' | 'u64' | 'i64';

/** 64-bit kinds are `bigint`, `bool` is `boolean`, the rest `number`; nothing for `void`. */
export type CValue = number | bigint | boolean | undefined;

/** A C function's type. */
export interface CSignature {
  readonly returns: CScalar | 'void';
  readonly params: readonly CScalar[];
}

/** A library that was opened by {@link ForeignFunctions.openLibrary}. */
export interface OpenLibrary {
  /** The dynamic loader's handle: the same for every opening of one library. */
  readonly handle: bigint;
  /** Address of what the library, or one that it needs, exports. */
  symbol(name: string): bigint | undefined;
  /** Undoes this opening. */
  close(): void;
}

/** The library, or what dlerror(3) says. */
export type OpenLibraryResult =
  | { readonly ok: true; readonly library: OpenLibrary }
  | { readonly ok: false; readonly words: string };

export interface ForeignFunctions {
  openLibrary(path: string): OpenLibraryResult;
  /** Calls the function at an address. Arguments are of the signature's kinds: the caller sees to that. */
  call(address: bigint, signature: CSignature, args: readonly CValue[]): CValue;
  /**
   * A C function that calls `body`, until {@link unregister}. Called on another thread, it waits until this thread's event loop turns.
   * `body` must not throw.
   */
  register(signature: CSignature, body: (...args: CValue[]) => CValue): bigint;
  unregister(address: bigint): void;
  /** The bytes at an address; valid as long as they are mapped. */
  view(address: bigint, sizeBytes: number): Uint8Array;
  /** Text up to the NUL. */
  readString(address: bigint): string;
  /** Zeroed memory of the C heap, until {@link free}. */
  allocate(sizeBytes: number): bigint;
  free(address: bigint): void;
}

const KOFFI_TYPES: Readonly<Record<CScalar | 'void', string>> = {
  void: 'void',
  bool: 'bool',
  u8: 'uint8_t',
  u16: 'uint16_t',
  u32: 'uint32_t',
  i32: 'int32_t',
  u64: 'uint64_t',
  i64: 'int64_t',
};
/** dlfcn.h; the same on every Linux. */
const RTLD_LAZY = 1;

let functions: ForeignFunctions | undefined;

/** @throws {HsaError} ERR_NATIVE_MODULE when koffi is not there, ERR_NOT_SUPPORTED on other systems than Linux. */
export function loadForeignFunctions(): ForeignFunctions {
  if (process.platform !== 'linux')
    throw new HsaError('ERR_NOT_SUPPORTED', { message: `C libraries are called on Linux only; this is ${process.platform}` });
  functions ??= bind(loadKoffi());
  return functions;
}

function bind(koffi: typeof Koffi): ForeignFunctions {
  const libc = koffi.load(null);
  // Safe, here and below: the declarations say so.
  const dlopen = libc.func('dlopen', 'void *', ['str', 'int']) as unknown as (path: string, flags: number) => Pointer;
  const dlsym = libc.func('dlsym', 'void *', ['uint64_t', 'str']) as unknown as (handle: bigint, name: string) => Pointer;
  const dlclose = libc.func('dlclose', 'int', ['uint64_t']) as unknown as (handle: bigint) => number;
  const dlerror = libc.func('dlerror', 'str', []) as unknown as () => string | null;
  const calloc = libc.func('calloc', 'void *', ['size_t', 'size_t']) as unknown as (count: number, size: number) => Pointer;
  const free = libc.func('free', 'void', ['uint64_t']) as unknown as (address: bigint) => void;
  const strlen = libc.func('strlen', 'size_t', ['uint64_t']) as unknown as (address: bigint) => number | bigint;
  const prototypes = new Map<string, Prototype>();
  const prototypeOf = ({ returns, params }: CSignature): Prototype => {
    const key = `${returns} ${params.join()}`;
    let prototype = prototypes.get(key);
    if (prototype === undefined) {
      const type = koffi.proto(
        KOFFI_TYPES[returns],
        params.map((param) => KOFFI_TYPES[param]),
      );
      prototype = { type, pointer: koffi.pointer(type) };
      prototypes.set(key, prototype);
    }
    return prototype;
  };
  const view = (address: bigint, sizeBytes: number): Uint8Array => new Uint8Array(koffi.view(address, sizeBytes));
  return {
    openLibrary: (path) => {
      const handle = dlopen(path, RTLD_LAZY);
      if (handle === null) return { ok: false, words: dlerror() ?? 'dlopen failed without a word' };
      const known = BigInt(handle);
      return {
        ok: true,
        library: {
          handle: known,
          symbol: (name) => {
            const address = dlsym(known, name);
            return address === null ? undefined : BigInt(address);
          },
          close: () => void dlclose(known),
        },
      };
    },
    call: (address, signature, args) =>
      // Safe: the prototype's result is a number, bigint, boolean or nothing.
      normalise(signature.returns, koffi.call(address, prototypeOf(signature).type, ...args) as CValue),
    register: (signature, body) => {
      const { params } = signature;
      const called = (...args: CValue[]): CValue => body(...params.map((param, index) => normalise(param, args[index])));
      return koffi.register(called, prototypeOf(signature).pointer);
    },
    unregister: (address) => koffi.unregister(address),
    view,
    readString: (address) => {
      const length = Number(strlen(address));
      return length === 0 ? '' : new TextDecoder().decode(view(address, length));
    },
    allocate: (sizeBytes) => {
      const address = calloc(1, sizeBytes);
      if (address === null) throw new HsaError('ERR_OUT_OF_MEMORY', { message: `the C heap has no ${sizeBytes} bytes left` });
      return BigInt(address);
    },
    free,
  };
}

type Pointer = number | bigint | null;

interface Prototype {
  readonly type: Koffi.TypeObject;
  readonly pointer: Koffi.TypeObject;
}

/** koffi gives 64-bit values as number or bigint, unsigned ones above 2^63 as negative ones. */
function normalise(kind: CScalar | 'void', value: CValue): CValue {
  switch (kind) {
    case 'void':
      return undefined;
    case 'u64':
      return BigInt.asUintN(64, BigInt(value ?? 0));
    case 'i64':
      return BigInt.asIntN(64, BigInt(value ?? 0));
    default:
      return value;
  }
}
