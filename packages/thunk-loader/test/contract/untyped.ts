import { describe, expect } from 'vitest';
import type { Thunk } from '../../src/thunk.js';
import { codeOf } from './context.js';
import type { Case, Context } from './thunk-contract.js';

/** A call as a caller without types may make it: nothing of it is what the signature says. */
type Loose = Readonly<Record<keyof Thunk, (...args: readonly unknown[]) => unknown>>;

/** Values that are none of what calls take. */
const NOTHING: readonly unknown[] = [undefined, null, {}, 'x', Number.NaN];

export function describeUntyped(it: Case, of: () => Context): void {
  describe('callers without types', () => {
    const refused = (call: keyof Thunk, ...args: readonly unknown[]): void => {
      // Safe: whatever the arguments are, the call is one of the thunk's.
      const thunk = of().thunk as unknown as Loose;
      expect([call, args, codeOf(() => thunk[call](...args))]).toEqual([call, args, 'ERR_INVALID_ARGUMENT']);
    };

    it('get ERR_INVALID_ARGUMENT for objects that no call gave', () => {
      const calls = ['free', 'exportDmabuf', 'destroyQueue', 'queueWaveState', 'destroyEvent', 'setEvent', 'resetEvent'] as const;
      for (const call of calls) for (const value of NOTHING) refused(call, value);
      for (const value of NOTHING) {
        refused('mapToGpus', value, [of().gpuId]);
        refused('unmapFromGpus', value, [of().gpuId]);
        refused('updateQueue', value, {});
        refused('setCuMask', value, new Uint32Array(1));
        refused('allocateGws', value, 1);
      }
    });

    it('get ERR_INVALID_ARGUMENT for sizes, alignments, kinds and GPUs of memory', () => {
      const good = { kind: 'gtt', gpuIds: [of().gpuId], sizeBytes: 4096 };
      for (const value of NOTHING) refused('allocate', value);
      for (const sizeBytes of [4096n, '4096', null, undefined, 1.5, -1]) {
        refused('allocate', { ...good, sizeBytes });
        refused('hostMemory', sizeBytes);
      }
      for (const alignBytes of [4096n, '4096', null, 3]) refused('allocate', { ...good, alignBytes });
      for (const kind of ['ram', 'toString', 7, null, undefined]) refused('allocate', { ...good, kind });
      for (const gpuIds of [undefined, null, of().gpuId, [], ['1'], [1n]]) refused('allocate', { ...good, gpuIds });
      for (const host of [{}, 'x', { address: 4096, sizeBytes: 4096 }, { address: 4096n, sizeBytes: 4096n }])
        refused('allocate', { ...good, kind: 'userptr', host });
    });

    it('get ERR_INVALID_ARGUMENT for files, ranges and attributes', () => {
      for (const file of [...NOTHING, 1n, 1.5, 2 ** 40]) {
        refused('dmabufInfo', file);
        refused('closeFile', file);
        refused('importDmabuf', { file, gpuIds: [of().gpuId] });
      }
      for (const range of [...NOTHING, { address: 4096, sizeBytes: 4096 }, { address: 4096n, sizeBytes: 4096n }]) {
        refused('svmSet', range, []);
        refused('svmGet', range, []);
      }
      const range = { address: 0x7f00_0000_0000n, sizeBytes: 4096 };
      for (const attributes of [...NOTHING, [null], [{ kind: 'colour', value: 0 }], [{ kind: 'granularity', value: 1n }]])
        refused('svmSet', range, attributes);
    });

    it('get ERR_INVALID_ARGUMENT for queues that cannot be', () => {
      const good = {
        gpuId: of().gpuId,
        kind: 'aql',
        ringAddress: 4096n,
        ringBytes: 4096,
        writePointerAddress: 8192n,
        readPointerAddress: 8200n,
      };
      for (const value of NOTHING) refused('createQueue', value);
      for (const change of [
        { gpuId: '1' },
        { kind: 'gfx' },
        { ringAddress: 4096 },
        { ringBytes: 4096n },
        { readPointerAddress: null },
      ])
        refused('createQueue', { ...good, ...change });
      for (const change of [
        { priority: 'urgent' },
        { percentage: 1.5 },
        { error: 7 },
        { error: { payloadAddress: 0, eventId: 0 } },
      ])
        refused('createQueue', { ...good, ...change });
      const { queue } = of().scope.queue(of().gpuId);
      for (const options of [null, { priority: 'constructor' }, { percentage: -1 }, { ring: { address: 4096, sizeBytes: 1 } }])
        refused('updateQueue', queue, options);
      for (const mask of [...NOTHING, [1], new Uint8Array(4)]) refused('setCuMask', queue, mask);
      refused('allocateGws', queue, 1n);
    });

    it('get ERR_INVALID_ARGUMENT for kinds of events and modes of waits', async () => {
      const { thunk, scope } = of();
      for (const value of NOTHING) refused('createEvent', value);
      for (const kind of ['toString', 'signals', 0]) refused('createEvent', { kind });
      refused('createEvent', { kind: 'signal', reset: 'never' });
      const event = scope.event();
      const waits: readonly (readonly [unknown, unknown])[] = [
        [event, { timeoutMs: 0 }],
        [[{}], { timeoutMs: 0 }],
        [[{ event, lastAge: 1 }], { timeoutMs: 0 }],
        [[event], undefined],
        [[event], { timeoutMs: 0n }],
        [[event], { timeoutMs: 0, mode: 'some' }],
        [[event], { timeoutMs: 0, signal: {} }],
      ];
      // Safe: as above.
      const wait = (thunk.waitEvents as (...args: readonly unknown[]) => Promise<unknown>).bind(thunk);
      for (const args of waits) await expect(wait(...args)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    });

    it('get ERR_INVALID_ARGUMENT for settings of GPUs', () => {
      const { gpuId } = of();
      for (const id of [...NOTHING, 1n, 2 ** 32]) for (const call of ['clockCounters', 'tileConfig'] as const) refused(call, id);
      refused('setScratchBacking', gpuId, 65_536);
      refused('setTrapHandler', gpuId, 0n, 0);
      refused('setXnack', 'maybe');
      for (const policy of [...NOTHING, { default: 'coherent', alternate: 'x', alternateBase: 0n, alternateBytes: 0n }])
        refused('setMemoryPolicy', gpuId, policy);
      for (const options of [...NOTHING, { rDebugAddress: 0, saveTrapTemporaries: 'no' }]) refused('runtimeEnable', options);
    });
  });
}
