/** Data-parallel primitives: a source that comes from another lane, and the lanes that are written (semantics.md §7). */
import type { Operand } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import type { Operation } from './operation.js';

/** Lane that each lane reads, and whether it exists: both per lane. */
interface LaneSource {
  readonly lane: Value;
  /** Absent: always. */
  readonly isValid?: Value;
}

const ROW = 16;

/** The source value after the exchange; what invalid lanes get matters only with bound_ctrl, which makes it 0. */
export function dppSource(o: Operation, operand: Operand, part: number): Value {
  const { b } = o;
  const source = laneSource(o);
  const moved = b.op('shuffle', b.vgprAllLanes(operand.index + part), source.lane);
  const isValid = validity(o, source);
  return isValid === undefined ? moved : b.op('select32', isValid, moved, b.i32(0));
}

/** Lanes that a DPP16 operation writes, EXEC aside. */
export function dppWriteMask(o: Operation): Value {
  const { b } = o;
  const rows = o.immediate('row_mask');
  const banks = o.immediate('bank_mask');
  let mask = b.bool(1);
  if (rows !== 0xf || banks !== 0xf) {
    const lane = b.op('laneId');
    const bit = (bits: number, shift: number, modulo: number): Value => {
      const index = b.op('and32', b.op('shrU32', lane, b.i32(shift)), b.i32(modulo - 1));
      return b.op('eq32', b.op('and32', b.op('shrU32', b.i32(bits), index), b.i32(1)), b.i32(1));
    };
    mask = b.op('and', bit(rows, 4, 4), bit(banks, 2, 4));
  }
  if (o.immediate('bound_ctrl') === 1) return mask;
  const isValid = validity(o, laneSource(o));
  return isValid === undefined ? mask : b.op('and', mask, isValid);
}

/** Whether the source lane exists and may be read; undefined: in every lane. */
function validity(o: Operation, source: LaneSource): Value | undefined {
  const { b } = o;
  if (o.immediate('fi') !== (o.instruction.extension === 'DPP8' ? DPP8_FETCH_INACTIVE : 1)) {
    const exec = b.op('select32', b.execMask(), b.i32(1), b.i32(0));
    const isActive = b.op('eq32', b.op('shuffle', exec, source.lane), b.i32(1));
    return source.isValid === undefined ? isActive : b.op('and', source.isValid, isActive);
  }
  return source.isValid;
}

/** src0 code of a DPP8 instruction that also fetches inactive lanes. */
const DPP8_FETCH_INACTIVE = 234;

function laneSource(o: Operation): LaneSource {
  const { b } = o;
  const lane = b.op('laneId');
  if (o.instruction.extension === 'DPP8') {
    const selectors = b.i32(o.immediate('dpp8'));
    const index = b.op('mul32', b.op('and32', lane, b.i32(7)), b.i32(3));
    const within = b.op('and32', b.op('shrU32', selectors, index), b.i32(7));
    return { lane: b.op('or32', b.op('and32', lane, b.i32(~7)), within) };
  }
  const control = o.immediate('dpp_ctrl');
  const n = control & 0xf;
  const inRow = b.op('and32', lane, b.i32(ROW - 1));
  const row = b.op('and32', lane, b.i32(~(ROW - 1)));
  const inSameRow = (index: Value): Value => b.op('or32', row, b.op('and32', index, b.i32(ROW - 1)));
  if (control < 0x100) {
    const shift = b.op('shl32', b.op('and32', lane, b.i32(3)), b.i32(1));
    const within = b.op('and32', b.op('shrU32', b.i32(control), shift), b.i32(3));
    return { lane: b.op('or32', b.op('and32', lane, b.i32(~3)), within) };
  }
  switch (control >> 4) {
    case 0x10: {
      const index = b.op('add32', inRow, b.i32(n));
      return { lane: inSameRow(index), isValid: b.op('ltU32', index, b.i32(ROW)) };
    }
    case 0x11: {
      const index = b.op('sub32', inRow, b.i32(n));
      return { lane: inSameRow(index), isValid: b.op('ltU32', index, b.i32(ROW)) };
    }
    case 0x12:
      return { lane: inSameRow(b.op('sub32', inRow, b.i32(n))) };
    case 0x15:
      return { lane: b.op('or32', row, b.i32(n)) };
    case 0x16:
      return { lane: b.op('xor32', lane, b.i32(n)) };
    default:
      break;
  }
  if (control === 0x140) return { lane: b.op('xor32', lane, b.i32(15)) };
  switch (control) {
    // gfx9: over the whole wave, and from the last lane of a row or half to the ones above.
    case 0x130:
      return { lane: b.op('add32', lane, b.i32(1)), isValid: b.op('ltU32', lane, b.i32(63)) };
    case 0x134:
      return { lane: b.op('and32', b.op('add32', lane, b.i32(1)), b.i32(63)) };
    case 0x138:
      return { lane: b.op('sub32', lane, b.i32(1)), isValid: b.op('ltU32', b.i32(0), lane) };
    case 0x13c:
      return { lane: b.op('and32', b.op('sub32', lane, b.i32(1)), b.i32(63)) };
    case 0x142:
      return { lane: b.op('sub32', row, b.i32(1)), isValid: b.op('ltU32', b.i32(ROW - 1), lane) };
    case 0x143:
      return { lane: b.i32(31), isValid: b.op('ltU32', b.i32(31), lane) };
    default:
      break;
  }
  if (control === 0x141) return { lane: b.op('xor32', lane, b.i32(7)) };
  return o.unsupported(`dpp_ctrl 0x${control.toString(16)}`);
}
