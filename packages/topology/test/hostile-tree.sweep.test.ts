import { it } from 'vitest';
import { checkHostileTrees } from './support/hostile-trees.js';

// A tree takes milliseconds: one that hangs shows as the limit of the test.
it('10,000 mutated trees give typed results only', { timeout: 900_000 }, () => {
  checkHostileTrees({ runs: 10_000, seed: 20 });
});
