export type { EmulatedDevice } from './device/emulated-device.js';
export { openEmulatedDevice } from './device/open.js';
export type { OpenEmulatedDeviceOptions } from './device/open.js';
export { workerCountOf } from './device/worker-threads.js';
export type { QueueProgress } from './device/queue-manager.js';
export type { DeviceFault, DispatchFault, PacketFault } from './device/reports.js';
export type { WaveFault, WaveFaultKind } from './executor.js';
export type { Host, HostWorker } from './host.js';
export { createEmulatedSysfs, describeMachine, listEmulatedTargets } from './sysfs/index.js';
export type {
  DescribeMachineOptions,
  EmulatedSysfsOptions,
  EmulatedTarget,
  GpuLinks,
  MachineDescription,
} from './sysfs/index.js';
