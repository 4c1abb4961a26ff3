import type { OpName } from './ops.js';

/**
 * One operation on one value: each argument as low and high dword (the high one only of i64), all unsigned; bool is 0 or 1.
 * Returns the low dword, unsigned; an i64 result leaves its high dword in {@link wide}.
 */
export type OpFunction = (a: number, aHigh: number, b: number, bHigh: number, c: number, cHigh: number) => number;

/** Where operations with an i64 result leave the high dword. */
export const wide: { high: number } = { high: 0 };

/** Functions by operation. */
export type OpFunctions = Readonly<Partial<Record<OpName, OpFunction>>>;
