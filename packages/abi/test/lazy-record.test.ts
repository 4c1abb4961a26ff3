import { describe, expect, it } from 'vitest';
import { lazyRecord } from '../src/lazy-record.js';
import { defineLazyStruct } from '../src/struct.js';

describe('lazyRecord', () => {
  it('makes a value when it is first read, once, and has all keys before', () => {
    const made: string[] = [];
    const record = lazyRecord({
      a: () => made.push('a'),
      b: () => made.push('b'),
    });
    expect([Object.keys(record), 'b' in record, made]).toEqual([['a', 'b'], true, []]);
    expect([record.b, record.b, made]).toEqual([1, 1, ['b']]);
    expect([Object.values(record), made]).toEqual([
      [2, 1],
      ['b', 'a'],
    ]);
  });

  it('makes values that cannot be replaced', () => {
    const record: { a: number } = lazyRecord({ a: () => 1 });
    expect(() => (record.a = 2)).toThrow(TypeError);
    expect(record.a).toBe(1);
    expect(() => (record.a = 2)).toThrow(TypeError);
  });
});

describe('defineLazyStruct', () => {
  it('checks its description when it is first needed', () => {
    const struct = defineLazyStruct('bad', 4, () => ({ a: { offset: 2, type: 'u32' } }) as const);
    expect(struct.sizeBytes).toBe(4);
    expect(() => struct.fields).toThrow('bad.a does not fit 4 bytes');
    expect(() => struct.read(new Uint8Array(4))).toThrow('bad.a does not fit 4 bytes');
  });
});
