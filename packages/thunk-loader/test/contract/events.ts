import { describe, expect } from 'vitest';
import type { EventKind } from '../../src/thunk.js';
import type { Case, Context } from './thunk-contract.js';
import { codeOf } from './context.js';

const KINDS: readonly EventKind[] = [
  'signal',
  'memory-exception',
  'hw-exception',
  'node-change',
  'device-state-change',
  'system',
  'debug',
  'profile',
  'queue',
];

export function describeEvents(it: Case, of: () => Context): void {
  describe('events', () => {
    it.each(KINDS)('come and go: %s', (kind) => {
      const event = of().scope.event(kind);
      expect([event.kind, event.reset]).toEqual([kind, 'auto']);
      const hasMailbox = kind === 'signal' || kind === 'debug';
      expect(event.mailboxAddress !== 0n).toBe(hasMailbox);
      of().thunk.destroyEvent(event);
    });

    it('give each signal its own mailbox', () => {
      const { scope } = of();
      const events = Array.from({ length: 64 }, () => scope.event());
      expect(new Set(events.map(({ id }) => id)).size).toBe(64);
      expect(new Set(events.map(({ mailboxAddress }) => mailboxAddress)).size).toBe(64);
      for (const { mailboxAddress } of events) expect(mailboxAddress % 8n).toBe(0n);
    });

    it('remember a set until somebody waits, once when auto-reset', async () => {
      const { thunk, scope } = of();
      const event = scope.event();
      thunk.setEvent(event);
      expect((await thunk.waitEvents([event], { timeoutMs: 1000 })).result).toBe('complete');
      expect((await thunk.waitEvents([event], { timeoutMs: 0 })).result).toBe('timeout');
    });

    it('stay set when they are not auto-reset, until they are reset', async () => {
      const { thunk, scope } = of();
      const event = scope.event('signal', 'manual');
      thunk.setEvent(event);
      expect((await thunk.waitEvents([event], { timeoutMs: 0 })).result).toBe('complete');
      expect((await thunk.waitEvents([event], { timeoutMs: 0 })).result).toBe('complete');
      thunk.resetEvent(event);
      expect((await thunk.waitEvents([event], { timeoutMs: 0 })).result).toBe('timeout');
    });

    it('wake a wait that is under way', async () => {
      const { thunk, scope } = of();
      const event = scope.event();
      const wait = thunk.waitEvents([event], { timeoutMs: Infinity });
      thunk.setEvent(event);
      expect((await wait).result).toBe('complete');
    });

    it('wake all waits on one event', async () => {
      const { thunk, scope } = of();
      const event = scope.event();
      const waits = [1, 2, 3].map(() => thunk.waitEvents([event], { timeoutMs: Infinity }));
      thunk.setEvent(event);
      for (const { result } of await Promise.all(waits)) expect(result).toBe('complete');
    });

    it('are waited for any or all', async () => {
      const { thunk, scope } = of();
      const [a, b] = [scope.event(), scope.event()];
      thunk.setEvent(b);
      expect((await thunk.waitEvents([a, b], { mode: 'all', timeoutMs: 0 })).result).toBe('timeout');
      thunk.setEvent(b);
      expect((await thunk.waitEvents([a, b], { timeoutMs: 0 })).result).toBe('complete');
      thunk.setEvent(a);
      thunk.setEvent(b);
      expect((await thunk.waitEvents([a, b], { mode: 'all', timeoutMs: 1000 })).result).toBe('complete');
    });

    it('are waited for with others that nobody sets', async () => {
      const { thunk, scope } = of();
      const events = [scope.event(), scope.event('memory-exception'), scope.event('hw-exception'), scope.event()];
      const wait = thunk.waitEvents(events, { timeoutMs: Infinity });
      thunk.setEvent(events[3]!);
      expect(await wait).toMatchObject({ result: 'complete', memoryExceptions: [], hwExceptions: [] });
    });

    it('time out, and not early', async () => {
      const { thunk, scope } = of();
      const start = performance.now();
      const { result, memoryExceptions, hwExceptions } = await thunk.waitEvents([scope.event()], { timeoutMs: 20 });
      expect([result, memoryExceptions, hwExceptions]).toEqual(['timeout', [], []]);
      expect(performance.now() - start).toBeGreaterThanOrEqual(19);
    });

    it('complete at once when all of none are waited for', async () => {
      expect((await of().thunk.waitEvents([], { mode: 'all', timeoutMs: 0 })).result).toBe('complete');
    });

    it('refuse time-outs that make no sense', async () => {
      for (const timeoutMs of [-1, NaN]) {
        await expect(of().thunk.waitEvents([], { timeoutMs })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
      }
    });

    it('count how often they were set, from interface version 1.14 on', async () => {
      const { thunk, scope } = of();
      const event = scope.event();
      const other = scope.event();
      thunk.setEvent(event);
      const first = await thunk.waitEvents([other, event], { timeoutMs: 1000 });
      expect(first.ages.length).toBe(2);
      thunk.setEvent(event);
      const second = await thunk.waitEvents([other, event], { timeoutMs: 1000 });
      if (thunk.version.minor < 14) expect(second.ages).toEqual([0n, 0n]);
      else expect(second.ages[1]).toBeGreaterThan(first.ages[1]!);
    });

    it('count as set when the age is another one than the caller saw', async () => {
      const { thunk, scope } = of();
      const event = scope.event();
      if (thunk.version.minor < 14) {
        const wait = thunk.waitEvents([{ event, lastAge: 1n }], { timeoutMs: 0 });
        await expect(wait).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED' });
        return;
      }
      thunk.setEvent(event);
      const { ages } = await thunk.waitEvents([event], { timeoutMs: 1000 });
      const [age] = ages;
      expect((await thunk.waitEvents([{ event, lastAge: age! }], { timeoutMs: 0 })).result).toBe('timeout');
      expect((await thunk.waitEvents([{ event, lastAge: age! - 1n }], { timeoutMs: 0 })).result).toBe('complete');
    });

    it('are set and reset by the host only when they are signals', () => {
      const { thunk, scope } = of();
      for (const kind of ['memory-exception', 'hw-exception', 'system'] as const) {
        const event = scope.event(kind);
        expect([kind, codeOf(() => thunk.setEvent(event))]).toEqual([kind, 'ERR_KFD_IOCTL']);
        expect([kind, codeOf(() => thunk.resetEvent(event))]).toEqual([kind, 'ERR_KFD_IOCTL']);
      }
    });

    it('reject an aborted wait and lose no set by it', async () => {
      const { thunk, scope } = of();
      const event = scope.event();
      const abort = new AbortController();
      const wait = thunk.waitEvents([event], { timeoutMs: Infinity, signal: abort.signal });
      abort.abort();
      await expect(wait).rejects.toMatchObject({ code: 'ERR_ABORTED' });
      thunk.setEvent(event);
      expect((await thunk.waitEvents([event], { timeoutMs: 1000 })).result).toBe('complete');
    });

    it('are not waited for when the wait was aborted before', async () => {
      const { thunk, scope } = of();
      const event = scope.event();
      thunk.setEvent(event);
      const wait = thunk.waitEvents([event], { timeoutMs: 0, signal: AbortSignal.abort('why not') });
      await expect(wait).rejects.toMatchObject({ code: 'ERR_ABORTED', cause: 'why not' });
    });

    it('reject waits when they are destroyed', async () => {
      const { thunk, scope } = of();
      const event = scope.event();
      const wait = thunk.waitEvents([event], { timeoutMs: Infinity });
      const failure = expect(wait).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
      thunk.destroyEvent(event);
      await failure;
      expect(codeOf(() => thunk.setEvent(event))).toBe('ERR_DISPOSED');
      expect(codeOf(() => thunk.resetEvent(event))).toBe('ERR_DISPOSED');
      expect(codeOf(() => thunk.destroyEvent(event))).toBe('ERR_DISPOSED');
      await expect(thunk.waitEvents([event], { timeoutMs: 0 })).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    });

    it('give ids back', () => {
      const { thunk, scope } = of();
      for (let i = 0; i < 100; i++) thunk.destroyEvent(scope.event());
      expect(scope.event().id).toBeLessThan(4096);
    });
  });
}
