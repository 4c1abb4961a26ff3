import type { Device, Module, Completion } from '@doorbell/runtime';

export interface CaseCheck {
  readonly ok: boolean;
  readonly expected: number;
  readonly got: number;
}
export interface PreparedCase {
  readonly grid: number;
  launch(): Completion;
  reset(only?: 'outputs' | 'all'): Promise<void>;
  check(): Promise<CaseCheck>;
  dispose(): void;
}
export const KERNELS: readonly string[];
export const WORKGROUP: number;
export function codeObject(level: 1 | 2 | 3): Uint8Array;
export function prepareCase(device: Device, module: Module, kernel: string, size: 'S' | 'L'): Promise<PreparedCase>;
export function laneInstructionsAtL(kernel: string): number | undefined;
export function bytesAtL(kernel: string): number | undefined;
