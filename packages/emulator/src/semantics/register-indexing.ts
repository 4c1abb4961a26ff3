/** Moves of registers addressed through M0, and gfx9's mode in which all vector operations address theirs so (semantics.md §3). */
import type { Operand } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import { SGPR_M0 } from '../ir/block.js';
import { readIndexed, writeIndexed } from './indexed-registers.js';
import { need } from './memory.js';
import type { Operation, Semantic } from './operation.js';

/** SGPRs of the file; VCC and what follows are not indexed. */
const SGPR_COUNT = 106;

/** First register of an operand that must be a vector register. */
function vectorOf(o: Operation, operand: Operand): number {
  return operand.kind === 'vgpr' ? operand.index : o.unsupported(`${o.name} of a scalar source`);
}

/** Which operands are indexed: bits 15:12 of M0. */
function setOperands(o: Operation, operands: number, m0: Value): void {
  const { b } = o;
  b.setSgpr(SGPR_M0, b.op('or32', b.op('and32', m0, b.i32(~0xf000)), b.i32(operands << 12)));
}

/** M0 with the index in its low byte. */
function withIndex(o: Operation): Value {
  const { b } = o;
  return b.op('or32', b.op('and32', b.sgpr(SGPR_M0), b.i32(~0xff)), b.op('and32', o.u32(0), b.i32(0xff)));
}

/** Scalar registers move by one or two; a pair's index counts single registers. */
function scalarRead(dwords: 1 | 2): Semantic {
  return (o) => {
    const index = o.b.sgpr(SGPR_M0);
    const first = o.source(0).index;
    for (let part = 0; part < dwords; part++) o.set32(readScalar(o, first, index, dwords, part), o.result(), part);
  };
}

/** Dword `part` of what the index means, from s[first] on; of s0 where it means none. */
function readScalar(o: Operation, first: number, index: Value, dwords: 1 | 2, part: number): Value {
  const { b } = o;
  let value = b.sgpr(part);
  for (let register = first; register + dwords <= SGPR_COUNT; register += dwords) {
    const isMeant = b.op('eq32', index, b.i32(register - first));
    value = b.op('select32', isMeant, b.sgpr(register + part), value);
  }
  return value;
}

function scalarWrite(dwords: 1 | 2): Semantic {
  return (o) => {
    const source = need(o, 'src0');
    const values = Array.from({ length: dwords }, (_, part) => o.read32(source, part));
    writeScalar(o, need(o, 'sdst').index, o.b.sgpr(SGPR_M0), values);
  };
}

function writeScalar(o: Operation, first: number, index: Value, values: readonly Value[]): void {
  const { b } = o;
  for (let register = first; register + values.length <= SGPR_COUNT; register += values.length) {
    const isMeant = b.op('eq32', index, b.i32(register - first));
    for (const [part, value] of values.entries()) {
      b.setSgpr(register + part, b.op('select32', isMeant, value, b.sgpr(register + part)));
    }
  }
}

/** Ten bits of M0. */
function indexOf(o: Operation, shift: number): Value {
  return o.b.op('and32', o.b.op('shrU32', o.b.sgpr(SGPR_M0), o.b.i32(shift)), o.b.i32(0x3ff));
}

function withoutDpp(semantic: Semantic): Semantic {
  return (o) => {
    if (o.instruction.extension !== '') o.unsupported(`${o.instruction.extension} with an indexed register`);
    semantic(o);
  };
}

export const REGISTER_INDEXING: Readonly<Record<string, Semantic>> = {
  v_movrels_b32: withoutDpp((o) => {
    o.set32(readIndexed(o, vectorOf(o, o.source(0)), o.b.sgpr(SGPR_M0)));
  }),
  v_movreld_b32: withoutDpp((o) => {
    writeIndexed(o, need(o, 'vdst').index, o.b.sgpr(SGPR_M0), o.read32(need(o, 'src0')));
  }),
  v_movrelsd_b32: withoutDpp((o) => {
    const index = o.b.sgpr(SGPR_M0);
    writeIndexed(o, need(o, 'vdst').index, index, readIndexed(o, vectorOf(o, need(o, 'src0')), index));
  }),
  s_set_gpr_idx_on: (o) => {
    const operands = o.immediate('src1') & 0xf;
    setOperands(o, operands, withIndex(o));
    o.b.setMode({ ...o.b.mode, indexed: operands });
  },
  s_set_gpr_idx_off: (o) => {
    const { indexed: _, ...mode } = o.b.mode;
    o.b.setMode(mode);
  },
  s_set_gpr_idx_mode: (o) => {
    const operands = o.immediate('simm16') & 0xf;
    setOperands(o, operands, o.b.sgpr(SGPR_M0));
    if (o.b.mode.indexed !== undefined) o.b.setMode({ ...o.b.mode, indexed: operands });
  },
  s_set_gpr_idx_idx: (o) => {
    o.b.setSgpr(SGPR_M0, withIndex(o));
  },
  // Two registers at once: the source's index in bits 9:0 of M0, the destination's in 25:16.
  v_movrelsd_2_b32: withoutDpp((o) => {
    writeIndexed(o, need(o, 'vdst').index, indexOf(o, 16), readIndexed(o, vectorOf(o, need(o, 'src0')), indexOf(o, 0)));
  }),
  v_swaprel_b32: withoutDpp((o) => {
    const [x, y] = [need(o, 'vdst').index, need(o, 'src0').index];
    const [first, second] = [readIndexed(o, x, indexOf(o, 16)), readIndexed(o, y, indexOf(o, 0))];
    writeIndexed(o, x, indexOf(o, 16), second);
    writeIndexed(o, y, indexOf(o, 0), first);
  }),
  s_movrelsd_2_b32: (o) => {
    writeScalar(o, need(o, 'sdst').index, indexOf(o, 16), [readScalar(o, need(o, 'src0').index, indexOf(o, 0), 1, 0)]);
  },
  s_movrels_b32: scalarRead(1),
  s_movrels_b64: scalarRead(2),
  s_movreld_b32: scalarWrite(1),
  s_movreld_b64: scalarWrite(2),
};
