/** Signatures of the HSA functions as data: types, argument checks, traces and native views are made from them. */
import type { HsaCallbackName, HsaFunctionName } from './generated/hsa-tables.js';

/** A value that takes one register or stack slot in C, and its TypeScript type. */
export type HsaValueKind =
  /** A handle (`struct { uint64_t handle; }`): `bigint`. */
  | 'handle'
  /** An address: `bigint`, 0n for NULL. */
  | 'pointer'
  /** `number`; enums are `u32`. */
  | 'u8'
  | 'u16'
  | 'u32'
  | 'i32'
  /** `bigint`; size_t is `u64`. */
  | 'u64'
  | 'i64'
  /** `boolean`. */
  | 'bool'
  /** A NUL-terminated string: `string`. */
  | 'string'
  /** A structure by value or by const pointer: a plain object. */
  | 'struct';

/** What a parameter is; see {@link HsaParam}. */
export type HsaParamKind =
  | HsaValueKind
  /** `const void *` that may be an address or the bytes themselves: `bigint | Uint8Array`. */
  | 'memory'
  /** What the caller wants to see again in its callback: anything. */
  | 'user-data'
  /** A function. */
  | 'callback'
  /** Several values, read: a readonly array of {@link HsaParam.element}. */
  | 'array'
  /** One value, written: a `Ref`. */
  | 'out'
  /** One value, read and written: a `Ref`. */
  | 'in-out'
  /** Several values, written: a `Ref` of an array. */
  | 'out-array'
  /** Memory whose type another argument decides, written: a `Ref<unknown>`. */
  | 'out-any';

/** One parameter of an HSA function. */
export interface HsaParam {
  readonly name: string;
  /** As the header spells it. */
  readonly cType: string;
  readonly kind: HsaParamKind;
  /** What `array`, `out`, `in-out` and `out-array` are of. */
  readonly element?: HsaValueKind;
  /** C name of the structure, for `struct` kinds and elements. */
  readonly struct?: string;
  readonly callback?: HsaCallbackName;
  /** NULL is allowed: `null` in TypeScript. */
  readonly nullable?: true;
}

export interface HsaFunction {
  readonly name: HsaFunctionName;
  /** C return type; `hsa_status_t` is a `number`. */
  readonly returns: 'hsa_status_t' | 'uint32_t' | 'uint64_t' | 'hsa_signal_value_t' | 'void';
  readonly params: readonly HsaParam[];
}

/** A callback type: C types of its parameters, in order. */
export interface HsaCallback {
  readonly cType: string;
  readonly returns: string;
  readonly params: readonly string[];
}

/** An API table (hsa_api_trace.h): version and the names of its slots in order. */
export interface HsaTable {
  /** `major_id`. */
  readonly major: number;
  /** `step_id`, counted up with every appended slot. */
  readonly step: number;
  readonly slots: readonly HsaFunctionName[];
}

/** Bytes before the first slot: the version header of four 32-bit words. */
export const HSA_TABLE_HEADER_BYTES = 16;

/** `minor_id` of a table: the size of its C structure in bytes. */
export function tableSizeBytes(slots: number): number {
  return HSA_TABLE_HEADER_BYTES + 8 * slots;
}
