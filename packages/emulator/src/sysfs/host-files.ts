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

/** Adds the processors of the CPU node; each has the APIC id of its number, since `cpu_core_id_base` is 0. */
export function addHostFiles(tree: FileTree, { cpu }: MachineDescription): void {
  const cpus = numberOf(cpu.properties, 'cpu_cores_count');
  tree.addFile('/proc/cpuinfo', Array.from({ length: cpus }, (_, index) => processorText(index)).join('\n'));
  for (let index = 0; index < cpus; index += 1) {
    const path = `/sys/devices/system/cpu/cpu${index}`;
    for (const [number, cache] of CPU_CACHES.entries()) addCache(tree, `${path}/cache/index${number}`, { cache, index, cpus });
    tree.addLink(`/sys/devices/system/node/node0/cpu${index}`, path);
  }
}

function processorText(index: number): string {
  return [`processor\t: ${index}`, 'vendor_id\t: AuthenticAMD', 'model name\t: Emulated CPU', `apicid\t\t: ${index}`, ''].join(
    '\n',
  );
}

function addCache(
  tree: FileTree,
  path: string,
  { cache, index, cpus }: { readonly cache: CpuCache; readonly index: number; readonly cpus: number },
): void {
  const shared = cache.scope === 'node' ? (1 << cpus) - 1 : 1 << index;
  tree.addFile(`${path}/level`, `${cache.level}\n`);
  tree.addFile(`${path}/type`, `${cache.type}\n`);
  tree.addFile(`${path}/size`, `${cache.sizeKib}K\n`);
  tree.addFile(`${path}/coherency_line_size`, `${LINE_BYTES}\n`);
  tree.addFile(`${path}/ways_of_associativity`, `${cache.ways}\n`);
  tree.addFile(`${path}/physical_line_partition`, '1\n');
  tree.addFile(`${path}/shared_cpu_map`, `${shared.toString(16).padStart(4, '0')}\n`);
  tree.addFile(`${path}/shared_cpu_list`, `${cache.scope === 'node' ? `0-${cpus - 1}` : index}\n`);
}
