export { ERROR_CODES } from './error-codes.js';
export type { ErrorCode, ErrorCodeInfo } from './error-codes.js';
export { HsaError, InternalError, isHsaError } from './error.js';
export type { HsaErrorOptions } from './error.js';
export { findProcessor, findProcessorByMach, ISA_NAME_PREFIX, PROCESSORS } from './processors.js';
export type { Generation, Processor, TargetFeature } from './processors.js';
