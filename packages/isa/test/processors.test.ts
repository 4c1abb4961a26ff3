import { expect, it } from 'vitest';
import { createDecoder, hasTable, listProcessors } from '../src/index.js';

it('lists every processor of the ELF flags, with the table of those that have one', () => {
  const processors = listProcessors();
  expect(processors).toHaveLength(new Set(processors.map(({ name }) => name)).size);
  expect(processors).toContainEqual({ name: 'gfx1151', table: 'gfx11' });
  expect(processors).toContainEqual({ name: 'gfx90a', table: 'gfx90a' });
  expect(processors).toContainEqual({ name: 'gfx9-4-generic', table: 'gfx940' });
});

it('knows for which there is a table', () => {
  expect(hasTable('gfx1100')).toBe(true);
  expect(hasTable('gfx12-5-generic')).toBe(true);
  expect(hasTable('gfx13-generic')).toBe(false);
  expect(hasTable('gfx600')).toBe(false);
  expect(hasTable('nonsense')).toBe(false);
});

it.each(['gfx90a:xnack+', 'amdgcn-amd-amdhsa--gfx90a:sramecc+', 'GFX90A'])('says what to give in place of %s', (name) => {
  expect(() => createDecoder(name)).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT', hint: expect.stringContaining("'gfx90a'") as string }),
  );
});
