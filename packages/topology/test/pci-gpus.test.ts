import { describe, expect, it } from 'vitest';
import { readTopology, summarizeTopology } from '../src/index.js';
import type { FakeTree } from './support/captured-tree.js';
import { makeTree, ROOT } from './support/captured-tree.js';

const addPci = (
  tree: FakeTree,
  address: string,
  facts: Readonly<Record<'vendor' | 'device' | 'class', string>>,
  driver?: string,
): void => {
  for (const [name, value] of Object.entries(facts)) tree.files.set(`/sys/bus/pci/devices/${address}/${name}`, `${value}\n`);
  if (driver !== undefined) tree.links.set(`/sys/bus/pci/devices/${address}/driver`, `/sys/bus/pci/drivers/${driver}`);
};
const summarize = (tree: FakeTree): string => summarizeTopology(readTopology(tree), tree);

describe('summarizeTopology', () => {
  it('names the card that the driver made no node of', () => {
    const tree = makeTree([]);
    addPci(tree, '0000:01:00.0', { vendor: '0x1002', device: '0x6811', class: '0x030000' }, 'radeon');
    addPci(tree, '0000:02:00.0', { vendor: '0x1002', device: '0x740f', class: '0x120000' });
    expect(summarize(tree)).toBe(
      '1 CPU node, 0 GPU nodes; PCI shows 1002:6811 (0000:01:00.0) bound to radeon, 1002:740f (0000:02:00.0) without a driver',
    );
  });

  it('passes over what is no AMD GPU', () => {
    const tree = makeTree([]);
    addPci(tree, '0000:01:00.0', { vendor: '0x10de', device: '0x6811', class: '0x030000' });
    addPci(tree, '0000:01:00.1', { vendor: '0x1002', device: '0xab30', class: '0x040300' });
    expect(summarize(tree)).toBe('1 CPU node, 0 GPU nodes; PCI shows no AMD GPU');
  });

  it('counts what was left out', () => {
    const tree = makeTree(['gfx1100', 'gfx1030']);
    tree.errors.set(`${ROOT}/nodes/2/properties`, 'EPERM');
    expect(summarize(tree)).toMatch(/^1 CPU node, 1 GPU node, 1 node left out; /);
  });
});
