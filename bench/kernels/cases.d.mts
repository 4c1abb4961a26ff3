import type { Completion, Device, Module } from '@doorbell/runtime';
import type { CaseCheck } from './inputs.mjs';

export { bytesAtL, codeObject, KERNELS, laneInstructionsAtL } from './inputs.mjs';

export interface PreparedCase {
  readonly grid: number;
  launch(): Completion;
  reset(only?: 'outputs' | 'all'): Promise<void>;
  check(): Promise<CaseCheck>;
  dispose(): void;
}
export function prepareCase(device: Device, module: Module, kernel: string, size: 'S' | 'L'): Promise<PreparedCase>;
