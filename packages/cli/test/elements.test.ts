import { describe, expect, it } from 'vitest';
import { elementsOf, randomElements, summarize } from '../src/elements.js';

describe('elementsOf', () => {
  it('reads little-endian elements from any offset', () => {
    const bytes = Uint8Array.of(9, 1, 0, 0, 0, 255, 255, 255, 255).subarray(1);
    expect(elementsOf('u32', bytes)).toEqual(Uint32Array.of(1, 0xffff_ffff));
    expect(elementsOf('i64', bytes)).toEqual(BigInt64Array.of(-0xffff_ffffn));
  });

  it('refuses a part of an element, and nothing', () => {
    expect(elementsOf('u32', new Uint8Array(6))).toBeUndefined();
    expect(elementsOf('u8', new Uint8Array(0))).toBeUndefined();
  });
});

describe('randomElements', () => {
  it('repeats by seed', () => {
    expect(randomElements('u64', 9, 5)).toEqual(randomElements('u64', 9, 5));
    expect(randomElements('u64', 9, 5)).not.toEqual(randomElements('u64', 9, 6));
  });

  it.each(['f16', 'bf16', 'f32', 'f64'] as const)('%s lies in [0, 1) and fills it', (type) => {
    const { min, max, sum, length } = summarize(type, randomElements(type, 10_000, 3));
    expect(min).toBeGreaterThanOrEqual(0);
    expect(min).toBeLessThan(0.01);
    expect(max).toBeLessThan(1);
    expect(max).toBeGreaterThan(0.99);
    expect((sum as number) / length).toBeCloseTo(0.5, 1);
  });

  it('covers the range of integers', () => {
    const { min, max } = summarize('i8', randomElements('i8', 5000, 1));
    expect([min, max]).toEqual([-128, 127]);
  });
});

describe('summarize', () => {
  it('shows first elements, smallest, largest, sum', () => {
    expect(summarize('i32', Int32Array.of(3, -1, 2))).toEqual({
      type: 'i32',
      length: 3,
      first: [3, -1, 2],
      min: -1,
      max: 3,
      sum: 4,
    });
    expect(summarize('u64', BigUint64Array.of(2n ** 63n, 2n ** 63n))).toMatchObject({
      sum: '18446744073709551616',
      first: [`${2n ** 63n}`, `${2n ** 63n}`],
    });
  });

  it('reads the bits of 16-bit floats', () => {
    // 1.0, -2.0, smallest subnormal, infinity in binary16; 1.0, -2.0 in bfloat16.
    expect(summarize('f16', Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7c00)).first).toEqual([1, -2, 2 ** -24, 'Infinity']);
    expect(summarize('bf16', Uint16Array.of(0x3f80, 0xc000)).first).toEqual([1, -2]);
  });
});
