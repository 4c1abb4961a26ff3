/** Trees with files cut, changed, replaced and withheld at random: whatever they hold, the answer is agents or one typed error. */
import { isHsaError } from '@doorbell/abi';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  chooseDefaultDevice,
  discoverAgents,
  discoverDrivers,
  poolAccess,
  readGfxOverrides,
  readTopology,
  summarizeTopology,
} from '../../src/index.js';
import type { FakeTree } from './captured-tree.js';
import { makeTree, ROOT } from './captured-tree.js';

const pristine = makeTree(['gfx1030', 'gfx1100']);
pristine.files.set('/proc/cpuinfo', 'processor : 0\napicid : 0\nmodel name : Test\n');
pristine.files.set('/usr/share/libdrm/amdgpu.ids', '1.0.0\n744C,\tC8,\tRadeon RX 7900 XTX\n');
pristine.files.set('/sys/devices/system/cpu/cpu0/cache/index0/size', '32K\n');
pristine.files.set('/sys/devices/system/cpu/cpu0/cache/index0/level', '1\n');
pristine.files.set('/sys/devices/system/cpu/cpu0/cache/index0/type', 'Data\n');
pristine.files.set('/sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_map', '1\n');
// A few caches stand for the hundreds.
for (const path of pristine.files.keys()) if (/caches\/\d{2,}/.test(path)) pristine.files.delete(path);
pristine.files.set(`${ROOT}/nodes/0/perf/iommu/max_concurrent`, '4\n');
pristine.files.set(`${ROOT}/nodes/0/perf/iommu/num_counters`, '2\n');
pristine.files.set(`${ROOT}/nodes/0/perf/iommu/counter_ids`, '5 6\n');
pristine.files.set('/dev/accel/accel0', '');
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

/** Reads that many mutated trees. */
export function checkHostileTrees({ runs, seed }: { readonly runs: number; readonly seed: number }): void {
  fc.assert(
    fc.property(
      fc.array(mutation, { minLength: 1, maxLength: 6 }),
      fc.string({ maxLength: 30 }),
      fc.oneof(fc.constantFrom('10.3.0', '11.0.0', '', '1.2'), fc.string({ maxLength: 12 })),
      (mutations, visibleDevices, override) => {
        const tree = copyTree();
        for (const each of mutations) mutate(tree, each);
        const drivers = discoverDrivers(tree);
        try {
          const topology = readTopology(tree);
          const { agents, gpus, skipped } = discoverAgents(topology, { source: tree, drivers });
          const gfxOverrides = readGfxOverrides({ HSA_OVERRIDE_GFX_VERSION: override });
          discoverAgents(topology, { source: tree, visibleDevices, ...(gfxOverrides === undefined ? {} : { gfxOverrides }) });
          chooseDefaultDevice(gpus);
          expect(summarizeTopology(topology, tree)).toMatch(/GPU node/);
          for (const gpu of gpus) {
            expect(Number.isSafeInteger(gpu.computeUnits)).toBe(true);
            expect(Number.isSafeInteger(gpu.shaderEngines)).toBe(true);
          }
          for (const agent of agents) {
            for (const link of agent.links) expect(topology.nodes[link.nodeId]).toBeDefined();
            for (const owner of agents) for (const pool of owner.pools) poolAccess(agent, { owner, pool });
          }
          expect(new Set(agents.map(({ id }) => id)).size).toBe(agents.length);
          expect(gpus.length + skipped.length).toBeLessThanOrEqual(3);
        } catch (error) {
          if (!isHsaError(error, 'ERR_TOPOLOGY')) throw error;
        }
      },
    ),
    { numRuns: runs, seed },
  );
}
