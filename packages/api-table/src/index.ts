export { createApiTables, TABLE_NAMES } from './api-tables.js';
export type { ApiTable, ApiTableOptions, ApiTableVersion, HsaApiTable, HsaApiTables, HsaImplementation } from './api-tables.js';
export { copyTables, hasSlot } from './copy-tables.js';
export { intercept } from './intercept.js';
export type { InterceptOptions, SlotFunction, SlotName } from './intercept.js';
export { formatCall, traceCalls } from './trace.js';
export type { TracedCall } from './trace.js';
