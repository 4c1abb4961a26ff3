/** The eight kernels of bench/kernels on a machine without a device. */
import { argumentsOf, checkSum, groupsOf, WORKGROUP, type CaseCheck } from '../../../../bench/kernels/inputs.mjs';
import type { Dispatch } from '../../src/executor.js';
import type { Machine } from './machine.js';
import { packArguments } from './machine.js';

export { codeObject, KERNELS, type KernelTarget } from '../../../../bench/kernels/inputs.mjs';

export interface KernelCase {
  readonly dispatch: Dispatch;
  /** Puts the inputs back as they were. */
  reset(): void;
  /** Whether the sum of the outputs is what it must be. */
  check(): CaseCheck;
}

export function kernelCase(m: Machine, kernel: string, size: 'S' | 'L'): KernelCase {
  const args = argumentsOf(kernel, size).map((arg) => ('value' in arg ? arg : { ...arg, address: m.allocate(arg.length * 4) }));
  const packed = args.map((arg) => ('address' in arg ? arg.address : arg.type === 'f32' ? { f32: arg.value } : arg.value));
  return {
    dispatch: m.dispatch(kernel, [groupsOf(kernel, size) * WORKGROUP], [WORKGROUP], packArguments(packed)),
    reset: () => {
      for (const arg of args) {
        if (!('address' in arg)) continue;
        if (arg.data === undefined) m.u32(arg.address, arg.length).fill(0);
        else if (arg.type === 'f32') m.f32(arg.address, arg.length).set(arg.data);
        else m.u32(arg.address, arg.length).set(arg.data);
      }
    },
    check: () => {
      for (const arg of args) {
        if (!('address' in arg) || !arg.isOutput) continue;
        return checkSum(kernel, size, arg.type === 'f32' ? m.f32(arg.address, arg.length) : m.u32(arg.address, arg.length));
      }
      throw new RangeError(`${kernel} has no output`);
    },
  };
}
