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
