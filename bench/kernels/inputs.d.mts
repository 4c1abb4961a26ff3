export type KernelArgument =
  | { readonly type: 'u32' | 'f32'; readonly value: number }
  | {
      readonly type: 'u32' | 'f32';
      readonly length: number;
      readonly isOutput: boolean;
      readonly data?: Uint32Array | Float32Array;
    };
export interface CaseCheck {
  readonly ok: boolean;
  readonly expected: number;
  readonly got: number;
}
export const KERNELS: readonly string[];
export const WORKGROUP: number;
export type KernelTarget = 'gfx90a' | 'gfx942' | 'gfx1030' | 'gfx1100' | 'gfx1201' | 'gfx1250';
export const TARGETS: readonly KernelTarget[];
export function codeObject(variant: 0 | 1 | 2 | 3 | 'wave64', target?: KernelTarget): Uint8Array;
export function groupsOf(kernel: string, size: 'S' | 'L'): number;
export function argumentsOf(kernel: string, size: 'S' | 'L'): readonly KernelArgument[];
export function checkSum(kernel: string, size: 'S' | 'L', data: Uint32Array | Float32Array): CaseCheck;
export function laneInstructionsAtL(kernel: string): number | undefined;
export function bytesAtL(kernel: string): number | undefined;
