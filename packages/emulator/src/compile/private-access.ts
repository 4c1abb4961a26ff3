/**
 * Accesses of private memory, which is interleaved by dwords over the lanes of a wave (hsa-api.md §8.6): the lane's next dword lies
 * one row, 4 · lanes bytes, further. An access that crosses the end of a dword takes both; 64 bits are two accesses of 32.
 */
import { I32, I64, OP, VOID } from '../wasm/opcodes.js';
import { emitAtomicUpdate } from './atomic-update.js';
import { CONTROL, type LaneFunction } from './lane-function.js';
import { emitOffsetCheck } from './lane-place.js';
import {
  AREA_COMPARE,
  AREA_COMPARE_HIGH,
  AREA_DATA,
  AREA_DATA_HIGH,
  CONTROL_PRIVATE,
  CONTROL_PRIVATE_BYTES,
  CONTROL_WAVE,
  CONTROL_WAVES_PER_GROUP,
} from './wave-state.js';

/** The whole access, from the lane's offset area; traps outside of the lane's private memory. */
export function emitPrivateAccess(f: LaneFunction): void {
  const { action, bits } = f.kind;
  privatePlace(f);
  const row = 4 * f.options.waveSize;
  if (action === 'load') {
    f.storeResult(
      () => load(f, bits === 64 ? 32 : bits, 0),
      () => load(f, 32, row),
    );
  } else if (action === 'store') {
    store(f, bits === 64 ? 32 : bits, 0, AREA_DATA);
    if (bits === 64) store(f, 32, row, AREA_DATA_HIGH);
  } else {
    // Nobody else sees the memory: read, compute, write.
    const { body, place } = f;
    const is64 = bits === 64;
    const type = is64 ? I64 : I32;
    const operands = { old: body.local(type), data: body.local(type), compare: body.local(type) };
    const next = body.local(type);
    f.value(AREA_DATA, AREA_DATA_HIGH);
    body.set(operands.data);
    f.value(AREA_COMPARE, AREA_COMPARE_HIGH);
    body.set(operands.compare);
    body.get(place);
    if (is64) wordsAt(f, 0);
    else body.access(OP.i32Load, 2, 0);
    body.set(operands.old);
    emitAtomicUpdate(body, action, is64, operands);
    body.set(next);
    if (is64) storeWords(f, next, 0);
    else {
      body.get(place);
      body.get(next);
      body.access(OP.i32Store, 2, 0);
    }
    f.storeResultOf(operands.old);
  }
}

/** Sets `place`: base + wave · lanes · bytes + (offset / 4) · lanes · 4 + lane · 4 + offset % 4, the wave's number in its group. */
function privatePlace(f: LaneFunction): void {
  const { body, place } = f;
  const { waveSize } = f.options;
  emitOffsetCheck(f, CONTROL_PRIVATE_BYTES);
  if (f.isAtomic) {
    body.get(place);
    body.i32(f.bytes - 1);
    body.op(OP.i32And);
    body.op(OP.i32Or);
  }
  body.open(OP.if, VOID);
  f.fail(() => {
    if (f.kind.space === 'flat') body.get(f.address);
    else {
      body.get(place);
      body.op(OP.i64ExtendI32U);
    }
  });
  body.end();
  body.get(CONTROL);
  body.access(OP.i32Load, 2, CONTROL_PRIVATE);
  body.get(CONTROL);
  body.access(OP.i32Load, 2, CONTROL_WAVE);
  body.get(CONTROL);
  body.access(OP.i32Load, 2, CONTROL_WAVES_PER_GROUP);
  body.op(OP.i32RemU);
  body.get(CONTROL);
  body.access(OP.i32Load, 2, CONTROL_PRIVATE_BYTES);
  body.op(OP.i32Mul);
  body.i32(waveSize);
  body.op(OP.i32Mul);
  body.op(OP.i32Add);
  body.get(place);
  body.i32(~3);
  body.op(OP.i32And);
  body.i32(waveSize);
  body.op(OP.i32Mul);
  body.op(OP.i32Add);
  body.get(f.lane);
  body.i32(2);
  body.op(OP.i32Shl);
  body.op(OP.i32Add);
  body.get(place);
  body.i32(3);
  body.op(OP.i32And);
  body.op(OP.i32Add);
  body.set(place);
}

/** Pushes whether an access of `bits` bits at `place` crosses the end of a dword. */
function crosses(f: LaneFunction, bits: 16 | 32): void {
  const { body } = f;
  body.get(f.place);
  body.i32(3);
  body.op(OP.i32And);
  body.i32(4 - bits / 8);
  body.op(OP.i32GtU);
}

/** Pushes bits 0 … 31 (8, 16: zero-extended) of the value at `place` + `at`. */
function load(f: LaneFunction, bits: 8 | 16 | 32, at: number): void {
  const { body, place } = f;
  const plain = (): void => {
    body.get(place);
    body.access(bits === 8 ? OP.i32Load8U : bits === 16 ? OP.i32Load16U : OP.i32Load, 0, at);
  };
  if (bits === 8) {
    plain();
    return;
  }
  crosses(f, bits);
  body.open(OP.if, I32);
  dwordStart(f);
  wordsAt(f, at);
  distance(f);
  body.op(OP.i64ShrU);
  body.op(OP.i32WrapI64);
  if (bits === 16) {
    body.i32(0xffff);
    body.op(OP.i32And);
  }
  body.op(OP.else);
  plain();
  body.end();
}

function store(f: LaneFunction, bits: 8 | 16 | 32, at: number, area: number): void {
  const { body, place } = f;
  const plain = (): void => {
    body.get(place);
    f.area(area);
    body.access(bits === 8 ? OP.i32Store8 : bits === 16 ? OP.i32Store16 : OP.i32Store, 0, at);
  };
  if (bits === 8) {
    plain();
    return;
  }
  const words = body.local(I64);
  const mask = bits === 16 ? 0xffff : -1;
  crosses(f, bits);
  body.open(OP.if, VOID);
  // words ^ ((words ^ (data << distance)) & (mask << distance))
  dwordStart(f);
  wordsAt(f, at);
  body.tee(words);
  body.get(words);
  f.area(area);
  body.op(OP.i64ExtendI32U);
  distance(f);
  body.op(OP.i64Shl);
  body.op(OP.i64Xor);
  body.i64(mask, 0);
  distance(f);
  body.op(OP.i64Shl);
  body.op(OP.i64And);
  body.op(OP.i64Xor);
  body.set(words);
  storeWords(f, words, at);
  body.op(OP.else);
  plain();
  body.end();
}

/** Pushes the address of the dword that `place` lies in. */
function dwordStart(f: LaneFunction): void {
  f.body.get(f.place);
  f.body.i32(~3);
  f.body.op(OP.i32And);
}

/** Pushes the bits between the dword's start and `place`, as i64. */
function distance(f: LaneFunction): void {
  const { body } = f;
  body.get(f.place);
  body.i32(3);
  body.op(OP.i32And);
  body.i32(3);
  body.op(OP.i32Shl);
  body.op(OP.i64ExtendI32U);
}

/** Takes a dword's address from the stack; pushes that dword and the lane's next one as i64. */
function wordsAt(f: LaneFunction, at: number): void {
  const { body } = f;
  const start = body.local(I32);
  body.tee(start);
  body.access(OP.i64Load32U, 2, at);
  body.get(start);
  body.access(OP.i64Load32U, 2, at + 4 * f.options.waveSize);
  body.i64(32, 0);
  body.op(OP.i64Shl);
  body.op(OP.i64Or);
}

/** Stores an i64 local to the dword of `place` + `at` and the lane's next one. */
function storeWords(f: LaneFunction, words: number, at: number): void {
  const { body } = f;
  dwordStart(f);
  body.get(words);
  body.access(OP.i64Store32, 2, at);
  dwordStart(f);
  body.get(words);
  body.i64(32, 0);
  body.op(OP.i64ShrU);
  body.access(OP.i64Store32, 2, at + 4 * f.options.waveSize);
}
