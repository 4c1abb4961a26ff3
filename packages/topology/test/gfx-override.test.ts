import { describe, expect, it } from 'vitest';
import { discoverAgents, listGfxOverrides, readGfxOverrides, readTopology } from '../src/index.js';
import { makeTree } from './support/captured-tree.js';

const tree = makeTree(['gfx1030', 'gfx1100']);
const topology = readTopology(tree);
const discover = (env: Readonly<Record<string, string>>): ReturnType<typeof discoverAgents> => {
  const gfxOverrides = readGfxOverrides(env);
  return discoverAgents(topology, { source: tree, ...(gfxOverrides === undefined ? {} : { gfxOverrides }) });
};

describe('overrides of the gfx version', () => {
  it.each([
    [{}, ['gfx1030', 'gfx1100']],
    [{ HSA_OVERRIDE_GFX_VERSION: '11.0.0' }, ['gfx1100', 'gfx1100']],
    [{ HSA_OVERRIDE_GFX_VERSION_2: '9.0.10' }, ['gfx1030', 'gfx90a']],
    [{ HSA_OVERRIDE_GFX_VERSION: '11.0.1', HSA_OVERRIDE_GFX_VERSION_1: '10.3.1' }, ['gfx1031', 'gfx1101']],
    [{ HSA_OVERRIDE_GFX_VERSION_7: '11.0.0', HSA_OVERRIDE_GFX_VERSION_X: '1' }, ['gfx1030', 'gfx1100']],
  ] as const)('apply to all nodes, or to one, which wins: %j', (env, names) => {
    expect(discover(env).gpus.map(({ name }) => name)).toEqual(names);
  });

  it.each(['', '10.3', '10.3.0x', 'gfx1030', '64.0.0', '10.256.0', '10.0.256', '-1.0.0'])(
    'that say no version leave the GPU out with the reason: %j',
    (value) => {
      const { gpus, skipped } = discover({ HSA_OVERRIDE_GFX_VERSION_1: value });
      expect(gpus.map(({ name }) => name)).toEqual(['gfx1100']);
      expect(skipped[0]).toMatchObject({
        sysfsId: 1,
        reason: `HSA_OVERRIDE_GFX_VERSION_1 is ${JSON.stringify(value)}, not major.minor.stepping`,
        hint: expect.stringContaining('Unset HSA_OVERRIDE_GFX_VERSION_1') as string,
      });
    },
  );

  it('that name no processor say so, and what the GPU is', () => {
    expect(discover({ HSA_OVERRIDE_GFX_VERSION: '10.9.9' }).skipped[0]).toMatchObject({
      reason: 'HSA_OVERRIDE_GFX_VERSION=10.9.9: gfx1099 is not a known processor',
      hint: 'Unset HSA_OVERRIDE_GFX_VERSION: the GPU is gfx1030.',
    });
  });

  it('are listed as they are set, with those that are no version', () => {
    expect(readGfxOverrides({})).toBeUndefined();
    const env = { HSA_OVERRIDE_GFX_VERSION: '1.2.3', HSA_OVERRIDE_GFX_VERSION_4: 'gfx1030' };
    expect(listGfxOverrides(readGfxOverrides(env)!)).toEqual([
      { variable: 'HSA_OVERRIDE_GFX_VERSION', value: '1.2.3', isVersion: true },
      { variable: 'HSA_OVERRIDE_GFX_VERSION_4', value: 'gfx1030', isVersion: false },
    ]);
  });
});
