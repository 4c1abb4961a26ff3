/**
 * Loads that transpose tiles among the lanes of a wave32, for the operands of WMMA: each lane reads a run of elements and receives one
 * element from each run of its group. Which lanes' runs was measured on gfx1201 and gfx1250 by public programs (16 bits: tiles of 8×8 in
 * groups of eight lanes; 8 bits: see {@link interleaved}).
 */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { access as globalAccess } from './memory-global.js';
import { access as ldsAccess } from './memory-lds.js';
import { loadDwords } from './memory.js';
import type { Operation, Semantic } from './operation.js';

/** Elements that a lane reads and receives. */
const COUNT = 8;

/** The lane whose run gives element `n`. */
type SourceLane = (b: WaveBuilder, lane: Value, n: number) => Value;

/** Groups of eight lanes side by side. */
const adjacent: SourceLane = (b, lane, n) => b.op('add32', b.op('and32', lane, b.i32(~7)), b.i32(n));

/** Of each 16 lanes, 0…3 and 8…11 serve the first eight, 4…7 and 12…15 the others. */
const interleaved: SourceLane = (b, lane, n) => {
  const base = b.op('and32', lane, b.i32(~15));
  const half = b.op('shrU32', b.op('and32', lane, b.i32(8)), b.i32(1));
  return b.op('add32', b.op('add32', base, half), b.i32((n >> 2) * 8 + (n & 3)));
};

function transpose(o: Operation, runs: readonly Value[], bits: 8 | 16): void {
  const { b } = o;
  const lane = b.op('laneId');
  const perDword = 32 / bits;
  const column = b.op('and32', lane, b.i32(COUNT - 1));
  const part = b.op('shrU32', column, b.i32(bits === 8 ? 2 : 1));
  const shift = b.op('mul32', b.op('and32', column, b.i32(perDword - 1)), b.i32(bits));
  const element = (n: number): Value => {
    const from = (bits === 8 ? interleaved : adjacent)(b, lane, n);
    const dwords = runs.map((run) => b.op('shuffle', run, from));
    const dword = dwords.reduce((found, each, at) =>
      at === 0 ? each : b.op('select32', b.op('eq32', part, b.i32(at)), each, found),
    );
    return b.op('and32', b.op('shrU32', dword, shift), b.i32(2 ** bits - 1));
  };
  for (let dword = 0; dword < runs.length; dword++) {
    let value = b.i32(0);
    for (let n = 0; n < perDword; n++) {
      value = b.op('or32', value, b.op('shl32', element(dword * perDword + n), b.i32(n * bits)));
    }
    o.set32(value, o.result(), dword);
  }
}

function load(space: 'global' | 'lds', bits: 8 | 16): Semantic {
  return (o) => {
    if (o.b.waveSize !== 32) o.unsupported(`${o.name} in wave64: which lane takes what is not published`);
    const dwords = (COUNT * bits) / 32;
    const place = space === 'lds' ? ldsAccess(o) : globalAccess(o, 'global', dwords * 4);
    // Not published: what the runs of inactive lanes count as; zeros here.
    const runs = loadDwords(o, place, dwords).map((run) => o.b.op('select32', o.b.execMask(), run, o.b.i32(0)));
    transpose(o, runs, bits);
  };
}

export const TRANSPOSED_LOADS: Readonly<Record<string, Semantic>> = {
  global_load_tr8_b64: load('global', 8),
  global_load_tr16_b128: load('global', 16),
  global_load_tr_b64: load('global', 8),
  global_load_tr_b128: load('global', 16),
  ds_load_tr8_b64: load('lds', 8),
  ds_load_tr16_b128: load('lds', 16),
};
