/** libhsakmt as it is: every function of its header, with arguments checked before they reach C. */
import type * as Koffi from 'koffi';
import type { HsakmtArguments, HsakmtFunction, HsakmtFunctionName, HsakmtParam } from '@doorbell/abi';
import { HsaError, HSAKMT_FUNCTIONS, hsakmtA, hsakmtB } from '@doorbell/abi';
import type { AbiGeneration } from '../load/abi-generation.js';
import { loadKoffi } from '../linux/libc.js';
import type { HsakmtFailure, HsakmtResult } from './status.js';
import { hsakmtError, isSuccess } from './status.js';

/** Which library to open. */
export interface HsakmtLibraryOptions {
  /** What dlopen(3) takes. */
  readonly path: string;
  /** Layouts of the structures that the library was built with. */
  readonly generation: AbiGeneration;
  /** For messages: `1.0.6 (ROCm 5.2.3)`. */
  readonly version?: string;
  /** What the file itself exports; a function of this name in a library that it needs is not its own. Default: what dlsym(3) finds. */
  readonly symbols?: ReadonlySet<string>;
}

/** Structures of both generations; what both have can be used without asking which it is. */
export type HsakmtLayouts = typeof hsakmtA | typeof hsakmtB;

/** What a call was for, when it fails. */
export type HsakmtPurpose = Omit<HsakmtFailure, 'status' | 'errno' | 'call' | 'path'>;

/**
 * An open libhsakmt, or a library with its interface. It stays in the process until that ends. Functions may be called from one
 * thread at a time; {@link callAsync} runs them on threads of their own, for those that wait.
 */
export interface HsakmtLibrary {
  readonly path: string;
  readonly generation: AbiGeneration;
  /** The structures as this library has them. */
  readonly layouts: HsakmtLayouts;
  /** Whether the library has the function. */
  has(name: HsakmtFunctionName): boolean;
  /**
   * Calls a function; a failing one answers its status.
   * @throws {HsaError} ERR_THUNK_SYMBOL when the library has no such function, ERR_INVALID_ARGUMENT when an argument does not fit its C type.
   */
  tryCall<N extends HsakmtFunctionName>(name: N, args: HsakmtArguments<N>): HsakmtResult;
  /** Calls a function that is to succeed. @throws {HsaError} by its status, with errno, function and path kept. */
  call<N extends HsakmtFunctionName>(name: N, args: HsakmtArguments<N>, purpose: HsakmtPurpose): void;
  /** As {@link tryCall}, on another thread: arrays and structures are the call's until it settles. errno is that thread's. */
  callAsync<N extends HsakmtFunctionName>(name: N, args: HsakmtArguments<N>): Promise<HsakmtResult>;
}

/**
 * Opens a library with libhsakmt's functions; none of them is called.
 * @throws {HsaError} ERR_THUNK_NOT_FOUND when it cannot be loaded, ERR_NATIVE_MODULE without koffi.
 * @example
 * const library = openHsakmtLibrary({ path: 'libhsakmt.so.1', generation: 'A' });
 * const version = library.layouts.HsaVersionInfo.create();
 * library.call('hsaKmtOpenKFD', [], { doing: 'opening the driver' });
 * library.call('hsaKmtGetVersion', [version], { doing: 'asking for the version' });
 */
export function openHsakmtLibrary(options: HsakmtLibraryOptions): HsakmtLibrary {
  const koffi = loadKoffi();
  try {
    return new LoadedLibrary(koffi, koffi.load(options.path, { lazy: true }), options);
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new HsaError('ERR_THUNK_NOT_FOUND', {
      message: `${options.path}: ${words}`,
      details: { path: options.path },
      cause,
    });
  }
}

/** Arguments as koffi takes them. */
type NativeArgument = number | bigint | boolean | ArrayBufferView | null;

interface NativeFunction {
  (...args: readonly NativeArgument[]): number;
  async(...args: readonly unknown[]): void;
}

/** koffi's names for the types of parameters. */
const NATIVE_TYPES = {
  u32: 'uint32_t',
  i32: 'int32_t',
  u64: 'uint64_t',
  i64: 'int64_t',
  bool: 'bool',
  pointer: 'void *',
} as const;

const RANGES = {
  u32: [0, 0xffff_ffff],
  i32: [-0x8000_0000, 0x7fff_ffff],
} as const;

const POINTEE_BYTES = { u32: 4, i32: 4, u64: 8, bool: 1, pointer: 8, void: 0 } as const;

const FUNCTIONS: Readonly<Record<HsakmtFunctionName, HsakmtFunction>> = HSAKMT_FUNCTIONS;

class LoadedLibrary implements HsakmtLibrary {
  readonly path: string;
  readonly generation: AbiGeneration;
  readonly layouts: HsakmtLayouts;
  readonly #koffi: typeof Koffi;
  readonly #handle: Koffi.LibraryHandle;
  readonly #options: HsakmtLibraryOptions;
  /** By name; undefined where the library has no such function. */
  readonly #functions = new Map<HsakmtFunctionName, NativeFunction | undefined>();

  constructor(koffi: typeof Koffi, handle: Koffi.LibraryHandle, options: HsakmtLibraryOptions) {
    this.path = options.path;
    this.generation = options.generation;
    this.layouts = options.generation === 'A' ? hsakmtA : hsakmtB;
    this.#koffi = koffi;
    this.#handle = handle;
    this.#options = options;
  }

  has(name: HsakmtFunctionName): boolean {
    return this.#find(name) !== undefined;
  }

  tryCall<N extends HsakmtFunctionName>(name: N, args: HsakmtArguments<N>): HsakmtResult {
    const call = this.#require(name);
    const native = this.#check(name, args);
    // A function that fails before any system call must not show the errno of an older one.
    this.#koffi.errno(0);
    const status = call(...native);
    return { status, errno: isSuccess(status) ? 0 : this.#koffi.errno() };
  }

  call<N extends HsakmtFunctionName>(name: N, args: HsakmtArguments<N>, purpose: HsakmtPurpose): void {
    const result = this.tryCall(name, args);
    if (!isSuccess(result.status)) throw hsakmtError({ ...result, ...purpose, call: name, path: this.path });
  }

  async callAsync<N extends HsakmtFunctionName>(name: N, args: HsakmtArguments<N>): Promise<HsakmtResult> {
    const call = this.#require(name);
    const native = this.#check(name, args);
    return new Promise((resolve, reject) => {
      call.async(...native, (error: Error | null, status: number) => {
        if (error) reject(error);
        else resolve({ status, errno: isSuccess(status) ? 0 : this.#koffi.errno() });
      });
    });
  }

  #find(name: HsakmtFunctionName): NativeFunction | undefined {
    if (this.#functions.has(name)) return this.#functions.get(name);
    const found = this.#options.symbols?.has(name) === false ? undefined : this.#bind(name);
    this.#functions.set(name, found);
    return found;
  }

  #bind(name: HsakmtFunctionName): NativeFunction | undefined {
    const types = FUNCTIONS[name].params.map(({ kind }) => NATIVE_TYPES[kind]);
    try {
      // An HSAKMT_STATUS is an int.
      return this.#handle.func(name, 'int32_t', types);
    } catch {
      // koffi's only failure here: dlsym(3) found nothing. Whoever calls it gets a typed error.
      return undefined;
    }
  }

  #require(name: HsakmtFunctionName): NativeFunction {
    const found = this.#find(name);
    if (found !== undefined) return found;
    const { version } = this.#options;
    const { generations } = FUNCTIONS[name];
    const where =
      generations.length === 0 ? 'no release exports it' : `libraries of generation ${generations.join(' and ')} have it`;
    throw new HsaError('ERR_THUNK_SYMBOL', {
      message: `${this.path}${version === undefined ? '' : ` (version ${version})`} has no function ${name}; ${where}`,
      details: { path: this.path, symbol: name, version: version ?? 'unknown', generation: this.generation },
    });
  }

  /** koffi truncates in silence, and C writes as far as it was built to: both are looked after here. */
  #check(name: HsakmtFunctionName, args: readonly unknown[]): readonly NativeArgument[] {
    const { params } = FUNCTIONS[name];
    if (args.length !== params.length) throw invalid(`${name} takes ${params.length} arguments, not ${args.length}`);
    return params.map((param, i) => {
      const value = args[i];
      const native = param.kind === 'pointer' ? this.#pointer(param, value) : scalar(param, value);
      if (native === undefined) throw invalid(`${name}: ${param.name} (${param.cType}) cannot be ${describe(value)}`);
      return native;
    });
  }

  #pointer(param: HsakmtParam, value: unknown): NativeArgument | undefined {
    if (value === null) return null;
    if (typeof value === 'bigint') return BigInt.asUintN(64, value) === value ? value : undefined;
    if (!ArrayBuffer.isView(value)) return undefined;
    return value.byteLength >= this.#pointeeBytes(param) ? value : undefined;
  }

  #pointeeBytes({ to = 'void', struct = '', count = 1 }: HsakmtParam): number {
    if (to !== 'struct') return POINTEE_BYTES[to] * count;
    const layouts: Readonly<Record<string, { readonly sizeBytes: number } | undefined>> = this.layouts;
    return (layouts[struct]?.sizeBytes ?? 0) * count;
  }
}

function scalar({ kind }: HsakmtParam, value: unknown): NativeArgument | undefined {
  switch (kind) {
    case 'u32':
    case 'i32': {
      const [least, most] = RANGES[kind];
      return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;
    }
    case 'u64':
      return typeof value === 'bigint' && BigInt.asUintN(64, value) === value ? value : undefined;
    case 'i64':
      return typeof value === 'bigint' && BigInt.asIntN(64, value) === value ? value : undefined;
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'pointer':
      return undefined;
  }
}

function describe(value: unknown): string {
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

function invalid(message: string): HsaError {
  return new HsaError('ERR_INVALID_ARGUMENT', { message });
}
