import { HsaError, InternalError } from '@doorbell/abi/core';
import type { HiddenArg, HiddenKind } from '../kernel/metadata-types.js';

/** Addresses that the runtime has for hidden arguments; those not given are 0. */
export interface HiddenPointers {
  readonly printfBuffer?: bigint;
  readonly hostcallBuffer?: bigint;
  readonly multigridSync?: bigint;
  readonly heap?: bigint;
  readonly defaultQueue?: bigint;
  readonly completionAction?: bigint;
  readonly queue?: bigint;
  /** High 32 bits of the private and shared apertures. */
  readonly privateBase?: number;
  readonly sharedBase?: number;
}

/** What the hidden arguments of a launch depend on. Sizes in work-items. */
export interface KernargDispatch {
  readonly grid: readonly [number, number, number];
  readonly workgroup: readonly [number, number, number];
  /** Dimensions of the grid; default: up to the last one that is not 1. */
  readonly gridDims?: 1 | 2 | 3;
  /** Dynamic LDS that no argument names, in bytes; default 0. */
  readonly dynamicLdsBytes?: number;
  readonly globalOffset?: readonly [bigint, bigint, bigint];
  readonly pointers?: HiddenPointers;
}

type Value = bigint | number;

/**
 * Writes the hidden arguments at and behind `from` (LLVM AMDGPUUsage, "Code Object V3 to V6 Metadata", value kinds); the rest
 * stays as it is.
 */
export function writeHiddenArguments(
  view: DataView,
  hidden: readonly HiddenArg[],
  dispatch: KernargDispatch,
  places: { readonly from: number; readonly dynamicLdsBytes: number },
): void {
  for (const arg of hidden) {
    if (arg.offset < places.from) continue;
    writeUnsigned(view, arg, hiddenValue(arg.kind, dispatch, places.dynamicLdsBytes));
  }
}

/**
 * @throws {HsaError} ERR_INVALID_ARGUMENT
 */
export function checkDispatch({ grid, workgroup, dynamicLdsBytes = 0 }: KernargDispatch): void {
  for (const axis of [0, 1, 2] as const) {
    checkSize('grid', axis, grid[axis], 0xffff_ffff);
    checkSize('workgroup', axis, workgroup[axis], 0xffff);
  }
  if (!Number.isInteger(dynamicLdsBytes) || dynamicLdsBytes < 0 || dynamicLdsBytes > 0xffff_ffff) {
    throw new HsaError('ERR_INVALID_ARGUMENT', { message: `dynamicLdsBytes is ${dynamicLdsBytes}, not a size in bytes` });
  }
}

function checkSize(what: string, axis: 0 | 1 | 2, size: number, max: number): void {
  if (Number.isInteger(size) && size >= 1 && size <= max) return;
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `${what}.${'xyz'.charAt(axis)} is ${size}; it must be a whole number from 1 to ${max}`,
    details: { [what]: size, axis },
  });
}

function hiddenValue(kind: HiddenKind, dispatch: KernargDispatch, dynamicLdsBytes: number): Value {
  const { grid, workgroup, pointers = {}, globalOffset = [0n, 0n, 0n] } = dispatch;
  switch (kind) {
    case 'hidden_none':
      return 0;
    case 'hidden_global_offset_x':
      return globalOffset[0];
    case 'hidden_global_offset_y':
      return globalOffset[1];
    case 'hidden_global_offset_z':
      return globalOffset[2];
    // Whole workgroups: the partial one is in the remainder.
    case 'hidden_block_count_x':
      return Math.floor(grid[0] / workgroup[0]);
    case 'hidden_block_count_y':
      return Math.floor(grid[1] / workgroup[1]);
    case 'hidden_block_count_z':
      return Math.floor(grid[2] / workgroup[2]);
    case 'hidden_group_size_x':
      return workgroup[0];
    case 'hidden_group_size_y':
      return workgroup[1];
    case 'hidden_group_size_z':
      return workgroup[2];
    case 'hidden_remainder_x':
      return grid[0] % workgroup[0];
    case 'hidden_remainder_y':
      return grid[1] % workgroup[1];
    case 'hidden_remainder_z':
      return grid[2] % workgroup[2];
    case 'hidden_grid_dims':
      return dispatch.gridDims ?? (grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1);
    case 'hidden_dynamic_lds_size':
      return dynamicLdsBytes;
    case 'hidden_printf_buffer':
      return pointers.printfBuffer ?? 0n;
    case 'hidden_hostcall_buffer':
      return pointers.hostcallBuffer ?? 0n;
    case 'hidden_multigrid_sync_arg':
      return pointers.multigridSync ?? 0n;
    case 'hidden_heap_v1':
      return pointers.heap ?? 0n;
    case 'hidden_default_queue':
      return pointers.defaultQueue ?? 0n;
    case 'hidden_completion_action':
      return pointers.completionAction ?? 0n;
    case 'hidden_queue_ptr':
      return pointers.queue ?? 0n;
    case 'hidden_private_base':
      return pointers.privateBase ?? 0;
    case 'hidden_shared_base':
      return pointers.sharedBase ?? 0;
  }
}

/** The metadata gives the size: 2, 4 or 8 bytes; a value that does not fit is refused. */
function writeUnsigned(view: DataView, arg: HiddenArg, value: Value): void {
  const wide = typeof value === 'bigint' ? value : Number.isInteger(value) ? BigInt(value) : -1n;
  if (wide >> BigInt(arg.sizeBytes * 8) !== 0n) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${arg.kind} has ${arg.sizeBytes} bytes in the kernarg segment; ${value} does not fit`,
      details: { kind: arg.kind, value },
    });
  }
  switch (arg.sizeBytes) {
    case 2:
      view.setUint16(arg.offset, Number(wide), true);
      return;
    case 4:
      view.setUint32(arg.offset, Number(wide), true);
      return;
    case 8:
      view.setBigUint64(arg.offset, wide, true);
      return;
    default:
      throw new InternalError(`${arg.kind} of ${arg.sizeBytes} bytes was not refused by the metadata check`);
  }
}
