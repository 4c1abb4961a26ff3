import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceUint53, highHalf, loadInt64, lowHalf, storeUint53 } from '../src/words64.js';

const views = () => {
  const buffer = new SharedArrayBuffer(32);
  return { words: new Int32Array(buffer), wide: new BigInt64Array(buffer), floats: new Float64Array(buffer) };
};

describe('64-bit words without BigInt', () => {
  it('reads what a 64-bit store wrote, for every signed value within 2^53', () => {
    fc.assert(
      fc.property(fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }), (value) => {
        const { words, wide } = views();
        wide[1] = BigInt(value);
        expect(loadInt64(words, 2)).toBe(value);
      }),
    );
  });

  it('stores every non-negative safe integer as one word', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const { wide, floats } = views();
        wide.fill(-1n);
        storeUint53(floats, 1, value);
        expect([...wide]).toEqual([-1n, BigInt(value), -1n, -1n]);
      }),
    );
  });

  it('advances by any count, across the wrap of the low half, if the word is as expected', () => {
    const near = fc.integer({ min: 2 ** 32 - 200, max: 2 ** 32 + 200 });
    fc.assert(
      fc.property(fc.oneof(near, fc.nat()), fc.integer({ min: 1, max: 150 }), (value, count) => {
        const { words, wide } = views();
        wide[1] = BigInt(value);
        expect(advanceUint53(words, 2, { expected: value, count, wide })).toBe(true);
        expect(wide[1]).toBe(BigInt(value + count));
        expect(advanceUint53(words, 2, { expected: value, count, wide })).toBe(false);
        expect(wide[1]).toBe(BigInt(value + count));
      }),
    );
  });

  it('splits addresses', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (value) => {
        expect((BigInt(highHalf(value)) << 32n) | BigInt(lowHalf(value))).toBe(value);
      }),
    );
  });
});
