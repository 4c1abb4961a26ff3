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
export * as drm from './generated/drm.js';
export * as hsakmtA from './generated/hsakmt-a.js';
export * as hsakmtB from './generated/hsakmt-b.js';
export * as kfd from './generated/kfd.js';
