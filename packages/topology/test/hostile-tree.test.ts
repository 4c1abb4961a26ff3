import { isHsaError } from '@doorbell/abi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseDefaultDevice, discoverAgents, discoverDrivers, readTopology } from '../src/index.js';
import type { FakeTree } from './support/captured-tree.js';
import { makeTree, ROOT } from './support/captured-tree.js';

const pristine = makeTree(['gfx1030', 'gfx1100']);
pristine.files.set('/proc/cpuinfo', 'processor : 0\napicid : 0\nmodel name : Test\n');
pristine.files.set('/usr/share/libdrm/amdgpu.ids', '1.0.0\n744C,\tC8,\tRadeon RX 7900 XTX\n');
pristine.files.set('/sys/devices/system/cpu/cpu0/cache/index0/size', '32K\n');
pristine.files.set('/sys/devices/system/cpu/cpu0/cache/index0/level', '1\n');
pristine.files.set('/sys/devices/system/cpu/cpu0/cache/index0/type', 'Data\n');
pristine.files.set('/sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_map', '1\n');
// A few caches stand for the hundreds.
for (const path of pristine.files.keys()) if (/caches\/\d{2,}/.test(path)) pristine.files.delete(path);
const paths = [...pristine.files.keys()];

const hostileText = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom('', '\n', ' ', '0', '-1', '1e99', '18446744073709551616', 'NaN', '\0', 'x'.repeat(10_000)),
);
const lineChange = fc.record({
  line: fc.nat(45),
  value: fc.oneof(
    fc.constantFrom('0', '1', '4294967295', '4294967296', '18446744073709551615', '-1', '', 'NaN', '1,0,'),
    fc.nat().map(String),
    fc.string({ maxLength: 20 }),
  ),
});
const mutation = fc.record({
  path: fc.constantFrom(...paths),
  change: fc.oneof(
    fc.record({ errno: fc.constantFrom('ENOENT', 'EACCES', 'EPERM', 'EIO', 'EISDIR') }),
    fc.record({ text: hostileText }),
    fc.record({ cutAt: fc.nat(1000) }),
    lineChange,
  ),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(tree: FakeTree, { path, change }: Mutation): void {
  const text = tree.files.get(path) ?? '';
  if ('errno' in change) tree.errors.set(path, change.errno);
  else if ('text' in change) tree.files.set(path, change.text);
  else if ('cutAt' in change) tree.files.set(path, text.slice(0, change.cutAt));
  else {
    const lines = text.split('\n');
    const index = change.line % lines.length;
    lines[index] = `${lines[index]!.split(' ')[0]} ${change.value}`;
    tree.files.set(path, lines.join('\n'));
  }
}

/** Fresh copy of the pristine tree. */
function copyTree(): FakeTree {
  const tree = makeTree([]);
  tree.files.clear();
  for (const [path, text] of pristine.files) tree.files.set(path, text);
  return tree;
}

describe('a hostile tree', () => {
  it('gives agents or one HsaError, and finite numbers', () => {
    fc.assert(
      fc.property(
        fc.array(mutation, { minLength: 1, maxLength: 6 }),
        fc.string({ maxLength: 30 }),
        (mutations, visibleDevices) => {
          const tree = copyTree();
          for (const each of mutations) mutate(tree, each);
          discoverDrivers(tree);
          try {
            const topology = readTopology(tree);
            const { gpus, skipped } = discoverAgents(topology, { source: tree });
            discoverAgents(topology, { source: tree, visibleDevices });
            chooseDefaultDevice(gpus);
            for (const gpu of gpus) {
              expect(Number.isSafeInteger(gpu.computeUnits)).toBe(true);
              expect(Number.isSafeInteger(gpu.shaderEngines)).toBe(true);
              for (const link of gpu.links) expect(topology.nodes[link.nodeId]).toBeDefined();
            }
            expect(gpus.length + skipped.length).toBeLessThanOrEqual(3);
          } catch (error) {
            if (!isHsaError(error, 'ERR_TOPOLOGY')) throw error;
          }
        },
      ),
      { numRuns: 500, seed: 7 },
    );
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
