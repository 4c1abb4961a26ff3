/**
 * Registers addressed through M0. Which one is meant is known only at run time, so every register that can be is a candidate: those
 * from the operand's to the end of the wave's allocation. Beyond it a source is register 0 and a write is dropped (semantics.md §1).
 */
import type { Operand } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import { SGPR_M0 } from '../ir/block.js';
import { need } from './memory.js';
import type { Operation, Semantic } from './operation.js';

/** SGPRs of the file; VCC and what follows are not indexed. */
const SGPR_COUNT = 106;

/** The value of v[operand + index] under EXEC. */
function readIndexed(o: Operation, operand: Operand, index: Value): Value {
  const { b } = o;
  if (operand.kind !== 'vgpr') o.unsupported(`${o.name} of a scalar source`);
  let value = b.vgpr(0);
  for (let register = operand.index; register < o.vgprCount; register++) {
    const isMeant = b.op('eq32', index, b.i32(register - operand.index));
    value = b.op('select32', isMeant, b.vgpr(register), value);
  }
  return value;
}

function writeIndexed(o: Operation, operand: Operand, index: Value, value: Value): void {
  const { b } = o;
  for (let register = operand.index; register < o.vgprCount; register++) {
    const isMeant = b.op('eq32', index, b.i32(register - operand.index));
    b.setVgprUnder(o.writeMask(), register, b.op('select32', isMeant, value, b.vgpr(register)));
  }
}

/** Scalar registers move by one or two; a pair's index counts single registers. */
function scalarRead(dwords: 1 | 2): Semantic {
  return (o) => {
    const { b } = o;
    const index = b.sgpr(SGPR_M0);
    const first = o.source(0).index;
    for (let part = 0; part < dwords; part++) {
      let value = b.sgpr(part);
      for (let register = first; register + dwords <= SGPR_COUNT; register += dwords) {
        const isMeant = b.op('eq32', index, b.i32(register - first));
        value = b.op('select32', isMeant, b.sgpr(register + part), value);
      }
      o.set32(value, o.result(), part);
    }
  };
}

function scalarWrite(dwords: 1 | 2): Semantic {
  return (o) => {
    const { b } = o;
    const index = b.sgpr(SGPR_M0);
    const [destination, source] = [need(o, 'sdst'), need(o, 'src0')];
    const values = Array.from({ length: dwords }, (_, part) => o.read32(source, part));
    for (let register = destination.index; register + dwords <= SGPR_COUNT; register += dwords) {
      const isMeant = b.op('eq32', index, b.i32(register - destination.index));
      for (const [part, value] of values.entries()) {
        b.setSgpr(register + part, b.op('select32', isMeant, value, b.sgpr(register + part)));
      }
    }
  };
}

function withoutDpp(semantic: Semantic): Semantic {
  return (o) => {
    if (o.instruction.extension !== '') o.unsupported(`${o.instruction.extension} with an indexed register`);
    semantic(o);
  };
}

export const REGISTER_INDEXING: Readonly<Record<string, Semantic>> = {
  v_movrels_b32: withoutDpp((o) => {
    o.set32(readIndexed(o, o.source(0), o.b.sgpr(SGPR_M0)));
  }),
  v_movreld_b32: withoutDpp((o) => {
    writeIndexed(o, need(o, 'vdst'), o.b.sgpr(SGPR_M0), o.read32(need(o, 'src0')));
  }),
  v_movrelsd_b32: withoutDpp((o) => {
    const index = o.b.sgpr(SGPR_M0);
    writeIndexed(o, need(o, 'vdst'), index, readIndexed(o, need(o, 'src0'), index));
  }),
  s_movrels_b32: scalarRead(1),
  s_movrels_b64: scalarRead(2),
  s_movreld_b32: scalarWrite(1),
  s_movreld_b64: scalarWrite(2),
};
