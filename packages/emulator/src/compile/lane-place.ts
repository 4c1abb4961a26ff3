/** Where the lane's access of global memory or LDS lies in the memory of the machine. */
import { PAGE_READ, PAGE_TABLE, PAGE_WRITE } from '../memory-map.js';
import { OP, VOID } from '../wasm/opcodes.js';
import type { TranslationContext } from './address-space.js';
import { BASE, CONTROL, MULTIPLIER, type LaneFunction } from './lane-function.js';
import {
  AREA_OFFSET,
  AREA_OFFSET_HIGH,
  CONTROL_FAULT_ADDRESS,
  CONTROL_FAULT_LANE,
  CONTROL_LDS,
  CONTROL_LDS_BYTES,
} from './wave-state.js';

/** Sets the local `address`. */
export function emitGpuAddress(f: LaneFunction): void {
  const { body } = f;
  if (f.kind.wide) f.wideValue(AREA_OFFSET, AREA_OFFSET_HIGH);
  else {
    f.area(AREA_OFFSET);
    body.op(OP.i64ExtendI32U);
    body.get(MULTIPLIER);
    body.op(OP.i64ExtendI32U);
    body.op(OP.i64Mul);
  }
  body.get(BASE);
  body.op(OP.i64Add);
  body.set(f.address);
}

/** Sets `place` from `address`, or traps. */
export function emitGlobalPlace(f: LaneFunction): void {
  const { body, place } = f;
  const { translator, softwarePages, findWindow } = f.options;
  const context: TranslationContext = { findWindow };
  body.open(OP.block, VOID);
  body.open(OP.block, VOID);
  translator.emitLane(body, context, f.address, f.bytes, 0);
  body.set(place);
  if (softwarePages || f.isAtomic) checkPages(f);
  if (f.isRecorded) recordLane(f);
  body.br(1);
  body.end();
  f.fail(() => body.get(f.address));
  body.end();
}

function recordLane(f: LaneFunction): void {
  const { body } = f;
  body.get(CONTROL);
  body.get(f.lane);
  body.access(OP.i32Store, 2, CONTROL_FAULT_LANE);
  body.get(CONTROL);
  body.get(f.address);
  body.access(OP.i64Store, 3, CONTROL_FAULT_ADDRESS);
}

/** Both ends of the access lie in pages that allow it; inside `block` 0, which is left for the trap. */
function checkPages(f: LaneFunction): void {
  const { body, place, bytes } = f;
  const { action } = f.kind;
  const needed = action === 'load' ? PAGE_READ : action === 'store' ? PAGE_WRITE : PAGE_READ | PAGE_WRITE;
  const flags = (last: number): void => {
    body.get(place);
    if (last > 0) {
      body.i32(last);
      body.op(OP.i32Add);
    }
    body.i32(12);
    body.op(OP.i32ShrU);
    body.access(OP.i32Load8U, 0, PAGE_TABLE);
  };
  if (f.isAtomic) {
    // Aligned: it lies in one page.
    body.get(place);
    body.i32(bytes - 1);
    body.op(OP.i32And);
    body.brIf(0);
  }
  flags(0);
  if (bytes > 1 && !f.isAtomic) {
    flags(bytes - 1);
    body.op(OP.i32And);
  }
  body.i32(needed);
  body.op(OP.i32And);
  body.i32(needed);
  body.op(OP.i32Ne);
  body.brIf(0);
}

/** Sets `place` from the lane's offset area; pushes whether the access ends behind the size that the control block has at `limit`. */
export function emitOffsetCheck(f: LaneFunction, limit: number): void {
  const { body, place } = f;
  f.area(AREA_OFFSET);
  body.tee(place);
  body.op(OP.i64ExtendI32U);
  body.i64(f.bytes, 0);
  body.op(OP.i64Add);
  body.get(CONTROL);
  body.access(OP.i32Load, 2, limit);
  body.op(OP.i64ExtendI32U);
  body.op(OP.i64GtU);
}

/**
 * Sets `place` from the lane's offset area. Out of range, loads give 0, stores and atomics do nothing (semantics.md §10): the lane is
 * left, through `depth` blocks.
 */
export function emitLdsPlace(f: LaneFunction, depth: number): void {
  const { body, place } = f;
  emitOffsetCheck(f, CONTROL_LDS_BYTES);
  body.open(OP.if, VOID);
  f.storeResult(
    () => body.i32(0),
    () => body.i32(0),
  );
  body.br(depth + 1);
  body.end();
  body.get(place);
  body.get(CONTROL);
  body.access(OP.i32Load, 2, CONTROL_LDS);
  body.op(OP.i32Add);
  body.set(place);
}
