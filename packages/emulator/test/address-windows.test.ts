import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WINDOW_PARTS, WindowReader, WindowTable } from '../src/address-windows.js';
import type { AddressWindow } from '../src/address-windows.js';
import { MEMORY_PAGES, PAGE_BYTES, STATE_BYTES, WINDOWS, WINDOWS_BYTES } from '../src/memory-map.js';

const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES, shared: true });
const PAGE = BigInt(PAGE_BYTES);

function open(): { readonly table: WindowTable; readonly reader: WindowReader } {
  new Uint8Array(memory.buffer, WINDOWS, WINDOWS_BYTES).fill(0);
  return { table: new WindowTable(memory), reader: new WindowReader(memory) };
}

describe('the table of windows', () => {
  it('lies where nothing else is', () => {
    for (const [index, [name, start, end]] of WINDOW_PARTS.entries()) {
      const next = WINDOW_PARTS[index + 1];
      expect([name, start <= end, next === undefined || end <= next[1]]).toEqual([name, true, true]);
    }
  });

  it('finds the first and the last byte, and nothing beside them', () => {
    const { table, reader } = open();
    const address = 0x7fff_ffff_e000n;
    expect(table.add({ address, sizeBytes: 2 * PAGE_BYTES, offset: STATE_BYTES })).toBe(true);
    expect(reader.offsetOf(address, 8)).toBe(STATE_BYTES);
    expect(reader.offsetOf(address + 2n * PAGE - 4n, 4)).toBe(STATE_BYTES + 2 * PAGE_BYTES - 4);
    expect(reader.offsetOf(address + 2n * PAGE - 4n, 8)).toBe(-1);
    expect(reader.offsetOf(address - 4n, 4)).toBe(-1);
    expect(reader.offsetOf(address + 0x8000_0000_0000n, 4)).toBe(-1);
    expect(reader.addressOf(STATE_BYTES + 5)).toBe(address + 5n);
    expect(reader.addressOf(STATE_BYTES - 1)).toBeUndefined();
  });

  it('refuses what meets another window or lies beyond the address bits', () => {
    const { table } = open();
    expect(table.add({ address: 0x10_0000n, sizeBytes: 4 * PAGE_BYTES, offset: STATE_BYTES })).toBe(true);
    expect(table.add({ address: 0x10_3000n, sizeBytes: PAGE_BYTES, offset: STATE_BYTES })).toBe(false);
    expect(table.add({ address: 0xf_f000n, sizeBytes: 2 * PAGE_BYTES, offset: STATE_BYTES })).toBe(false);
    expect(table.add({ address: 0x7fff_ffff_f000n, sizeBytes: 2 * PAGE_BYTES, offset: STATE_BYTES })).toBe(false);
  });

  it('shows the same bytes at two addresses, and still at one when the other is gone', () => {
    const { table, reader } = open();
    table.add({ address: 0x5000_0000_0000n, sizeBytes: 2 * PAGE_BYTES, offset: STATE_BYTES });
    table.add({ address: 0x6000_0000_0000n, sizeBytes: PAGE_BYTES, offset: STATE_BYTES + PAGE_BYTES });
    table.remove(0x6000_0000_0000n);
    expect(reader.addressOf(STATE_BYTES + PAGE_BYTES)).toBe(0x5000_0000_1000n);
    expect(reader.offsetOf(0x6000_0000_0000n, 4)).toBe(-1);
    expect(reader.offsetOf(0x5000_0000_1000n, 4)).toBe(STATE_BYTES + PAGE_BYTES);
  });

  it('answers as a list of ranges would, through any order of coming and going', () => {
    const window = fc.record({
      address: fc.tuple(fc.bigInt(0n, 15n), fc.bigInt(0n, 0x3fffn)).map(([far, page]) => far * 0x7_ffff_8000_0n + page * PAGE),
      sizeBytes: fc.integer({ min: 1, max: 5000 }).map((pages) => pages * PAGE_BYTES),
      offset: fc.integer({ min: 0, max: 0x1000 }).map((page) => STATE_BYTES + page * PAGE_BYTES),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), window), { maxLength: 24 }), (steps) => {
        const { table, reader } = open();
        const live: AddressWindow[] = [];
        for (const [removes, next] of steps) {
          if (removes && live.length > 0) table.remove(live.splice(live.length >> 1, 1)[0]!.address);
          else {
            const meets = live.some(
              (w) => next.address < w.address + BigInt(w.sizeBytes) && w.address < next.address + BigInt(next.sizeBytes),
            );
            expect(table.add(next)).toBe(!meets);
            if (!meets) live.push(next);
          }
          for (const [, { address, sizeBytes }] of steps) {
            for (const at of [address, address + BigInt(sizeBytes) - 4n, address + BigInt(sizeBytes), address - 1n]) {
              const holder = live.find((w) => at >= w.address && at + 4n <= w.address + BigInt(w.sizeBytes));
              expect(reader.offsetOf(at, 4)).toBe(holder === undefined ? -1 : holder.offset + Number(at - holder.address));
            }
          }
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it('gives tables and records back', () => {
    const { table } = open();
    for (let round = 0; round < 20_000; round += 1) {
      const address = BigInt(round % 4000) * 0x8_0000_0000n;
      expect(table.add({ address, sizeBytes: PAGE_BYTES, offset: STATE_BYTES })).toBe(true);
      table.remove(address);
    }
  });
});
