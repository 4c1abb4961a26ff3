import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Thunk } from '../../src/thunk.js';
import type { Context } from './context.js';
import { Scope, codeOf } from './context.js';
import { describeEvents } from './events.js';
import { describeMemory } from './memory.js';
import { describeOpening } from './opening.js';
import { describeQueues } from './queues.js';
import { describeSeveralGpus } from './several-gpus.js';
import { describeSharing } from './sharing.js';
import { describeSvm } from './svm.js';
import { describeUntyped } from './untyped.js';

export type { Context } from './context.js';

/** A thunk that a test opened, and how to look for what it left behind. */
export interface ContractSubject {
  readonly thunk: Thunk;
  /** Counts of what is still held after closing, all 0; absent where nobody can tell. */
  readonly leaks?: () => Readonly<Record<string, number>>;
}

/** What is known of a subject before it opens. */
export interface ContractOptions {
  /** Usable GPUs; cases about several are declared from two on. Default: 1. */
  readonly gpus?: number;
  /** What the provider or device lacks: a group of cases by its name (`shared virtual memory`) or one by its path (`queues > are many`), and why. */
  readonly lacks?: Readonly<Record<string, string>>;
}

/** Declares a case, as vitest's `it`. */
export interface Case {
  (name: string, run: () => void | Promise<void>): void;
  each<T extends readonly unknown[]>(rows: readonly T[]): (name: string, run: (...row: T) => void | Promise<void>) => void;
  each<T>(rows: readonly T[]): (name: string, run: (value: T) => void | Promise<void>) => void;
}

/**
 * The cases that every implementation of {@link Thunk} passes. `open` is called once: a thunk belongs to the process, and each case
 * gives back what it made. What `lacks` names is skipped, with the reason.
 */
export function describeThunk(name: string, open: () => Promise<ContractSubject>, options: ContractOptions = {}): void {
  const { gpus = 1, lacks = {} } = options;
  describe(`thunk contract: ${name}`, () => {
    let subject: ContractSubject;
    let context: Context;
    const unmet = new Set(Object.keys(lacks));

    beforeAll(async () => {
      subject = await open();
    });

    beforeEach(({ task, skip }) => {
      const { thunk } = subject;
      const group = task.suite?.name ?? '';
      const name = [`${group} > ${task.name}`, group].find((candidate) => Object.hasOwn(lacks, candidate));
      if (name !== undefined) {
        unmet.delete(name);
        skip(lacks[name]);
      }
      const gpuIds = thunk.gpus.filter((gpu) => gpu.problem === undefined).map(({ gpuId }) => gpuId);
      context = { thunk, scope: new Scope(thunk), gpuId: gpuIds[0]!, gpuIds };
    });

    afterEach(() => {
      context.scope.close();
    });

    afterAll(async () => {
      await subject.thunk[Symbol.asyncDispose]();
      for (const [what, count] of Object.entries(subject.leaks?.() ?? {})) expect(count, what).toBe(0);
    });

    const of = (): Context => context;
    // Safe: vitest's `it` takes all that a Case does; its own type has overloads that no interface of ours can match.
    const declare = it as unknown as Case;
    describeOpening(declare, of);
    describeMemory(declare, of);
    describeSharing(declare, of);
    describeSvm(declare, of);
    describeEvents(declare, of);
    describeQueues(declare, of);
    describeUntyped(declare, of);
    if (gpus > 1) describeSeveralGpus(declare, of);

    describe('what is lacking', () => {
      // Run alone it has seen nothing: then it says nothing.
      it('names groups and cases that there are', () => {
        if (unmet.size < Object.keys(lacks).length) expect([...unmet]).toEqual([]);
      });
    });

    describe('closing', () => {
      it('takes back what is left, closes twice, and then throws ERR_DISPOSED', async () => {
        const { thunk, gpuId } = context;
        context.scope.queue(gpuId);
        context.scope.event();
        context.scope.hostMemory(4096);
        await thunk[Symbol.asyncDispose]();
        await thunk[Symbol.asyncDispose]();
        context = { ...context, scope: new Scope(thunk) };
        expect(codeOf(() => thunk.clockCounters(gpuId))).toBe('ERR_DISPOSED');
        expect(codeOf(() => thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096 }))).toBe('ERR_DISPOSED');
        await expect(thunk.waitEvents([], { timeoutMs: 0 })).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
      });
    });
  });
}
