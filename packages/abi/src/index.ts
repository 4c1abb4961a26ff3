export {
  ERROR_CODES,
  findProcessor,
  findProcessorByMach,
  HsaError,
  InternalError,
  ISA_NAME_PREFIX,
  isHsaError,
  PROCESSORS,
} from './core.js';
export type { ErrorCode, ErrorCodeInfo, Generation, HsaErrorOptions, Processor, TargetFeature } from './core.js';
export type {
  DeviceFile,
  DoorbellPage,
  HeapHint,
  HostBuffer,
  KfdDevice,
  Mapping,
  MmapOptions,
  Protection,
  SysfsResult,
  SysfsSource,
  SysfsStat,
} from './kfd-device.js';
export { defineStruct, readU64AsNumber, sizeOfType, writeU64FromNumber } from './struct.js';
export type {
  ArrayType,
  Field,
  Fields,
  FieldType,
  FieldValue,
  NestedType,
  ScalarType,
  StructInit,
  StructLayout,
  StructValue,
} from './struct.js';
export {
  AQL_BARRIER_DEPENDENCIES,
  AQL_COMPLETION_SIGNAL_OFFSET,
  AQL_HEADER,
  AQL_PACKET_BYTES,
  AqlFenceScope,
  AqlPacketType,
  aqlPackets,
  AqlVendorFormat,
  KERNEL_DISPATCH_OFFSETS,
  packAqlHeader,
  PM4_IB_PACKET,
  unpackAqlHeader,
} from './aql.js';
export type { AqlHeader, AqlHeaderOptions } from './aql.js';
export { AMD_LOADER_SLOTS } from './amd-loader.js';
export type { AmdLoaderApi } from './amd-loader.js';
export {
  AMD_QUEUE,
  AMD_QUEUE_ALIGN_BYTES,
  AMD_QUEUE_BYTES,
  AMD_QUEUE_MAX_XCC,
  AMD_QUEUE_V1_BYTES,
  AmdQueueCapabilities,
  AmdQueueProperties,
} from './amd-queue.js';
export {
  AMD_SIGNAL,
  AMD_SIGNAL_BYTES,
  AmdSignalKind,
  SHARED_SIGNAL,
  SHARED_SIGNAL_BYTES,
  SHARED_SIGNAL_ID,
} from './amd-signal.js';
export type { EventLevel, EventSink, LibraryEvent } from './events.js';
export { hsaStatusName, hsaStatusString, isHsaFailure } from './hsa-status.js';
export type { HsaStatusName } from './hsa-status.js';
export { ref } from './ref.js';
export type { Memory, Ref } from './ref.js';
export { releaseAll, releaseAllAsync } from './release.js';
export { HSA_TABLE_HEADER_BYTES, tableSizeBytes } from './hsa-signature.js';
export type { HsaCallback, HsaFunction, HsaParam, HsaParamKind, HsaTable, HsaValueKind } from './hsa-signature.js';
export {
  HSA_API_TABLE_MAJOR_VERSION,
  HSA_API_TABLE_STEP_VERSION,
  HSA_CALLBACKS,
  HSA_FUNCTIONS,
  HSA_TABLES,
} from './generated/hsa-functions.js';
export type * from './generated/hsa-tables.js';
export { HSAKMT_FUNCTIONS } from './generated/hsakmt-functions.js';
export type {
  HsakmtArguments,
  HsakmtFunction,
  HsakmtFunctionName,
  HsakmtParam,
  HsakmtParamKind,
  HsakmtPointee,
} from './hsakmt-signature.js';
export * as drm from './generated/drm.js';
export * as hsa from './generated/hsa.js';
export * as hsaStructs from './generated/hsa-structs.js';
export * as hsakmt from './generated/hsakmt.js';
export * as hsakmtA from './generated/hsakmt-a.js';
export * as hsakmtB from './generated/hsakmt-b.js';
export * as kfd from './generated/kfd.js';
