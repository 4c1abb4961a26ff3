import { AMD_QUEUE, aqlPackets, kfd } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import type { DeviceFault } from '../../src/device/reports.js';
import type { FakeKernel } from './fake-executor.js';
import { fault } from './fake-executor.js';
import { openInlineDevice } from './inline-threads.js';
import { callerOf } from './support.js';
import { Events, Heap, RING_PACKETS, TestQueue, barrierPacket, dispatchPacket, waitEvents } from './test-queue.js';

async function open(options: { readonly workers?: number; readonly protection?: 'native' | 'software' } = {}) {
  const { device, threads, crash } = await openInlineDevice(options);
  const caller = callerOf(device);
  caller.acquire();
  const heap = new Heap(caller);
  return { device, threads, crash, caller, heap, [Symbol.asyncDispose]: () => device[Symbol.asyncDispose]() };
}

/** A kernel that notes its groups and yields until `gate` opens. */
function gated(log: string[], name: string, gate: () => boolean = () => true): FakeKernel {
  return function* (group) {
    while (!gate()) yield;
    log.push(`${name}${group}`);
    return undefined;
  };
}

const INVALID = 1;

describe('kernel dispatches', () => {
  it('runs every workgroup once, completes the signal, invalidates the packet and advances the read index', async () => {
    await using machine = await open({ workers: 2 });
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    const counts = new Map<number, number>();
    threads.executor.kernels.set(kernel, (group) => {
      counts.set(group, (counts.get(group) ?? 0) + 1);
      return undefined;
    });
    const completion = heap.signal(1n);
    queue.submit(dispatchPacket(kernel, { grid_size_x: 32 * 100 + 1, completion }));
    threads.pump();
    expect(completion.value).toBe(0n);
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 101 }, (_, group) => group));
    expect([...counts.values()].every((count) => count === 1)).toBe(true);
    expect(queue.packet(0)[0]).toBe(INVALID);
    expect(queue.readIndex).toBe(1n);
    expect(queue.inactive.value).toBe(0n);
  });

  it('tells busy workers too: one of them may be about to sleep, and the idle one may not take the kernel', async () => {
    await using machine = await open({ workers: 2 });
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    threads.executor.kernels.set(kernel, () => undefined);
    threads.setBusy(0);
    const before = [threads.wakeCount(0), threads.wakeCount(1)];
    queue.submit(dispatchPacket(kernel, { grid_size_x: 1 }));
    threads.stepProcessor();
    expect([threads.wakeCount(0), threads.wakeCount(1)]).toEqual(before.map((count) => count + 1));
  });

  it('does not touch the memory of a queue that is to go, even for what finished before', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    const log: string[] = [];
    threads.executor.kernels.set(kernel, gated(log, 'group'));
    queue.submit(dispatchPacket(kernel, { grid_size_x: 1 }));
    threads.stepProcessor();
    while (threads.stepWorkers());
    expect(log).toEqual(['group0']);
    threads.setStopping(queue.id);
    threads.stepProcessor();
    expect(queue.readIndex).toBe(0n);
  });

  it('hands the executor what packet and descriptor say', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel({ rsrc1: 0x2000_0003 });
    const seen: unknown[] = [];
    threads.executor.kernels.set(kernel, (_group, dispatch) => {
      seen.push(dispatch);
      return undefined;
    });
    queue.submit(
      dispatchPacket(kernel, {
        setup: 3,
        workgroup_size_x: 8,
        workgroup_size_y: 4,
        workgroup_size_z: 2,
        grid_size_x: 9,
        grid_size_y: 4,
        grid_size_z: 2,
        group_segment_size: 512,
        kernarg_address: 0x42_2000_0010n,
      }),
    );
    threads.pump();
    expect(seen[0]).toMatchObject({
      processor: 'gfx1100',
      workgroup: [8, 4, 2],
      grid: [9, 4, 2],
      groups: [2, 1, 1],
      ldsBytes: 512,
      privateBytes: 0,
      descriptorAddress: kernel,
      entryAddress: kernel + 256n,
      kernargAddress: 0x42_2000_0010n,
      packetAddress: queue.memory.ring.address,
      queueAddress: queue.memory.queuePage.address,
      dispatchId: 0n,
      rsrc1: 0x2000_0003,
      properties: 0x400,
    });
    expect(seen).toHaveLength(2);
  });

  it('ignores the sizes of dimensions that the packet does not use', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    const seen: unknown[] = [];
    threads.executor.kernels.set(kernel, (_group, dispatch) => {
      seen.push(dispatch.groups);
      return undefined;
    });
    queue.submit(dispatchPacket(kernel, { setup: 1, grid_size_x: 64, grid_size_y: 7, workgroup_size_y: 0 }));
    threads.pump();
    expect(seen).toEqual([
      [2, 1, 1],
      [2, 1, 1],
    ]);
  });

  it('writes time stamps only for queues that profile', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    threads.executor.kernels.set(kernel, () => undefined);
    const [profiled, plain] = [heap.signal(1n), heap.signal(1n)];
    const before = process.hrtime.bigint() / 10n;
    queue.submit(dispatchPacket(kernel, { completion: profiled }));
    threads.pump();
    AMD_QUEUE.write(queue.memory.queuePage.bytes, { queue_properties: 0 });
    queue.submit(dispatchPacket(kernel, { completion: plain }));
    threads.pump();
    expect(profiled.start >= before && profiled.end >= profiled.start).toBe(true);
    expect(profiled.end <= process.hrtime.bigint() / 10n).toBe(true);
    expect([plain.value, plain.start, plain.end]).toEqual([0n, 0n, 0n]);
  });

  it('goes round the ring', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    let runs = 0;
    threads.executor.kernels.set(kernel, () => {
      runs += 1;
      return undefined;
    });
    for (let round = 0; round < 3 * RING_PACKETS; round += 8) {
      for (let packet = 0; packet < 8; packet += 1) queue.write(dispatchPacket(kernel));
      queue.ring();
      threads.pump();
    }
    expect(runs).toBe(3 * RING_PACKETS);
    expect(queue.readIndex).toBe(BigInt(3 * RING_PACKETS));
  });
});

describe('order', () => {
  it('lets packets without barrier bit overlap, and holds one with it', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const log: string[] = [];
    let isOpen = false;
    const [first, second, third] = [heap.kernel(), heap.kernel(), heap.kernel()];
    threads.executor.kernels.set(
      first,
      gated(log, 'first', () => isOpen),
    );
    threads.executor.kernels.set(second, gated(log, 'second'));
    threads.executor.kernels.set(third, gated(log, 'third'));
    const completion = heap.signal(1n);
    queue.submit(dispatchPacket(first));
    queue.submit(dispatchPacket(second, { completion }));
    queue.submit(dispatchPacket(third, { barrier: true }));
    threads.pump(20);
    expect(log).toEqual(['second0']);
    expect(completion.value).toBe(0n);
    expect(queue.readIndex).toBe(0n);
    isOpen = true;
    threads.pump();
    expect(log).toEqual(['second0', 'first0', 'third0']);
    expect(queue.readIndex).toBe(3n);
  });

  it('waits at an invalid header until it becomes valid', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    const completion = heap.signal(1n);
    threads.executor.kernels.set(kernel, () => undefined);
    const packet = dispatchPacket(kernel, { completion });
    queue.packet(0).set(packet.subarray(4), 4);
    queue.ring(0);
    threads.pump(20);
    expect(completion.value).toBe(1n);
    expect(threads.stepProcessor()).toBeGreaterThan(0);
    queue.packet(0).set(packet.subarray(0, 4));
    threads.pump();
    expect(completion.value).toBe(0n);
  });

  it('takes nothing that was not rung for', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    const completion = heap.signal(2n);
    threads.executor.kernels.set(kernel, () => undefined);
    queue.write(dispatchPacket(kernel, { completion }));
    threads.pump();
    expect(completion.value).toBe(2n);
    // A valid packet that neither doorbell nor write index covers.
    queue.packet(1).set(dispatchPacket(kernel, { completion }));
    queue.ring();
    threads.pump();
    expect(completion.value).toBe(1n);
  });

  it('notices a doorbell that a plain store rang', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    const completion = heap.signal(1n);
    threads.executor.kernels.set(kernel, () => undefined);
    const index = queue.write(dispatchPacket(kernel, { completion }));
    new DataView(queue.page.bytes.buffer, queue.page.bytes.byteOffset).setBigInt64(queue.doorbell, BigInt(index), true);
    threads.pump();
    expect(completion.value).toBe(0n);
  });

  it('lets queues make progress by themselves, and kernels that wait for other queues', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const [one, two] = [new TestQueue(caller, heap), new TestQueue(caller, heap)];
    const flag = heap.signal(0n);
    const [waiter, setter] = [heap.kernel(), heap.kernel()];
    const log: string[] = [];
    threads.executor.kernels.set(
      waiter,
      gated(log, 'waiter', () => flag.value === 1n),
    );
    threads.executor.kernels.set(setter, () => {
      flag.value = 1n;
      log.push('setter');
      return undefined;
    });
    one.submit(dispatchPacket(waiter, { grid_size_x: 32 * 100 }));
    threads.pump(5);
    two.submit(dispatchPacket(setter));
    threads.pump();
    expect(log[0]).toBe('setter');
    expect(log).toHaveLength(101);
  });

  it('begins workgroups that those at hand wait for', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    const arrived = new Set<number>();
    threads.executor.kernels.set(kernel, function* (group) {
      arrived.add(group);
      while (arrived.size < 32) yield;
      return undefined;
    });
    const completion = heap.signal(1n);
    queue.submit(dispatchPacket(kernel, { grid_size_x: 32 * 32, completion }));
    threads.pump();
    expect(completion.value).toBe(0n);
  });
});

describe('barrier packets', () => {
  it.each([
    ['and', [0n, 1n], false],
    ['and', [0n, 0n], true],
    ['and', [], true],
    ['or', [1n, 2n], false],
    ['or', [1n, 0n], true],
    ['or', [], true],
  ] as const)('barrier-%s with values %s: satisfied %s', async (kind, values, isSatisfied) => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const completion = heap.signal(1n);
    const signals = values.map((value) => heap.signal(value));
    // Null handles among them are ignored.
    queue.submit(barrierPacket(kind, [undefined, ...signals], { completion }));
    threads.pump(20);
    expect(completion.value).toBe(isSatisfied ? 0n : 1n);
    for (const signal of signals) signal.value = 0n;
    threads.pump();
    expect(completion.value).toBe(0n);
    expect(queue.readIndex).toBe(1n);
  });

  it('holds the packets behind it, and is freed by a dispatch of another queue', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const [one, two] = [new TestQueue(caller, heap), new TestQueue(caller, heap)];
    const [kernel, other] = [heap.kernel(), heap.kernel()];
    const log: string[] = [];
    threads.executor.kernels.set(kernel, gated(log, 'behind'));
    threads.executor.kernels.set(other, gated(log, 'other'));
    const link = heap.signal(1n);
    one.submit(barrierPacket('and', [link]));
    one.submit(dispatchPacket(kernel));
    threads.pump(20);
    expect(log).toEqual([]);
    two.submit(dispatchPacket(other, { completion: link }));
    threads.pump();
    expect(log).toEqual(['other0', 'behind0']);
  });

  it.each([
    ['eq', 0, 5n, 5n, true],
    ['eq', 0, 5n, 4n, false],
    ['ne', 1, 5n, 4n, true],
    ['ne', 1, 5n, 5n, false],
    ['lt', 2, 0n, -1n, true],
    ['lt', 2, 0n, 0n, false],
    ['gte', 3, -1n, 0n, true],
    ['gte', 3, 0n, -1n, false],
  ])('barrier-value %s (%i) against %i with signal %i: %s', async (_name, cond, value, signalValue, holds) => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const completion = heap.signal(1n);
    const signal = heap.signal(signalValue);
    queue.submit(
      aqlPackets.barrierValue.create({
        header: { header: 0, AmdFormat: 2 },
        signal: signal.address,
        value,
        mask: -1n,
        cond,
        completion_signal: completion.address,
      }),
    );
    threads.pump(20);
    expect(completion.value).toBe(holds ? 0n : 1n);
  });

  it('applies the mask of a barrier-value packet', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const completion = heap.signal(1n);
    queue.submit(
      aqlPackets.barrierValue.create({
        header: { AmdFormat: 2 },
        signal: heap.signal(0x1234n).address,
        value: 0x34n,
        mask: 0xffn,
        completion_signal: completion.address,
      }),
    );
    threads.pump();
    expect(completion.value).toBe(0n);
  });
});

describe('errors', () => {
  const DESCRIPTION: readonly (readonly [string, bigint, (kernel: bigint) => Uint8Array])[] = [
    ['no dimensions', 0x2n, (kernel) => dispatchPacket(kernel, { setup: 0 })],
    ['an empty workgroup', 0x2n, (kernel) => dispatchPacket(kernel, { workgroup_size_x: 0 })],
    ['an empty grid', 0x2n, (kernel) => dispatchPacket(kernel, { grid_size_x: 0 })],
    [
      'more workgroups than can be counted',
      0x2n,
      (kernel) =>
        dispatchPacket(kernel, {
          setup: 3,
          workgroup_size_x: 1,
          grid_size_x: 0xffff_ffff,
          grid_size_y: 0xffff_ffff,
          grid_size_z: 0xffff_ffff,
        }),
    ],
    [
      'more waves than can be counted',
      0x2n,
      (kernel) => dispatchPacket(kernel, { setup: 2, workgroup_size_x: 1, grid_size_x: 0x1_0000, grid_size_y: 0x1_0000 }),
    ],
    ['more LDS than there is', 0x4n, (kernel) => dispatchPacket(kernel, { group_segment_size: 0x1_0001 })],
    ['a null kernel object', 0x8n, () => dispatchPacket(0n)],
    ['a kernel object outside memory', 0x8n, () => dispatchPacket(0x1000n)],
    ['an unmapped kernel object', 0x8n, () => dispatchPacket(0x42_8000_0000n)],
    ['a misaligned kernel object', 0x8n, (kernel) => dispatchPacket(kernel + 8n)],
    ['a workgroup of 1025', 0x40n, (kernel) => dispatchPacket(kernel, { workgroup_size_x: 1025 })],
    ['an agent dispatch', 0x20n, () => aqlPackets.agentDispatch.create({ header: 4 })],
    ['an unknown packet type', 0x20n, () => aqlPackets.agentDispatch.create({ header: 9 })],
    ['a PM4 packet', 0x100n, () => aqlPackets.pm4Ib.create({ header: 0, amd_format: 1 })],
    ['an intercept marker', 0x100n, () => aqlPackets.pm4Ib.create({ header: 0, amd_format: 0xfe })],
    ['an unknown barrier-value condition', 0x100n, () => aqlPackets.barrierValue.create({ header: { AmdFormat: 2 }, cond: 4 })],
  ];

  it.each(DESCRIPTION)('leaves a packet with %s unconsumed and stops the queue', async (_name, value, packet) => {
    await using machine = await open();
    const { device, threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    threads.executor.kernels.set(kernel, () => undefined);
    const behind = heap.signal(1n);
    const bytes = packet(kernel);
    // Barrier-value packets are judged when their signal is there.
    if (value === 0x100n && bytes[2] === 2) new DataView(bytes.buffer).setBigUint64(8, heap.signal(0n).address, true);
    queue.submit(bytes);
    queue.submit(dispatchPacket(kernel, { completion: behind }));
    threads.pump();
    expect(queue.inactive.value).toBe(value);
    expect(behind.value).toBe(1n);
    expect(queue.readIndex).toBe(0n);
    expect([...queue.packet(0)]).toEqual([...bytes]);
    const report = device.lastFault(queue.id);
    expect(report).toMatchObject({ queueId: queue.id, packetIndex: 0n, inactiveValue: value });
    expect(report?.fault).toMatchObject({ kind: 'packet', bytes: Buffer.from(bytes).toString('hex') });
  });

  it('counts the registers of a workgroup', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    // 256 registers a lane: 5 waves of 32 lanes on each of 4 SIMDs in WGP mode, 2 SIMDs in CU mode.
    const cases = [
      [0x2000_001f, 20 * 32, 0n],
      [0x2000_001f, 21 * 32, 0x80n],
      [0x0000_001f, 10 * 32, 0n],
      [0x0000_001f, 11 * 32, 0x80n],
    ] as const;
    for (const [rsrc1, workgroup, value] of cases) {
      const queue = new TestQueue(caller, heap);
      const kernel = heap.kernel({ rsrc1 });
      threads.executor.kernels.set(kernel, () => undefined);
      queue.submit(dispatchPacket(kernel, { workgroup_size_x: workgroup, grid_size_x: workgroup }));
      threads.pump();
      expect([workgroup, queue.inactive.value]).toEqual([workgroup, value]);
    }
  });

  it.each([
    ['memory', 0x2000_0000n],
    ['aperture', 0x2000_0000n],
    ['code-fetch', 0x2000_0000n],
    ['illegal-instruction', 0x4000_0000n],
    ['trap', 0x8000_0000n],
  ] as const)('stops the queue at a %s fault, with the wave in the report', async (kind, value) => {
    await using machine = await open({ workers: 2 });
    const { device, threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    const seen: DeviceFault[] = [];
    using _ = device.onFault((report) => seen.push(report));
    threads.executor.kernels.set(kernel, function* (group) {
      yield;
      return group === 3 ? fault(kind, { lane: 7, workgroup: [3, 0, 0] }) : undefined;
    });
    const completion = heap.signal(1n);
    queue.submit(dispatchPacket(kernel, { grid_size_x: 32 * 8, completion }));
    threads.pump();
    expect(queue.inactive.value).toBe(value);
    expect(completion.value).toBe(1n);
    expect(device.lastFault(queue.id)).toEqual({
      gpuId: expect.any(Number) as number,
      queueId: queue.id,
      packetIndex: 0n,
      kernelObject: kernel,
      inactiveValue: value,
      fault: fault(kind, { lane: 7, workgroup: [3, 0, 0] }),
    });
    expect(seen).toHaveLength(1);
  });

  it('tells MEMORY events of a memory fault, after the listeners', async () => {
    await using machine = await open();
    const { device, threads, heap, caller } = machine;
    const events = new Events(caller);
    const memoryEvent = events.create(8, 0);
    const queueEvent = events.create();
    const queue = new TestQueue(caller, heap, { inactive: heap.signal(0n, queueEvent) });
    const kernel = heap.kernel();
    const order: string[] = [];
    using _ = device.onFault(() => order.push('listener'));
    const address = 0x42_7777_7000n;
    threads.executor.kernels.set(kernel, function* () {
      yield;
      return fault('memory', { address, access: 'write', failure: 'read-only' });
    });
    queue.submit(dispatchPacket(kernel));
    const waits = [
      waitEvents(device, [memoryEvent.id]).then((outcome) => {
        order.push('memory event');
        return outcome;
      }),
      waitEvents(device, [queueEvent.id]).then((outcome) => {
        order.push('queue event');
        return outcome;
      }),
    ];
    threads.pump();
    const [memory, inactive] = await Promise.all(waits);
    expect(order[0]).toBe('listener');
    expect(inactive).toMatchObject({ status: 0, result: 0 });
    expect(kfd.kfd_event_data.read(memory!.bytes).memory_exception_data).toMatchObject({
      failure: { NotPresent: 0, ReadOnly: 1, NoExecute: 0, imprecise: 0 },
      va: address,
    });
  });

  it('faults at a signal that the GPU cannot write', async () => {
    await using machine = await open();
    const { device, threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const packet = barrierPacket('and', []);
    new DataView(packet.buffer).setBigUint64(8, 0x42_9000_0000n, true);
    queue.submit(packet);
    threads.pump();
    expect(queue.inactive.value).toBe(0x2000_0000n);
    expect(device.lastFault(queue.id)?.fault).toMatchObject({ kind: 'packet', address: 0x42_9000_0000n });
  });

  it('asks for scratch memory through the inactive signal, and goes on when it is answered', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    threads.executor.kernels.set(kernel, () => undefined);
    const completion = heap.signal(1n);
    queue.submit(dispatchPacket(kernel, { private_segment_size: 64, completion }));
    threads.pump(20);
    expect(queue.inactive.value).toBe(0x400n);
    expect(completion.value).toBe(1n);
    AMD_QUEUE.write(queue.memory.queuePage.bytes, { scratch_wave64_lane_byte_size: 32 });
    queue.inactive.value = 0n;
    threads.pump();
    expect(completion.value).toBe(0n);
  });

  it('lets the dispatches before a bad packet complete', async () => {
    await using machine = await open();
    const { threads, heap, caller } = machine;
    const queue = new TestQueue(caller, heap);
    const kernel = heap.kernel();
    let isOpen = false;
    threads.executor.kernels.set(
      kernel,
      gated([], '', () => isOpen),
    );
    const completion = heap.signal(1n);
    queue.submit(dispatchPacket(kernel, { completion }));
    queue.submit(aqlPackets.agentDispatch.create({ header: 4 }));
    threads.pump(20);
    expect(queue.inactive.value).toBe(0x20n);
    isOpen = true;
    threads.pump();
    expect(completion.value).toBe(0n);
    expect(queue.readIndex).toBe(1n);
  });
});
