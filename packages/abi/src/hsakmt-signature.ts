/** Signatures of libhsakmt's functions as data, and the TypeScript types of their arguments. */
import type { HSAKMT_FUNCTIONS } from './generated/hsakmt-functions.js';

/** How an argument is passed: `bool` is C's, the others by width and sign; enums and flag words are integers. */
export type HsakmtParamKind = 'u32' | 'i32' | 'u64' | 'i64' | 'bool' | 'pointer';

/** What a pointer points at; `void` is memory that only the caller knows. */
export type HsakmtPointee = 'u32' | 'i32' | 'u64' | 'bool' | 'pointer' | 'struct' | 'void';

/** One parameter. */
export interface HsakmtParam {
  readonly name: string;
  /** As the header spells it, arrays as pointers. */
  readonly cType: string;
  readonly kind: HsakmtParamKind;
  /** For `pointer`. */
  readonly to?: HsakmtPointee;
  /** C name of the structure, where `to` is `struct`. */
  readonly struct?: string;
  /** Elements that the pointer points at in any case. Default: 1. */
  readonly count?: number;
}

/** One function; it answers an HSAKMT_STATUS. */
export interface HsakmtFunction {
  /** Generations of the library that export it: `A` is 5.2.3, `B` August 2025; none: the header has it, the libraries do not. */
  readonly generations: readonly ('A' | 'B')[];
  readonly params: readonly HsakmtParam[];
}

export type HsakmtFunctionName = keyof typeof HSAKMT_FUNCTIONS;

/** The arguments of a function: 32-bit values are numbers, 64-bit ones bigints, pointers arrays or structures of the caller, addresses, or null. */
export type HsakmtArguments<N extends HsakmtFunctionName> = ArgumentsOf<(typeof HSAKMT_FUNCTIONS)[N]['params']>;

type ArgumentsOf<P extends readonly HsakmtParam[]> = { readonly [I in keyof P]: ArgumentOf<P[I]> };

type ArgumentOf<P extends HsakmtParam> = P extends { readonly kind: 'u32' | 'i32' }
  ? number
  : P extends { readonly kind: 'u64' | 'i64' }
    ? bigint
    : P extends { readonly kind: 'bool' }
      ? boolean
      : P extends { readonly to: infer T }
        ? (T extends keyof PointeeArrays ? PointeeArrays[T] : never) | bigint | null
        : never;

interface PointeeArrays {
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly u64: BigUint64Array;
  readonly pointer: BigUint64Array;
  readonly bool: Uint8Array;
  readonly struct: Uint8Array;
  readonly void: Uint8Array;
}
