/** Element types and the typed arrays that hold them. */
import type { ScalarType } from '@doorbell/code-object/core';

interface ArrayTypes {
  i8: Int8Array;
  u8: Uint8Array;
  i16: Int16Array;
  u16: Uint16Array;
  f16: Uint16Array;
  bf16: Uint16Array;
  i32: Int32Array;
  u32: Uint32Array;
  f32: Float32Array;
  i64: BigInt64Array;
  u64: BigUint64Array;
  f64: Float64Array;
}

/** The typed array that holds elements of `T`. */
export type ArrayOf<T extends ScalarType> = ArrayTypes[T];

/** Any typed array whose element type is a {@link ScalarType}. */
export type TypedArray = ArrayTypes[ScalarType];

/** The element type that `Device.from` gives a typed array; 16-bit unsigned integers are `u16`. */
export type ElementOf<A extends TypedArray> = A extends Float32Array
  ? 'f32'
  : A extends Float64Array
    ? 'f64'
    : A extends Int32Array
      ? 'i32'
      : A extends Uint32Array
        ? 'u32'
        : A extends Int16Array
          ? 'i16'
          : A extends Uint16Array
            ? 'u16'
            : A extends Int8Array
              ? 'i8'
              : A extends Uint8Array
                ? 'u8'
                : A extends BigInt64Array
                  ? 'i64'
                  : 'u64';

/** Constructor of a {@link TypedArray}. */
export interface ArrayConstructor {
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): TypedArray;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): TypedArray;
}

/** The typed array of each element type; `f16` and `bf16` are arrays of their 16-bit patterns. */
export const ELEMENT_ARRAYS: Readonly<Record<ScalarType, ArrayConstructor>> = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f64: Float64Array,
};

/** The element type of a typed array, or undefined for what is not one (Uint8ClampedArray, DataView, …). */
export function elementTypeOf(array: unknown): ScalarType | undefined {
  if (array instanceof Float32Array) return 'f32';
  if (array instanceof Uint32Array) return 'u32';
  if (array instanceof Int32Array) return 'i32';
  if (array instanceof Float64Array) return 'f64';
  if (array instanceof Uint8Array) return 'u8';
  if (array instanceof Int8Array) return 'i8';
  if (array instanceof Uint16Array) return 'u16';
  if (array instanceof Int16Array) return 'i16';
  if (array instanceof BigInt64Array) return 'i64';
  if (array instanceof BigUint64Array) return 'u64';
  return undefined;
}
