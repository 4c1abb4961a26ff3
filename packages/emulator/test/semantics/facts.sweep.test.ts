import { expect, it } from 'vitest';
import { compareFacts } from './support/compare-facts.js';

it.each([32, 64] as const)('facts agree with the semantics of every instruction in wave%i', { timeout: 600_000 }, (waveSize) => {
  const { compared, problems } = compareFacts(waveSize, 24);
  console.log(`${compared} encodings compared`);
  expect(problems).toEqual([]);
});
