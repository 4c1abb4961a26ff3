export { createEmulatedSysfs } from './emulated-sysfs.js';
export type { EmulatedSysfsOptions } from './emulated-sysfs.js';
export { describeMachine, listEmulatedTargets } from './machine.js';
export type {
  DescribeMachineOptions,
  EmulatedTarget,
  GpuNodeDescription,
  MachineDescription,
  NodeDescription,
} from './machine.js';
export type {
  CacheGroupData,
  CpuTopologyData,
  DrmData,
  GpuTopologyData,
  NodeTopologyData,
  PropertyLines,
} from './topology-data.js';
