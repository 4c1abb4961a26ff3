import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skipReason } from '@doorbell/test-support';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBfloat16, toHalf } from '../../src/kernarg/scalar-types.js';
import { withFolder } from '../support/llvm.js';

const word = new DataView(new ArrayBuffer(8));

describe('toHalf', () => {
  // IEEE 754 binary16.
  it.each([
    [0, 0x0000],
    [-0, 0x8000],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65519.999, 0x7bff],
    [65520, 0x7c00],
    [-Infinity, 0xfc00],
    [2 ** -24, 0x0001],
    [2 ** -25, 0x0000],
    [2 ** -25 * 1.0001, 0x0001],
    [2 ** -14, 0x0400],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [NaN, 0x7e00],
  ])('%d is %i', (value, bits) => {
    expect(toHalf(value)).toBe(bits);
  });

  const missing = skipReason('gcc');

  it.skipIf(missing !== '')(`agrees with gcc on 20,000 doubles${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
    const near = fc.sample(fc.double({ min: -70000, max: 70000, noNaN: true }), { numRuns: 8000, seed: 1 });
    const small = fc.sample(fc.double({ min: -(2 ** -13), max: 2 ** -13, noNaN: true }), { numRuns: 4000, seed: 2 });
    const ties = fc.sample(fc.integer({ min: 0, max: 0x7bff }), { numRuns: 8000, seed: 3 }).map((bits) => midpoint(bits));
    const values = new Float64Array([...near, ...small, ...ties]);
    const bits = withFolder((folder) => {
      const source =
        '#include <stdio.h>\nint main(void){double d;while(fread(&d,8,1,stdin)){_Float16 h=d;fwrite(&h,2,1,stdout);}return 0;}';
      writeFileSync(join(folder, 'half.c'), source);
      execFileSync('gcc', ['half.c', '-o', 'half'], { cwd: folder });
      return execFileSync(join(folder, 'half'), { input: new Uint8Array(values.buffer) });
    });
    values.forEach((value, index) => {
      if (toHalf(value) !== bits.readUInt16LE(2 * index))
        expect([value, toHalf(value)]).toEqual([value, bits.readUInt16LE(2 * index)]);
    });
  });
});

/** The exact middle between a binary16 number and the next, where rounding is hardest. */
function midpoint(bits: number): number {
  const value = (b: number): number => (b < 0x400 ? b * 2 ** -24 : (1 + (b & 0x3ff) / 1024) * 2 ** ((b >> 10) - 15));
  return (value(bits) + value(bits + 1)) / 2;
}

describe('toBfloat16', () => {
  it('is binary32 rounded to its upper half, for every kind of float', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), (value) => {
        word.setFloat32(0, value);
        const bits = word.getUint32(0);
        const isInfinite = (bits & 0x7fff_ffff) === 0x7f80_0000;
        // Round to nearest even by adding just under half of the last place.
        const rounded = isInfinite ? bits >>> 16 : (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
        expect(toBfloat16(value)).toBe(rounded);
      }),
      { numRuns: 20_000, seed: 4 },
    );
  });

  it('rounds a double once', () => {
    // Just above the middle between two bfloat16 numbers: by way of binary32 it would fall on the middle and go down.
    expect(toBfloat16(1 + 2 ** -8 + 2 ** -40)).toBe(0x3f81);
    expect(toBfloat16(NaN)).toBe(0x7fc0);
    expect(toBfloat16(1e300)).toBe(0x7f80);
  });
});
