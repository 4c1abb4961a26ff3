export { HsaError, InternalError, isHsaError } from '@doorbell/abi/core';
export type { ErrorCode } from '@doorbell/abi/core';
export { BACKENDS, chooseDevice } from './api/device-choice.js';
export type { DeviceChoice } from './api/device-choice.js';
export { listDevices, openDevice } from './api/open.js';
export { lds, read, readwrite, write } from './api/signature.js';
export type { ArgSpec, ArgValue, GlobalPtr, KernelArgs, LdsPtr, Signature } from './api/signature.js';
export type { ScalarType } from '@doorbell/code-object/core';
export { ELEMENT_ARRAYS } from './api/scalar.js';
export type { ArrayConstructor, ArrayOf, ElementOf, TypedArray } from './api/scalar.js';
export type {
  Backend,
  BufferOptions,
  Completion,
  Device,
  DeviceBuffer,
  DeviceEvents,
  DeviceInfo,
  DeviceLostInfo,
  DevicePointer,
  Dim3,
  Kernel,
  KernelArg,
  KernelTiming,
  LaunchOptions,
  Module,
  Occupancy,
  OpenDeviceOptions,
  Queue,
} from './api/types.js';
export type { ApiTable } from './core/api.js';
export { LOAD_STEPS } from './core/load-steps.js';
export type { LoadStep } from './core/load-steps.js';
export * as limits from './core/slots/limits.js';
export { Runtime } from './api/runtime-entry.js';
export type { RuntimeOptions } from './core/runtime.js';
export type { FailedTool, ToolFailure } from './tools/failed-tool.js';
export type { LoadedTool } from './tools/tool-host.js';
export type { ToolContext, ToolModule } from './tools/tool-module.js';
