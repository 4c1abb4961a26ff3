import { isHsaError } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import type { SignalCondition } from '../src/wait-signal.js';
import { waitSignal, waitSignals } from '../src/wait-signal.js';
import { openBench } from './support/open.js';

const below1 = { condition: 'lt', value: 1 } as const;

describe('waitSignal', () => {
  it('gives the value at once when the condition is met', async () => {
    await using bench = await openBench();
    bench.device.log.length = 0;
    expect(await waitSignal(bench.signals.create({ value: -3 }), below1)).toBe(-3n);
    expect(bench.device.log).toEqual([]);
  });

  it('wakes when a device completes the signal', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1 });
    const wait = waitSignal(signal, below1);
    bench.complete(signal);
    expect(await wait).toBe(0n);
  });

  it('loses no completion between looking and waiting', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1 });
    // The completion comes in the call by which the wait reaches the driver: after memory was looked at.
    const real = bench.device.waitIoctl.bind(bench.device);
    bench.device.waitIoctl = async (request, arg) => {
      bench.device.waitIoctl = real;
      bench.complete(signal);
      return real(request, arg);
    };
    expect(await waitSignal(signal, below1)).toBe(0n);
  });

  it('wakes when this thread stores', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1 });
    const wait = waitSignal(signal, below1);
    signal.subtract(1n);
    expect(await wait).toBe(0n);
  });

  it('sees a polled signal change, which no event announces', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1, wake: 'polled' });
    const wait = waitSignal(signal, below1);
    bench.complete(signal);
    expect(await wait).toBe(0n);
  });

  it.each<[SignalCondition, bigint, bigint]>([
    ['eq', 4n, 3n],
    ['ne', 3n, 4n],
    ['lt', -1n, 0n],
    ['gte', 7n, 6n],
  ])('compares signed: %s', async (condition, met, unmet) => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: unmet });
    const value = { eq: 4n, ne: 4n, lt: 0n, gte: 7n }[condition];
    const wait = waitSignal(signal, { condition, value });
    signal.store(met);
    expect(await wait).toBe(met);
  });

  it('serves a thousand waits with one wait in the driver', async () => {
    await using bench = await openBench();
    const signals = Array.from({ length: 1000 }, () => bench.signals.create({ value: 1 }));
    bench.device.log.length = 0;
    const waits = signals.map((signal) => waitSignal(signal, below1));
    expect(bench.device.log).toEqual(['WAIT_EVENTS']);
    for (const signal of signals) bench.complete(signal);
    expect(await Promise.all(waits)).toEqual(signals.map(() => 0n));
  });

  it('asks the driver for nothing once nobody waits, so that the process may end', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1 });
    const abort = new AbortController();
    const wait = waitSignal(signal, { ...below1, signal: abort.signal });
    bench.device.log.length = 0;
    abort.abort(new Error('enough'));
    await expect(wait).rejects.toMatchObject({ code: 'ERR_ABORTED', cause: new Error('enough') });
    expect(bench.device.log).toEqual(['SET_EVENT']);
  });

  it('rejects at once when it is aborted before', async () => {
    await using bench = await openBench();
    const wait = waitSignal(bench.signals.create({ value: 1 }), { ...below1, signal: AbortSignal.abort() });
    await expect(wait).rejects.toMatchObject({ code: 'ERR_ABORTED' });
  });

  it('gives up after a time without progress, naming signal, value and queue', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1, label: 'copy done' });
    const queue = bench.queue({ label: 'copies' });
    const error = await waitSignal(signal, { ...below1, timeoutMs: 20, queues: [queue] }).catch((e: unknown) => e);
    expect(isHsaError(error, 'ERR_TIMEOUT')).toBe(true);
    expect((error as Error).message).toBe('no progress for 20 ms: copy done is 1, waited for < 1; copies has taken 0 packets');
  });

  it.each([NaN, -1])('refuses a time-out of %d', async (timeoutMs) => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1 });
    await expect(waitSignal(signal, { condition: 'eq', value: 0, timeoutMs })).rejects.toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
    });
  });

  it('refuses a value that is no integer', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1 });
    await expect(waitSignal(signal, { condition: 'eq', value: 0.5 })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });

  it('takes a time-out that no timer holds', async () => {
    await using bench = await openBench();
    const warned: unknown[] = [];
    const note = (warning: Error): void => void warned.push(warning.name);
    process.on('warning', note);
    const signal = bench.signals.create({ value: 1 });
    const wait = waitSignal(signal, { condition: 'eq', value: 0, timeoutMs: 1e15 });
    bench.complete(signal);
    expect(await wait).toBe(0n);
    process.off('warning', note);
    expect(warned).toEqual([]);
  });

  it('does not give up while there is progress', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1 });
    let done = 0;
    const progress = () => {
      // Five time-outs pass, with something done in each.
      if (++done === 20) bench.complete(signal);
      return done;
    };
    expect(await waitSignal(signal, { ...below1, timeoutMs: 20, progress })).toBe(0n);
  });

  it('rejects when the pool goes', async () => {
    const bench = await openBench();
    const wait = expect(waitSignal(bench.signals.create({ value: 1 }), below1)).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    await bench[Symbol.asyncDispose]();
    await wait;
  });

  it('rejects with what the driver says when waiting fails, and the next wait tries again', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1 });
    bench.device.failOnce('WAIT_EVENTS', 14);
    await expect(waitSignal(signal, below1)).rejects.toMatchObject({ code: 'ERR_KFD_IOCTL', errno: 14 });
    const wait = waitSignal(signal, below1);
    bench.complete(signal);
    expect(await wait).toBe(0n);
  });

  it('rejects when the signal is disposed meanwhile', async () => {
    await using bench = await openBench();
    const signal = bench.signals.create({ value: 1 });
    const wait = expect(waitSignal(signal, below1)).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    signal.dispose();
    await wait;
  });
});

describe('waitSignals', () => {
  it('gives the lowest index that is met, for any', async () => {
    await using bench = await openBench();
    const signals = [1, 1, 1].map((value) => bench.signals.create({ value }));
    const wait = waitSignals(
      signals.map((signal) => ({ signal, ...below1 })),
      { mode: 'any' },
    );
    signals[2]!.store(0n);
    signals[1]!.store(0n);
    expect(await wait).toBe(1);
  });

  it('waits for the last one, for all', async () => {
    await using bench = await openBench();
    const signals = [1, 1].map((value) => bench.signals.create({ value }));
    let isOver = false;
    const wait = waitSignals(
      signals.map((signal) => ({ signal, ...below1 })),
      { mode: 'all' },
    ).then((index) => {
      isOver = true;
      return index;
    });
    bench.complete(signals[0]!);
    await waitSignal(signals[0]!, below1);
    expect(isOver).toBe(false);
    bench.complete(signals[1]!);
    expect(await wait).toBe(0);
  });

  it('refuses to wait for nothing', async () => {
    await expect(waitSignals([], { mode: 'any' })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});
