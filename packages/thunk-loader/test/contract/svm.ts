import { describe, expect } from 'vitest';
import type { SvmAttribute } from '../../src/thunk.js';
import type { Case, Context } from './thunk-contract.js';
import { codeOf } from './context.js';

/** kfd_ioctl.h KFD_IOCTL_SVM_LOCATION_UNDEFINED and _SYSMEM, KFD_IOCTL_SVM_FLAG_GPU_EXEC and _GPU_RO. */
const UNDEFINED = 0xffff_ffff;
const SYSMEM = 0;
const GPU_EXEC = 0x10;
const GPU_RO = 0x8;

export function describeSvm(it: Case, of: () => Context): void {
  describe('shared virtual memory', () => {
    const get = (range: { readonly address: bigint; readonly sizeBytes: number }, attribute: SvmAttribute): SvmAttribute =>
      of().thunk.svmGet(range, [attribute])[0]!;

    it('prefers no place unless told', () => {
      const range = of().scope.hostMemory(4096);
      for (const kind of ['preferred-location', 'prefetch-location'] as const) {
        expect(get(range, { kind, value: 0 })).toEqual({ kind, value: UNDEFINED });
      }
    });

    it('keeps where memory is preferred', () => {
      const { thunk, scope, gpuId } = of();
      const range = scope.hostMemory(8192);
      for (const value of [gpuId, SYSMEM, UNDEFINED]) {
        thunk.svmSet(range, [{ kind: 'preferred-location', value }]);
        expect(get(range, { kind: 'preferred-location', value: 0 }).value).toBe(value);
      }
    });

    it('answers what a range has in common', () => {
      const { thunk, scope, gpuId } = of();
      const range = scope.hostMemory(8192);
      thunk.svmSet({ address: range.address, sizeBytes: 4096 }, [{ kind: 'preferred-location', value: gpuId }]);
      thunk.svmSet({ address: range.address + 4096n, sizeBytes: 4096 }, [{ kind: 'preferred-location', value: SYSMEM }]);
      expect(get(range, { kind: 'preferred-location', value: 0 }).value).toBe(UNDEFINED);
      expect(get({ address: range.address, sizeBytes: 4096 }, { kind: 'preferred-location', value: 0 }).value).toBe(gpuId);
    });

    it('sets and clears flags', () => {
      const { thunk, scope } = of();
      const range = scope.hostMemory(4096);
      thunk.svmSet(range, [{ kind: 'set-flags', value: GPU_EXEC | GPU_RO }]);
      thunk.svmSet(range, [{ kind: 'clear-flags', value: GPU_RO }]);
      const { value } = get(range, { kind: 'set-flags', value: 0 });
      expect(value & (GPU_EXEC | GPU_RO)).toBe(GPU_EXEC);
      expect(get(range, { kind: 'clear-flags', value: 0 }).value & GPU_RO).toBe(GPU_RO);
    });

    it('keeps granularity, at most 2^63 pages', () => {
      const { thunk, scope } = of();
      const range = scope.hostMemory(4096);
      thunk.svmSet(range, [{ kind: 'granularity', value: 5 }]);
      expect(get(range, { kind: 'granularity', value: 0 }).value).toBe(5);
      thunk.svmSet(range, [{ kind: 'granularity', value: 0xff }]);
      expect(get(range, { kind: 'granularity', value: 0 }).value).toBe(0x3f);
    });

    it.each(['access', 'access-in-place', 'no-access'] as const)('gives a GPU %s', (kind) => {
      const { thunk, scope, gpuId } = of();
      const range = scope.hostMemory(4096);
      thunk.svmSet(range, [{ kind, value: gpuId }]);
      expect(get(range, { kind: 'access', value: gpuId })).toEqual({ kind, value: gpuId });
    });

    it('takes several attributes at once', () => {
      const { thunk, scope, gpuId } = of();
      const range = scope.hostMemory(4096);
      thunk.svmSet(range, [
        { kind: 'preferred-location', value: gpuId },
        { kind: 'granularity', value: 3 },
        { kind: 'access', value: gpuId },
      ]);
      const answer = thunk.svmGet(range, [
        { kind: 'access', value: gpuId },
        { kind: 'granularity', value: 0 },
        { kind: 'preferred-location', value: 0 },
      ]);
      expect(answer).toEqual([
        { kind: 'access', value: gpuId },
        { kind: 'granularity', value: 3 },
        { kind: 'preferred-location', value: gpuId },
      ]);
    });

    it('forgets attributes with the memory', () => {
      const { thunk, scope, gpuId } = of();
      const first = scope.hostMemory(4096);
      thunk.svmSet(first, [{ kind: 'preferred-location', value: gpuId }]);
      first[Symbol.dispose]();
      const second = scope.hostMemory(4096);
      expect(get(second, { kind: 'preferred-location', value: 0 }).value).toBe(UNDEFINED);
    });

    it('refuses GPUs that are not there, and ranges that are no pages', () => {
      const { thunk, scope } = of();
      const range = scope.hostMemory(4096);
      expect(codeOf(() => thunk.svmSet(range, [{ kind: 'access', value: 1 }]))).toBe('ERR_KFD_IOCTL');
      const odd = { address: range.address, sizeBytes: 100 };
      expect(codeOf(() => thunk.svmSet(odd, [{ kind: 'granularity', value: 1 }]))).toBe('ERR_KFD_IOCTL');
    });

    it.each([Number.NaN, 0.5, -4096])('refuses a size of %s bytes', (sizeBytes) => {
      const { thunk, scope } = of();
      const { address } = scope.hostMemory(4096);
      expect(codeOf(() => thunk.svmSet({ address, sizeBytes }, []))).toBe('ERR_INVALID_ARGUMENT');
      expect(codeOf(() => thunk.svmGet({ address, sizeBytes }, []))).toBe('ERR_INVALID_ARGUMENT');
    });

    it('refuses memory that the process does not have', () => {
      const { thunk, scope } = of();
      const { address } = scope.hostMemory(4096);
      const range = { address, sizeBytes: 1 << 30 };
      expect(codeOf(() => thunk.svmSet(range, [{ kind: 'granularity', value: 1 }]))).toBe('ERR_INVALID_ADDRESS');
    });
  });
}
