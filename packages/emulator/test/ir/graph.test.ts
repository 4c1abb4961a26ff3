import { describe, expect, it } from 'vitest';
import type { Value } from '../../src/ir/block.js';
import { SGPR_EXEC, SGPR_VCC } from '../../src/ir/block.js';
import { Graph } from '../../src/ir/graph.js';
import { lanePattern } from '../../src/ir/lane-pattern.js';
import { WaveBuilder } from '../../src/ir/wave-builder.js';

const MODE = {
  roundF32: 0,
  roundF16F64: 0,
  denormF32: 3,
  denormF16F64: 3,
  dx10Clamp: true,
  ieee: true,
  fp16Overflow: false,
  others: 0,
} as const;

const builder = (waveSize: 32 | 64 = 32): WaveBuilder => new WaveBuilder({ waveSize, mode: MODE, start: 0, codeBase: 0n });

/** The shape of a value as text. */
function show(value: Value): string {
  switch (value.kind) {
    case 'const':
      return value.type === 'i64' ? `${value.low}:${value.high}` : String(value.low);
    case 'read':
      return `${value.file === 'sgpr' ? 's' : value.file === 'vgpr' ? 'v' : 'scc'}${value.index}`;
    case 'op':
      return `${value.op}(${value.args.map(show).join(' ')})`;
    case 'blend':
      return `blend(${show(value.mask)} ${show(value.value)} ${show(value.old)})`;
    default:
      return value.kind;
  }
}

describe('value graph', () => {
  it('makes equal values once', () => {
    const g = new Graph(32);
    const x = g.read('vgpr', 1);
    expect(g.op('mul32', x, g.i32(3))).toBe(g.op('mul32', g.i32(3), g.read('vgpr', 1)));
  });

  it('stays consistent when it grows', () => {
    const g = new Graph(32);
    const made = Array.from({ length: 3000 }, (_, n) => g.op('mul32', g.read('sgpr', n % 100), g.i32(n + 2)));
    for (const [n, value] of made.entries()) expect(g.op('mul32', g.read('sgpr', n % 100), g.i32(n + 2))).toBe(value);
  });

  it('folds constants with the functions of the operations', () => {
    const g = new Graph(32);
    expect(show(g.op('add64', g.i64(0xffff_ffff, 1), g.i64(1, 0)))).toBe('0:2');
    expect(show(g.op('fmaF32', g.i32(0x4000_0000), g.i32(0x4040_0000), g.i32(0x3f80_0000)))).toBe(String(0x40e0_0000));
  });

  it('knows which bits are zero', () => {
    const g = new Graph(32);
    const [x, y] = [g.read('vgpr', 0), g.read('vgpr', 1)];
    const joined = g.op('or32', g.op('shl32', x, g.i32(16)), g.op('and32', y, g.i32(0xffff)));
    expect(show(g.op('shrU32', joined, g.i32(16)))).toBe('shrU32(shl32(v0 16) 16)');
    expect(show(g.op('and32', joined, g.i32(0xffff)))).toBe('and32(v1 65535)');
    expect(show(g.op('and32', g.op('laneId'), g.i32(31)))).toBe('laneId()');
    expect(show(g.op('shrU32', g.op('laneId'), g.i32(5)))).toBe('0');
  });

  it('turns tests of wave masks into tests of lanes', () => {
    const g = new Graph(32);
    const lanes = g.op('ltU32', g.read('vgpr', 0), g.read('sgpr', 0));
    const mask = g.op('low64', g.op('ballot', lanes));
    expect(show(g.op('eq32', mask, g.i32(0)))).toBe('not(any(ltU32(v0 s0)))');
    expect(g.op('inverseBallot', g.op('pack64', mask, g.i32(0)))).toBe(lanes);
    const both = g.op('and32', mask, g.read('sgpr', 4));
    expect(show(g.op('inverseBallot', g.op('pack64', both, g.i32(0))))).toBe('and(ltU32(v0 s0) inverseBallot(pack64(s4 0)))');
  });

  it('keeps lane masks of wave64 whole through register pairs', () => {
    const b = builder(64);
    const lanes = b.op('ltU32', b.vgpr(0), b.sgpr(0));
    b.setWaveMask(SGPR_VCC, b.op('ballot', lanes));
    expect(b.laneMask(SGPR_VCC)).toBe(lanes);
    expect(show(b.op('eq64', b.waveMask(SGPR_VCC), b.i64(0, 0)))).toBe('not(any(ltU32(v0 s0)))');
  });
});

describe('wave builder', () => {
  it('reads the unblended value under the same EXEC, the blend across lanes', () => {
    const b = builder();
    b.setVgpr(3, b.i32(5));
    expect(show(b.vgpr(3))).toBe('5');
    expect(show(b.vgprAllLanes(3))).toBe('blend(inverseBallot(pack64(s126 0)) 5 v3)');
    b.setSgpr(SGPR_EXEC, b.sgpr(0));
    expect(b.vgpr(3).kind).toBe('blend');
  });

  it('drops the first of two writes under the same mask', () => {
    const b = builder();
    b.setVgpr(3, b.i32(5));
    b.setVgpr(3, b.op('add32', b.vgpr(3), b.vgpr(4)));
    expect(show(b.vgprAllLanes(3))).toBe('blend(inverseBallot(pack64(s126 0)) add32(v4 5) v3)');
  });

  it('keeps only what a block needs, arguments first', () => {
    const b = builder();
    b.op('mul32', b.vgpr(7), b.vgpr(8));
    b.setSgpr(1, b.op('add32', b.sgpr(1), b.i32(2)));
    b.setSgpr(2, b.sgpr(2));
    const block = b.finish();
    expect(block.writes.map((write) => `s${write.index} = ${show(write.value)}`)).toEqual(['s1 = add32(s1 2)']);
    expect(block.nodes.map(show)).toEqual(['s1', '2', 'add32(s1 2)']);
    for (const node of block.nodes)
      if (node.kind === 'op') for (const argument of node.args) expect(argument.id).toBeLessThan(node.id);
    expect(block.nodes.map((node) => node.id)).toEqual([0, 1, 2]);
  });

  it('takes back what an instruction did', () => {
    const b = builder();
    b.begin(0, 4);
    b.setSgpr(1, b.i32(1));
    b.begin(4, 8);
    b.setSgpr(1, b.i32(2));
    b.setVgpr(0, b.i32(2));
    b.store({ space: 'lds', address: { constant: 0 }, mask: b.execMask() }, 32, b.i32(0));
    b.setMode({ ...MODE, ieee: false });
    b.rollback();
    const block = b.finish();
    expect(block).toMatchObject({ start: 0, end: 4, effects: [], effectPcs: [] });
    expect(block.modeAfter).toBeUndefined();
    expect(block.writes.map((write) => [write.file, write.index, show(write.value)])).toEqual([['sgpr', 1, '1']]);
  });

  it('reports a change of MODE', () => {
    const b = builder();
    b.begin(0, 4);
    b.setMode({ ...MODE, roundF32: 3 });
    expect(b.finish()).toMatchObject({ modeAfter: { roundF32: 3 }, exit: { kind: 'fall', to: 4 } });
  });

  it('refuses values of the wrong type', () => {
    const b = builder();
    expect(() => b.op('add32', b.i64(0, 0), b.i32(1))).toThrow('add32 takes (i32, i32)');
    expect(() => b.setSgpr(0, b.vgpr(0))).toThrow('per lane');
  });
});

describe('lane patterns', () => {
  it('evaluates what depends on the lane alone', () => {
    const g = new Graph(32);
    const index = g.op('xor32', g.op('laneId'), g.i32(5));
    expect(lanePattern(index, 32)?.slice(0, 6)).toEqual(Uint32Array.of(5, 4, 7, 6, 1, 0));
    expect(lanePattern(g.op('add32', index, g.read('sgpr', 0)), 32)).toBeUndefined();
  });
});
