import { AMD_QUEUE } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { AqlPacket } from '../src/aql-packet.js';
import type { AqlQueue } from '../src/aql-queue.js';
import type { ScratchNode } from '../src/scratch.js';
import { layoutScratch, scratchResource } from '../src/scratch.js';
import { waitSignal } from '../src/wait-signal.js';
import type { Bench } from './support/open.js';
import { openBench } from './support/open.js';

const gfx1100: ScratchNode = { major: 11, cus: 96, engines: 6, xccs: 1, slotsPerCu: 32 };
const gfx90a: ScratchNode = { major: 9, cus: 104, engines: 8, xccs: 1, slotsPerCu: 32 };

describe('layoutScratch', () => {
  it('rounds a wave to 256 bytes on gfx11 and counts waves of an engine', () => {
    const layout = layoutScratch(gfx1100, { privateBytes: 20, lanes: 32, slotsPerCu: 32 })!;
    // 20 · 32 = 640 → 768 bytes = 3 units; 96 · 32 = 3072 waves, 512 of them on each engine.
    expect(layout).toEqual({ sizeBytes: 768 * 3072, wave64LaneBytes: 12, tmpringSize: 512 | (3 << 12) });
  });

  it('rounds a wave to 1024 bytes on gfx9 and counts waves of the XCC', () => {
    const layout = layoutScratch(gfx90a, { privateBytes: 20, lanes: 64, slotsPerCu: 32 })!;
    // 20 · 64 = 1280 → 2048 bytes = 2 units; 104 · 32 = 3328 waves.
    expect(layout).toEqual({ sizeBytes: 2048 * 3328, wave64LaneBytes: 32, tmpringSize: 3328 | (2 << 12) });
  });

  it('refuses waves that the register cannot say', () => {
    expect(layoutScratch(gfx90a, { privateBytes: 131_072, lanes: 64, slotsPerCu: 1 })).toBeUndefined();
    expect(layoutScratch(gfx1100, { privateBytes: 131_071, lanes: 64, slotsPerCu: 1 })).toBeUndefined();
  });
});

describe('scratchResource', () => {
  it('holds address, swizzle and size', () => {
    const [w0, w1, w2] = scratchResource(gfx1100, { address: 0x7f12_3456_7000n, sizeBytes: 4096 });
    expect([w0, w1, w2]).toEqual([0x3456_7000, 0x4000_7f12, 4096]);
    expect(scratchResource(gfx90a, { address: 0n, sizeBytes: 4096 })[1]).toBe(0x8000_0000);
  });
});

describe('a queue whose device asks for scratch memory', () => {
  const ask = (bench: Bench, queue: AqlQueue) => {
    const { queue_inactive_signal: handle } = AMD_QUEUE.read(bench.device.bytesAt(queue.address, 4096));
    const signal = bench.signals.find(handle)!;
    bench.complete(signal, 0x400n);
    return signal;
  };
  const packet = new AqlPacket().kernelDispatch({
    grid: [64],
    workgroup: [64],
    kernelObject: 64n,
    kernargAddress: 64n,
    privateBytes: 20,
  });

  it('gets it while somebody waits, and goes on', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    queue.trySubmit(packet);
    const done = bench.signals.create({ value: 1 });
    const wait = waitSignal(done, { condition: 'lt', value: 1, queues: [queue] });
    const inactive = ask(bench, queue);
    await waitSignal(inactive, { condition: 'eq', value: 0 });
    const { scratch_wave64_lane_byte_size: laneBytes, scratch_backing_memory_location: address } = AMD_QUEUE.read(
      bench.device.bytesAt(queue.address, 4096),
    );
    expect(laneBytes * 2).toBeGreaterThanOrEqual(20);
    expect([...bench.device.held.allocations.values()].map((allocation) => allocation.address)).toContain(address);
    bench.complete(done);
    expect(await wait).toBe(0n);
    expect(queue.state).toBe('active');
  });

  it('takes less where memory is short', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    queue.trySubmit(packet);
    ask(bench, queue);
    bench.device.failOnce('ALLOC_MEMORY_OF_GPU', 12);
    expect(queue.checkHealth()).toBeUndefined();
    // 4 CUs with 16 waves of 768 bytes each.
    expect(AMD_QUEUE.read(bench.device.bytesAt(queue.address, 4096)).scratch_backing_memory_byte_size).toBe(49_152n);
  });

  it('fails with ERR_OUT_OF_MEMORY where there is none', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    queue.trySubmit(packet);
    ask(bench, queue);
    const allocate = bench.thunk.allocate.bind(bench.thunk);
    bench.thunk.allocate = (options) => {
      bench.device.failOnce('reserve', 12);
      return allocate(options);
    };
    expect(queue.checkHealth()).toMatchObject({ code: 'ERR_OUT_OF_MEMORY', details: { privateBytes: 20 } });
    expect(queue.state).toBe('error');
  });

  it('fails when no dispatch wants any', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    ask(bench, queue);
    expect(queue.checkHealth()).toMatchObject({ code: 'ERR_QUEUE_ERROR', hsaStatus: 0x1008 });
  });
});
