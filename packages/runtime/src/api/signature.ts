import type { DeviceBuffer, DevicePointer } from './types.js';
import type { ScalarType } from '@doorbell/code-object/core';

/** A pointer argument to device memory of element type `T`, with what the kernel does to it. */
export interface GlobalPtr<T extends ScalarType> {
  readonly kind: 'global';
  readonly type: T;
  readonly access: 'read' | 'write' | 'readwrite';
}

/** A dynamic LDS pointer argument. */
export interface LdsPtr {
  readonly kind: 'lds';
}

/** What one argument of a kernel is. */
export type ArgSpec = ScalarType | GlobalPtr<ScalarType> | LdsPtr;

/** Names and kinds of a kernel's arguments, in the kernel's order; checked against its metadata by `Module.kernel`. */
export type Signature = Readonly<Record<string, ArgSpec>>;

/** A buffer that the kernel reads. */
export function read<T extends ScalarType>(type: T): GlobalPtr<T> {
  return { kind: 'global', type, access: 'read' };
}

/** A buffer that the kernel writes. */
export function write<T extends ScalarType>(type: T): GlobalPtr<T> {
  return { kind: 'global', type, access: 'write' };
}

/** A buffer that the kernel reads and writes. */
export function readwrite<T extends ScalarType>(type: T): GlobalPtr<T> {
  return { kind: 'global', type, access: 'readwrite' };
}

/** A dynamic LDS pointer: the launch says how many bytes. */
export function lds(): LdsPtr {
  return { kind: 'lds' };
}

/** What a launch passes for an argument of kind `A`. */
export type ArgValue<A extends ArgSpec> = A extends 'i64' | 'u64'
  ? bigint
  : A extends ScalarType
    ? number
    : A extends GlobalPtr<infer T>
      ? DeviceBuffer<T> | DevicePointer<T> | bigint
      : { readonly ldsBytes: number };

/**
 * The `args` object of a launch for signature `S`. Without a signature any value is taken, by-value structs as bytes included; it is
 * checked against the code object's metadata when the kernel is launched.
 */
export type KernelArgs<S extends Signature> = string extends keyof S
  ? Readonly<Record<string, unknown>>
  : { readonly [K in keyof S]: ArgValue<S[K]> };
