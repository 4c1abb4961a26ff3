import { AMD_SIGNAL, SHARED_SIGNAL, SHARED_SIGNAL_ID } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { openBench } from './support/open.js';

describe('Signal', () => {
  it('is an amd_signal_t with the event that wakes waiters', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 5 });
    const { event } = bench.signals.monitor;
    expect(signal.handle % 64n).toBe(0n);
    expect(AMD_SIGNAL.read(bench.device.bytesAt(signal.handle, 64))).toMatchObject({
      kind: 1n,
      value: 5n,
      event_mailbox_ptr: event.mailboxAddress,
      event_id: event.id,
      start_ts: 0n,
    });
    expect(SHARED_SIGNAL.read(bench.device.bytesAt(signal.handle, 128)).id).toBe(SHARED_SIGNAL_ID);
    expect((BigInt(signal.handleHigh) << 32n) | BigInt(signal.handleLow)).toBe(signal.handle);
  });

  it('has no mailbox when it is polled', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ wake: 'polled' });
    expect(AMD_SIGNAL.read(bench.device.bytesAt(signal.handle, 64))).toMatchObject({ event_mailbox_ptr: 0n, event_id: 0 });
  });

  it('operates atomically and gives the value before', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 12 });
    expect(signal.add(3n)).toBe(12n);
    expect(signal.subtract(5n)).toBe(15n);
    expect(signal.and(0b1110n)).toBe(10n);
    expect(signal.or(1n)).toBe(10n);
    expect(signal.xor(0b11n)).toBe(11n);
    expect(signal.exchange(-1n)).toBe(8n);
    expect(signal.compareExchange(0n, 4n)).toBe(-1n);
    expect(signal.compareExchange(-1n, 4n)).toBe(-1n);
    expect(signal.load()).toBe(4n);
    expect(signal.loadNumber()).toBe(4);
  });

  it('holds the extremes of a signed word', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create();
    for (const value of [-(1n << 63n), (1n << 63n) - 1n, -1n, 0n]) {
      signal.store(value);
      expect(signal.load()).toBe(value);
    }
  });

  it('is armed again with its time stamps cleared', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 0 });
    AMD_SIGNAL.write(bench.device.bytesAt(signal.handle, 64), { start_ts: 7n, end_ts: 9n });
    expect(signal.timestamps()).toEqual({ startTicks: 7n, endTicks: 9n });
    signal.rearm(1);
    expect(signal.load()).toBe(1n);
    expect(signal.timestamps()).toEqual({ startTicks: 0n, endTicks: 0n });
  });

  it('throws once it is disposed, and is found no more', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ label: 'done' });
    expect(bench.signals.find(signal.handle)).toBe(signal);
    signal.dispose();
    signal.dispose();
    expect(() => signal.load()).toThrow(/done was disposed/);
    expect(() => signal.rearm(1)).toThrow(/done was disposed/);
    expect(bench.signals.find(signal.handle)).toBeUndefined();
    expect(bench.signals.liveCount).toBe(0);
  });

  it('reuses slots, and clears them', async () => {
    await using bench = await openBench();
    const first = bench.signals.create({ value: 9 });
    const { handle } = first;
    first.dispose();
    const second = bench.signals.create();
    expect(second.handle).toBe(handle);
    expect(second.load()).toBe(0n);
  });

  it.each([0.5, NaN, 2 ** 53, 2n ** 63n])('holds no %s, and costs no slot for it', async (value) => {
    await using bench = await openBench();
    expect(() => bench.signals.create({ value })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    const next = bench.signals.create();
    expect(bench.signals.liveCount).toBe(1);
    next.dispose();
    expect(bench.signals.create().handle).toBe(next.handle);
  });

  it('gives its memory back also where an event cannot be destroyed', async () => {
    const bench = await openBench();
    bench.signals.create();
    bench.device.failOnce('DESTROY_EVENT', 5);
    await expect(bench.signals.dispose()).rejects.toBeInstanceOf(AggregateError);
    expect(bench.device.leaks()).toMatchObject({ allocations: 0, events: 1 });
    await bench.thunk[Symbol.asyncDispose]();
    expect(bench.device.leaks().events).toBe(0);
  });

  it('grows beyond a block, all signals apart from each other', async () => {
    await using bench = await openBench();
    const handles = new Set(Array.from({ length: 1500 }, () => bench.signals.create().handle));
    expect(handles.size).toBe(1500);
    expect(bench.signals.liveCount).toBe(1500);
  });
});
