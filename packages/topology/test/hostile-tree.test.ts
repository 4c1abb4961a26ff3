import { describe, expect, it } from 'vitest';
import { readTopology } from '../src/index.js';
import { makeTree, ROOT } from './support/captured-tree.js';
import { checkHostileTrees } from './support/hostile-trees.js';

describe('a hostile tree', () => {
  it('gives agents or one HsaError, and finite numbers', () => {
    checkHostileTrees({ runs: 300, seed: 7 });
  });

  it('with a hundred thousand entries ends', () => {
    const tree = makeTree(['gfx1100']);
    const list = tree.list.bind(tree);
    const many = Array.from({ length: 100_000 }, (_, index) => `${index}`);
    tree.list = (path) => (path === `${ROOT}/nodes` || path.endsWith('/caches') ? { ok: true, value: many } : list(path));
    const { nodes, problems, refusedNodes } = readTopology(tree);
    expect(nodes).toHaveLength(2);
    expect(refusedNodes.length).toBe(1022);
    expect(problems[0]).toMatchObject({ kind: 'implausible' });
  });
});
