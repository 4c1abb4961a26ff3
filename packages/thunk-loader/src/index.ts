export { currentCaller, describeNodeAccess } from './access.js';
export type { Caller, NodeAccess } from './access.js';
export { errnoName } from './errno.js';
export { openKfdThunk } from './kfd/kfd-thunk.js';
export { aqlQueueSizes } from './kfd/queue-sizes.js';
export type { QueueSizeInputs, QueueSizes } from './kfd/queue-sizes.js';
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
