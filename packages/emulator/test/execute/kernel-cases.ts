/** The eight kernels of bench/kernels on a machine without a device. */
import {
  argumentsOf,
  checkSum,
  codeObject,
  groupsOf,
  WORKGROUP,
  type CaseCheck,
  type KernelTarget,
} from '../../../../bench/kernels/inputs.mjs';
import type { Dispatch, WaveFault } from '../../src/executor.js';
import { Machine, packArguments } from './machine.js';

export { codeObject, KERNELS, type KernelTarget } from '../../../../bench/kernels/inputs.mjs';

/** Runs a kernel at size S on a machine of its own; the check, or the fault. */
export function runSmallCase(
  target: KernelTarget,
  variant: Parameters<typeof codeObject>[0],
  kernel: string,
): CaseCheck | WaveFault {
  const machine = new Machine();
  machine.load(codeObject(variant, target));
  const item = kernelCase(machine, kernel, 'S');
  item.reset();
  const outcome = machine.run(item.dispatch);
  return typeof outcome === 'number' ? item.check() : outcome;
}

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
