import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timers, WaitOutcome } from '../../src/device/events.js';
import { EventTable, WAIT_FOREVER } from '../../src/device/events.js';

const SIGNAL = 0;
const MEMORY = 8;
const EIO = 5;
const EINVAL = 22;

/** Timers that fire when the test says so. */
class ManualTimers implements Timers {
  readonly pending = new Map<() => void, number>();

  after(delayMs: number, callback: () => void): { cancel(): void } {
    this.pending.set(callback, delayMs);
    return { cancel: () => void this.pending.delete(callback) };
  }

  fire(): void {
    for (const callback of [...this.pending.keys()]) callback();
  }
}

function table(timers: Timers = new ManualTimers()): EventTable {
  const events = new EventTable({ timers });
  events.usePage(new BigInt64Array(new SharedArrayBuffer(32_768)), 'full');
  return events;
}

/** What a wait came to, once it has; undefined while it is pending. */
function watch(outcome: WaitOutcome | Promise<WaitOutcome>): { result: WaitOutcome | undefined } {
  const seen: { result: WaitOutcome | undefined } = { result: undefined };
  if (outcome instanceof Promise) void outcome.then((result) => (seen.result = result));
  else seen.result = outcome;
  return seen;
}

const settle = (): Promise<void> => Promise.resolve();
const entry = (eventId: number, lastAge = 0n) => ({ eventId, lastAge });
const ANY = { all: false, timeoutMs: WAIT_FOREVER };
const ageOf = (outcome: WaitOutcome | undefined): bigint => new DataView(outcome!.updates[0]!.bytes.buffer).getBigUint64(0, true);

describe('events', () => {
  it('releases every present waiter of an auto-reset event, or latches once', async () => {
    const events = table();
    const id = events.create(SIGNAL, 'auto');
    const waits = [1, 2, 3].map(() => watch(events.wait([entry(id)], ANY)));
    events.set(id);
    await settle();
    expect(waits.map((wait) => wait.result?.result)).toEqual([0, 0, 0]);
    events.set(id);
    events.set(id);
    expect(watch(events.wait([entry(id)], ANY)).result?.result).toBe(0);
    expect(watch(events.wait([entry(id)], ANY)).result).toBe(undefined);
  });

  it('keeps a manual-reset event signaled until it is reset', async () => {
    const events = table();
    const id = events.create(SIGNAL, 'manual');
    events.set(id);
    for (let count = 0; count < 2; count += 1) expect(watch(events.wait([entry(id)], ANY)).result?.result).toBe(0);
    events.reset(id);
    const pending = watch(events.wait([entry(id)], ANY));
    await settle();
    expect(pending.result).toBe(undefined);
  });

  it('completes at once where the age differs, and gives the new one back', () => {
    const events = table();
    const id = events.create(SIGNAL, 'auto');
    const current = watch(events.wait([entry(id, 1n)], ANY));
    expect(current.result).toBe(undefined);
    events.set(id);
    const late = watch(events.wait([entry(id, 1n)], { all: false, timeoutMs: 0 }));
    expect(late.result?.result).toBe(0);
    expect(ageOf(late.result)).toBe(2n);
    expect(watch(events.wait([entry(id, 2n)], { all: false, timeoutMs: 0 })).result?.result).toBe(1);
  });

  it('waits for all, each in its own time', async () => {
    const events = table();
    const [one, two] = [events.create(SIGNAL, 'auto'), events.create(SIGNAL, 'auto')];
    const wait = watch(events.wait([entry(one), entry(two)], { all: true, timeoutMs: WAIT_FOREVER }));
    events.set(one);
    await settle();
    expect(wait.result).toBe(undefined);
    events.set(two);
    await settle();
    expect(wait.result).toMatchObject({ errno: 0, result: 0 });
  });

  it('ends at the time-out with result 1 and no error', async () => {
    const timers = new ManualTimers();
    const events = table(timers);
    const id = events.create(SIGNAL, 'auto');
    const wait = watch(events.wait([entry(id)], { all: false, timeoutMs: 0xffff_fffe }));
    expect([...timers.pending.values()]).toEqual([0x7fff_ffff]);
    timers.fire();
    await settle();
    expect(wait.result).toEqual({ errno: 0, result: 1, updates: [] });
    expect(timers.pending.size).toBe(0);
    // The waiter is gone: the event latches.
    events.set(id);
    expect(watch(events.wait([entry(id)], ANY)).result?.result).toBe(0);
  });

  it('fails waits for a destroyed event', async () => {
    const events = table();
    const [one, two] = [events.create(SIGNAL, 'auto'), events.create(SIGNAL, 'auto')];
    const wait = watch(events.wait([entry(one), entry(two)], ANY));
    expect(events.destroy(two)).toBe(0);
    await settle();
    expect(wait.result).toMatchObject({ errno: -EIO, result: 2 });
    expect(events.destroy(two)).toBe(-EINVAL);
  });

  it('gives ids from 1, from 4096 for types without slot, the lowest free one first', () => {
    const events = table();
    expect([events.create(SIGNAL, 'auto'), events.create(SIGNAL, 'auto'), events.create(MEMORY, 'manual')]).toEqual([1, 2, 4096]);
    events.destroy(1);
    expect(events.create(SIGNAL, 'auto')).toBe(1);
  });

  it('takes an interrupt at its slot, and looks through all slots when that one is not signaled', () => {
    const events = new EventTable();
    const slots = new BigInt64Array(new SharedArrayBuffer(32_768));
    events.usePage(slots, 'full');
    const [one, two] = [events.create(SIGNAL, 'auto'), events.create(SIGNAL, 'auto')];
    expect(slots.every((slot) => slot === -1n)).toBe(true);
    const isSet = (id: number) => watch(events.wait([entry(id)], { all: false, timeoutMs: 0 })).result?.result === 0;
    slots[one] = BigInt(one);
    events.interrupt(one);
    expect([slots[one], isSet(one), isSet(two)]).toEqual([-1n, true, false]);
    slots[two] = BigInt(two);
    events.interrupt(one);
    expect([slots[two], isSet(one), isSet(two)]).toEqual([-1n, false, true]);
  });

  it('gives the data of an exception to those who wait for its type', async () => {
    const events = table();
    expect(events.signalMemoryException(new Uint8Array(32))).toBe(false);
    const id = events.create(MEMORY, 'auto');
    const wait = watch(events.wait([entry(id)], ANY));
    const data = new Uint8Array(32).fill(7);
    expect(events.signalMemoryException(data)).toBe(true);
    await settle();
    expect(wait.result?.updates).toEqual([{ index: 0, bytes: data }]);
  });
});

/** The rules in the fewest words: an event is a latch, an age and the waits that stand at it. */
class Model {
  readonly latched: boolean[] = [];
  readonly ages: bigint[] = [];
  readonly isAuto: boolean[] = [];
  waits: { readonly ids: readonly number[]; readonly all: boolean; readonly hit: Set<number>; readonly index: number }[] = [];
  readonly done = new Set<number>();

  set(id: number): void {
    const standing = this.waits.filter((wait) => this.#stands(wait, id));
    this.latched[id] = !this.isAuto[id] || standing.length === 0;
    this.ages[id] = this.ages[id]! + 1n;
    for (const wait of this.waits) wait.ids.forEach((each, place) => each === id && wait.hit.add(place));
    this.#finish();
  }

  wait(index: number, ids: readonly number[], all: boolean, ages: readonly bigint[]): void {
    const hit = new Set<number>();
    ids.forEach((id, place) => {
      const isLatched = this.latched[id]!;
      if (this.isAuto[id]) this.latched[id] = false;
      if (isLatched || (ages[place] !== 0n && ages[place] !== this.ages[id])) hit.add(place);
    });
    const stands = new Set(ids.filter((_, place) => !hit.has(place)));
    this.waits.push({ ids, all, hit, index });
    this.#standing.set(index, stands);
    this.#finish();
  }

  readonly #standing = new Map<number, Set<number>>();

  /** A waiter stands at an event from when it enlisted there until its wait is over. */
  #stands(wait: { readonly index: number }, id: number): boolean {
    return this.#standing.get(wait.index)!.has(id);
  }

  #finish(): void {
    for (const wait of this.waits) {
      if (wait.all ? wait.hit.size === wait.ids.length : wait.hit.size > 0) this.done.add(wait.index);
    }
    this.waits = this.waits.filter((wait) => !this.done.has(wait.index));
  }
}

it('behaves as the model for any sequence of calls', async () => {
  const id = fc.integer({ min: 0, max: 2 });
  const command = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), id }),
    fc.record({ kind: fc.constant('reset' as const), id }),
    fc.record({
      kind: fc.constant('wait' as const),
      ids: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }),
      all: fc.boolean(),
      tracksAge: fc.boolean(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      fc.array(command, { maxLength: 40 }),
      async (autos, commands) => {
        const events = table();
        const model = new Model();
        const ids = autos.map((isAuto, index) => {
          model.isAuto[index] = isAuto;
          model.latched[index] = false;
          model.ages[index] = 1n;
          return events.create(SIGNAL, isAuto ? 'auto' : 'manual');
        });
        const seen: { result: WaitOutcome | undefined }[] = [];
        for (const step of commands) {
          if (step.kind === 'set') {
            events.set(ids[step.id]!);
            model.set(step.id);
          } else if (step.kind === 'reset') {
            events.reset(ids[step.id]!);
            model.latched[step.id] = false;
          } else {
            const ages = step.ids.map((each) => (step.tracksAge ? model.ages[each]! - 1n || 1n : 0n));
            const entries = step.ids.map((each, place) => entry(ids[each]!, ages[place]));
            model.wait(seen.length, step.ids, step.all, ages);
            seen.push(watch(events.wait(entries, { all: step.all, timeoutMs: WAIT_FOREVER })));
          }
          await settle();
          await settle();
          seen.forEach((wait, index) => {
            expect([index, wait.result?.result]).toEqual([index, model.done.has(index) ? 0 : undefined]);
          });
        }
        events.close();
      },
    ),
    { seed: 20_251_129, numRuns: 300 },
  );
});
