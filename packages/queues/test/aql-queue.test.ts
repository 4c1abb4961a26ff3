import { Worker } from 'node:worker_threads';
import { AMD_QUEUE, AMD_SIGNAL, HsaError } from '@doorbell/abi';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { AqlPacket } from '../src/aql-packet.js';
import type { AqlQueue } from '../src/aql-queue.js';
import { waitSignal } from '../src/wait-signal.js';
import type { Bench } from './support/open.js';
import { GPU_ID, consume, openBench } from './support/open.js';

const GPU_BASE = 0x7f00_0000_0000n;
const INVALID = 1;

const descriptor = (bench: Bench, queue: AqlQueue) => AMD_QUEUE.read(bench.device.bytesAt(queue.address, 4096));
const ringWords = (bench: Bench, queue: AqlQueue) => {
  const { base_address: ring, size } = descriptor(bench, queue).hsa_queue;
  return new Int32Array(bench.device.memory, Number(ring - GPU_BASE), size * 16);
};
/** A packet whose words all tell which one it is. */
const numbered = (n: number) => {
  const packet = new AqlPacket();
  packet.words.fill(n);
  packet.words[0] = 0x1402;
  return packet;
};

describe('creating a queue', () => {
  it.each([0, 32, 63, 100, 0x4_0000, 1.5, NaN])('refuses %d packets', async (packets) => {
    await using bench = await openBench();
    expect(() => bench.queue({ packets })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });

  it('gives the driver a ring of INVALID headers and a finished amd_queue_t', async () => {
    await using bench = await openBench();
    let seen: { readonly headers: readonly number[]; readonly queue: ReturnType<typeof descriptor> } | undefined;
    const real = bench.device.ioctl.bind(bench.device);
    bench.device.ioctl = (request, arg) => {
      if ((request & 0xff) === 2) {
        const [ring, write] = new BigUint64Array(arg.buffer, arg.byteOffset, 2);
        const words = new Int32Array(bench.device.memory, Number(ring! - GPU_BASE), 64 * 16);
        seen = {
          headers: Array.from({ length: 64 }, (_, i) => words[i * 16]!),
          queue: AMD_QUEUE.read(bench.device.bytesAt(write! - 56n, 4096)),
        };
      }
      return real(request, arg);
    };
    const queue = bench.queue();
    expect(seen!.headers).toEqual(Array(64).fill(INVALID));
    expect(seen!.queue).toMatchObject({
      hsa_queue: { type: 0, features: 1, doorbell_signal: queue.doorbellSignalHandle, size: 64, id: queue.id },
      write_dispatch_id: 0n,
      read_dispatch_id: 0n,
      read_dispatch_id_field_base_byte_offset: 128,
      group_segment_aperture_base_hi: 0x1_0000,
      private_segment_aperture_base_hi: 0x2_0000,
      // 4 CUs of 2 SIMDs with 16 waves each.
      max_cu_id: 3,
      max_wave_id: 31,
      // IS_PTR64 and ENABLE_PROFILING.
      queue_properties: 0b1010,
    });
    expect(seen!.queue.queue_inactive_signal).not.toBe(0n);
  });

  it('hands index pointers in one page and a ring of exactly its size', async () => {
    await using bench = await openBench();
    const queue = bench.queue({ packets: 256 });
    const { value } = bench.device.args.find(({ name }) => name === 'CREATE_QUEUE')!;
    expect(value).toMatchObject({
      ring_size: 256 * 64,
      write_pointer_address: queue.address + 56n,
      read_pointer_address: queue.address + 128n,
    });
    const sizes = [...bench.device.held.allocations.values()].map(({ address, sizeBytes }) => [address, sizeBytes]);
    expect(sizes).toContainEqual([queue.address, 4096]);
    expect(sizes).toContainEqual([value['ring_base_address'], 256 * 64]);
  });

  it('has a doorbell signal that names register and queue', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    expect(queue.doorbellSignalHandle % 64n).toBe(0n);
    expect(AMD_SIGNAL.read(bench.device.bytesAt(queue.doorbellSignalHandle, 64))).toMatchObject({
      kind: -1n,
      hardware_doorbell_ptr: queue.thunkQueue.doorbell.address,
      queue_ptr: queue.address,
    });
  });

  it('has ids of its own', async () => {
    await using bench = await openBench();
    expect(bench.queue().id).not.toBe(bench.queue().id);
  });

  it.each(['ALLOC_MEMORY_OF_GPU', 'MAP_MEMORY_TO_GPU', 'CREATE_QUEUE', 'mapDoorbells'])(
    'leaves nothing behind when %s fails',
    async (name) => {
      for (const after of [0, 1, 2, 3]) {
        await using bench = await openBench();
        const before = { ...bench.device.leaks(), signals: bench.signals.liveCount };
        bench.device.failOnce(name, 12, after);
        if ((name === 'CREATE_QUEUE' || name === 'mapDoorbells') && after > 0) break;
        expect(() => bench.queue()).toThrow(expect.objectContaining({ errno: 12 }));
        expect({ ...bench.device.leaks(), signals: bench.signals.liveCount }).toEqual(before);
      }
    },
  );
});

describe('submitting', () => {
  it('writes the body, then header and setup by one atomic store, then rings with the packet index', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const ring = ringWords(bench, queue);
    const store = vi.spyOn(Atomics, 'store');
    try {
      fc.assert(
        fc.property(fc.uint32Array({ minLength: 16, maxLength: 16 }), (words) => {
          const packet = new AqlPacket();
          packet.words.set(words);
          packet.words[0] = (packet.words[0]! & ~0xff) | 2;
          const index = queue.writeIndex;
          const slot = (index % 64) * 16;
          ring[slot] = INVALID;
          const steps: string[] = [];
          store.mockImplementation(((array: Int32Array, at: number, value: number) => {
            const body = Array.from(ring.subarray(slot + 1, slot + 16), (word) => word >>> 0);
            expect(ring[slot], 'header still invalid').toBe(INVALID);
            expect(body, 'body is there').toEqual([...packet.words.subarray(1)]);
            expect(array.byteOffset + at * 4, 'at the header').toBe(ring.byteOffset + slot * 4);
            array[at] = value;
            steps.push('header');
            return value;
          }) as typeof Atomics.store);
          bench.device.onRing = (byteOffset, value) => {
            expect(ring[slot]! >>> 0).toBe(packet.words[0]);
            expect([byteOffset, value]).toEqual([queue.thunkQueue.doorbell.byteOffset, index]);
            steps.push('doorbell');
          };
          expect(queue.trySubmit(packet)).toBe(index);
          expect(steps).toEqual(['header', 'doorbell']);
          consume(bench, queue);
        }),
        { numRuns: 150 },
      );
    } finally {
      store.mockRestore();
    }
  });

  it('answers −1 when the ring is full, and takes more when there is room', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    for (let i = 0; i < 64; i++) expect(queue.trySubmit(numbered(i))).toBe(i);
    expect(queue.trySubmit(numbered(64))).toBe(-1);
    expect(queue.writeIndex).toBe(64);
    consume(bench, queue);
    expect(queue.trySubmit(numbered(64))).toBe(64);
    expect(ringWords(bench, queue)[1]).toBe(64);
  });

  it('waits for room, first come, first served, with the packet as it was', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    for (let i = 0; i < 64; i++) queue.trySubmit(numbered(i));
    const packet = numbered(100);
    const first = queue.submit(packet);
    packet.words.fill(0xbad);
    const second = queue.submit(numbered(101));
    expect(queue.trySubmit(numbered(102))).toBe(-1);
    consume(bench, queue);
    expect(await first).toBe(64);
    expect(queue.trySubmit(numbered(102))).toBe(-1);
    consume(bench, queue);
    expect(await second).toBe(65);
    const ring = ringWords(bench, queue);
    expect([ring[1], ring[17]]).toEqual([100, 101]);
  });

  it('gives up waiting for room after a time without progress, and the packet is not in the ring', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    for (let i = 0; i < 64; i++) queue.trySubmit(numbered(i));
    await expect(queue.submit(numbered(64), { timeoutMs: 20 })).rejects.toMatchObject({ code: 'ERR_TIMEOUT' });
    consume(bench, queue);
    expect(queue.writeIndex).toBe(64);
  });

  it('leaves no trace of an aborted submission', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    for (let i = 0; i < 64; i++) queue.trySubmit(numbered(i));
    const abort = new AbortController();
    const waiting = queue.submit(numbered(64), { signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    await expect(queue.submit(numbered(64), { signal: abort.signal })).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    expect(queue.writeIndex).toBe(64);
  });

  it('goes on across the wrap of the low half of the index', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const start = 2n ** 32n - 3n;
    queue.storeWriteIndex(start);
    consume(bench, queue, Number(start));
    for (let i = 0; i < 6; i++) expect(queue.trySubmit(numbered(i))).toBe(Number(start) + i);
    expect(queue.loadWriteIndex()).toBe(start + 6n);
    expect(bench.device.rung.at(-1)!.value).toBe(Number(start) + 5);
  });

  it.each([2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n])(
    'refuses to count on from %i, and does not hang',
    async (start) => {
      await using bench = await openBench();
      const queue = bench.queue();
      queue.storeWriteIndex(start);
      new BigUint64Array(bench.device.bytesAt(queue.address, 4096).buffer)[Number(queue.address - 0x7f00_0000_0000n + 128n) / 8] =
        start;
      expect(() => queue.trySubmit(numbered(1))).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
      expect(bench.device.rung).toEqual([]);
    },
  );

  it('counts up to the last safe integer', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const start = 2n ** 53n - 3n;
    queue.storeWriteIndex(start);
    consume(bench, queue, Number(start));
    expect([queue.trySubmit(numbered(1)), queue.trySubmit(numbered(2))]).toEqual([Number(start), Number(start) + 1]);
    expect(queue.loadWriteIndex()).toBe(2n ** 53n - 1n);
  });

  it('shares the ring with producers that use the 64-bit index', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    expect(queue.addWriteIndex(2n)).toBe(0n);
    expect(queue.trySubmit(numbered(1))).toBe(2);
    expect(queue.compareExchangeWriteIndex(3n, 5n)).toBe(3n);
    expect(queue.trySubmit(numbered(1))).toBe(5);
    expect(queue.loadReadIndex()).toBe(0n);
  });

  it('submits dispatches and barriers', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const dependency = bench.signals.create();
    await queue.submitDispatch({ grid: [64], workgroup: [64], kernelObject: 64n, kernargAddress: 16n });
    await queue.submitBarrierAnd({ dependencies: [dependency] });
    await queue.submitBarrierOr({ dependencies: [dependency] });
    expect(await queue.submitBarrierValue({ dependency, condition: 'eq', value: 0n })).toBe(3);
    const ring = ringWords(bench, queue);
    expect([0, 1, 2, 3].map((i) => ring[i * 16]! & 0xff)).toEqual([2, 3, 5, 0]);
  });

  it('shows a consumer on another thread whole packets only, in order, whatever the ring is full', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const COUNT = 5000;
    const ring = ringWords(bench, queue);
    const worker = new Worker(CONSUMER, {
      eval: true,
      workerData: {
        memory: bench.device.memory,
        ring: ring.byteOffset,
        read: Number(queue.address - GPU_BASE) + 128,
        count: COUNT,
      },
    });
    const result = new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    for (let i = 0; i < COUNT; i++) {
      const packet = numbered(i + 2);
      if (queue.trySubmit(packet) < 0) await queue.submit(packet);
    }
    expect(await result).toEqual({ taken: COUNT, torn: 0 });
    await worker.terminate();
  });
});

/** Takes packets as a command processor does, and counts those whose body is not the one of their index. */
const CONSUMER = `
const { parentPort, workerData } = require('node:worker_threads');
const { memory, count } = workerData;
const ring = new Int32Array(memory, workerData.ring, 64 * 16);
const read = new BigInt64Array(memory, workerData.read, 1);
let torn = 0;
for (let index = 0; index < count; index++) {
  const slot = (index % 64) * 16;
  while ((Atomics.load(ring, slot) & 0xff) === 1);
  for (let i = 1; i < 16; i++) if (ring[slot + i] !== index + 2) torn++;
  Atomics.store(ring, slot, 1);
  Atomics.add(read, 0, 1n);
}
parentPort.postMessage({ taken: count, torn });
`;

describe('a queue that the device stopped', () => {
  const stop = (bench: Bench, queue: AqlQueue, value: bigint) => {
    const { queue_inactive_signal: handle } = descriptor(bench, queue);
    bench.complete(bench.signals.find(handle)!, value);
  };

  it('rejects waits that watch it, calls onError once, and takes no packets', async () => {
    await using bench = await openBench();
    const errors: HsaError[] = [];
    const queue = bench.queue({ label: 'main', onError: (error) => errors.push(error) });
    const signal = bench.signals.create({ value: 1 });
    consume(bench, queue, 3);
    for (let i = 0; i < 4; i++) queue.trySubmit(numbered(7));
    const wait = waitSignal(signal, { condition: 'lt', value: 1, queues: [queue] });
    stop(bench, queue, 0x100n);
    const error = await wait.catch((e: unknown) => e as HsaError);
    expect(error).toMatchObject({ code: 'ERR_QUEUE_ERROR', hsaStatus: 0x1009, details: { packetIndex: 3, inactive: 0x100n } });
    expect((error as HsaError).message).toContain('main stopped at packet 3');
    expect(errors).toEqual([error]);
    expect(queue.state).toBe('error');
    expect(() => queue.trySubmit(numbered(1))).toThrow(error);
    await expect(queue.submit(numbered(1))).rejects.toBe(error);
    expect(bench.device.held.queues.size).toBe(0);
  });

  it('names index and bytes of the packet that it could not process', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    queue.trySubmit(numbered(0x55));
    stop(bench, queue, 0x20n);
    const error = queue.checkHealth()!;
    expect(error.details['packetIndex']).toBe(0);
    expect([...(error.details['packet'] as Uint8Array)].slice(0, 8)).toEqual([0x02, 0x14, 0, 0, 0x55, 0, 0, 0]);
  });

  it('lets a wait whose signal was met come through', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const signal = bench.signals.create({ value: 0 });
    stop(bench, queue, 0x2n);
    expect(await waitSignal(signal, { condition: 'eq', value: 0, queues: [queue] })).toBe(0n);
  });

  it('rejects packets that wait for room', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    for (let i = 0; i < 64; i++) queue.trySubmit(numbered(i));
    const waiting = expect(queue.submit(numbered(64))).rejects.toMatchObject({ code: 'ERR_ILLEGAL_INSTRUCTION' });
    stop(bench, queue, 0x4000_0000n);
    await waiting;
  });

  it("takes the driver's report of a fault that comes a little later", async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const signal = bench.signals.create({ value: 1 });
    const wait = waitSignal(signal, { condition: 'lt', value: 1, queues: [queue] });
    stop(bench, queue, 0x2000_0000n);
    setImmediate(() => reportFault(bench));
    await expect(wait).rejects.toMatchObject({ code: 'ERR_MEMORY_FAULT', hsaStatus: 43, details: { address: 0xdead_0000n } });
  });

  it('goes by its own signal when no report comes', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const signal = bench.signals.create({ value: 1 });
    const wait = waitSignal(signal, { condition: 'lt', value: 1, queues: [queue] });
    stop(bench, queue, 0x2000_0000n);
    await expect(wait).rejects.toMatchObject({ code: 'ERR_APERTURE_VIOLATION', hsaStatus: 41 });
  });

  it('blames a fault on the queue that stopped, else on every queue of the GPU', async () => {
    await using bench = await openBench();
    const [good, bad] = [bench.queue(), bench.queue()];
    const wait = waitSignal(bench.signals.create({ value: 1 }), { condition: 'lt', value: 1, queues: [good, bad] });
    stop(bench, bad, 0x2000_0000n);
    reportFault(bench);
    await expect(wait).rejects.toMatchObject({ code: 'ERR_MEMORY_FAULT' });
    expect([good.state, bad.state]).toEqual(['active', 'error']);
    const next = waitSignal(bench.signals.create({ value: 1 }), { condition: 'lt', value: 1, queues: [good] });
    bad.dispose();
    reportFault(bench);
    await expect(next).rejects.toMatchObject({ code: 'ERR_MEMORY_FAULT' });
  });

  it('is lost with a GPU that was reset', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const wait = waitSignal(bench.signals.create({ value: 1 }), { condition: 'lt', value: 1, queues: [queue] });
    const data = new Uint8Array(16);
    new DataView(data.buffer).setUint32(12, GPU_ID, true);
    bench.device.signal(bench.device.eventOfType(3), data);
    await expect(wait).rejects.toMatchObject({ code: 'ERR_DEVICE_LOST' });
  });
});

const reportFault = (bench: Bench) => {
  const data = new Uint8Array(32);
  const view = new DataView(data.buffer);
  view.setUint32(0, 1, true);
  view.setBigUint64(16, 0xdead_0000n, true);
  view.setUint32(24, GPU_ID, true);
  bench.device.signal(bench.device.eventOfType(8), data);
};

describe('ending a queue', () => {
  it('inactivates it for good with the reason given', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const reason = new HsaError('ERR_ABORTED', { message: 'no longer wanted' });
    const wait = expect(
      waitSignal(bench.signals.create({ value: 1 }), { condition: 'lt', value: 1, queues: [queue] }),
    ).rejects.toBe(reason);
    queue.inactivate(reason);
    queue.inactivate();
    await wait;
    expect(queue.error).toBe(reason);
    expect(bench.device.held.queues.size).toBe(0);
  });

  it('disposes once, driver first, and rejects waits that watch it', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    const wait = expect(
      waitSignal(bench.signals.create({ value: 1 }), { condition: 'lt', value: 1, queues: [queue] }),
    ).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    bench.device.log.length = 0;
    queue.dispose();
    queue.dispose();
    await wait;
    expect(bench.device.log[0]).toBe('DESTROY_QUEUE');
    expect(() => queue.trySubmit(numbered(1))).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
    expect(() => queue.ringDoorbell(0)).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
    expect(() => queue.loadWriteIndex()).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
    expect(() => queue.writeIndex).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
    expect(queue.readIndex).toBe(0);
  });

  it('rings no doorbell in the error state: the driver may have given it to another queue', async () => {
    await using bench = await openBench();
    const queue = bench.queue();
    queue.inactivate();
    const rung = bench.device.rung.length;
    queue.ringDoorbell(7);
    expect(bench.device.rung).toHaveLength(rung);
  });

  it('gives everything back that can be, and reports all that cannot', async () => {
    const bench = await openBench();
    const queue = bench.queue();
    bench.device.failOnce('FREE_MEMORY_OF_GPU', 16, 2);
    const held = bench.device.held.allocations.size;
    expect(() => queue.dispose()).toThrow(AggregateError);
    // Ring, descriptor, EOP buffer and save area, but for the one that was refused.
    expect(bench.device.held.allocations.size).toBe(held - 3);
    await bench.signals.dispose();
    await bench.thunk[Symbol.asyncDispose]();
    expect(bench.device.leaks()).toMatchObject({ allocations: 0, queues: 0, events: 0 });
  });

  it('leaves nothing behind after a thousand queues', async () => {
    await using bench = await openBench();
    for (let i = 0; i < 1000; i++) bench.queue().dispose();
    expect(bench.signals.liveCount).toBe(0);
    expect(bench.device.held.allocations.size).toBe(2);
  });
});
