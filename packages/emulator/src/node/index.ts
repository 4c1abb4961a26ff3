export { createNodeHost } from './node-host.js';
export type { NodeHostOptions } from './node-host.js';
export { openNodeEmulatedDevice } from './open.js';
export type { OpenNodeEmulatedDeviceOptions } from './open.js';
