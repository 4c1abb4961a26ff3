/** `swizzle(…)` of ds_swizzle_b32: the lane exchange in words (LLVM AMDGPUAsmParser, parseSwizzle…). */
import type { SymbolScope } from './assembler.js';
import { integerBetween } from './operand-text.js';
import type { TokenReader } from './token-reader.js';

const QUAD_PERM = 0x8000;
const ROTATE = 0xc000;
const FFT = 0xe000;
const LANES = 32;
const LANE_MASK = 0x1f;
const MASK_BITS = 5;
const OR_SHIFT = 5;
const XOR_SHIFT = 10;

type Argument = (lowest: number, highest: number) => number;

const MODES: Readonly<Record<string, (argument: Argument, reader: TokenReader) => number>> = {
  QUAD_PERM: (argument) => {
    let value = QUAD_PERM;
    for (let lane = 0; lane < 4; lane++) value |= argument(0, 3) << (2 * lane);
    return value;
  },
  BITMASK_PERM: (_argument, reader) => {
    reader.expect(',');
    return bitmask(reader);
  },
  BROADCAST: (argument, reader) => {
    const token = reader.peek(1);
    const group = argument(2, LANES);
    if (!isPowerOfTwo(group)) reader.fail(['a power of two'], token);
    const lane = argument(0, group - 1);
    return permutation(LANE_MASK - group + 1, lane, 0);
  },
  SWAP: (argument, reader) => {
    const token = reader.peek(1);
    const group = argument(1, LANES / 2);
    if (!isPowerOfTwo(group)) reader.fail(['a power of two'], token);
    return permutation(LANE_MASK, 0, group);
  },
  REVERSE: (argument, reader) => {
    const token = reader.peek(1);
    const group = argument(2, LANES);
    if (!isPowerOfTwo(group)) reader.fail(['a power of two'], token);
    return permutation(LANE_MASK, 0, group - 1);
  },
  ROTATE: (argument) => {
    const direction = argument(0, 1);
    return ROTATE | (direction << XOR_SHIFT) | (argument(0, LANES - 1) << OR_SHIFT);
  },
  FFT: (argument) => FFT | argument(0, LANES - 1),
};

export function parseSwizzle(reader: TokenReader, scope: SymbolScope): number {
  reader.expect('swizzle');
  reader.expect('(');
  const mode = MODES[reader.peek().text];
  if (!mode) reader.fail(Object.keys(MODES).map((name) => `'${name}'`));
  reader.next();
  const argument: Argument = (lowest, highest) => {
    reader.expect(',');
    return integerBetween(reader, scope, lowest, highest);
  };
  const value = mode(argument, reader);
  reader.expect(')');
  return value;
}

function permutation(and: number, or: number, xor: number): number {
  return and | (or << OR_SHIFT) | (xor << XOR_SHIFT);
}

/** Five letters, highest bit first: 0, 1, p (preserve), i (invert). */
function bitmask(reader: TokenReader): number {
  const token = reader.peek();
  if (token.kind !== 'string' || !/^[01pi]{5}$/.test(token.text)) reader.fail(['a string of five 0, 1, p or i']);
  reader.next();
  let and = 0;
  let or = 0;
  let xor = 0;
  [...token.text].forEach((letter, i) => {
    const bit = 1 << (MASK_BITS - 1 - i);
    if (letter === '1') or |= bit;
    if (letter === 'p' || letter === 'i') and |= bit;
    if (letter === 'i') xor |= bit;
  });
  return permutation(and, or, xor);
}

function isPowerOfTwo(value: number): boolean {
  return (value & (value - 1)) === 0;
}
