export { createEmulatedSysfs } from './emulated-sysfs.js';
export type { EmulatedSysfsOptions } from './emulated-sysfs.js';
export { describeMachine, listEmulatedTargets } from './machine.js';
export type { DescribeMachineOptions, EmulatedTarget, MachineDescription } from './machine.js';
export type { GpuLinks } from './machine-links.js';
