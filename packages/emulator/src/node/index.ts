export { createNodeHost } from './node-host.js';
export type { NodeHostOptions } from './node-host.js';
export { openNodeEmulatedDevice, openSharedEmulatedDevice } from './open.js';
export type { OpenNodeEmulatedDeviceOptions, SharedEmulatedDevice } from './open.js';
