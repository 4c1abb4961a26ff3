import { describe, expect } from 'vitest';
import type { AllocateOptions } from '../../src/thunk.js';
import type { Case, Context } from './thunk-contract.js';
import { codeOf } from './context.js';

const FLAGS: [string, Partial<AllocateOptions>][] = [
  ['executable', { executable: true }],
  ['read-only for GPUs', { writable: false }],
  ['uncached', { uncached: true }],
  ['fine-grained', { coherent: true }],
  ['coarse-grained', { coherent: false }],
  ['coherent for system-scope atomics', { extendedCoherent: true }],
];

export function describeMemory(it: Case, of: () => Context): void {
  describe('memory', () => {
    it('gives system memory that the host writes and reads', () => {
      const memory = of().scope.allocate({ kind: 'gtt', gpuIds: [of().gpuId], sizeBytes: 10_000 });
      expect(memory.sizeBytes).toBe(12_288);
      expect(memory.address % 4096n).toBe(0n);
      expect(memory.bytes!.length).toBe(12_288);
      memory.bytes!.set([1, 2, 3], 12_285);
      expect([...memory.bytes!.subarray(12_284)]).toEqual([0, 1, 2, 3]);
    });

    it('gives zeroed system memory, also where memory was used before', () => {
      const { scope, gpuId, thunk } = of();
      const first = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
      first.bytes!.fill(0xaa);
      thunk.free(first);
      const second = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
      expect(second.bytes!.every((byte) => byte === 0)).toBe(true);
    });

    it.each([
      [1, 4096],
      [4096, 4096],
      [4097, 8192],
      [2 ** 20 - 1, 2 ** 20],
    ])('rounds %i bytes up to %i', (wanted, given) => {
      expect(of().scope.allocate({ kind: 'gtt', gpuIds: [of().gpuId], sizeBytes: wanted }).sizeBytes).toBe(given);
    });

    it('says what it gave', () => {
      const memory = of().scope.allocate({ kind: 'vram', gpuIds: [of().gpuId], sizeBytes: 4096 });
      expect(memory).toMatchObject({ kind: 'vram', gpuIds: [of().gpuId], sizeBytes: 4096 });
    });

    it('gives addresses that the GPU can reach', () => {
      const { thunk, scope, gpuId } = of();
      const { gpuvmBase, gpuvmLimit } = thunk.gpus.find((gpu) => gpu.gpuId === gpuId)!.apertures!;
      for (const kind of ['gtt', 'vram'] as const) {
        const { address, sizeBytes } = scope.allocate({ kind, gpuIds: [gpuId], sizeBytes: 8192 });
        expect(address).toBeGreaterThanOrEqual(gpuvmBase);
        expect(address + BigInt(sizeBytes) - 1n).toBeLessThanOrEqual(gpuvmLimit);
      }
    });

    it('gives VRAM without a view unless asked', () => {
      const hidden = of().scope.allocate({ kind: 'vram', gpuIds: [of().gpuId], sizeBytes: 4096 });
      const visible = of().scope.allocate({ kind: 'vram', gpuIds: [of().gpuId], sizeBytes: 4096, hostVisible: true });
      expect(hidden.bytes).toBeUndefined();
      expect(visible.bytes!.length).toBe(4096);
    });

    it('keeps what the host writes to visible VRAM', () => {
      const { bytes } = of().scope.allocate({ kind: 'vram', gpuIds: [of().gpuId], sizeBytes: 65_536, hostVisible: true });
      bytes!.fill(0x5a);
      expect(bytes!.every((byte) => byte === 0x5a)).toBe(true);
    });

    it('aligns large allocations to 2 MiB and others as asked', () => {
      const large = of().scope.allocate({ kind: 'vram', gpuIds: [of().gpuId], sizeBytes: 3 << 20 });
      const asked = of().scope.allocate({ kind: 'gtt', gpuIds: [of().gpuId], sizeBytes: 4096, alignBytes: 65_536 });
      expect(large.address % 0x20_0000n).toBe(0n);
      expect(asked.address % 65_536n).toBe(0n);
    });

    it('gives ranges that do not overlap', () => {
      const all = Array.from({ length: 20 }, (_, i) =>
        of().scope.allocate({ kind: i % 2 === 0 ? 'gtt' : 'vram', gpuIds: [of().gpuId], sizeBytes: 4096 * (1 + (i % 3)) }),
      );
      const sorted = all.toSorted((a, b) => (a.address < b.address ? -1 : 1));
      sorted.slice(1).forEach((memory, i) => {
        const before = sorted[i]!;
        expect(memory.address).toBeGreaterThanOrEqual(before.address + BigInt(before.sizeBytes));
      });
    });

    it('keeps allocations apart', () => {
      const { scope, gpuId } = of();
      const [a, b] = [1, 2].map((value) => {
        const { bytes } = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 8192 });
        return bytes!.fill(value);
      });
      expect([a!.every((byte) => byte === 1), b!.every((byte) => byte === 2)]).toEqual([true, true]);
    });

    it('gives a large allocation whole', () => {
      const { bytes } = of().scope.allocate({ kind: 'gtt', gpuIds: [of().gpuId], sizeBytes: 32 << 20 });
      bytes![0] = 1;
      bytes![bytes!.length - 1] = 2;
      expect([bytes![0], bytes![1 << 20], bytes!.at(-1)]).toEqual([1, 0, 2]);
    });

    it.each(FLAGS)('gives memory that is %s, of both kinds', (_, flags) => {
      for (const kind of ['gtt', 'vram'] as const) {
        expect(of().scope.allocate({ kind, gpuIds: [of().gpuId], sizeBytes: 4096, ...flags }).sizeBytes).toBe(4096);
      }
    });

    it('gives VRAM in one piece from interface version 1.16 on', () => {
      const { thunk, scope, gpuId } = of();
      const code = codeOf(() => scope.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 1 << 20, contiguous: true }));
      expect(code).toBe(thunk.version.minor >= 16 ? undefined : 'ERR_NOT_SUPPORTED');
    });

    it('refuses sizes, alignments and GPUs that make no sense', () => {
      const { thunk, gpuId } = of();
      for (const sizeBytes of [0, -1, 1.5, NaN]) {
        const code = codeOf(() => thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes }));
        expect([sizeBytes, code]).toEqual([sizeBytes, 'ERR_INVALID_ARGUMENT']);
      }
      const odd = { kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096, alignBytes: 3000 } as const;
      expect(codeOf(() => thunk.allocate(odd))).toBe('ERR_INVALID_ARGUMENT');
      expect(codeOf(() => thunk.allocate({ kind: 'gtt', gpuIds: [1], sizeBytes: 4096 }))).toBe('ERR_INVALID_ARGUMENT');
    });

    it('says when there is no room, and goes on', () => {
      const { thunk, scope, gpuId } = of();
      const wanted = { kind: 'vram', gpuIds: [gpuId], sizeBytes: 2 ** 46 } as const;
      expect(codeOf(() => thunk.allocate(wanted))).toBe('ERR_OUT_OF_MEMORY');
      scope.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 4096 });
    });

    it('refuses to free twice', () => {
      const { thunk, scope, gpuId } = of();
      const memory = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
      thunk.free(memory);
      expect(codeOf(() => thunk.free(memory))).toBe('ERR_INVALID_ADDRESS');
      expect(codeOf(() => thunk.mapToGpus(memory, [gpuId]))).toBe('ERR_INVALID_ADDRESS');
    });

    it('maps twice and unmaps without complaint', () => {
      const { thunk, scope, gpuId } = of();
      const memory = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
      thunk.mapToGpus(memory, [gpuId]);
      thunk.unmapFromGpus(memory, [gpuId]);
      thunk.unmapFromGpus(memory, [gpuId]);
      thunk.mapToGpus(memory, [gpuId]);
    });

    it('frees what is mapped, and what is not', () => {
      const { thunk, scope, gpuId } = of();
      const [mapped, unmapped] = [1, 2].map(() => scope.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 4096 }));
      thunk.unmapFromGpus(unmapped!, [gpuId]);
      thunk.free(mapped!);
      thunk.free(unmapped!);
    });

    it('keeps the bytes while memory is unmapped from the GPU', () => {
      const { thunk, scope, gpuId } = of();
      const memory = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
      memory.bytes!.fill(7);
      thunk.unmapFromGpus(memory, [gpuId]);
      expect(memory.bytes!.every((byte) => byte === 7)).toBe(true);
      thunk.mapToGpus(memory, [gpuId]);
      expect(memory.bytes!.every((byte) => byte === 7)).toBe(true);
    });

    it('maps on no GPU that is not there, and loses nothing by it', () => {
      const { thunk, scope, gpuId } = of();
      const memory = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
      expect(codeOf(() => thunk.mapToGpus(memory, [1]))).toBe('ERR_INVALID_ARGUMENT');
      thunk.unmapFromGpus(memory, [gpuId]);
      expect(codeOf(() => thunk.mapToGpus(memory, [gpuId, 1]))).toBe('ERR_INVALID_ARGUMENT');
      thunk.mapToGpus(memory, [gpuId]);
    });

    it('tells free memory, which allocations take and give back', () => {
      const { thunk, scope, gpuId } = of();
      const before = thunk.availableMemoryBytes(gpuId);
      expect(before).toBeGreaterThan(0);
      const memory = scope.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 8 << 20 });
      expect(before - thunk.availableMemoryBytes(gpuId)).toBeGreaterThanOrEqual(8 << 20);
      thunk.free(memory);
      expect(thunk.availableMemoryBytes(gpuId)).toBe(before);
    });

    it('loses nothing over many allocations in any order', () => {
      const { thunk, scope, gpuId } = of();
      const before = thunk.availableMemoryBytes(gpuId);
      const all = Array.from({ length: 60 }, (_, i) =>
        scope.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 4096 * (1 + ((i * 7) % 5)) }),
      );
      for (const memory of [...all.filter((_, i) => i % 2 === 1), ...all.filter((_, i) => i % 2 === 0)]) thunk.free(memory);
      expect(thunk.availableMemoryBytes(gpuId)).toBe(before);
    });
  });
}
