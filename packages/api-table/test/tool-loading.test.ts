import { describe, expect, it } from 'vitest';
import { createApiTables, findMismatches, formatVersionPair, orderTools, pairVersions, parseToolNames } from '../src/index.js';

describe('names of tools', () => {
  // What rocr's runtime.cpp parse_tool_names makes of them, empty names left out.
  it.each([
    ['', []],
    ['a.so', ['a.so']],
    ['a.so  b.so ', ['a.so', 'b.so']],
    ['"/a b/c.so" d', ['/a b/c.so', 'd']],
    ['/a\\ b/c.so d', ['/a b/c.so', 'd']],
    ['"a""b"', ['a', 'b']],
    ['\\"a', ['"a']],
    ['a.so,b.so:c.so', ['a.so,b.so:c.so']],
    ['"never closed x', ['never closed x']],
    ['trailing\\', ['trailing']],
  ])('%j are %j', (text, names) => {
    expect(parseToolNames(text)).toEqual(names);
  });
});

describe('the order of tools', () => {
  const tool = (
    name: string,
    handle: bigint,
    priority?: number,
  ): { name: string; handle: bigint; priority: number | undefined } => ({
    name,
    handle,
    priority,
  });

  it('is the list, then those of the process by priority; each library once', () => {
    const { ordered, twice } = orderTools([
      tool('late', 5n, 9),
      tool('a', 1n),
      tool('early', 4n, 0),
      tool('b', 2n),
      tool('a again', 1n, 0),
    ]);
    expect(ordered.map(({ name }) => name)).toEqual(['a', 'b', 'early', 'late']);
    expect(twice.map(({ name }) => name)).toEqual(['a again']);
  });
});

describe('versions of tools', () => {
  const { public: tables } = createApiTables({});

  it('fit with the same major and no more slots than ours', () => {
    const fits = (theirs: Parameters<typeof pairVersions>[1]): number => findMismatches(pairVersions(tables, theirs)).length;
    expect([
      fits(undefined),
      fits({ core: { major: 2 } }),
      fits({ root: { major: 3, minor: 56, step: 0 }, core: { major: 2, minor: 1016 } }),
      fits({ core: { major: 1 } }),
      fits({ amdExt: { major: 2, minor: 616, step: 8 } }),
      fits({ root: { major: 2 }, amdExt: { major: 1 } }),
    ]).toEqual([0, 0, 0, 1, 1, 2]);
  });

  it('are said of both sides', () => {
    const pairs = pairVersions(tables, { amdExt: { major: 1, minor: 464 } });
    expect(pairs.map(({ table }) => table)).toEqual([
      'root',
      'core',
      'amdExt',
      'finalizerExt',
      'imageExt',
      'tools',
      'pcSamplingExt',
    ]);
    expect(formatVersionPair(pairs[2]!)).toBe('amdExt 2 (608 bytes, step 7) here, 1 (464 bytes) of the tool');
    expect(formatVersionPair(pairs[0]!)).toBe('root 3 (64 bytes, step 1) here');
  });
});
