/**
 * What compiled code leaves in the control block about an access that fails: a WebAssembly trap itself says nothing. Where a check
 * fails, code calls the module's `fail` function; where only the page's protection tells, the record is made before the access.
 */
import type { MemorySpace } from '../ir/block.js';
import type { FunctionBody, FunctionType } from '../wasm/module-builder.js';
import { I32, I64, OP } from '../wasm/opcodes.js';
import { CONTROL_FAULT_ACCESS, CONTROL_FAULT_ADDRESS, CONTROL_FAULT_LANE, CONTROL_FAULT_PC } from './wave-state.js';

export interface FaultedAccess {
  /** Byte offset of the instruction. */
  readonly pc: number;
  /** {@link LANE_NONE}, {@link LANE_UNKNOWN}, or the lane. */
  readonly lane: number;
  /** GPU address; LDS and private memory: the offset. */
  readonly address: bigint;
  readonly space: MemorySpace;
  readonly access: 'read' | 'write' | 'atomic';
  readonly bytes: number;
}

/** A scalar access. */
export const LANE_NONE = -1;
/** One access for all lanes with the same address. */
export const LANE_UNKNOWN = -2;

/** Value of {@link CONTROL_FAULT_PC} without a record. */
const NO_RECORD = -1;

const SPACES: readonly MemorySpace[] = ['global', 'flat', 'lds', 'scratch'];
const ACCESSES: readonly FaultedAccess['access'][] = ['read', 'write', 'atomic'];

/** Space, access and size in one number. */
export function accessCode(space: MemorySpace, access: FaultedAccess['access'], bytes: number): number {
  return SPACES.indexOf(space) | (ACCESSES.indexOf(access) << 4) | (bytes << 8);
}

/** Parameters: control, instruction, access code, lane, address. Does not return. */
export const FAIL_TYPE: FunctionType = { params: [I32, I32, I32, I32, I64], results: [] };

export function emitFail(body: FunctionBody): void {
  for (const [parameter, offset] of [
    [1, CONTROL_FAULT_PC],
    [2, CONTROL_FAULT_ACCESS],
    [3, CONTROL_FAULT_LANE],
  ] as const) {
    body.get(0);
    body.get(parameter);
    body.access(OP.i32Store, 2, offset);
  }
  body.get(0);
  body.get(4);
  body.access(OP.i64Store, 3, CONTROL_FAULT_ADDRESS);
  body.op(OP.unreachable);
}

/** Says in compiled code that no access is under way. */
export function emitClearRecord(body: FunctionBody, control: number): void {
  body.get(control);
  body.i32(NO_RECORD);
  body.access(OP.i32Store, 2, CONTROL_FAULT_PC);
}

export function clearRecord(view: DataView, control: number): void {
  view.setInt32(control + CONTROL_FAULT_PC, NO_RECORD, true);
}

export function readRecord(view: DataView, control: number): FaultedAccess | undefined {
  const pc = view.getInt32(control + CONTROL_FAULT_PC, true);
  if (pc === NO_RECORD) return undefined;
  const code = view.getInt32(control + CONTROL_FAULT_ACCESS, true);
  return {
    pc,
    lane: view.getInt32(control + CONTROL_FAULT_LANE, true),
    address: view.getBigUint64(control + CONTROL_FAULT_ADDRESS, true),
    space: SPACES[code & 15] ?? 'global',
    access: ACCESSES[(code >> 4) & 15] ?? 'read',
    bytes: code >> 8,
  };
}
