import { aqlPackets, AMD_SIGNAL, AMD_SIGNAL_BYTES, packAqlHeader } from '@doorbell/abi';
import { describe, expect } from 'vitest';
import type { QueuePriority } from '../../src/thunk.js';
import type { Case, Context } from './thunk-contract.js';
import { codeOf, propertyOf, targetOf } from './context.js';

const PRIORITIES: readonly QueuePriority[] = ['minimum', 'low', 'below-normal', 'normal', 'above-normal', 'high', 'maximum'];
/** hsa.h HSA_PACKET_TYPE_BARRIER_AND. */
const BARRIER_AND = 3;

export function describeQueues(it: Case, of: () => Context): void {
  describe('queues', () => {
    it('have doorbells of their own', () => {
      const { scope, gpuId } = of();
      const [first, second] = [scope.queue(gpuId).queue, scope.queue(gpuId).queue];
      expect(first.queueId).not.toBe(second.queueId);
      expect(first.doorbell.byteOffset % 8).toBe(0);
      expect(first.doorbell.address).not.toBe(second.doorbell.address);
      expect(first.doorbell.page).toBe(second.doorbell.page);
      expect(first.doorbell.byteOffset + 8).toBeLessThanOrEqual(first.doorbell.page.sizeBytes);
    });

    it('are many', () => {
      const { scope, gpuId } = of();
      const queues = Array.from({ length: 4 }, () => scope.queue(gpuId).queue);
      expect(new Set(queues.map(({ queueId }) => queueId)).size).toBe(4);
      expect(new Set(queues.map(({ doorbell }) => doorbell.byteOffset)).size).toBe(4);
    });

    it('take a packet: a barrier that completes its signal and sets its event', async () => {
      await runBarrier(of(), of().gpuId);
    });

    it.each([1024, 4096, 65_536])('have rings of %i bytes', (ringBytes) => {
      of().scope.queue(of().gpuId, { ringBytes: Math.max(4096, ringBytes) });
    });

    it.each(PRIORITIES)('have priority %s, and change to it', (priority) => {
      const { thunk, scope, gpuId } = of();
      const { queue } = scope.queue(gpuId, { priority });
      thunk.updateQueue(queue, { priority: 'normal' });
      thunk.updateQueue(queue, { priority });
    });

    it('begin stopped when they have no share, and go on with one', () => {
      const { thunk, scope, gpuId } = of();
      const { queue } = scope.queue(gpuId, { percentage: 0 });
      thunk.updateQueue(queue, { percentage: 100 });
      thunk.updateQueue(queue, { percentage: 0 });
    });

    it('refuse a share above 100', () => {
      const { thunk, scope, gpuId } = of();
      expect(codeOf(() => scope.queue(gpuId, { percentage: 101 }))).toBe('ERR_QUEUE_CREATION');
      const { queue } = scope.queue(gpuId);
      expect(codeOf(() => thunk.updateQueue(queue, { percentage: 101 }))).toBe('ERR_KFD_IOCTL');
      thunk.updateQueue(queue, { percentage: 50 });
    });

    it('move to another ring', () => {
      const { thunk, scope, gpuId } = of();
      const { queue } = scope.queue(gpuId);
      const ring = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 8192, executable: true, uncached: true });
      new Uint16Array(ring.bytes!.buffer, ring.bytes!.byteOffset, 4096).fill(1);
      thunk.updateQueue(queue, { ring: { address: ring.address, sizeBytes: 8192 } });
      thunk.destroyQueue(queue);
      thunk.free(ring);
    });

    it('are not created over memory that no GPU has', () => {
      const { scope, gpuId } = of();
      expect(codeOf(() => scope.queue(gpuId, { ringAddress: 0x1000n }))).toBe('ERR_QUEUE_CREATION');
      expect(codeOf(() => scope.queue(gpuId, { readPointerAddress: 0x1000n }))).toBe('ERR_QUEUE_CREATION');
    });

    it('are not created with a ring that is no power of two', () => {
      const { scope, gpuId } = of();
      expect(codeOf(() => scope.queue(gpuId, { ringBytes: 12_288 }))).toBe('ERR_QUEUE_CREATION');
    });

    it('are not created on a GPU that is not there', () => {
      const { thunk } = of();
      const options = { kind: 'aql', ringAddress: 0n, ringBytes: 4096, writePointerAddress: 0n, readPointerAddress: 0n } as const;
      expect(codeOf(() => thunk.createQueue({ ...options, gpuId: 1 }))).toBe('ERR_INVALID_ARGUMENT');
    });

    it('leave nothing behind when they are not created', () => {
      const { thunk, scope, gpuId } = of();
      const before = thunk.availableMemoryBytes(gpuId);
      expect(codeOf(() => scope.queue(gpuId, { ringAddress: 0x1000n }))).toBe('ERR_QUEUE_CREATION');
      expect(thunk.availableMemoryBytes(gpuId)).toBe(before);
    });

    it('keep their memory until they are destroyed', () => {
      const { thunk, scope, gpuId } = of();
      const { queue, ring } = scope.queue(gpuId);
      expect(codeOf(() => thunk.free(ring))).toBe('ERR_KFD_IOCTL');
      thunk.destroyQueue(queue);
      thunk.free(ring);
    });

    it('are destroyed once', () => {
      const { thunk, scope, gpuId } = of();
      const { queue } = scope.queue(gpuId);
      thunk.destroyQueue(queue);
      expect(codeOf(() => thunk.destroyQueue(queue))).toBe('ERR_DISPOSED');
      expect(codeOf(() => thunk.updateQueue(queue, { percentage: 0 }))).toBe('ERR_DISPOSED');
    });

    it('tell where an error is reported', () => {
      const { scope, gpuId } = of();
      const payload = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
      const event = scope.event('hw-exception');
      scope.queue(gpuId, { error: { payloadAddress: payload.address, eventId: event.id } });
    });

    it('are limited to compute units, whole work-group processors from gfx10 on', () => {
      const { thunk, scope, gpuId } = of();
      const { queue } = scope.queue(gpuId);
      thunk.setCuMask(queue, Uint32Array.of(0xf));
      thunk.setCuMask(queue, Uint32Array.of(0xffff_ffff, 0xffff_ffff));
      const half = codeOf(() => thunk.setCuMask(queue, Uint32Array.of(0x1)));
      expect(half).toBe(targetOf(thunk, gpuId) >= 100_000 ? 'ERR_KFD_IOCTL' : undefined);
      expect(codeOf(() => thunk.setCuMask(queue, new Uint32Array(0)))).toBe('ERR_KFD_IOCTL');
    });

    it('tell what they have saved when they are stopped', () => {
      const { thunk, scope, gpuId } = of();
      const { queue } = scope.queue(gpuId);
      expect(codeOf(() => thunk.queueWaveState(queue))).toBe('ERR_KFD_IOCTL');
      thunk.updateQueue(queue, { percentage: 0 });
      const state = thunk.queueWaveState(queue);
      expect(state.controlStackAddress).toBeGreaterThan(0n);
      expect([state.controlStackUsedBytes, state.saveAreaUsedBytes]).toEqual([0, 0]);
    });

    it('get global wave sync where the GPU has it, one of them', () => {
      const { thunk, scope, gpuId } = of();
      const [first, second] = [scope.queue(gpuId).queue, scope.queue(gpuId).queue];
      if (propertyOf(thunk, gpuId, 'num_gws') === 0n) {
        expect(codeOf(() => thunk.allocateGws(first, 1))).toBe('ERR_NOT_SUPPORTED');
        return;
      }
      expect(thunk.allocateGws(first, 1)).toBe(0);
      expect(codeOf(() => thunk.allocateGws(second, 1))).toBe('ERR_KFD_IOCTL');
      thunk.destroyQueue(first);
      expect(thunk.allocateGws(second, 1)).toBe(0);
    });

    it('want an engine id for an engine that is named, and for no other', () => {
      const { scope, gpuId, thunk } = of();
      const code = codeOf(() => scope.queue(gpuId, { kind: 'sdma-engine' }));
      expect(code).toBe(thunk.version.minor >= 17 ? 'ERR_INVALID_ARGUMENT' : 'ERR_NOT_SUPPORTED');
      expect(codeOf(() => scope.queue(gpuId, { engineId: 0 }))).toBe('ERR_INVALID_ARGUMENT');
      expect(codeOf(() => scope.queue(gpuId, { targetXcc: 0 }))).toBe('ERR_INVALID_ARGUMENT');
    });

    it('name no engine that is not there', () => {
      const { scope, gpuId, thunk } = of();
      const code = codeOf(() => scope.queue(gpuId, { kind: 'sdma-engine', engineId: 1000 }));
      expect(code).toBe(thunk.version.minor >= 17 ? 'ERR_QUEUE_CREATION' : 'ERR_NOT_SUPPORTED');
    });

    it.each(['sdma', 'sdma-xgmi', 'pm4'] as const)('are of kind %s, or it is said that they cannot be', (kind) => {
      const { scope, gpuId } = of();
      expect([undefined, 'ERR_QUEUE_CREATION']).toContain(codeOf(() => scope.queue(gpuId, { kind })));
    });
  });
}

/** Has a queue of the GPU take a barrier packet, and waits for its completion. */
export async function runBarrier({ thunk, scope }: Context, gpuId: number): Promise<void> {
  const { queue, ring, pointers } = scope.queue(gpuId);
  const event = scope.event();
  const memory = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
  const signal = memory.bytes!.subarray(0, AMD_SIGNAL_BYTES);
  AMD_SIGNAL.write(signal, { kind: 1n, value: 1n, event_mailbox_ptr: event.mailboxAddress, event_id: event.id });
  const packet = aqlPackets.barrierAnd.create({
    header: packAqlHeader(BARRIER_AND, { barrier: true }),
    completion_signal: memory.address,
  });
  ring.bytes!.set(packet.subarray(4), 4);
  Atomics.store(new Int32Array(ring.bytes!.buffer, ring.bytes!.byteOffset, 1), 0, new Int32Array(packet.buffer)[0]!);
  new BigInt64Array(pointers.bytes!.buffer, pointers.bytes!.byteOffset, 512)[56 / 8] = 1n;
  const wait = thunk.waitEvents([event], { timeoutMs: 10_000 });
  queue.doorbell.page.ring(queue.doorbell.byteOffset, 0);
  expect((await wait).result).toBe('complete');
  expect(AMD_SIGNAL.read(signal).value).toBe(0n);
}
