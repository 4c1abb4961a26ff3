import type { LibraryEvent } from '@doorbell/abi';
import { kfd } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { ACTIVE_THREADS } from '../../src/device/shared-state.js';
import { GPU_BASE, PAGE_TABLE } from '../../src/memory-map.js';
import { fault } from './fake-executor.js';
import { InlineThreads, openInlineDevice } from './inline-threads.js';
import type { Caller } from './support.js';
import { PAGE, callerOf, mapToGpu, nodeHost, openTestDevice } from './support.js';
import { Events, Heap, TestQueue, dispatchPacket, waitEvents } from './test-queue.js';

async function open(workers = 1) {
  const { device, threads, crash } = await openInlineDevice({ workers });
  const caller = callerOf(device);
  caller.acquire();
  return { device, threads, crash, caller, heap: new Heap(caller), [Symbol.asyncDispose]: () => device[Symbol.asyncDispose]() };
}

const destroy = (caller: Caller, queue_id: number): number =>
  caller.call(kfd.AMDKFD_IOC_DESTROY_QUEUE, kfd.kfd_ioctl_destroy_queue_args, { queue_id }).status;

function update(caller: Caller, queue: TestQueue, percentage: number): number {
  return caller.call(kfd.AMDKFD_IOC_UPDATE_QUEUE, kfd.kfd_ioctl_update_queue_args, {
    queue_id: queue.id,
    ring_base_address: queue.memory.ring.address,
    ring_size: 4096,
    queue_percentage: percentage,
  }).status;
}

describe('DESTROY_QUEUE', () => {
  it('stops what runs before it answers', async () => {
    await using machine = await open(2);
    const { device, threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    let turns = 0;
    threads.executor.kernels.set(kernel, function* () {
      for (;;) {
        turns += 1;
        yield;
      }
    });
    const completion = heap.signal(1n);
    queue.submit(dispatchPacket(kernel, { grid_size_x: 32 * 10, completion }));
    threads.pump(10);
    expect(device.progress(queue.id)).toEqual({ dispatchId: 0n, workgroupsDone: 0, workgroupsTotal: 10 });
    expect(destroy(caller, queue.id)).toBe(0);
    const before = turns;
    threads.pump();
    expect(turns).toBe(before);
    expect(threads.executor.dropped).toBeGreaterThan(0);
    expect([completion.value, queue.inactive.value, device.progress(queue.id)]).toEqual([1n, 0n, undefined]);
    expect(new TestQueue(caller, heap).id).toBe(queue.id);
  });

  it('answers within its bound when the threads do not, and frees the id when they did', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    threads.isRunning = false;
    const start = process.hrtime.bigint();
    expect(destroy(caller, queue.id)).toBe(0);
    const elapsedMs = Number(process.hrtime.bigint() - start) / 1e6;
    expect(elapsedMs).toBeGreaterThan(5);
    expect(new TestQueue(caller, heap).id).toBe(1);
    threads.pump();
    expect(new TestQueue(caller, heap).id).toBe(0);
  });
});

describe('lastFault', () => {
  it('keeps the fault of a destroyed queue until its id is used again', async () => {
    await using machine = await open();
    const { device, threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    queue.submit(dispatchPacket(0n));
    threads.pump();
    destroy(caller, queue.id);
    expect(device.lastFault(queue.id)?.inactiveValue).toBe(0x8n);
    expect(new TestQueue(caller, heap).id).toBe(queue.id);
    expect(device.lastFault(queue.id)).toBe(undefined);
  });
});

describe('UPDATE_QUEUE', () => {
  it('pauses a queue, also what runs of it, and lets it go on', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    let turns = 0;
    let isOpen = false;
    threads.executor.kernels.set(kernel, function* () {
      while (!isOpen) {
        turns += 1;
        yield;
      }
      return undefined;
    });
    const completion = heap.signal(2n);
    queue.submit(dispatchPacket(kernel, { completion }));
    threads.pump(5);
    expect(update(caller, queue, 0)).toBe(0);
    const before = turns;
    queue.submit(dispatchPacket(kernel, { completion }));
    threads.pump();
    expect(turns).toBe(before);
    isOpen = true;
    threads.pump();
    expect(completion.value).toBe(2n);
    expect(update(caller, queue, 100)).toBe(0);
    threads.pump();
    expect(completion.value).toBe(0n);
  });
});

describe('protection of pages', () => {
  it('comes back only while no device thread is at work', async () => {
    const host = await nodeHost();
    const log: string[] = [];
    const spy: typeof host.protectPages = (memory, offset, sizeBytes, access) => {
      log.push(`${offset}+${sizeBytes} ${access}`);
      host.protectPages?.(memory, offset, sizeBytes, access);
    };
    await using device = await openTestDevice({ host: { ...host, protectPages: spy } });
    const caller = callerOf(device);
    caller.acquire();
    const buffer = caller.allocate(PAGE);
    const offset = Number(buffer.address - GPU_BASE);
    const words = new Int32Array(device.memory.buffer);
    const table = new Uint8Array(device.memory.buffer, PAGE_TABLE);
    Atomics.add(words, ACTIVE_THREADS, 1);
    log.length = 0;
    mapToGpu(device, buffer.handle, kfd.AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU);
    device.munmap(buffer.mapping);
    expect([table[offset / PAGE], log]).toEqual([0, []]);
    caller.call(kfd.AMDKFD_IOC_GET_VERSION, kfd.kfd_ioctl_get_version_args);
    expect(log).toEqual([]);
    Atomics.sub(words, ACTIVE_THREADS, 1);
    caller.call(kfd.AMDKFD_IOC_GET_VERSION, kfd.kfd_ioctl_get_version_args);
    expect(log).toEqual([`${offset}+4096 none`]);
  });
});

describe('what the device tells', () => {
  it('publishes faults and its own loss', async () => {
    const published: LibraryEvent[] = [];
    let threads: InlineThreads | undefined;
    let crash: ((error: Error) => void) | undefined;
    await using device = await openTestDevice({
      events: { publish: (event) => published.push(event) },
      createThreads: ({ views, onCrash }) => {
        crash = onCrash;
        return (threads = new InlineThreads(views, 1));
      },
    });
    const caller = callerOf(device);
    caller.acquire();
    const heap = new Heap(caller);
    const events = new Events(caller);
    const [failed, healthy] = [new TestQueue(caller, heap), new TestQueue(caller, heap)];
    const kernel = heap.kernel();
    threads!.executor.kernels.set(kernel, function* () {
      yield;
      return fault('trap');
    });
    failed.submit(dispatchPacket(kernel));
    threads!.pump();
    expect(device.lastFault(failed.id)?.inactiveValue).toBe(0x8000_0000n);
    const lost = events.create(3, 0);
    const wait = waitEvents(device, [lost.id]);
    crash!(new Error('out of memory'));
    expect(await wait).toMatchObject({ status: 0, result: 0 });
    // The queue that had failed keeps its own reason.
    expect([failed.inactive.value, healthy.inactive.value]).toEqual([0x8000_0000n, 0x1000_0000n]);
    expect(published.map(({ name, level }) => [name, level])).toEqual([
      ['queue-fault', 'error'],
      ['device-lost', 'error'],
      ['queue-fault', 'error'],
    ]);
    expect(published[0]?.message).toBe(`queue ${failed.id}, packet 0: a trap fault`);
    expect(published[1]?.message).toBe('the emulated device is lost: out of memory');
  });
});
