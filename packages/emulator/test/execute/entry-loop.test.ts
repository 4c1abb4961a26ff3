import { expect, it } from 'vitest';
import { encode } from '../semantics/support/assemble.js';
import { Machine } from './machine.js';

const OBJECT = new URL('../fixtures/kernels/behaviour.gfx1100.hsaco', import.meta.url);
/** kernel_code_properties: the kernel arguments' address in s[0:1], 32 lanes. */
const PROPERTIES = (1 << 3) | (1 << 10);

/** Its loop begins with the kernel's first instruction, so that a wave which stops there has registers of its own and is not fresh. */
const CODE = [
  's_add_u32 s0, s0, 4',
  's_and_b32 s4, s0, 0xfff',
  's_cmp_lg_u32 s4, 0x800',
  's_cbranch_scc1 0xfffa',
  's_load_b64 s[2:3], s[0:1], 0x0',
  'v_mov_b32_e32 v1, s4',
  'v_mov_b32_e32 v2, 0',
  's_waitcnt lgkmcnt(0)',
  'global_store_b32 v2, v1, s[2:3]',
  's_endpgm',
];

it.each(['optimised', 'baseline'] as const)('goes on in a loop that begins with the kernel, in %s code', (tier) => {
  const m = new Machine();
  m.load(OBJECT);
  const out = m.allocate(64);
  const dispatch = m.dispatch('store_all', [32], [32], new Uint8Array(4096), { properties: PROPERTIES, rsrc2: 2 << 1 });
  let at = m.offset(dispatch.entryAddress);
  for (const line of CODE) {
    const bytes = encode(line, 'gfx1100', 32);
    m.bytes.set(bytes, at);
    at += bytes.length;
  }
  expect(dispatch.kernargAddress & 0xfffn).toBe(0n);
  m.view.setBigUint64(m.offset(dispatch.kernargAddress) + 0x800, out, true);
  const executor = m.executor({ tier, fuel: 50 });
  const kernel = executor.prepare(dispatch);
  if ('kind' in kernel) throw new Error('no code');
  const run = executor.start(kernel, dispatch, 0, 1);
  let calls = 1;
  // Each call does about 12 rounds of the 512.
  for (; executor.resume(run, 0).kind === 'yield'; calls++) expect(calls).toBeLessThan(1000);
  expect(calls).toBeGreaterThan(5);
  expect(m.u32(out, 1)[0]).toBe(0x800);
});
