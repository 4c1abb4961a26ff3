import { HsaError } from '@doorbell/abi';
import { inspect } from 'node:util';
import type { Dim3 } from './types.js';

/** Three sizes, and how many of them the caller gave. */
interface Dimensions {
  readonly sizes: readonly [number, number, number];
  readonly count: 1 | 2 | 3;
}

const UINT32_MAX = 0xffff_ffff;
const MAX_WORKGROUP = 1024;

/** Reads grid and workgroup of a launch; both get the larger number of dimensions. @throws {HsaError} ERR_INVALID_ARGUMENT. */
export function readGeometry(
  grid: Dim3,
  workgroup: Dim3,
): {
  readonly dimensions: 1 | 2 | 3;
  readonly grid: readonly [number, number, number];
  readonly workgroup: readonly [number, number, number];
} {
  const g = readDim3('grid', grid, UINT32_MAX);
  const w = readDim3('workgroup', workgroup, MAX_WORKGROUP);
  const items = w.sizes[0] * w.sizes[1] * w.sizes[2];
  if (items > MAX_WORKGROUP) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `a workgroup has at most ${MAX_WORKGROUP} work-items; ${w.sizes.join(' × ')} is ${items}`,
      details: { workgroup },
    });
  }
  return { dimensions: g.count > w.count ? g.count : w.count, grid: g.sizes, workgroup: w.sizes };
}

function readDim3(name: string, value: Dim3, limit: number): Dimensions {
  const given: readonly unknown[] = typeof value === 'number' ? [value] : Array.isArray(value) ? value : [value];
  const sizes = [given[0], given[1] ?? 1, given[2] ?? 1];
  const isRight =
    given.length >= 1 &&
    given.length <= 3 &&
    sizes.every((size) => typeof size === 'number' && Number.isInteger(size) && size >= 1 && size <= limit);
  if (!isRight) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${name} is one to three whole numbers of work-items from 1 to ${limit}, not ${inspect(value)}`,
      details: { [name]: value },
    });
  }
  // Safe: looked at just above.
  const [x, y, z] = sizes as [number, number, number];
  return { sizes: [x, y, z], count: given.length === 1 ? 1 : given.length === 2 ? 2 : 3 };
}

/** The first `dimensions` of three sizes, as packets take them. */
export function firstSizes(sizes: readonly [number, number, number], dimensions: 1 | 2 | 3): [number, number?, number?] {
  return dimensions === 1 ? [sizes[0]] : dimensions === 2 ? [sizes[0], sizes[1]] : [...sizes];
}
