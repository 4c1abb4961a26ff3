import { isHsaError } from '@doorbell/abi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Thunk } from '../../src/thunk.js';

/** A thunk that a test opened, and how to look for what it left behind. */
export interface ContractSubject {
  readonly thunk: Thunk;
  /** Counts of what is still held after closing, all 0; absent where nobody can tell. */
  readonly leaks?: () => Readonly<Record<string, number>>;
}

/** The cases that every implementation of {@link Thunk} passes. `open` is called for each case. */
export function describeThunk(name: string, open: () => Promise<ContractSubject>): void {
  describe(`thunk contract: ${name}`, () => {
    let subject: ContractSubject;
    let thunk: Thunk;
    let gpuId: number;

    beforeEach(async () => {
      subject = await open();
      thunk = subject.thunk;
      gpuId = thunk.gpus.find((gpu) => gpu.problem === undefined)!.gpuId;
    });

    afterEach(async () => {
      await thunk[Symbol.asyncDispose]();
      for (const [what, count] of Object.entries(subject.leaks?.() ?? {})) expect(count, what).toBe(0);
    });

    it('speaks major version 1', () => {
      expect(thunk.version.major).toBe(1);
    });

    it('knows apertures and properties of each usable GPU', () => {
      const gpu = thunk.gpus.find((candidate) => candidate.gpuId === gpuId)!;
      expect(gpu.properties.get('simd_count')).toBeGreaterThan(0n);
      expect(gpu.apertures!.gpuvmLimit).toBeGreaterThan(gpu.apertures!.gpuvmBase);
      expect(gpu.renderMinor).toBeGreaterThanOrEqual(128);
    });

    it('reads clocks that go forward', () => {
      const before = thunk.clockCounters(gpuId);
      const after = thunk.clockCounters(gpuId);
      expect(before.systemFrequencyHz).toBeGreaterThan(0n);
      expect(after.gpuTicks).toBeGreaterThanOrEqual(before.gpuTicks);
      expect(after.systemTicks).toBeGreaterThanOrEqual(before.systemTicks);
    });

    it('tells free memory', () => {
      expect(thunk.availableMemoryBytes(gpuId)).toBeGreaterThan(0);
    });

    describe('memory', () => {
      it('gives system memory that the host writes and reads', () => {
        const memory = thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 10_000 });
        expect(memory.sizeBytes).toBe(12_288);
        expect(memory.address % 4096n).toBe(0n);
        expect(memory.bytes!.length).toBe(12_288);
        memory.bytes!.set([1, 2, 3], 12_285);
        expect([...memory.bytes!.subarray(12_284)]).toEqual([0, 1, 2, 3]);
        thunk.free(memory);
      });

      it('gives zeroed system memory, also where memory was used before', () => {
        const first = thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
        first.bytes!.fill(0xaa);
        thunk.free(first);
        const second = thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
        expect(second.bytes!.every((byte) => byte === 0)).toBe(true);
      });

      it('gives VRAM without a view unless asked', () => {
        const hidden = thunk.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 4096 });
        const visible = thunk.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 4096, hostVisible: true });
        expect(hidden.bytes).toBeUndefined();
        expect(visible.bytes!.length).toBe(4096);
      });

      it('aligns large allocations to 2 MiB and others as asked', () => {
        const large = thunk.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 3 << 20 });
        const asked = thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096, alignBytes: 65_536 });
        expect(large.address % 0x20_0000n).toBe(0n);
        expect(asked.address % 65_536n).toBe(0n);
      });

      it('gives ranges that do not overlap', () => {
        const all = Array.from({ length: 20 }, (_, i) =>
          thunk.allocate({ kind: i % 2 === 0 ? 'gtt' : 'vram', gpuIds: [gpuId], sizeBytes: 4096 * (1 + (i % 3)) }),
        );
        const sorted = all.toSorted((a, b) => (a.address < b.address ? -1 : 1));
        sorted.slice(1).forEach((memory, i) => {
          const before = sorted[i]!;
          expect(memory.address).toBeGreaterThanOrEqual(before.address + BigInt(before.sizeBytes));
        });
      });

      it('refuses sizes and GPUs that make no sense', () => {
        for (const sizeBytes of [0, -1, 1.5, NaN]) {
          expect(() => thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes })).toThrow(/sizeBytes/);
        }
        expect(() => thunk.allocate({ kind: 'gtt', gpuIds: [1], sizeBytes: 4096 })).toThrow(/no usable GPU 1/);
      });

      it('refuses to free twice', () => {
        const memory = thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
        thunk.free(memory);
        expect(codeOf(() => thunk.free(memory))).toBe('ERR_INVALID_ADDRESS');
      });

      it('maps twice and unmaps without complaint', () => {
        const memory = thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
        thunk.mapToGpus(memory, [gpuId]);
        thunk.unmapFromGpus(memory, [gpuId]);
        thunk.unmapFromGpus(memory, [gpuId]);
        thunk.mapToGpus(memory, [gpuId]);
      });
    });

    describe('events', () => {
      it('gives each signal event its own mailbox', () => {
        const first = thunk.createEvent({ kind: 'signal' });
        const second = thunk.createEvent({ kind: 'signal' });
        expect(first.id).not.toBe(second.id);
        expect(first.mailboxAddress % 8n).toBe(0n);
        expect(first.mailboxAddress).not.toBe(second.mailboxAddress);
      });

      it('gives other events none', () => {
        expect(thunk.createEvent({ kind: 'memory-exception' }).mailboxAddress).toBe(0n);
        expect(thunk.createEvent({ kind: 'hw-exception' }).mailboxAddress).toBe(0n);
      });

      it('remembers a set until somebody waits, once when auto-reset', async () => {
        const event = thunk.createEvent({ kind: 'signal' });
        thunk.setEvent(event);
        expect((await thunk.waitEvents([event], { timeoutMs: 1000 })).result).toBe('complete');
        expect((await thunk.waitEvents([event], { timeoutMs: 0 })).result).toBe('timeout');
      });

      it('stays set when it is not auto-reset, until it is reset', async () => {
        const event = thunk.createEvent({ kind: 'signal', reset: 'manual' });
        thunk.setEvent(event);
        expect((await thunk.waitEvents([event], { timeoutMs: 0 })).result).toBe('complete');
        expect((await thunk.waitEvents([event], { timeoutMs: 0 })).result).toBe('complete');
        thunk.resetEvent(event);
        expect((await thunk.waitEvents([event], { timeoutMs: 0 })).result).toBe('timeout');
      });

      it('wakes a wait that is under way', async () => {
        const event = thunk.createEvent({ kind: 'signal' });
        const wait = thunk.waitEvents([event], { timeoutMs: Infinity });
        thunk.setEvent(event);
        expect((await wait).result).toBe('complete');
      });

      it('wakes all waits on one event', async () => {
        const event = thunk.createEvent({ kind: 'signal' });
        const waits = [1, 2, 3].map(() => thunk.waitEvents([event], { timeoutMs: Infinity }));
        thunk.setEvent(event);
        for (const { result } of await Promise.all(waits)) expect(result).toBe('complete');
      });

      it('waits for any or for all', async () => {
        const [a, b] = [thunk.createEvent({ kind: 'signal' }), thunk.createEvent({ kind: 'signal' })];
        thunk.setEvent(b);
        expect((await thunk.waitEvents([a, b], { mode: 'all', timeoutMs: 0 })).result).toBe('timeout');
        thunk.setEvent(b);
        expect((await thunk.waitEvents([a, b], { timeoutMs: 0 })).result).toBe('complete');
        thunk.setEvent(a);
        thunk.setEvent(b);
        expect((await thunk.waitEvents([a, b], { mode: 'all', timeoutMs: 1000 })).result).toBe('complete');
      });

      it('rejects an aborted wait and loses no set by it', async () => {
        const event = thunk.createEvent({ kind: 'signal' });
        const abort = new AbortController();
        const wait = thunk.waitEvents([event], { timeoutMs: Infinity, signal: abort.signal });
        abort.abort();
        await expect(wait).rejects.toMatchObject({ code: 'ERR_ABORTED' });
        thunk.setEvent(event);
        expect((await thunk.waitEvents([event], { timeoutMs: 1000 })).result).toBe('complete');
      });

      it('rejects waits on an event that is destroyed', async () => {
        const event = thunk.createEvent({ kind: 'signal' });
        const wait = thunk.waitEvents([event], { timeoutMs: Infinity });
        const failure = expect(wait).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
        thunk.destroyEvent(event);
        await failure;
        expect(codeOf(() => thunk.setEvent(event))).toBe('ERR_DISPOSED');
      });
    });

    describe('queues', () => {
      const RING_BYTES = 4096;
      const makeQueue = () => {
        const ring = thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: RING_BYTES, executable: true, uncached: true });
        const pointers = thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096, uncached: true });
        // Headers INVALID, as a consumer must find them.
        new Uint16Array(ring.bytes!.buffer, ring.bytes!.byteOffset, RING_BYTES / 2).fill(1);
        return thunk.createQueue({
          gpuId,
          kind: 'aql',
          ringAddress: ring.address,
          ringBytes: RING_BYTES,
          writePointerAddress: pointers.address + 56n,
          readPointerAddress: pointers.address + 128n,
        });
      };

      it('creates queues with doorbells of their own', () => {
        const first = makeQueue();
        const second = makeQueue();
        expect(first.queueId).not.toBe(second.queueId);
        expect(first.doorbell.byteOffset % 8).toBe(0);
        expect(first.doorbell.address).not.toBe(second.doorbell.address);
        expect(first.doorbell.page).toBe(second.doorbell.page);
        thunk.destroyQueue(first);
        thunk.destroyQueue(second);
      });

      it('changes share and priority', () => {
        const queue = makeQueue();
        thunk.updateQueue(queue, { percentage: 0 });
        thunk.updateQueue(queue, { percentage: 100, priority: 'high' });
      });

      it('refuses to destroy a queue twice', () => {
        const queue = makeQueue();
        thunk.destroyQueue(queue);
        expect(codeOf(() => thunk.destroyQueue(queue))).toBe('ERR_DISPOSED');
      });

      it('takes back what a closed thunk left: queues, memory, events', () => {
        makeQueue();
        thunk.createEvent({ kind: 'signal' });
      });
    });

    it('throws ERR_DISPOSED once it is closed, and closes twice', async () => {
      await thunk[Symbol.asyncDispose]();
      await thunk[Symbol.asyncDispose]();
      expect(codeOf(() => thunk.clockCounters(gpuId))).toBe('ERR_DISPOSED');
      expect(codeOf(() => thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 }))).toBe('ERR_DISPOSED');
      await expect(thunk.waitEvents([], { timeoutMs: 0 })).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    });
  });
}

/** The code of the HsaError that `action` throws. */
function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (isHsaError(error)) return error.code;
    throw error;
  }
  return undefined;
}
