/** The instruction facts of @doorbell/isa against what the semantics, which were written without them, read and write. */
import { expect, it } from 'vitest';
import { compareFacts } from './support/compare-facts.js';

it('facts agree with the semantics of every instruction', { timeout: 120_000 }, () => {
  const { compared, problems } = compareFacts(32, 4);
  expect(problems).toEqual([]);
  expect(compared).toBeGreaterThan(10_000);
});
