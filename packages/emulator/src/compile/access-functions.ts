/**
 * Functions of a module that access memory lane by lane, with every check: for partial masks, scattered addresses, atomics, and
 * what is not known to be in range. Offsets, data and results pass through the lane areas of the control block.
 * Parameters: control, i64 lane mask, i64 base, i32 multiplier, i32 instruction. Global memory: address = base + offset · multiplier; with
 * `wide` the area holds 64-bit addresses and base is added. LDS and private memory: the area holds 32-bit addresses.
 */
import { PRIVATE_BASE_HIGH, PRIVATE_LANES_HIGH, PRIVATE_LANES_SHIFT, SHARED_BASE_HIGH } from '../ir/apertures.js';
import type { AtomicOp } from '../ir/ops.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, I64, OP, VOID } from '../wasm/opcodes.js';
import { PAGE_COARSE, PAGE_TABLE } from '../memory-map.js';
import { emitAtomicUpdate, type AtomicOperands } from './atomic-update.js';
import { emitClearRecord } from './fault-record.js';
import { CONTROL, LaneFunction, MASK, PC, type AccessKind, type AccessOptions } from './lane-function.js';
import { emitGlobalPlace, emitGpuAddress, emitLdsPlace } from './lane-place.js';
import { emitPrivateAccess } from './private-access.js';
import {
  AREA_COMPARE,
  AREA_COMPARE_HIGH,
  AREA_DATA,
  AREA_DATA_HIGH,
  AREA_OFFSET,
  CONTROL_FAULT_ACCESS,
  CONTROL_FAULT_PC,
} from './wave-state.js';

/** Operations that are one instruction, on 32 and on 64 bits. */
const DIRECT: Readonly<Partial<Record<AtomicOp, readonly [number, number]>>> = {
  add: [OP.i32AtomicRmwAdd, OP.i64AtomicRmwAdd],
  sub: [OP.i32AtomicRmwSub, OP.i64AtomicRmwSub],
  and: [OP.i32AtomicRmwAnd, OP.i64AtomicRmwAnd],
  or: [OP.i32AtomicRmwOr, OP.i64AtomicRmwOr],
  xor: [OP.i32AtomicRmwXor, OP.i64AtomicRmwXor],
  swap: [OP.i32AtomicRmwXchg, OP.i64AtomicRmwXchg],
  cmpswap: [OP.i32AtomicRmwCmpxchg, OP.i64AtomicRmwCmpxchg],
};

export function emitAccessFunction(body: FunctionBody, kind: AccessKind, options: AccessOptions): void {
  const f = new LaneFunction(body, kind, options);
  if (f.isRecorded) recordInstruction(f);
  // loop while the mask is not 0; a lane that is left out goes to the end of its block
  body.open(OP.block, VOID);
  body.open(OP.loop, VOID);
  body.get(MASK);
  body.op(OP.i64Eqz);
  body.brIf(1);
  body.get(MASK);
  body.op(OP.i64Ctz);
  body.op(OP.i32WrapI64);
  body.set(f.lane);
  body.get(MASK);
  body.get(MASK);
  body.i64(1, 0);
  body.op(OP.i64Sub);
  body.op(OP.i64And);
  body.set(MASK);
  body.get(CONTROL);
  body.get(f.lane);
  body.i32(2);
  body.op(OP.i32Shl);
  body.op(OP.i32Add);
  body.set(f.dword);
  body.open(OP.block, VOID);
  accessLane(f);
  body.end();
  body.br(0);
  body.end();
  body.end();
  if (f.isRecorded) emitClearRecord(body, CONTROL);
}

function recordInstruction(f: LaneFunction): void {
  const { body } = f;
  body.get(CONTROL);
  body.get(PC);
  body.access(OP.i32Store, 2, CONTROL_FAULT_PC);
  body.get(CONTROL);
  body.i32(f.code);
  body.access(OP.i32Store, 2, CONTROL_FAULT_ACCESS);
}

/** In the lane's block. */
function accessLane(f: LaneFunction): void {
  switch (f.kind.space) {
    case 'lds':
      emitLdsPlace(f, 0);
      accessPlace(f);
      return;
    case 'scratch':
      emitPrivateAccess(f);
      return;
    case 'global':
      emitGpuAddress(f);
      emitGlobalPlace(f);
      accessPlace(f);
      return;
    case 'flat':
      accessFlat(f);
      return;
    default:
      f.kind.space satisfies never;
  }
}

/** The high dword of the address says whether it lies in the aperture of LDS, in one of those of private memory, or in none. */
function accessFlat(f: LaneFunction): void {
  const { body } = f;
  const openAperture = (top: number, shift: number): void => {
    body.get(f.address);
    body.i64(shift, 0);
    body.op(OP.i64ShrU);
    body.i64(top, 0);
    body.op(OP.i64Eq);
    body.open(OP.if, VOID);
    body.get(f.dword);
    body.get(f.address);
    body.op(OP.i32WrapI64);
    body.access(OP.i32Store, 2, AREA_OFFSET);
  };
  emitGpuAddress(f);
  openAperture(PRIVATE_BASE_HIGH, 32);
  emitPrivateAccess(f);
  body.br(1);
  body.end();
  openAperture(PRIVATE_LANES_HIGH >>> (PRIVATE_LANES_SHIFT - 32), PRIVATE_LANES_SHIFT);
  emitPrivateAccess(f);
  body.br(1);
  body.end();
  body.open(OP.block, VOID);
  openAperture(SHARED_BASE_HIGH, 32);
  emitLdsPlace(f, 2);
  body.br(1);
  body.end();
  emitGlobalPlace(f);
  body.end();
  accessPlace(f);
}

/** The access at `place`. */
function accessPlace(f: LaneFunction): void {
  const { body, place } = f;
  const { action, bits } = f.kind;
  const load = (code: number, offset: number): void => {
    body.get(place);
    body.access(code, 0, offset);
  };
  const store = (code: number, offset: number, area: number): void => {
    body.get(place);
    f.area(area);
    body.access(code, 0, offset);
  };
  if (action === 'load') {
    f.storeResult(
      () => load(bits === 8 ? OP.i32Load8U : bits === 16 ? OP.i32Load16U : OP.i32Load, 0),
      () => load(OP.i32Load, 4),
    );
  } else if (action === 'store') {
    store(bits === 8 ? OP.i32Store8 : bits === 16 ? OP.i32Store16 : OP.i32Store, 0, AREA_DATA);
    if (bits === 64) store(OP.i32Store, 4, AREA_DATA_HIGH);
  } else atomicAtPlace(f, action);
}

function atomicAtPlace(f: LaneFunction, op: AtomicOp): void {
  const { body, place } = f;
  const is64 = f.kind.bits === 64;
  const type = is64 ? I64 : I32;
  const [old, data, compare, next] = [body.local(type), body.local(type), body.local(type), body.local(type)];
  f.value(AREA_DATA, AREA_DATA_HIGH);
  body.set(data);
  f.value(AREA_COMPARE, AREA_COMPARE_HIGH);
  body.set(compare);
  if (f.kind.space === 'lds') {
    body.get(place);
    body.i32(f.bytes - 1);
    body.op(OP.i32And);
    body.open(OP.if, VOID);
    f.fail(() => {
      f.area(AREA_OFFSET);
      body.op(OP.i64ExtendI32U);
    });
    body.end();
    updatePlainly(f, op, { old, data, compare }, next);
    return;
  }
  if (f.options.isOnlyWorker) {
    body.get(place);
    body.i32(12);
    body.op(OP.i32ShrU);
    body.access(OP.i32Load8U, 0, PAGE_TABLE);
    body.i32(PAGE_COARSE);
    body.op(OP.i32And);
    body.open(OP.if, VOID);
    updatePlainly(f, op, { old, data, compare }, next);
    body.op(OP.else);
    updateAtomically(f, op, { old, data, compare }, next);
    body.end();
  } else updateAtomically(f, op, { old, data, compare }, next);
}

/** Nobody else touches the place meanwhile. */
function updatePlainly(f: LaneFunction, op: AtomicOp, operands: AtomicOperands, next: number): void {
  const { body, place } = f;
  const is64 = f.kind.bits === 64;
  body.get(place);
  body.access(is64 ? OP.i64Load : OP.i32Load, 0, 0);
  body.set(operands.old);
  emitAtomicUpdate(body, op, is64, operands);
  body.set(next);
  body.get(place);
  body.get(next);
  body.access(is64 ? OP.i64Store : OP.i32Store, 0, 0);
  f.storeResultOf(operands.old);
}

function updateAtomically(f: LaneFunction, op: AtomicOp, operands: AtomicOperands, next: number): void {
  const { body, place } = f;
  const { old, data, compare } = operands;
  const is64 = f.kind.bits === 64;
  const size = is64 ? 3 : 2;
  const direct = DIRECT[op];
  if (direct !== undefined) {
    body.get(place);
    if (op === 'cmpswap') body.get(compare);
    body.get(data);
    body.access(direct[is64 ? 1 : 0], size, 0);
    body.set(old);
    f.storeResultOf(old);
    return;
  }
  // loop { old = load; next = f(old); } until the exchange finds old: one form for all operations.
  body.get(place);
  body.access(is64 ? OP.i64AtomicLoad : OP.i32AtomicLoad, size, 0);
  body.set(old);
  body.open(OP.loop, VOID);
  emitAtomicUpdate(body, op, is64, operands);
  body.set(next);
  body.get(place);
  body.get(old);
  body.get(next);
  body.access(is64 ? OP.i64AtomicRmwCmpxchg : OP.i32AtomicRmwCmpxchg, size, 0);
  body.tee(next);
  body.get(old);
  body.op(is64 ? OP.i64Ne : OP.i32Ne);
  body.open(OP.if, VOID);
  body.get(next);
  body.set(old);
  body.br(1);
  body.end();
  body.end();
  f.storeResultOf(old);
}
