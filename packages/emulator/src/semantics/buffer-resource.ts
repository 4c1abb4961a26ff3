/**
 * Buffer resources (V#): the 128-bit descriptors of MUBUF, MTBUF and scalar buffer loads, as values of the wave (semantics.md §10;
 * AMD ISA documents, "Buffer resource descriptor"; Mesa's register database for the fields that they leave out).
 */
import type { Operand } from '@doorbell/isa';
import { PRIVATE_BUFFER_HIGH } from '../ir/apertures.js';
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import type { Operation } from './operation.js';

/** The fields, uniform. */
export interface BufferResource {
  /** i64, without the soffset. */
  readonly base: Value;
  /** Bytes from one record to the next. */
  readonly stride: Value;
  /** Bytes, or records where there is a stride; up to 2^32 - 1. */
  readonly records: Value;
  readonly isSwizzled: Value;
  /** Swizzled: log2 of the records that are interleaved, and of the bytes of each that lie together. */
  readonly indexShift: Value;
  readonly elementShift: Value;
  /** The lane's number is added to the index. */
  readonly addsLane: Value;
  /** OOB_SELECT: which check an access must pass. */
  readonly check: Value;
  /** The resource that a kernel gets for its private memory, where that is accessed by buffer operations. */
  readonly isPrivate: Value;
  /** Word 3, with format and component selection. */
  readonly word3: Value;
}

/** OOB_SELECT: index and offset, index, none but for empty buffers, offset in the whole buffer. */
export const CHECK_STRUCTURED = 0;
export const CHECK_INDEX = 1;
export const CHECK_EMPTY = 2;
export const CHECK_RAW = 3;

function field(b: WaveBuilder, word: Value, first: number, bits: number): Value {
  return b.op('and32', b.op('shrU32', word, b.i32(first)), b.i32(2 ** bits - 1));
}

const isSet = (b: WaveBuilder, value: Value): Value => b.op('not', b.op('eq32', value, b.i32(0)));

/** Whether kernels of the generation reach private memory through a buffer resource in SGPRs (hsa-api.md §8.6, absolute). */
export function hasPrivateBuffer(o: Operation): boolean {
  const { family } = o.generation;
  return family === 'gfx9' || family === 'gfx90a' || family === 'gfx10';
}

export function readResource(o: Operation, operand: Operand): BufferResource {
  const { b } = o;
  const words = [0, 1, 2, 3].map((part) => o.read32(operand, part));
  const [w0, w1, w2, w3] = words;
  if (w0 === undefined || w1 === undefined || w2 === undefined || w3 === undefined) return o.unsupported('resource');
  const { family, isGfx9, isGfx11OrLater } = o.generation;
  if (family === 'gfx1250') return wideResource(b, w0, w1, w2, w3);
  const baseHigh = field(b, w1, 0, 16);
  const addsLane = isSet(b, field(b, w3, 23, 1));
  const swizzle = isGfx11OrLater ? field(b, w1, 30, 2) : field(b, w1, 31, 1);
  let stride = field(b, w1, 16, 14);
  // gfx9: with ADD_TID_ENABLE the data format's field has the stride's upper bits.
  if (isGfx9) stride = b.op('or32', stride, b.op('select32', addsLane, b.op('shl32', field(b, w3, 15, 4), b.i32(14)), b.i32(0)));
  return {
    base: b.op('pack64', w0, baseHigh),
    stride,
    records: w2,
    isSwizzled: isSet(b, swizzle),
    indexShift: b.op('add32', field(b, w3, 21, 2), b.i32(3)),
    // gfx11 and later: 4, 8 or 16 bytes; before always 4.
    elementShift: isGfx11OrLater ? b.op('add32', swizzle, b.i32(1)) : b.i32(2),
    addsLane,
    check: isGfx9 ? b.i32(CHECK_RAW) : field(b, w3, 28, 2),
    isPrivate: hasPrivateBuffer(o) ? b.op('eq32', baseHigh, b.i32(PRIVATE_BUFFER_HIGH)) : b.bool(0),
    word3: w3,
  };
}

/**
 * gfx1250: base in bits 56:0, num_records in 101:57, stride in 121:108 (LLVM, lowering of llvm.amdgcn.make.buffer.rsrc). No public
 * source has swizzling or a choice of checks there: with a stride index and offset are checked, else the offset.
 */
function wideResource(b: WaveBuilder, w0: Value, w1: Value, w2: Value, w3: Value): BufferResource {
  const high = b.op('or32', b.op('shrU32', w2, b.i32(25)), b.op('shl32', field(b, w3, 0, 6), b.i32(7)));
  const low = b.op('or32', field(b, w1, 25, 7), b.op('shl32', w2, b.i32(7)));
  const stride = field(b, w3, 12, 14);
  return {
    base: b.op('pack64', w0, field(b, w1, 0, 25)),
    stride,
    records: b.op('select32', b.op('eq32', high, b.i32(0)), low, b.i32(-1)),
    isSwizzled: b.bool(0),
    indexShift: b.i32(0),
    elementShift: b.i32(0),
    addsLane: b.bool(0),
    check: b.op('select32', b.op('eq32', stride, b.i32(0)), b.i32(CHECK_RAW), b.i32(CHECK_STRUCTURED)),
    isPrivate: b.bool(0),
    word3: w3,
  };
}
