/** The CPU side of the emulated machine: `/proc/cpuinfo` and the caches of the NUMA node. Sizes are free choices. */
import type { FileTree } from './file-tree.js';
import type { MachineDescription } from './machine.js';
import { numberOf } from './machine.js';

interface CpuCache {
  readonly level: number;
  readonly type: 'Data' | 'Instruction' | 'Unified';
  readonly sizeKib: number;
  readonly ways: number;
  /** One for each CPU, or one for the whole node. */
  readonly scope: 'cpu' | 'node';
}

const LINE_BYTES = 64;
const CPU_CACHES: readonly CpuCache[] = [
  { level: 1, type: 'Data', sizeKib: 32, ways: 8, scope: 'cpu' },
  { level: 1, type: 'Instruction', sizeKib: 32, ways: 8, scope: 'cpu' },
  { level: 2, type: 'Unified', sizeKib: 512, ways: 8, scope: 'cpu' },
  { level: 3, type: 'Unified', sizeKib: 32768, ways: 16, scope: 'node' },
];

/** Adds the processors of the CPU nodes, numbered through; each has the APIC id of its number. */
export function addHostFiles(tree: FileTree, { cpus: nodes }: MachineDescription): void {
  const texts: string[] = [];
  const processors = nodes.reduce((sum, { properties }) => sum + numberOf(properties, 'cpu_cores_count'), 0);
  for (const { nodeId, properties } of nodes) {
    const first = texts.length;
    const count = numberOf(properties, 'cpu_cores_count');
    for (let index = first; index < first + count; index += 1) {
      texts.push(processorText(index));
      const path = `/sys/devices/system/cpu/cpu${index}`;
      for (const [number, cache] of CPU_CACHES.entries())
        addCache(tree, `${path}/cache/index${number}`, { cache, index, first, count, processors });
      tree.addLink(`/sys/devices/system/node/node${nodeId}/cpu${index}`, path);
    }
  }
  tree.addFile('/proc/cpuinfo', texts.join('\n'));
}

function processorText(index: number): string {
  return [`processor\t: ${index}`, 'vendor_id\t: AuthenticAMD', 'model name\t: Emulated CPU', `apicid\t\t: ${index}`, ''].join(
    '\n',
  );
}

interface CachePlace {
  readonly cache: CpuCache;
  readonly index: number;
  /** First processor of the node, and how many it has. */
  readonly first: number;
  readonly count: number;
  /** Of the whole machine. */
  readonly processors: number;
}

function addCache(tree: FileTree, path: string, { cache, index, first, count, processors }: CachePlace): void {
  const shared = cache.scope === 'node' ? ((1n << BigInt(count)) - 1n) << BigInt(first) : 1n << BigInt(index);
  tree.addFiles(path, {
    level: `${cache.level}\n`,
    type: `${cache.type}\n`,
    size: `${cache.sizeKib}K\n`,
    coherency_line_size: `${LINE_BYTES}\n`,
    ways_of_associativity: `${cache.ways}\n`,
    physical_line_partition: '1\n',
    shared_cpu_map: `${cpuMask(shared, processors)}\n`,
    shared_cpu_list: `${cache.scope === 'node' ? `${first}-${first + count - 1}` : index}\n`,
  });
}

/** One bit for each processor of the machine, in hex, in groups of 32 from the lowest (Linux bitmap printing, `%*pb`). */
function cpuMask(mask: bigint, processors: number): string {
  const digits = mask.toString(16).padStart(Math.ceil(processors / 4), '0');
  return digits.replace(/(?!^)(?=(?:.{8})+$)/g, ',');
}
