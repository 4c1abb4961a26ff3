import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WaveFault } from '../../src/executor.js';
import type { ExecutorOptions } from '../../src/execute/index.js';
import { Machine, packArguments } from './machine.js';

const ITEMS = 64;
/** wave.cl at -O2, with preloaded kernel arguments, and without optimisation. */
export const OBJECTS: readonly string[] = [
  ...['gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'],
  ...['gfx90a.preload', 'gfx942.preload', 'gfx1250.preload'],
  ...['gfx90a.O0', 'gfx1030.O0', 'gfx1201.O0'],
];

/** Ways for code to run: optimised at once, baseline only, and from one to the other with little fuel. */
const WAYS: Readonly<Record<Way, ExecutorOptions>> = {
  optimised: {},
  baseline: { tier: 'baseline' },
  changing: { fuel: 40, codeStore: new SharedArrayBuffer(1 << 22), patience: { ranMs: 0, yields: 1 } },
};
export type Way = 'optimised' | 'baseline' | 'changing';

function open(object: string): Machine {
  const machine = new Machine();
  machine.load(gunzipSync(readFileSync(new URL(`../fixtures/kernels/wave.${object}.hsaco.gz`, import.meta.url))));
  return machine;
}

/** Sums that no f32 holds: just above or below one, or half way. */
const PAIRS: readonly (readonly [number, number])[] = [
  [1, 2 ** -30],
  [-1, -(2 ** -30)],
  [1, 3 * 2 ** -25],
  [-1, -3 * 2 ** -25],
  [1 + 2 ** -23, 2 ** -24],
  [3, -(2 ** -26)],
  [-3, 2 ** -26],
  [1.5, 0.25],
];
const operands = Float32Array.from({ length: 2 * ITEMS }, (_, i) => PAIRS[(i >> 1) % PAIRS.length]![i & 1]!);

/** A number that an f64 holds, rounded to f32 as MODE's codes say. */
function rounded(exact: number, mode: number): number {
  const nearest = Math.fround(exact);
  if (nearest === exact || mode === 0) return nearest;
  const bits = new Int32Array(new Float32Array([nearest]).buffer);
  // Away from zero the bits count up, towards it down.
  const step = (away: boolean): number => new Float32Array(new Int32Array([bits[0]! + (away ? 1 : -1)]).buffer)[0]!;
  const other = step(nearest < exact === nearest > 0);
  const [low, high] = nearest < exact ? [nearest, other] : [other, nearest];
  return mode === 1 ? high : mode === 2 ? low : exact > 0 ? low : high;
}

const sums = (mode: number): number[] =>
  Array.from({ length: ITEMS }, (_, item) => rounded(operands[2 * item]! + operands[2 * item + 1]!, mode));

/** What a kernel of wave.cl finds where it begins, and does to its own state. */
export function describeWaves(objects: readonly string[], ways: readonly Way[]): void {
  describe.each(objects)('a wave of %s', (object) => {
    let m: Machine;
    let out: bigint;
    let input: bigint;
    beforeAll(() => {
      m = open(object);
      out = m.allocate(ITEMS * 64);
      input = m.allocate(ITEMS * 8);
      m.f32(input, 2 * ITEMS).set(operands);
    });
    describe.each(ways)('in %s code', (way) => {
      const run = (kernel: string, args: readonly (number | bigint)[], more: ExecutorOptions = {}): WaveFault | number =>
        m.run(m.dispatch(kernel, [ITEMS], [ITEMS], packArguments(args)), { ...WAYS[way], ...more });

      it('rounds as MODE says, which only the run knows, in calls and behind them', () => {
        for (const mode of [1, 3, 2, 0]) {
          expect(run('round_as_told', [out, input, mode])).toBeTypeOf('number');
          const result = [...m.f32(out, 4 * ITEMS)];
          const column = (index: number): number[] => result.filter((_value, i) => i % 4 === index);
          expect(column(0)).toEqual(sums(mode));
          expect(column(1)).toEqual(sums(mode));
          expect(column(2)).toEqual(sums(0));
          expect(new Set(column(3))).toEqual(new Set([mode]));
        }
      });

      it('rounds as a constant says, in a call', () => {
        expect(run('round_up', [out, input])).toBeTypeOf('number');
        expect([...m.f32(out, ITEMS)]).toEqual(sums(1));
      });

      it('rounds each round of a loop in its way', () => {
        expect(run('round_in_turn', [out, input, 7])).toBeTypeOf('number');
        const expected = Array.from({ length: ITEMS }, (_each, item) => {
          let sum = 0;
          for (let i = 0; i < 7; i++) sum = rounded(sum + sums(i & 3)[item]!, i & 3);
          return sum;
        });
        expect([...m.f32(out, ITEMS)]).toEqual(expected);
      });

      it('stops where it enables floating-point exceptions, on processors that have these in MODE', () => {
        const result = run('enable_exceptions', [out, 0x7f]);
        if (/^gfx12/.test(object)) expect(result).toBeTypeOf('number');
        else expect(result).toMatchObject({ kind: 'illegal-instruction' });
        expect(run('enable_exceptions', [out, 0])).toBeTypeOf('number');
      });

      it('interrupts the host with its M0', () => {
        const events: number[] = [];
        expect(run('interrupt', [out, 0x1234], { onInterrupt: (event) => void events.push(event) })).toBeTypeOf('number');
        expect(events).toEqual([0x1234]);
        expect(m.u32(out, ITEMS)[ITEMS - 1]).toBe(0x1234);
      });

      it('says where it runs', () => {
        const executor = { worker: 5, workers: 16 };
        const dispatch = m.dispatch('place', [512], [256], packArguments([out]));
        expect(m.run(dispatch, { ...WAYS[way], ...executor })).toBeTypeOf('number');
        const waveSize = object.startsWith('gfx9') ? 64 : 32;
        const unit = object.startsWith('gfx9') ? 8 : 10;
        const words = m.u32(out, 512);
        for (let item = 0; item < 256; item++) {
          expect((words[2 * item]! >>> unit) & 15).toBe(5);
          expect(words[2 * item + 1]).toBe(Math.floor(item / waveSize) & 3);
        }
      });

      it('reads counters that go on', () => {
        expect(run('clocks', [out])).toBeTypeOf('number');
        const [cycles, moreCycles, ticks, moreTicks] = new BigUint64Array(m.memory.buffer, m.offset(out), 4);
        expect(moreTicks! - ticks!).toBeGreaterThanOrEqual(0n);
        // 20 bits on gfx10 and gfx11.
        if (!/^gfx1[01]/.test(object)) expect(moreCycles! - cycles!).toBeGreaterThanOrEqual(0n);
        expect(ticks).toBeGreaterThan(0n);
      });

      it.each([
        ['whole workgroups in one dimension', [64, 1, 1], [32, 1, 1]],
        ['three dimensions, partial workgroups', [13, 6, 5], [6, 4, 3]],
      ] as const)('knows its ids, the grid and where things are: %s', (_what, grid, workgroup) => {
        const pointers = m.allocate(64);
        const [width, slice] = [BigInt(grid[0]), BigInt(grid[0] * grid[1])];
        const items = grid[0] * grid[1] * grid[2];
        const results = m.allocate(items * 16);
        const packet = m.allocate(64);
        const words = new DataView(m.memory.buffer, m.offset(packet), 64);
        for (let axis = 0; axis < 3; axis++) {
          words.setUint16(4 + 2 * axis, workgroup[axis]!, true);
          words.setUint32(12 + 4 * axis, grid[axis]!, true);
        }
        // The hidden arguments that are asked for: sizes of a workgroup (AMDGPUUsage, code object V5 metadata).
        const kernarg = new Uint8Array(32 + 256);
        kernarg.set(packArguments([pointers, results, width, slice]));
        const hidden = new DataView(kernarg.buffer, 32);
        for (let axis = 0; axis < 3; axis++) {
          hidden.setUint32(4 * axis, Math.floor(grid[axis]! / workgroup[axis]!), true);
          hidden.setUint16(12 + 2 * axis, workgroup[axis]!, true);
          hidden.setUint16(18 + 2 * axis, grid[axis]! % workgroup[axis]!, true);
        }
        const [queueAddress, dispatchId] = [0x7777_0000_1111_0040n, 0x1_0000_0003n];
        const dispatch = m.dispatch('ids', grid, workgroup, kernarg, { packetAddress: packet, queueAddress, dispatchId });
        expect(m.run(dispatch, WAYS[way])).toBeTypeOf('number');
        expect([...new BigUint64Array(m.memory.buffer, m.offset(pointers), 5)]).toEqual([
          packet,
          queueAddress,
          // Without optimisation the kernel's body is a function, in which LLVM makes this null (SIISelLowering.cpp).
          object.endsWith('.O0') ? 0n : dispatch.kernargAddress,
          dispatch.kernargAddress + 32n,
          dispatchId,
        ]);
        const packed = (x: number, y: number, z: number): number => x | (y << 10) | (z << 20);
        const expected: number[] = [];
        for (let z = 0; z < grid[2]; z++)
          for (let y = 0; y < grid[1]; y++)
            for (let x = 0; x < grid[0]; x++) {
              const place = [x, y, z];
              const item = place.map((value, axis) => value % workgroup[axis]!);
              expected.push(packed(x, y, z), packed(item[0]!, item[1]!, item[2]!));
              expected.push(packed(workgroup[0], workgroup[1], workgroup[2]), packed(grid[0], grid[1], grid[2]));
            }
        expect([...m.u32(results, items * 4)]).toEqual(expected);
      });

      it('knows one id alone', () => {
        m.u32(out, 8).fill(0);
        expect(m.run(m.dispatch('group_z', [4, 2, 5], [2, 1, 1], packArguments([out])), WAYS[way])).toBeTypeOf('number');
        expect([...m.u32(out, 6)]).toEqual([100, 101, 102, 103, 104, 0]);
        m.u32(out, 8).fill(0);
        expect(m.run(m.dispatch('item_y', [3, 5, 2], [3, 5, 2], packArguments([out])), WAYS[way])).toBeTypeOf('number');
        expect([...m.u32(out, 6)]).toEqual([100, 101, 102, 103, 104, 0]);
      });

      it('has private memory of its own', () => {
        expect(run('private_words', [out, 5])).toBeTypeOf('number');
        const words = Array.from({ length: ITEMS }, (_each, item) => 200 * item + ((item + 5) & 31) + 5);
        expect([...m.u32(out, ITEMS)]).toEqual(words);
      });

      it('gets more arguments than fit its registers', () => {
        const kernarg = new Uint8Array(72);
        const view = new DataView(kernarg.buffer);
        view.setBigUint64(0, out, true);
        view.setUint32(8, 11, true);
        view.setBigUint64(16, 0x2222_0000_3333n, true);
        view.setUint16(24, 0xabcd, true);
        view.setUint8(26, 0xef);
        view.setUint32(28, 66, true);
        view.setBigUint64(32, 0x4444_0000_5555n, true);
        view.setUint32(40, 77, true);
        view.setUint32(44, 88, true);
        view.setBigUint64(48, 0x6666_0000_7777n, true);
        expect(m.run(m.dispatch('many_arguments', [1], [1], kernarg), WAYS[way])).toBeTypeOf('number');
        const expected = [11, 0x3333, 0x2222, 0xabcd, 0xef, 66, 0x5555, 0x4444, 77, 88, 0x7777, 0x6666];
        expect([...m.u32(out, 12)]).toEqual(expected);
      });
    });
  });
}
