import { describe, expect, it } from 'vitest';
import { KernelLedger } from '../../src/device/kernel-ledger.js';
import type { MemoryViews } from '../../src/device/shared-state.js';
import { REPORTS, WORKER_COUNT, WORKER_WAKE, workerWord } from '../../src/device/shared-state.js';

const ENTRY = 0x4000_1100;
/** Has the line of ENTRY, too. */
const OTHER = ENTRY + 1024 * 256;

function createLedgers(workers: number): { words: Int32Array; ledgers: KernelLedger[] } {
  const words = new Int32Array(new SharedArrayBuffer(REPORTS));
  words[WORKER_COUNT] = workers;
  // The ledger looks at the words alone.
  const views = { words } as unknown as MemoryViews;
  return { words, ledgers: Array.from({ length: workers }, () => new KernelLedger(views)) };
}

describe('KernelLedger', () => {
  it('leaves a kernel to its first worker until it has run as long as it took to get ready', () => {
    const { ledgers } = createLedgers(2);
    const [first, second] = ledgers;
    expect(first?.take(ENTRY)).toBe(true);
    expect([first?.mayTake(ENTRY), second?.mayTake(ENTRY), second?.take(ENTRY)]).toEqual([true, false, false]);
    first?.setPrice(ENTRY, 500);
    first?.pay(ENTRY, 499);
    expect(second?.mayTake(ENTRY)).toBe(false);
    first?.pay(ENTRY, 1);
    expect([second?.mayTake(ENTRY), second?.take(ENTRY), second?.isOpen(ENTRY)]).toEqual([true, true, false]);
  });

  it('wakes the others once, when the price is paid', () => {
    const { words, ledgers } = createLedgers(2);
    const [first] = ledgers;
    first?.take(ENTRY);
    first?.setPrice(ENTRY, 10);
    first?.pay(ENTRY, 9);
    expect(words[workerWord(1) + WORKER_WAKE]).toBe(0);
    first?.pay(ENTRY, 9);
    first?.pay(ENTRY, 9);
    expect(words[workerWord(1) + WORKER_WAKE]).toBe(1);
  });

  it('lets another worker begin with another kernel, also one of the same line', () => {
    const [first, second] = createLedgers(2).ledgers;
    first?.take(ENTRY);
    expect([second?.mayTake(ENTRY + 256), second?.take(ENTRY + 256)]).toEqual([true, true]);
    expect([second?.mayTake(OTHER), second?.take(OTHER)]).toEqual([true, true]);
    expect(first?.mayTake(ENTRY + 256)).toBe(false);
  });

  it('keeps no account where there is one worker', () => {
    const [only] = createLedgers(1).ledgers;
    expect([only?.take(ENTRY), only?.isOpen(ENTRY)]).toEqual([true, false]);
  });
});
