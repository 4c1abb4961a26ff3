export { currentCaller, describeNodeAccess } from './access.js';
export type { Caller, NodeAccess } from './access.js';
export { errnoName } from './errno.js';
export { openHsakmtLibrary } from './hsakmt/hsakmt-library.js';
export type { HsakmtLayouts, HsakmtLibrary, HsakmtLibraryOptions, HsakmtPurpose } from './hsakmt/hsakmt-library.js';
export { openHsakmtThunk } from './hsakmt/hsakmt-thunk.js';
export type { OpenHsakmtOptions } from './hsakmt/hsakmt-thunk.js';
export { hsakmtStatusName } from './hsakmt/status.js';
export type { HsakmtResult } from './hsakmt/status.js';
export { openKfdThunk } from './kfd/kfd-thunk.js';
export { aqlQueueSizes } from './kfd/queue-sizes.js';
export type { QueueSizeInputs, QueueSizes } from './kfd/queue-sizes.js';
export { openDeviceFile } from './linux/device-file.js';
export type { DeviceFile, DeviceOpener } from './linux/device-file.js';
export { openKfdDevice } from './linux/kfd-device.js';
export type { OpenKfdOptions } from './linux/kfd-device.js';
export { createLinuxSysfs } from './linux/sysfs.js';
export { requireNativeModule } from './linux/libc.js';
export type { SharedLibrary, SharedLibraryResult } from './linux/shared-library.js';
export type { AbiGeneration, GenerationDecision } from './load/abi-generation.js';
export { autoBackends, THUNK_BACKENDS } from './load/candidates.js';
export type { ThunkBackend, ThunkCandidate, TriedPath } from './load/candidates.js';
export { describeLibrary } from './load/find-library.js';
export { loadForeignFunctions } from './linux/foreign-functions.js';
export type { CScalar, CSignature, CValue, ForeignFunctions, OpenLibrary, OpenLibraryResult } from './linux/foreign-functions.js';
export { parseElfLibrary } from './load/elf-library.js';
export type { ElfLibrary, ElfResult, ExportedSymbol } from './load/elf-library.js';
export { inspectPlace } from './load/inspect-library.js';
export type { InspectedLibrary, NeededLibrary, PathReport, Usable } from './load/inspect-library.js';
export { placesOf } from './load/library-search.js';
export type { LibraryPlace, LibraryPlaces, PlaceOrigin } from './load/library-search.js';
export { systemLibraries } from './load/library-source.js';
export type { LibrarySource } from './load/library-source.js';
export { loadThunk } from './load/load-thunk.js';
export type { LoadedThunk, LoadThunkOptions } from './load/load-thunk.js';
export { describePlatform, identifyPlatform } from './platform/identify-platform.js';
export type {
  Evidence,
  PlatformIdentity,
  PlatformSource,
  Surrounding,
  SurroundingKind,
  SystemName,
  TopologyRoot,
  Uname,
} from './platform/platform.js';
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
export { traceDevice } from './trace/trace-device.js';
export { formatTraceStep } from './trace/trace-event.js';
export type { IoctlStep, TraceEvent, TraceSink, TraceStep } from './trace/trace-event.js';
export { traceSysfs } from './trace/trace-sysfs.js';
