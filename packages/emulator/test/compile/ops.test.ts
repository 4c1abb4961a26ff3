import { describe, expect, it } from 'vitest';
import { OPS, type OpName, type ValueType } from '../../src/ir/ops.js';
import type { Value } from '../../src/ir/block.js';
import type { WaveBuilder } from '../../src/ir/wave-builder.js';
import { buildTestBlock, CompiledBlock, copyWave, difference, HAS_RELAXED, Random, randomWave } from './harness.js';

/** Argument `n` of an operation: v[2n], v[2n+1] for each lane, s[2n], s[2n+1] for the wave. */
function argument(b: WaveBuilder, n: number, type: ValueType, uniform: boolean): Value {
  const low = uniform ? b.sgpr(2 * n) : b.vgprAllLanes(2 * n);
  if (type === 'i32') return low;
  const high = uniform ? b.sgpr(2 * n + 1) : b.vgprAllLanes(2 * n + 1);
  if (type === 'i64') return b.op('pack64', low, high);
  return b.op('eq32', b.op('and32', low, b.i32(1)), b.i32(1));
}

/** Writes a value of any type to v8, v9, or to s8, s9. */
function writeResult(b: WaveBuilder, value: Value): void {
  const parts =
    value.type === 'i64'
      ? [b.op('low64', value), b.op('high64', value)]
      : [value.type === 'bool' ? b.op('select32', value, b.i32(1), b.i32(0)) : value];
  for (const [i, part] of parts.entries()) {
    if (value.uniform) b.setSgpr(8 + i, part);
    else b.setVgpr(8 + i, part);
  }
}

const UNIFORM_ARGUMENT: Readonly<Record<string, readonly number[]>> = { insertLane: [1, 2], readLane: [1], inverseBallot: [0] };
const PER_LANE_ARGUMENT: Readonly<Record<string, readonly number[]>> = {
  ballot: [0],
  any: [0],
  readLane: [0],
  readFirstLane: [0, 1],
  insertLane: [0],
  shuffle: [0, 1],
};

function block(name: OpName, waveSize: 32 | 64, uniform: (n: number) => boolean): ReturnType<typeof buildTestBlock> {
  return buildTestBlock(waveSize, (b) => {
    const args = OPS[name].args.map((type, n) => {
      const isUniform =
        UNIFORM_ARGUMENT[name]?.includes(n) ?? (PER_LANE_ARGUMENT[name]?.includes(n) === true ? false : uniform(n));
      return argument(b, n, type, isUniform);
    });
    writeResult(b, b.op(name, args[0], args[1], args[2]));
  });
}

function check(name: OpName, waveSize: 32 | 64, uniform: (n: number) => boolean, runs: number, options = {}): void {
  const compiled = new CompiledBlock(block(name, waveSize, uniform), waveSize, options);
  const random = new Random(0x1234_5678 + name.length * 7919 + name.charCodeAt(0));
  for (let i = 0; i < runs; i++) {
    const before = randomWave(waveSize, random);
    const [expected, got] = [copyWave(before), copyWave(before)];
    compiled.evaluate(expected);
    compiled.run(got);
    expect(difference(before, expected, got)).toBe('');
  }
}

// Safe: the keys of the table are the names.
const NAMES = Object.keys(OPS) as OpName[];

describe('compiled operations are the evaluator’s', () => {
  it('has fused multiply-add to test', () => {
    expect(HAS_RELAXED).toBe(true);
  });
  it.each(NAMES)('%s per lane', (name) => check(name, 32, () => false, 40));
  it.each(NAMES)('%s on scalars', (name) => check(name, 32, () => true, 40));
  it.each(NAMES.filter((name) => OPS[name].args.length > 1))('%s of lanes and a scalar', (name) =>
    check(name, 32, (n) => n > 0, 10),
  );
  it.each(NAMES)('%s in wave64', (name) => check(name, 64, () => false, 8));
  it.each(['row_ror', 'mirror', 'xor', 'broadcast', 'scattered'])('a fixed shuffle: %s', (name) => {
    const from: Record<string, (lane: number) => number> = {
      row_ror: (lane) => (lane & 16) | ((lane - 3) & 15),
      mirror: (lane) => lane ^ 31,
      xor: (lane) => lane ^ 5,
      broadcast: () => 13,
      scattered: (lane) => (lane * 7 + 3) & 31,
    };
    const ir = buildTestBlock(32, (b) => {
      let index: Value = b.i32(0);
      for (let bit = 0; bit < 32; bit++) {
        index = b.op('select32', b.op('eq32', b.op('laneId'), b.i32(bit)), b.i32(from[name]!(bit)), index);
      }
      b.setVgpr(8, b.op('shuffle', b.vgprAllLanes(0), index));
      b.setVgpr(9, b.op('shuffle', b.vgprAllLanes(1), b.op('xor32', b.op('laneId'), b.i32(9))));
    });
    const compiled = new CompiledBlock(ir, 32);
    const random = new Random(99);
    for (let i = 0; i < 10; i++) {
      const before = randomWave(32, random);
      const [expected, got] = [copyWave(before), copyWave(before)];
      compiled.evaluate(expected);
      compiled.run(got);
      expect(difference(before, expected, got)).toBe('');
    }
  });
  it.each(['fmaF32', 'fmaF64', 'select32'] as const)('%s without relaxed SIMD', (name) =>
    check(name, 32, () => false, 10, { relaxed: false }),
  );
});
