import { describe, expect } from 'vitest';
import type { Case, Context } from './thunk-contract.js';
import { codeOf } from './context.js';
import { runBarrier } from './queues.js';

export function describeSeveralGpus(it: Case, of: () => Context): void {
  describe('several GPUs', () => {
    const two = (): readonly [number, number] => [of().gpuIds[0]!, of().gpuIds[1]!];

    it('reach memory together', () => {
      const [a, b] = two();
      const memory = of().scope.allocate({ kind: 'gtt', gpuIds: [a, b], sizeBytes: 4096 });
      expect(memory.gpuIds).toEqual([a, b]);
    });

    it('reach each other’s VRAM', () => {
      const [a, b] = two();
      const { thunk, scope } = of();
      const memory = scope.allocate({ kind: 'vram', gpuIds: [a], sizeBytes: 4096 });
      thunk.mapToGpus(memory, [b]);
      thunk.unmapFromGpus(memory, [a]);
      thunk.mapToGpus(memory, [a, b]);
    });

    it('count their VRAM apart', () => {
      const [a, b] = two();
      const { thunk, scope } = of();
      const before = [a, b].map((gpuId) => thunk.availableMemoryBytes(gpuId));
      scope.allocate({ kind: 'vram', gpuIds: [b], sizeBytes: 1 << 20 });
      expect(thunk.availableMemoryBytes(a)).toBe(before[0]);
      expect(thunk.availableMemoryBytes(b)).toBeLessThan(before[1]!);
    });

    it('have queues at the same time, with doorbells and ids of their own', () => {
      const [a, b] = two();
      const { scope } = of();
      const [first, second] = [scope.queue(a).queue, scope.queue(b).queue];
      expect(first.queueId).not.toBe(second.queueId);
      expect(first.doorbell.page).not.toBe(second.doorbell.page);
    });

    it('take packets, each from its own queue', async () => {
      for (const gpuId of two()) await runBarrier(of(), gpuId);
    });

    it('take no queue over memory that only the other one has', () => {
      const [a, b] = two();
      const { scope } = of();
      const { ring } = scope.queue(a);
      expect(codeOf(() => scope.queue(b, { ringAddress: ring.address }))).toBe('ERR_QUEUE_CREATION');
    });

    it('map all or none', () => {
      const [a, b] = two();
      const { thunk, scope } = of();
      const memory = scope.allocate({ kind: 'gtt', gpuIds: [a], sizeBytes: 4096 });
      expect(codeOf(() => thunk.mapToGpus(memory, [b, 1]))).toBe('ERR_INVALID_ARGUMENT');
      thunk.mapToGpus(memory, [b]);
    });

    it('import each other’s dma-bufs', () => {
      const [a, b] = two();
      const { thunk, scope } = of();
      const memory = scope.allocate({ kind: 'gtt', gpuIds: [a], sizeBytes: 4096 });
      const file = scope.export(memory);
      expect(thunk.dmabufInfo(file).gpuId).toBe(a);
      expect(scope.import(file, b).gpuIds).toEqual([b]);
    });
  });
}
