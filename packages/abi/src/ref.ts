/** An out-parameter: the callee writes `value` (and reads it first where the parameter is in-out). */
export interface Ref<T> {
  value: T;
}

/** Memory given by its address, or as the bytes themselves where it has no address that the callee could know. */
export type Memory = bigint | Uint8Array;

/** Makes an out-parameter with its first value: `const signal = ref(0n)`. */
export function ref<T>(value: T): Ref<T> {
  return { value };
}
