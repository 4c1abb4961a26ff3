/** Finding and opening the thunk. The library that it may be, and all that looks at libraries and platforms, is loaded when needed. */
export { errnoName } from './errno.js';
export { openDeviceFile } from './linux/device-file.js';
export { autoBackends } from './load/candidates.js';
export type { ThunkBackend, ThunkCandidate } from './load/candidates.js';
export { loadThunk } from './load/load-thunk.js';
export type { LoadedThunk, LoadThunkOptions } from './load/load-thunk.js';
