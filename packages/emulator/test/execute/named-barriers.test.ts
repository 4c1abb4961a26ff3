import { describe, expect, it } from 'vitest';
import { Machine, packArguments } from './machine.js';

const OBJECT = new URL('../fixtures/kernels/barriers.gfx1250.hsaco', import.meta.url);

/** Optimised code at once; baseline code first, with little fuel, so that waves stop anywhere. */
const WAYS = [
  ['optimised code', {}],
  ['baseline code', { fuel: 40, codeStore: new SharedArrayBuffer(1 << 22) }],
] as const;

describe.each(WAYS)('barriers with a state, in %s', (_, options) => {
  function run(kernel: string, groups: number, more: readonly number[] = []): Uint32Array {
    const m = new Machine();
    m.load(OBJECT);
    const out = m.allocate(4096);
    expect(m.run(m.dispatch(kernel, [128 * groups], [128], packArguments([out, ...more])), options)).toBeTypeOf('number');
    return m.u32(out, 16);
  }

  it('hold pairs of waves until both have signalled', () => {
    const out = run('pairs', 3);
    expect([...out.subarray(0, 4)]).toEqual([222, 111, 444, 333]);
    expect(out[4]! + out[5]!).toBe(1);
    // Valid, two members, no signal.
    expect(out[8]).toBe(0x21);
  });

  it('can be used again and again', () => {
    const out = run('rounds', 1, [9]);
    const sum = Array.from({ length: 9 }, (_each, n) => n * n).reduce((x, y) => x + y);
    expect([...out.subarray(0, 4)]).toEqual([sum, sum, sum, sum]);
    // One member has left.
    expect(out[7]).toBe(0x31);
  });

  it('tell the first wave at the workgroup’s barrier', () => {
    const out = run('first', 2);
    expect(out[0]! + out[1]! + out[2]! + out[3]!).toBe(7);
    // Four waves, or fewer where some have ended already.
    for (const state of out.subarray(4, 8)) expect([0x11, 0x21, 0x31, 0x41]).toContain(state);
  });
});
