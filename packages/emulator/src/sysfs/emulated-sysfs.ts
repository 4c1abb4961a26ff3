/**
 * The files of an emulated machine: the KFD topology (format: amdkfd kfd_topology.c), the DRM and PCI side of each GPU,
 * and the host files that clients look at beside them.
 */
import type { SysfsSource } from '@doorbell/abi';
import { expandCaches } from './cache-entries.js';
import { formatLines } from './property-lines.js';
import { FileTree } from './file-tree.js';
import { addGpuFiles } from './gpu-files.js';
import { addHostFiles } from './host-files.js';
import type { MachineDescription, NodeDescription } from './machine.js';
import type { PropertyLines } from './topology-data.js';

const KFD_CLASS_LINK = '/sys/class/kfd/kfd';
const KFD_DEVICE = '/sys/devices/virtual/kfd/kfd';
const TOPOLOGY = `${KFD_DEVICE}/topology`;
const DEVICE_MODE = 0o666;

/** What changes while the machine runs. */
export interface EmulatedSysfsOptions {
  /** Bytes of VRAM in use on the GPU with this node id; default: none. */
  readonly usedVramBytes?: (nodeId: number) => number;
}

/** The `/sys`, `/dev` and `/proc` of an emulated machine. */
export function createEmulatedSysfs(
  machine: MachineDescription,
  { usedVramBytes = (): number => 0 }: EmulatedSysfsOptions = {},
): SysfsSource {
  const tree = new FileTree();
  tree.addLink(KFD_CLASS_LINK, KFD_DEVICE);
  tree.addDevice('/dev/kfd', DEVICE_MODE);
  tree.addFile(`${TOPOLOGY}/generation_id`, `${machine.generationId}\n`);
  tree.addFile(`${TOPOLOGY}/system_properties`, formatLines(machine.systemProperties));
  for (const cpu of machine.cpus) addNode(tree, cpu);
  for (const gpu of machine.gpus) {
    addNode(tree, gpu);
    tree.addFile(`${nodePath(gpu)}/mem_banks/0/used_memory`, () => `${usedVramBytes(gpu.nodeId)}\n`);
  }
  addGpuFiles(tree, machine, usedVramBytes);
  addHostFiles(tree, machine);
  return tree;
}

function nodePath(node: NodeDescription): string {
  return `${TOPOLOGY}/nodes/${node.nodeId}`;
}

function addNode(tree: FileTree, node: NodeDescription): void {
  const path = nodePath(node);
  tree.addFile(`${path}/gpu_id`, `${node.gpuId}\n`);
  tree.addFile(`${path}/name`, `${node.name}\n`);
  tree.addFile(`${path}/properties`, formatLines(node.properties));
  addEntries(tree, `${path}/mem_banks`, node.memBanks);
  tree.addNumbered(`${path}/caches`, 'properties', expandCaches(node));
  addEntries(tree, `${path}/io_links`, node.ioLinks);
  addEntries(tree, `${path}/p2p_links`, node.p2pLinks);
}

/** `<folder>/<i>/properties`, each text made when it is first read. */
function addEntries(tree: FileTree, folder: string, entries: readonly PropertyLines[]): void {
  const contents = entries.map((lines) => {
    let text: string | undefined;
    return (): string => (text ??= formatLines(lines));
  });
  tree.addNumbered(folder, 'properties', contents);
}
