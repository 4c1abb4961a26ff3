/** The build writes generated data as text: what comes out of it is what the sources say. */
import { expect, it } from 'vitest';
import * as sources from '../src/index.js';

/** Values by path; structures by size and fields, functions by their being there. */
function valuesOf(value: unknown, path: string, into: Map<string, unknown> = new Map()): Map<string, unknown> {
  if (typeof value === 'function') return into.set(path, 'function');
  if (typeof value !== 'object' || value === null) return into.set(path, value);
  // Getters of a prototype, as layouts have them, are read too.
  const { sizeBytes, fields } = value as { readonly sizeBytes?: unknown; readonly fields?: unknown };
  if (fields !== undefined) valuesOf({ sizeBytes, ...(fields as object) }, `${path}.fields`, into);
  for (const [key, entry] of Object.entries(value)) valuesOf(entry, `${path}.${key}`, into);
  return into;
}

it('says the same when built', async () => {
  // A path that the compiler does not follow: the build's own declarations are those of the sources.
  const built: unknown = await import(new URL('../dist/index.js', import.meta.url).href);
  const expected = valuesOf({ ...sources }, 'abi');
  expect(expected.size).toBeGreaterThan(10_000);
  const found = valuesOf({ ...(built as object) }, 'abi');
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  expect([...expected].filter(([path, value]) => found.get(path) !== value)).toEqual([]);
});
