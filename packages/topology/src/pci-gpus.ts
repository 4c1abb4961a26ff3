/** What PCI shows of AMD GPUs, whether or not the kernel driver made nodes of them. */
import type { SysfsSource } from '@doorbell/abi';
import type { Topology } from './topology-types.js';

/** A display controller or accelerator of AMD on the PCI bus. */
export interface PciGpu {
  /** `0000:03:00.0`. */
  readonly address: string;
  readonly deviceId: number;
  /** Kernel driver that is bound to it; undefined without one. */
  readonly driver: string | undefined;
}

const PCI_DEVICES = '/sys/bus/pci/devices';
const VENDOR_AMD = 0x1002;
/** PCI base classes: display controller, processing accelerator. */
const GPU_CLASSES: readonly number[] = [0x03, 0x12];

/** The AMD GPUs on the PCI bus; none where the bus cannot be read. */
export function listPciGpus(source: SysfsSource): readonly PciGpu[] {
  const addresses = source.list(PCI_DEVICES);
  if (!addresses.ok) return [];
  return addresses.value.flatMap((address): readonly PciGpu[] => {
    const path = `${PCI_DEVICES}/${address}`;
    const number = (name: string): number => {
      const text = source.readText(`${path}/${name}`);
      return text.ok ? Number.parseInt(text.value, 16) : Number.NaN;
    };
    if (number('vendor') !== VENDOR_AMD || !GPU_CLASSES.includes(number('class') >> 16)) return [];
    const deviceId = number('device');
    if (Number.isNaN(deviceId)) return [];
    const driver = source.readLink(`${path}/driver`);
    return [{ address, deviceId, driver: driver.ok ? driver.value.split('/').pop() : undefined }];
  });
}

/** One line for people who wonder where their GPU is: `1 CPU node, 0 GPU nodes; PCI shows 1002:6811 (0000:01:00.0) bound to radeon`. */
export function summarizeTopology(topology: Topology, source: SysfsSource): string {
  const count = (size: number, what: string): string => `${size} ${what}${size === 1 ? '' : 's'}`;
  const cpus = topology.nodes.filter(({ properties }) => properties.cpuCoresCount > 0).length;
  const gpus = topology.nodes.filter(({ gpuId }) => gpuId !== 0).length;
  const refused = topology.refusedNodes.length === 0 ? '' : `, ${count(topology.refusedNodes.length, 'node')} left out`;
  const pci = listPciGpus(source).map(({ address, deviceId, driver }) => {
    const id = `${VENDOR_AMD.toString(16)}:${deviceId.toString(16).padStart(4, '0')}`;
    return `${id} (${address}) ${driver === undefined ? 'without a driver' : `bound to ${driver}`}`;
  });
  const onBus = pci.length === 0 ? 'no AMD GPU' : pci.join(', ');
  return `${count(cpus, 'CPU node')}, ${count(gpus, 'GPU node')}${refused}; PCI shows ${onBus}`;
}
