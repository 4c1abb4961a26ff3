/** Scalar stores and atomics of gfx9 and gfx10, done once for the wave, and the counters (semantics.md §10, SMEM). */
import type { Value } from '../ir/block.js';
import type { AtomicOp } from '../ir/ops.js';
import type { Access } from '../ir/wave-builder.js';
import { need, storeDwords } from './memory.js';
import type { Operation, Semantic } from './operation.js';
import { scalarAddress } from './smem.js';
import { firstLane, scalarBufferPlace } from './smem-buffer.js';

/** Accesses beside loads are by lane: the first lane does this one, whatever EXEC is. */
function once(o: Operation): Required<Access> {
  return { space: 'global', address: scalarAddress(o, 4), mask: firstLane(o) };
}

/** Out of range nothing is written, dword by dword. */
function storeBuffer(dwords: number): Semantic {
  return (o) => {
    const { b } = o;
    const place = scalarBufferPlace(o, false);
    const data = need(o, 'sdata');
    for (let n = 0; n < dwords; n++) {
      const { address, inRange } = place(4 * n, 4);
      b.store({ space: 'global', address, mask: b.op('and', firstLane(o), inRange) }, 32, o.read32(data, n));
    }
  };
}

function store(dwords: number): Semantic {
  return (o) => {
    storeDwords(o, once(o), need(o, 'sdata'), dwords);
  };
}

/** sdst holds the operand, for cmpswap also the value to compare with; where GLC is set it gets the value before. */
function atomic(op: AtomicOp, dwords: 1 | 2, kind: 'memory' | 'buffer'): Semantic {
  return (o) => {
    const { b } = o;
    const data = o.find('sdata') ?? need(o, 'sdst');
    const place = kind === 'buffer' ? scalarBufferPlace(o, false)(0, 4 * dwords) : undefined;
    const inRange = place?.inRange ?? b.bool(1);
    const access: Required<Access> =
      place === undefined ? once(o) : { space: 'global', address: place.address, mask: b.op('and', firstLane(o), inRange) };
    const part = (first: number): Value =>
      dwords === 2 ? b.op('pack64', o.read32(data, first), o.read32(data, first + 1)) : o.read32(data, first);
    const old = b.atomic(access, op, part(0), op === 'cmpswap' ? part(dwords) : undefined);
    if (!data.isResult) return;
    const first = (value: Value): Value => b.op('select32', inRange, b.op('readLane', value, b.i32(0)), b.i32(0));
    o.set32(first(dwords === 2 ? b.op('low64', old) : old), data, 0);
    if (dwords === 2) o.set32(first(b.op('high64', old)), data, 1);
  };
}

const ATOMICS: Readonly<Record<string, AtomicOp>> = {
  swap: 'swap',
  cmpswap: 'cmpswap',
  add: 'add',
  sub: 'sub',
  smin: 'minS',
  umin: 'minU',
  smax: 'maxS',
  umax: 'maxU',
  and: 'and',
  or: 'or',
  xor: 'xor',
  inc: 'inc',
  dec: 'dec',
};

export const SMEM_WRITE: Readonly<Record<string, Semantic>> = {
  ...Object.fromEntries(
    Object.entries(ATOMICS).flatMap(([name, op]) => [
      [`s_atomic_${name}`, atomic(op, 1, 'memory')],
      [`s_atomic_${name}_x2`, atomic(op, 2, 'memory')],
      [`s_buffer_atomic_${name}`, atomic(op, 1, 'buffer')],
      [`s_buffer_atomic_${name}_x2`, atomic(op, 2, 'buffer')],
    ]),
  ),
  s_store_dword: store(1),
  s_store_dwordx2: store(2),
  s_store_dwordx4: store(4),
  s_buffer_store_dword: storeBuffer(1),
  s_buffer_store_dwordx2: storeBuffer(2),
  s_buffer_store_dwordx4: storeBuffer(4),
  s_memtime: (o) => {
    o.set64(o.b.clock('cycles'));
  },
  s_memrealtime: (o) => {
    o.set64(o.b.clock('realtime'));
  },
};
