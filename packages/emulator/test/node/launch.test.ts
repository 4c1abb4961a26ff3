import { readdirSync } from 'node:fs';
import { kfd } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import type { EmulatedDevice } from '../../src/device/emulated-device.js';
import type { OpenNodeEmulatedDeviceOptions } from '../../src/node/index.js';
import { PROCESSOR_PLACE, ProcessorPlace } from '../../src/device/shared-state.js';
import { openNodeEmulatedDevice } from '../../src/node/index.js';
import type { Caller } from '../device/support.js';
import { callerOf } from '../device/support.js';
import type { Signal, TestEvent } from '../device/test-queue.js';
import { Events, Heap, TestQueue, barrierPacket, dispatchPacket, waitEvents } from '../device/test-queue.js';
import { CODE, loadKernel } from './kernels.js';
import { buildTestWorker } from './test-worker.js';

const workerUrl = await buildTestWorker();

interface Machine extends AsyncDisposable {
  readonly device: EmulatedDevice;
  readonly caller: Caller;
  readonly heap: Heap;
  readonly events: Events;
  /** A completion signal with its event. */
  completion(): { readonly signal: Signal; readonly event: TestEvent };
}

async function open(options: OpenNodeEmulatedDeviceOptions = {}): Promise<Machine> {
  const device = await openNodeEmulatedDevice({ workers: 2, workerUrl, ...options });
  const caller = callerOf(device);
  caller.acquire();
  const heap = new Heap(caller);
  const events = new Events(caller);
  return {
    device,
    caller,
    heap,
    events,
    completion: () => {
      const event = events.create();
      return { event, signal: heap.signal(1n, event) };
    },
    [Symbol.asyncDispose]: () => device[Symbol.asyncDispose](),
  };
}

async function launch(machine: Machine, queue: TestQueue, kernel: bigint, fields: Parameters<typeof dispatchPacket>[1] = {}) {
  const { signal, event } = machine.completion();
  queue.submit(dispatchPacket(kernel, { ...fields, completion: signal }));
  await waitEvents(machine.device, [event.id]);
  return signal;
}

/** Argument block with a pointer to `address`. */
function pointerArgument(heap: Heap, address: bigint): bigint {
  const block = heap.bytes(64);
  new DataView(block.bytes.buffer, block.bytes.byteOffset).setBigUint64(0, address, true);
  return block.address;
}

const destroy = (caller: Caller, queue_id: number): number =>
  caller.call(kfd.AMDKFD_IOC_DESTROY_QUEUE, kfd.kfd_ioctl_destroy_queue_args, { queue_id }).status;

describe.each(['native', 'software'] as const)('device workers with %s protection', (protection) => {
  it('run machine code from the ring and complete its signal', async () => {
    await using machine = await open({ protection });
    const queue = new TestQueue(machine.caller, machine.heap);
    const out = machine.heap.bytes(128);
    const kernel = loadKernel(machine.heap, CODE.storeIds);
    const signal = await launch(machine, queue, kernel, { kernarg_address: pointerArgument(machine.heap, out.address) });
    expect(signal.value).toBe(0n);
    expect(signal.end > signal.start && signal.start > 0n).toBe(true);
    const view = new DataView(out.bytes.buffer, out.bytes.byteOffset);
    expect(Array.from({ length: 32 }, (_, lane) => view.getUint32(lane * 4, true))).toEqual(
      Array.from({ length: 32 }, (_, lane) => lane),
    );
  });

  it('report a store to memory that is not mapped, by address, and stop the queue', async () => {
    await using machine = await open({ protection });
    const { device, events, heap, caller } = machine;
    const memoryEvent = events.create(8, 0);
    const inactiveEvent = events.create();
    const queue = new TestQueue(caller, heap, { inactive: heap.signal(0n, inactiveEvent) });
    const address = 0x42_7000_0000n;
    queue.submit(dispatchPacket(loadKernel(heap, CODE.storeIds), { kernarg_address: pointerArgument(heap, address) }));
    const [memory] = await Promise.all([waitEvents(device, [memoryEvent.id]), waitEvents(device, [inactiveEvent.id])]);
    expect(queue.inactive.value).toBe(0x2000_0000n);
    expect(kfd.kfd_event_data.read(memory.bytes).memory_exception_data).toMatchObject({
      va: address,
      failure: { NotPresent: 1 },
    });
    expect(device.lastFault(queue.id)?.fault).toMatchObject({ kind: 'memory', address, access: 'write', failure: 'not-present' });
  });
});

describe('device workers', () => {
  it('stop the queue at a trap and go on with others', async () => {
    await using machine = await open();
    const { device, events, heap, caller } = machine;
    const event = events.create();
    const queue = new TestQueue(caller, heap, { inactive: heap.signal(0n, event) });
    queue.submit(dispatchPacket(loadKernel(heap, CODE.trap)));
    await waitEvents(device, [event.id]);
    expect(queue.inactive.value).toBe(0x8000_0000n);
    expect(device.lastFault(queue.id)?.fault).toMatchObject({ kind: 'trap', trapId: 2, disassembly: 's_trap 2' });
    const other = new TestQueue(caller, heap);
    expect((await launch(machine, other, loadKernel(heap, CODE.end))).value).toBe(0n);
  });

  it('stop an endless kernel when its queue is destroyed, and keep the ioctl short', async () => {
    await using machine = await open({ workers: 1 });
    const { device, heap, caller } = machine;
    const [hung, other] = [new TestQueue(caller, heap), new TestQueue(caller, heap)];
    const end = loadKernel(heap, CODE.end);
    hung.submit(dispatchPacket(loadKernel(heap, CODE.loop), { grid_size_x: 32 * 1000 }));
    // Another queue makes progress beside it, on the same worker.
    expect((await launch(machine, other, end)).value).toBe(0n);
    expect(device.progress(hung.id)).toMatchObject({ dispatchId: 0n, workgroupsDone: 0, workgroupsTotal: 1000 });
    expect(destroy(caller, hung.id)).toBe(0);
    expect((await launch(machine, other, end)).value).toBe(0n);
    expect(device.progress(hung.id)).toBe(undefined);
  });

  it('give the command processor a thread of its own under long work, with packets in flight', async () => {
    await using machine = await open({ workers: 1 });
    const { device, heap, caller } = machine;
    const words = new Int32Array(device.memory.buffer);
    const [hung, other] = [new TestQueue(caller, heap), new TestQueue(caller, heap)];
    const end = loadKernel(heap, CODE.end);
    hung.submit(dispatchPacket(loadKernel(heap, CODE.loop), { grid_size_x: 32 * 1000 }));
    const signals: Signal[] = [];
    while (Atomics.load(words, PROCESSOR_PLACE) !== ProcessorPlace.thread) signals.push(await launch(machine, other, end));
    signals.push(await launch(machine, other, end));
    expect(signals.every(({ value }) => value === 0n)).toBe(true);
    expect(device.progress(hung.id)).toMatchObject({ dispatchId: 0n, workgroupsDone: 0 });
    expect(destroy(caller, hung.id)).toBe(0);
    expect((await launch(machine, other, end)).value).toBe(0n);
    // A packet is retired after its completion signal.
    await expect.poll(() => other.readIndex, { timeout: 60_000 }).toBe(BigInt(signals.length + 1));
  });

  it('have the memory of stopped workgroups back', async () => {
    await using machine = await open({ workers: 1 });
    const { heap, caller } = machine;
    // 640 work-items of 256 registers: a worker has room for a few dozen such workgroups.
    const rsrc1 = 0x2000_001f;
    const big = { workgroup_size_x: 640, grid_size_x: 640 };
    const [loop, end] = [loadKernel(heap, CODE.loop, rsrc1), loadKernel(heap, CODE.end, rsrc1)];
    const other = new TestQueue(caller, heap);
    for (let count = 0; count < 26; count += 1) {
      const hung = new TestQueue(caller, heap, { inactive: heap.signal(0n) });
      hung.submit(dispatchPacket(loop, big));
      expect((await launch(machine, other, end)).value).toBe(0n);
      expect(destroy(caller, hung.id)).toBe(0);
    }
    expect((await launch(machine, other, end, big)).value).toBe(0n);
  }, 60_000);

  it('order dispatches of two queues by a barrier packet', async () => {
    await using machine = await open();
    const { heap, caller } = machine;
    const [one, two] = [new TestQueue(caller, heap), new TestQueue(caller, heap)];
    const out = heap.bytes(128);
    const link = heap.signal(1n);
    one.submit(barrierPacket('and', [link]));
    const last = launch(machine, one, loadKernel(heap, CODE.end), { barrier: true });
    two.submit(
      dispatchPacket(loadKernel(heap, CODE.storeIds), { kernarg_address: pointerArgument(heap, out.address), completion: link }),
    );
    expect((await last).value).toBe(0n);
    expect(out.bytes[4]).toBe(1);
  });

  it('lose the device when one fails: every queue is in error, nobody waits for ever', async () => {
    await using machine = await open({ workerUrl: new URL('data:text/javascript,throw new Error("broken worker")') });
    const { device, events, heap, caller } = machine;
    const lost = events.create(3, 0);
    const inactive = events.create();
    const queue = new TestQueue(caller, heap, { inactive: heap.signal(0n, inactive) });
    queue.submit(dispatchPacket(loadKernel(heap, CODE.end)));
    const [hardware] = await Promise.all([waitEvents(device, [lost.id]), waitEvents(device, [inactive.id])]);
    expect(kfd.kfd_event_data.read(hardware.bytes).hw_exception_data).toMatchObject({ reset_type: 0, memory_lost: 1 });
    expect(queue.inactive.value).toBe(0x1000_0000n);
    expect(device.lastFault(queue.id)?.fault.message).toContain('broken worker');
    expect(destroy(caller, queue.id)).toBe(0);
    expect(() => new TestQueue(caller, heap)).toThrow('create queue: -5');
  });

  it('leave no thread, file or mapping behind', async () => {
    const cycle = async (): Promise<void> => {
      await using machine = await open();
      const queue = new TestQueue(machine.caller, machine.heap);
      await launch(machine, queue, loadKernel(machine.heap, CODE.end));
    };
    const count = (): readonly [threads: number, files: number] => [
      readdirSync('/proc/self/task').length,
      readdirSync('/proc/self/fd').length,
    ];
    await cycle();
    const before = count();
    for (let n = 0; n < 5; n += 1) await cycle();
    const after = count();
    // Fewer where those of earlier tests end now.
    expect(after[0]).toBeLessThanOrEqual(before[0]);
    expect(after[1]).toBeLessThanOrEqual(before[1]);
  });
});
