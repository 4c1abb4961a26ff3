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
  AddressRange,
  AllocateOptions,
  ClockCounters,
  CreateQueueOptions,
  DmabufFile,
  DmabufInfo,
  EventKind,
  HostMemory,
  HostRange,
  HwException,
  ImportDmabufOptions,
  InterfaceVersion,
  MemoryException,
  MemoryKind,
  MemoryPolicy,
  ProcessApertures,
  QueueKind,
  QueuePriority,
  QueueWaveState,
  SvmAttribute,
  SvmAttributeKind,
  Thunk,
  ThunkEvent,
  ThunkGpu,
  ThunkMemory,
  ThunkProvider,
  ThunkQueue,
  TileConfig,
  UpdateQueueOptions,
  WaitEventsOptions,
  WaitOutcome,
  WaitTarget,
  XnackMode,
} from './thunk.js';
