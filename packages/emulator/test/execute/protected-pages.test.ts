import { afterEach, describe, expect, it } from 'vitest';
import { MEMORY_BYTES, PAGE_BYTES, STATE_BYTES } from '../../src/memory-map.js';
import { createNodeHost } from '../../src/node/index.js';
import { Machine, packArguments } from './machine.js';

const host = await createNodeHost();
const protect = host.protectPages;

describe.skipIf(protect === undefined)('with pages that the host protects', () => {
  const machine = new Machine();

  afterEach(() => protect?.(machine.memory, STATE_BYTES, MEMORY_BYTES - STATE_BYTES, 'write'));

  it.each([
    ['store_all', 'write', 'none', 'not-present'],
    ['store_all', 'write', 'read', 'read-only'],
    ['load_all', 'read', 'none', 'not-present'],
  ] as const)('%s traps on a page without access and names it', (kernel, access, protection, failure) => {
    const m = new Machine();
    m.load(new URL('../fixtures/kernels/behaviour.gfx1100.hsaco', import.meta.url));
    const pages = m.allocate(2 * PAGE_BYTES);
    const second = m.offset(pages) + PAGE_BYTES;
    m.bytes[pageEntry(second)] = protection === 'read' ? 1 : 0;
    protect?.(m.memory, second, PAGE_BYTES, protection);
    // The last 24 work-items reach into the second page.
    const address = pages + BigInt(PAGE_BYTES - 40 * 4);
    const args = kernel === 'load_all' ? [address, m.allocate(4096)] : [address, 5];
    const result = m.run(m.dispatch(kernel, [64], [64], packArguments(args)));
    expect(result).toMatchObject({ kind: 'memory', access, failure, wave: 1, lane: 8, address: pages + BigInt(PAGE_BYTES) });
  });

  it('does not touch a protected page behind the last active lane', () => {
    const m = new Machine();
    m.load(new URL('../fixtures/kernels/behaviour.gfx1100.hsaco', import.meta.url));
    const pages = m.allocate(2 * PAGE_BYTES);
    protect?.(m.memory, m.offset(pages) + PAGE_BYTES, PAGE_BYTES, 'none');
    const n = PAGE_BYTES / 4 - 2;
    const dispatch = m.dispatch('store_guarded', [1024], [256], packArguments([pages + 8n, n]));
    expect(m.run(dispatch)).toBeTypeOf('number');
    expect([...m.u32(pages + 8n, n)]).toEqual(Array.from({ length: n }, (_, i) => i));
  });
});

/** Offset of a page's byte in the page table. */
function pageEntry(offset: number): number {
  return 0x10_0000 + offset / PAGE_BYTES;
}
