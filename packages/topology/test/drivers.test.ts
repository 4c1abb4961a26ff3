import { describe, expect, it } from 'vitest';
import { discoverDrivers } from '../src/index.js';
import { FakeTree, makeTree } from './support/captured-tree.js';

describe('discoverDrivers', () => {
  it('reports all drivers in the order of ROCr', () => {
    expect(discoverDrivers(makeTree(['gfx1100'])).map(({ driver, state }) => [driver, state])).toEqual([
      ['kfd', 'usable'],
      ['xdna', 'not-probed'],
      ['kfd-virtio', 'not-probed'],
    ]);
  });

  it('tells owner and mode of the device file', () => {
    expect(discoverDrivers(makeTree(['gfx1100']))[0]!.reason).toBe('/dev/kfd is there: mode 660, owner 0, group 44');
  });

  it('tells an absent device file from one that is withheld', () => {
    const tree = new FakeTree();
    expect(discoverDrivers(tree)[0]).toMatchObject({
      state: 'absent',
      errno: 'ENOENT',
      reason: expect.stringMatching(/not loaded/) as string,
    });
    tree.errors.set('/dev/kfd', 'EACCES');
    expect(discoverDrivers(tree)[0]).toMatchObject({ state: 'unusable', errno: 'EACCES' });
  });

  it('does not take another file for the device', () => {
    const tree = new FakeTree();
    tree.files.set('/dev/kfd/x', '');
    expect(discoverDrivers(tree)[0]).toMatchObject({
      state: 'unusable',
      reason: '/dev/kfd is a directory, not a character device',
    });
  });

  it('asks further probes too', () => {
    const row = { driver: 'xdna', devicePath: '/dev/accel/accel3', state: 'usable', reason: 'test' } as const;
    expect(discoverDrivers(new FakeTree(), [{ driver: 'xdna', probe: () => row }])).toEqual([row]);
  });
});
