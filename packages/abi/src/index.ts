export { ERROR_CODES } from './error-codes.js';
export type { ErrorCode, ErrorCodeInfo } from './error-codes.js';
export { HsaError, InternalError, isHsaError } from './error.js';
export type { HsaErrorOptions } from './error.js';
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
export { ref } from './ref.js';
export type { Memory, Ref } from './ref.js';
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
export * as drm from './generated/drm.js';
export * as hsa from './generated/hsa.js';
export * as hsaStructs from './generated/hsa-structs.js';
export * as hsakmt from './generated/hsakmt.js';
export * as hsakmtA from './generated/hsakmt-a.js';
export * as hsakmtB from './generated/hsakmt-b.js';
export * as kfd from './generated/kfd.js';
