import { describe, expect } from 'vitest';
import type { Case, Context } from './thunk-contract.js';
import { codeOf } from './context.js';

export function describeOpening(it: Case, of: () => Context): void {
  describe('opening', () => {
    it('speaks major version 1', () => {
      expect(of().thunk.version.major).toBe(1);
      expect(of().thunk.version.minor).toBeGreaterThan(0);
    });

    it('says who it is and where', () => {
      expect(['kfd', 'libhsakmt', 'librocdxg']).toContain(of().thunk.provider);
      expect(of().thunk.path).not.toBe('');
    });

    it('has GPUs with ids and nodes of their own', () => {
      const { gpus } = of().thunk;
      expect(new Set(gpus.map(({ gpuId }) => gpuId)).size).toBe(gpus.length);
      expect(new Set(gpus.map(({ nodeId }) => nodeId)).size).toBe(gpus.length);
      for (const { gpuId } of gpus) expect(gpuId > 0 && gpuId < 0x1_0000).toBe(true);
    });

    it('has a render node of its own for each usable GPU', () => {
      const minors = of().thunk.gpus.filter((gpu) => gpu.problem === undefined);
      expect(new Set(minors.map(({ renderMinor }) => renderMinor)).size).toBe(minors.length);
      for (const { renderMinor } of minors) expect(renderMinor).toBeGreaterThanOrEqual(128);
    });

    it('knows properties of each usable GPU', () => {
      for (const gpuId of of().gpuIds) {
        const gpu = of().thunk.gpus.find((candidate) => candidate.gpuId === gpuId)!;
        expect(gpu.properties.get('simd_count')).toBeGreaterThan(0n);
        expect(gpu.properties.get('gfx_target_version')).toBeGreaterThanOrEqual(90_000n);
      }
    });

    it('knows apertures of each usable GPU, and they are apart', () => {
      for (const gpuId of of().gpuIds) {
        const apertures = of().thunk.gpus.find((gpu) => gpu.gpuId === gpuId)!.apertures!;
        const ranges = [
          [apertures.ldsBase, apertures.ldsLimit],
          [apertures.scratchBase, apertures.scratchLimit],
          [apertures.gpuvmBase, apertures.gpuvmLimit],
        ].sort(([a], [b]) => (a! < b! ? -1 : 1));
        for (const [base, limit] of ranges) expect(limit).toBeGreaterThan(base!);
        expect(ranges[1]![0]).toBeGreaterThan(ranges[0]![1]!);
        expect(ranges[2]![0]).toBeGreaterThan(ranges[1]![1]!);
      }
    });

    it('reads the GPU’s id in sysfs where its node says', () => {
      const { thunk, gpuId } = of();
      const { nodeId } = thunk.gpus.find((gpu) => gpu.gpuId === gpuId)!;
      const file = thunk.sysfs.readText(`/sys/class/kfd/kfd/topology/nodes/${nodeId}/gpu_id`);
      expect(file).toEqual({ ok: true, value: `${gpuId}\n` });
    });
  });

  describe('clocks', () => {
    it('go forward on each GPU', () => {
      for (const gpuId of of().gpuIds) {
        const before = of().thunk.clockCounters(gpuId);
        const after = of().thunk.clockCounters(gpuId);
        expect(before.gpuTicks).toBeGreaterThan(0n);
        expect(after.gpuTicks).toBeGreaterThanOrEqual(before.gpuTicks);
        expect(after.cpuNs).toBeGreaterThanOrEqual(before.cpuNs);
        expect(after.systemTicks).toBeGreaterThanOrEqual(before.systemTicks);
      }
    });

    it('tell the frequency of the system’s', () => {
      expect(of().thunk.clockCounters(of().gpuId).systemFrequencyHz).toBeGreaterThan(0n);
    });
  });

  describe('settings of a GPU', () => {
    it('takes a scratch area and a trap handler', () => {
      const { thunk, gpuId, scope } = of();
      const memory = scope.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes: 65_536, alignBytes: 65_536, executable: true });
      thunk.setScratchBacking(gpuId, memory.address);
      thunk.setTrapHandler(gpuId, memory.address, memory.address + 4096n);
      thunk.setTrapHandler(gpuId, 0n, 0n);
    });

    it('refuses them for a GPU that is not there', () => {
      expect(codeOf(() => of().thunk.setScratchBacking(1, 0n))).toBeDefined();
      expect(codeOf(() => of().thunk.setTrapHandler(1, 0n, 0n))).toBeDefined();
    });

    it('takes a memory policy', () => {
      const policy = { default: 'coherent', alternate: 'noncoherent', alternateBase: 0n, alternateBytes: 0n } as const;
      of().thunk.setMemoryPolicy(of().gpuId, policy);
      expect(codeOf(() => of().thunk.setMemoryPolicy(1, policy))).toBeDefined();
    });

    it('tells how it tiles memory', () => {
      const config = of().thunk.tileConfig(of().gpuId);
      expect(config.tileConfig.length).toBeLessThanOrEqual(32);
      expect(config.macroTileConfig.length).toBeLessThanOrEqual(16);
      expect(codeOf(() => of().thunk.tileConfig(1))).toBeDefined();
    });

    it('switches page faults to what they are, and on only where every GPU can', () => {
      const { thunk } = of();
      if (thunk.xnack === 'unsupported') {
        expect(codeOf(() => thunk.setXnack('off'))).toBe('ERR_NOT_SUPPORTED');
        return;
      }
      const before = thunk.xnack;
      thunk.setXnack(before);
      const code = codeOf(() => thunk.setXnack('on'));
      expect([undefined, 'ERR_NOT_SUPPORTED']).toContain(code);
      expect(thunk.xnack).toBe(code === undefined ? 'on' : before);
      thunk.setXnack(before);
      expect(thunk.xnack).toBe(before);
    });

    it('announces the runtime once, and takes it back', () => {
      const { thunk } = of();
      const options = { rDebugAddress: 0n, saveTrapTemporaries: 'no' } as const;
      if (thunk.runtimeEnable(options) === 'unsupported') return;
      expect(codeOf(() => thunk.runtimeEnable(options))).toBe('ERR_KFD_IOCTL');
      thunk.runtimeDisable();
      thunk.runtimeDisable();
    });

    it('announces no runtime when there are queues', () => {
      const { thunk, scope, gpuId } = of();
      scope.queue(gpuId);
      const answers: string[] = [];
      const code = codeOf(() => answers.push(thunk.runtimeEnable({ rDebugAddress: 0n, saveTrapTemporaries: 'no' })));
      expect([['ERR_KFD_IOCTL'], ['unsupported']]).toContainEqual(code === undefined ? answers : [code]);
    });
  });
}
