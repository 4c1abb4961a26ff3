/** The DRM and PCI side of the emulated GPUs: what libdrm, rocm_smi and device plugins read beside the topology. */
import type { FileTree } from './file-tree.js';
import type { GpuNodeDescription, MachineDescription } from './machine.js';
import { numberOf } from './machine.js';

/** Linux character device major of DRM (Documentation/admin-guide/devices.txt). */
const DRM_MAJOR = 226;
const DEVICE_MODE = 0o666;
/** PCI class of a VGA display controller (PCI code and ID assignment: base class 03). */
const PCI_CLASS_DISPLAY = 0x03_0000;
const AMDGPU_IDS = '/usr/share/libdrm/amdgpu.ids';

/** Adds the render nodes, their PCI devices, the name list and the state of the amdgpu module. */
export function addGpuFiles(tree: FileTree, machine: MachineDescription, usedVramBytes: (nodeId: number) => number): void {
  for (const gpu of machine.gpus) {
    addPciDevice(tree, machine, gpu, usedVramBytes);
    addRenderNode(tree, gpu);
  }
  tree.addDirectory('/sys/bus/pci/drivers/amdgpu');
  tree.addFile('/sys/module/amdgpu/initstate', 'live\n');
  // lsmod lists what is in it.
  tree.addDirectory('/sys/module/amdgpu/holders');
  tree.addFile('/proc/modules', 'amdgpu 0 0 - Live 0x0000000000000000\n');
  tree.addFile(AMDGPU_IDS, formatAmdgpuIds(machine.gpus));
}

function addPciDevice(
  tree: FileTree,
  machine: MachineDescription,
  gpu: GpuNodeDescription,
  usedVramBytes: (nodeId: number) => number,
): void {
  const device = pciPath(gpu);
  const vendorId = numberOf(gpu.properties, 'vendor_id');
  const deviceId = numberOf(gpu.properties, 'device_id');
  tree.addFile(`${device}/vendor`, `0x${hex(vendorId, 4)}\n`);
  tree.addFile(`${device}/device`, `0x${hex(deviceId, 4)}\n`);
  tree.addFile(`${device}/subsystem_vendor`, `0x${hex(vendorId, 4)}\n`);
  tree.addFile(`${device}/subsystem_device`, '0x0000\n');
  tree.addFile(`${device}/revision`, `0x${hex(gpu.drm.pci_rev, 2)}\n`);
  tree.addFile(`${device}/class`, `0x${hex(PCI_CLASS_DISPLAY, 6)}\n`);
  tree.addFile(`${device}/numa_node`, `${gpu.cpuNodeId}\n`);
  tree.addFile(
    `${device}/uevent`,
    [
      'DRIVER=amdgpu',
      `PCI_CLASS=${hex(PCI_CLASS_DISPLAY, 5).toUpperCase()}`,
      `PCI_ID=${hex(vendorId, 4).toUpperCase()}:${hex(deviceId, 4).toUpperCase()}`,
      `PCI_SLOT_NAME=${pciAddress(gpu)}`,
      '',
    ].join('\n'),
  );
  tree.addFile(`${device}/unique_id`, `${gpu.uniqueId.toString(16).padStart(16, '0')}\n`);
  tree.addFile(`${device}/mem_info_vram_total`, `${gpu.vramBytes}\n`);
  tree.addFile(`${device}/mem_info_vis_vram_total`, `${gpu.vramBytes}\n`);
  tree.addFile(`${device}/mem_info_vram_used`, () => `${usedVramBytes(gpu.nodeId)}\n`);
  tree.addFile(`${device}/mem_info_gtt_total`, `${machine.systemBytes}\n`);
  tree.addLink(`${device}/subsystem`, '/sys/bus/pci');
  tree.addLink(`${device}/driver`, '/sys/bus/pci/drivers/amdgpu');
  tree.addLink(`/sys/bus/pci/devices/${pciAddress(gpu)}`, device);
  tree.addLink(`/sys/bus/pci/drivers/amdgpu/${pciAddress(gpu)}`, device);
}

function addRenderNode(tree: FileTree, gpu: GpuNodeDescription): void {
  const name = `renderD${gpu.renderMinor}`;
  const drm = `${pciPath(gpu)}/drm/${name}`;
  tree.addFile(`${drm}/dev`, `${DRM_MAJOR}:${gpu.renderMinor}\n`);
  tree.addLink(`${drm}/device`, pciPath(gpu));
  tree.addLink(`/sys/class/drm/${name}`, drm);
  tree.addLink(`/sys/dev/char/${DRM_MAJOR}:${gpu.renderMinor}`, drm);
  tree.addDevice(`/dev/dri/${name}`, DEVICE_MODE);
}

/** libdrm's list of names: a version line, then `device, revision, name` in hex without prefix. */
function formatAmdgpuIds(gpus: readonly GpuNodeDescription[]): string {
  const lines = gpus.map(
    ({ properties, drm }) =>
      `${hex(numberOf(properties, 'device_id'), 4).toUpperCase()},\t${hex(drm.pci_rev, 2).toUpperCase()},\t${drm.marketing_name}`,
  );
  return ['1.0.0', ...new Set(lines), ''].join('\n');
}

/** `domain:bus:device.function`; location_id is bus << 8 | device << 3 | function. */
function pciAddress({ properties }: GpuNodeDescription): string {
  const location = numberOf(properties, 'location_id');
  const domain = numberOf(properties, 'domain');
  return `${hex(domain, 4)}:${hex(location >> 8, 2)}:${hex((location >> 3) & 0x1f, 2)}.${location & 7}`;
}

function pciPath(gpu: GpuNodeDescription): string {
  return `/sys/devices/pci${hex(numberOf(gpu.properties, 'domain'), 4)}:00/${pciAddress(gpu)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
