/** Damaged kernels: a sample of hostile.sweep.test.ts, and what it has found. */
import { describe, expect, it } from 'vitest';
import { HOSTILE_TARGETS, HostileMachine } from './hostile.js';
import { Machine, packArguments } from './machine.js';

describe.each(HOSTILE_TARGETS)('damaged kernels of %s', (target) => {
  it('end with a result, a fault or an HsaError', () => {
    const machine = new HostileMachine(target);
    for (let seed = 1; seed <= 12; seed++) expect(machine.run(seed).outcome).toMatch(/^[a-z-]+$/);
  });
});

const OBJECT = new URL('../fixtures/kernels/behaviour.gfx1100.hsaco', import.meta.url);

describe.each(['baseline', 'optimised'] as const)('%s code', (tier) => {
  it.each([64, 256])('gives way in an endless loop whose way round is a barrier, workgroups of %i', (items) => {
    const m = new Machine();
    m.load(OBJECT);
    const dispatch = m.dispatch('endless', [items * 3], [items], packArguments([m.allocate(64)]));
    // s_barrier; s_branch to it.
    m.u32(dispatch.entryAddress, 2).set([0xbfbd_0000, 0xbfa0_fffe]);
    const executor = m.executor({ tier });
    const kernel = executor.prepare(dispatch);
    if ('kind' in kernel) throw new Error(kernel.message);
    const run = executor.start(kernel, dispatch, 0, 3);
    for (let i = 0; i < 5; i++) expect(executor.resume(run)).toEqual({ kind: 'yield' });
    executor.drop(run);
  });

  it('runs a loop with a barrier to its end, however little fuel there is', () => {
    const m = new Machine();
    m.load(OBJECT);
    const out = m.allocate(4 * 256);
    const dispatch = m.dispatch('rotate_lds', [256], [256], packArguments([out, 40]));
    expect(m.run(dispatch, { tier, fuel: 40 })).toBeTypeOf('number');
    let v = Array.from({ length: 256 }, (_, l) => l);
    for (let r = 0; r < 40; r++) v = v.map((_, l) => v[(l + 37) & 255]! + r);
    expect([...m.u32(out, 256)]).toEqual(v);
  });
});
