export { HsaError, InternalError, isHsaError } from '@doorbell/abi';
export type { ErrorCode } from '@doorbell/abi';
export { BACKENDS, chooseDevice } from './api/device-choice.js';
export type { DeviceChoice } from './api/device-choice.js';
export { listDevices, openDevice } from './api/open-device.js';
export { lds, read, readwrite, write } from './api/signature.js';
export type { ArgSpec, ArgValue, GlobalPtr, KernelArgs, LdsPtr, Signature } from './api/signature.js';
export type { ScalarType } from '@doorbell/code-object';
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
export { findFlagProblems } from './core/flag-problems.js';
export type { FlagProblem } from './core/flag-problems.js';
export { LOAD_STEPS } from './core/load-steps.js';
export type { LoadStep } from './core/load-steps.js';
export * as limits from './core/slots/limits.js';
export { Runtime } from './core/runtime.js';
export type { RuntimeOptions } from './core/runtime.js';
// Every layer, for programs that need one of them too.
export * as abi from '@doorbell/abi';
export * as apiTable from '@doorbell/api-table';
export * as codeObject from '@doorbell/code-object';
export * as emulator from '@doorbell/emulator';
export * as hotswapTool from '@doorbell/hotswap-tool';
export * as isa from '@doorbell/isa';
export * as queues from '@doorbell/queues';
export * as thunkLoader from '@doorbell/thunk-loader';
export * as topology from '@doorbell/topology';
