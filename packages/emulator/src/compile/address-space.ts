/**
 * Address translation, the one step between a GPU address and the memory of the machine. Code is generated against this interface;
 * there is a form with one window (a constant high dword) and one with many (address-windows.ts).
 */
import {
  LEAF_MASK,
  MIDDLE_MASK,
  MIDDLE_SHIFT,
  PAGE_SHIFT,
  ROOT_SHIFT,
  WINDOW_ADDRESS_BITS,
  WINDOW_RECORDS,
  WINDOW_RECORD_BYTES,
  WINDOW_ROOT,
  WINDOW_TABLES,
} from '../address-windows.js';
import { GPU_BASE_HIGH, MEMORY_BYTES, STATE_BYTES } from '../memory-map.js';
import { OP } from '../wasm/opcodes.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import type { Dag } from './dag.js';

/** Where a range of addresses lies: i32 nodes. */
interface Range {
  /** 1 if the whole range is in one window. */
  readonly inside: number;
  /** Memory offset of the range's first byte; meaningless unless inside. */
  readonly offset: number;
}

/** Where the window of a base goes on: i32 nodes. */
interface Reach {
  readonly inside: number;
  readonly offset: number;
  /** Bytes above the base at which an access may still begin. */
  readonly limit: number;
}

export interface Translator {
  readonly name: 'fixed' | 'scattered';
  /** The bytes `first` … `first + bytes - 1`. */
  range(dag: Dag, context: TranslationContext, first: number, bytes: number): Range;
  /** Accesses of `bytes` bytes at `base` + an unsigned 32-bit offset. */
  reach(dag: Dag, context: TranslationContext, base: number, bytes: number): Reach;
  /** Inside a function: i64 local with an address → the memory offset on the stack, or branches to `fail` levels up. */
  emitLane(body: FunctionBody, context: TranslationContext, address: number, bytes: number, fail: number): void;
}

/** What a translation may use. */
export interface TranslationContext {
  /** Function that finds a window: (i64 address) → address of its record, or of an empty one. */
  readonly findWindow: () => number;
}

/** One window: addresses GPU_BASE + STATE_BYTES … GPU_BASE + 4 GiB; memory offset = low dword. The bound keeps the state out of reach. */
export const fixedTranslator: Translator = {
  name: 'fixed',
  range(dag, _context, first, bytes) {
    const inside = dag.binary(OP.i64LeU, dag.binary(OP.i64Sub, first, fixedStart(dag)), dag.i64(WINDOW - bytes, 0));
    return { inside, offset: dag.unary(OP.i32WrapI64, first) };
  },
  reach(dag, _context, base, bytes) {
    const inside = dag.binary(OP.i64LeU, dag.binary(OP.i64Sub, base, fixedStart(dag)), dag.i64(WINDOW - bytes, 0));
    const offset = dag.unary(OP.i32WrapI64, base);
    return { inside, offset, limit: dag.binary(OP.i32Sub, dag.i32(-bytes), offset) };
  },
  emitLane(body, _context, address, bytes, fail) {
    body.get(address);
    body.i64(STATE_BYTES, GPU_BASE_HIGH);
    body.op(OP.i64Sub);
    body.i64(WINDOW - bytes, 0);
    body.op(OP.i64GtU);
    body.brIf(fail);
    body.get(address);
    body.op(OP.i32WrapI64);
  },
};

const WINDOW = MEMORY_BYTES - STATE_BYTES;
const fixedStart = (dag: Dag): number => dag.i64(STATE_BYTES, GPU_BASE_HIGH);

/** Many windows, each mapped somewhere in the memory: for clients that choose their own addresses. */
export const scatteredTranslator: Translator = {
  name: 'scattered',
  range(dag, context, first, bytes) {
    const { above, size, memory } = windowOf(dag, context, first);
    const end = dag.binary(OP.i64Add, above, dag.i64(bytes, 0));
    const inside = dag.binary(OP.i64LeU, end, size);
    return { inside, offset: dag.unary(OP.i32WrapI64, dag.binary(OP.i64Add, above, memory)) };
  },
  reach(dag, context, base, bytes) {
    const { above, size, memory } = windowOf(dag, context, base);
    const end = dag.binary(OP.i64Add, above, dag.i64(bytes, 0));
    const inside = dag.binary(OP.i64LeU, end, size);
    const offset = dag.unary(OP.i32WrapI64, dag.binary(OP.i64Add, above, memory));
    return { inside, offset, limit: dag.unary(OP.i32WrapI64, dag.binary(OP.i64Sub, size, end)) };
  },
  emitLane(body, context, address, bytes, fail) {
    const record = body.local(0x7f);
    body.get(address);
    body.call(context.findWindow());
    body.tee(record);
    body.access(OP.i64Load, 3, 8);
    body.get(address);
    body.get(record);
    body.access(OP.i64Load, 3, 0);
    body.op(OP.i64Sub);
    body.i64(bytes, 0);
    body.op(OP.i64Add);
    body.op(OP.i64LtU);
    body.brIf(fail);
    body.get(address);
    body.get(record);
    body.access(OP.i64Load, 3, 0);
    body.op(OP.i64Sub);
    body.get(record);
    body.access(OP.i64Load, 3, 16);
    body.op(OP.i64Add);
    body.op(OP.i32WrapI64);
  },
};

function windowOf(dag: Dag, context: TranslationContext, address: number): { above: number; size: number; memory: number } {
  const record = dag.call(context.findWindow(), address);
  const above = dag.binary(OP.i64Sub, address, dag.load(OP.i64Load, record, 0));
  return { above, size: dag.load(OP.i64Load, record, 8), memory: dag.load(OP.i64Load, record, 16) };
}

/** (i64 address) → record: the walk of address-windows.ts. */
export function emitFindWindow(body: FunctionBody): void {
  const index = (shift: number, mask: number, scale: number): void => {
    body.get(0);
    body.i64(shift, 0);
    body.op(OP.i64ShrU);
    body.op(OP.i32WrapI64);
    body.i32(mask);
    body.op(OP.i32And);
    body.i32(scale);
    body.op(OP.i32Mul);
  };
  body.open(OP.block, 0x40);
  body.get(0);
  body.i64(WINDOW_ADDRESS_BITS, 0);
  body.op(OP.i64ShrU);
  body.op(OP.i64Eqz);
  body.brIf(0);
  body.i32(WINDOW_RECORDS);
  body.op(OP.return);
  body.end();
  index(MIDDLE_SHIFT, MIDDLE_MASK, 4);
  index(ROOT_SHIFT, 2 ** (WINDOW_ADDRESS_BITS - ROOT_SHIFT) - 1, 4);
  body.access(OP.i32Load, 2, WINDOW_ROOT);
  body.op(OP.i32Add);
  body.access(OP.i32Load, 2, WINDOW_TABLES);
  index(PAGE_SHIFT, LEAF_MASK, 2);
  body.op(OP.i32Add);
  body.access(OP.i32Load16U, 1, WINDOW_TABLES);
  body.i32(WINDOW_RECORD_BYTES);
  body.op(OP.i32Mul);
  body.i32(WINDOW_RECORDS);
  body.op(OP.i32Add);
}
