export { currentCaller, describeNodeAccess } from './access.js';
export type { Caller, NodeAccess } from './access.js';
export { errnoName } from './errno.js';
export { openKfdThunk } from './kfd/kfd-thunk.js';
export { aqlQueueSizes } from './kfd/queue-sizes.js';
export type { QueueSizeInputs, QueueSizes } from './kfd/queue-sizes.js';
export { openKfdDevice } from './linux/kfd-device.js';
export type { OpenKfdOptions } from './linux/kfd-device.js';
export { createLinuxSysfs } from './linux/sysfs.js';
export type { LibrarySource } from './load/library-search.js';
export { loadThunk, THUNK_BACKENDS } from './load/load-thunk.js';
export type { LoadedThunk, LoadThunkOptions, ThunkBackend, ThunkCandidate } from './load/load-thunk.js';
export type {
  AllocateOptions,
  ClockCounters,
  CreateQueueOptions,
  EventKind,
  HwException,
  InterfaceVersion,
  MemoryException,
  MemoryKind,
  ProcessApertures,
  QueueKind,
  QueuePriority,
  Thunk,
  ThunkEvent,
  ThunkGpu,
  ThunkMemory,
  ThunkProvider,
  ThunkQueue,
  UpdateQueueOptions,
  WaitEventsOptions,
  WaitOutcome,
  XnackMode,
} from './thunk.js';
