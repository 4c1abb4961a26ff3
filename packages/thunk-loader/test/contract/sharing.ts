import { describe, expect } from 'vitest';
import type { Case, Context } from './thunk-contract.js';
import { codeOf } from './context.js';

export function describeSharing(it: Case, of: () => Context): void {
  describe('memory of the caller', () => {
    it('is there for the asking: whole pages, zeroed', () => {
      const memory = of().scope.hostMemory(5000);
      expect([memory.sizeBytes, memory.bytes.length, memory.address % 4096n]).toEqual([8192, 8192, 0n]);
      expect(memory.bytes.every((byte) => byte === 0)).toBe(true);
      memory.bytes.fill(3);
      expect(memory.bytes.at(-1)).toBe(3);
    });

    it('may be given back twice', () => {
      const memory = of().thunk.hostMemory(4096);
      memory[Symbol.dispose]();
      memory[Symbol.dispose]();
    });

    it('is shown to GPUs, and stays the caller’s', () => {
      const { thunk, scope, gpuId } = of();
      const host = scope.hostMemory(16_384);
      host.bytes.fill(9);
      const memory = scope.allocate({ kind: 'userptr', gpuIds: [gpuId], sizeBytes: host.sizeBytes, host });
      expect([memory.kind, memory.sizeBytes]).toEqual(['userptr', 16_384]);
      thunk.free(memory);
      expect(host.bytes.every((byte) => byte === 9)).toBe(true);
      host.bytes.fill(1);
    });

    it('may be shown in parts', () => {
      const { scope, gpuId } = of();
      const whole = scope.hostMemory(8192);
      const [a, b] = [0, 4096].map((offset) => {
        const host = { address: whole.address + BigInt(offset), sizeBytes: 4096 };
        return scope.allocate({ kind: 'userptr', gpuIds: [gpuId], sizeBytes: 4096, host });
      });
      expect(a!.handle).not.toBe(b!.handle);
    });

    it('may be shown again', () => {
      const { thunk, scope, gpuId } = of();
      const host = scope.hostMemory(4096);
      for (let i = 0; i < 3; i++) {
        thunk.free(scope.allocate({ kind: 'userptr', gpuIds: [gpuId], sizeBytes: 4096, host }));
      }
    });

    it('must be named, in whole pages, and for this kind only', () => {
      const { thunk, scope, gpuId } = of();
      const host = scope.hostMemory(8192);
      const base = { gpuIds: [gpuId], sizeBytes: 8192 } as const;
      const wrong = [
        { ...base, kind: 'userptr' },
        { ...base, kind: 'gtt', host },
        { ...base, kind: 'userptr', host: { address: host.address + 8n, sizeBytes: 8192 } },
        { ...base, kind: 'userptr', sizeBytes: 4096, host },
      ] as const;
      for (const options of wrong) expect(codeOf(() => thunk.allocate(options))).toBe('ERR_INVALID_ARGUMENT');
    });
  });

  describe('doorbells and registers as memory', () => {
    it('gives the doorbells to the GPU: the slice, and nothing else', () => {
      const { thunk, scope, gpuId } = of();
      const memory = scope.allocate({ kind: 'doorbell', gpuIds: [gpuId], sizeBytes: 8192 });
      expect([memory.kind, memory.sizeBytes]).toEqual(['doorbell', 8192]);
      const code = codeOf(() => thunk.allocate({ kind: 'doorbell', gpuIds: [gpuId], sizeBytes: 4096 }));
      expect(code).toBe('ERR_INVALID_ARGUMENT');
    });

    it('gives the doorbells also while a queue uses them', () => {
      const { thunk, scope, gpuId } = of();
      const { queue } = scope.queue(gpuId);
      const memory = scope.allocate({ kind: 'doorbell', gpuIds: [gpuId], sizeBytes: 8192 });
      expect(queue.doorbell.page.sizeBytes).toBe(memory.sizeBytes);
      thunk.free(memory);
      scope.queue(gpuId);
    });

    it('gives the page of flush registers: one page, which the host may write', () => {
      const { thunk, scope, gpuId } = of();
      const memory = scope.allocate({ kind: 'mmio', gpuIds: [gpuId], sizeBytes: 4096 });
      new Uint32Array(memory.bytes!.buffer, memory.bytes!.byteOffset, 1)[0] = 1;
      const code = codeOf(() => thunk.allocate({ kind: 'mmio', gpuIds: [gpuId], sizeBytes: 8192 }));
      expect(code).toBe('ERR_INVALID_ARGUMENT');
    });
  });

  describe('dma-bufs', () => {
    it.each(['gtt', 'vram'] as const)('tell what they hold: %s', (kind) => {
      const { thunk, scope, gpuId } = of();
      const file = scope.export(scope.allocate({ kind, gpuIds: [gpuId], sizeBytes: 12_288 }));
      expect(file).toBeGreaterThanOrEqual(0);
      const info = thunk.dmabufInfo(file);
      expect(info).toMatchObject({ sizeBytes: 12_288, gpuId, kind });
      expect(info.metadata.length).toBe(0);
    });

    it('begin with the memory', () => {
      const { thunk, scope, gpuId } = of();
      const { file, offsetBytes } = thunk.exportDmabuf(scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 }));
      expect(offsetBytes).toBe(0);
      thunk.closeFile(file);
    });

    it('are imported as the same memory', () => {
      const { scope, gpuId } = of();
      const memory = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 8192 });
      memory.bytes!.fill(0x3c);
      const imported = scope.import(scope.export(memory), gpuId, true);
      expect(imported).toMatchObject({ kind: 'gtt', sizeBytes: 8192 });
      expect(imported.bytes!.every((byte) => byte === 0x3c)).toBe(true);
      imported.bytes![5] = 1;
      expect(memory.bytes![5]).toBe(1);
    });

    it('keep the memory when the original and the file are gone', () => {
      const { thunk, scope, gpuId } = of();
      const memory = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
      memory.bytes!.fill(0x77);
      const file = scope.export(memory);
      thunk.free(memory);
      const imported = scope.import(file, gpuId, true);
      thunk.closeFile(file);
      expect(imported.bytes!.every((byte) => byte === 0x77)).toBe(true);
      thunk.mapToGpus(imported, [gpuId]);
    });

    it('are imported without a view unless asked', () => {
      const { scope, gpuId } = of();
      const file = scope.export(scope.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 4096 }));
      expect(scope.import(file, gpuId).bytes).toBeUndefined();
    });

    it('count their memory until the last of them is gone', () => {
      const { thunk, scope, gpuId } = of();
      const before = thunk.availableMemoryBytes(gpuId);
      const memory = scope.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 4 << 20 });
      const file = scope.export(memory);
      const imported = scope.import(file, gpuId);
      thunk.free(memory);
      thunk.free(imported);
      expect(before - thunk.availableMemoryBytes(gpuId)).toBeGreaterThanOrEqual(4 << 20);
      thunk.closeFile(file);
      expect(thunk.availableMemoryBytes(gpuId)).toBe(before);
    });

    it('are closed once', () => {
      const { thunk, scope, gpuId } = of();
      const file = scope.export(scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 }));
      thunk.closeFile(file);
      expect(codeOf(() => thunk.closeFile(file))).toBe('ERR_INVALID_ARGUMENT');
      expect(codeOf(() => thunk.dmabufInfo(file))).toBeDefined();
      expect(codeOf(() => thunk.importDmabuf({ file, gpuIds: [gpuId] }))).toBeDefined();
    });

    it('are not made of memory that is gone, nor of the caller’s own', () => {
      const { thunk, scope, gpuId } = of();
      const memory = scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 });
      thunk.free(memory);
      expect(codeOf(() => thunk.exportDmabuf(memory))).toBe('ERR_INVALID_ADDRESS');
      const own = scope.allocate({ kind: 'userptr', gpuIds: [gpuId], sizeBytes: 4096, host: scope.hostMemory(4096) });
      expect(codeOf(() => thunk.exportDmabuf(own))).toBe('ERR_KFD_IOCTL');
    });

    it('are imported on no GPU that is not there', () => {
      const { thunk, scope, gpuId } = of();
      const file = scope.export(scope.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 }));
      expect(codeOf(() => thunk.importDmabuf({ file, gpuIds: [1] }))).toBe('ERR_INVALID_ARGUMENT');
    });
  });
}
