import { describe, expect, it } from 'vitest';
import { CodeDuty } from '../../src/device/code-duty.js';
import { HelpCall } from '../../src/device/help-call.js';
import { IdleTime } from '../../src/device/idle-time.js';
import { CODE_PLACE, CodePlace, HELP_WANTED, IRQ_COUNT, REPORTS } from '../../src/device/shared-state.js';
import type { CodeNeed, MadeCode } from '../../src/executor.js';
import { WorkForecast } from '../../src/device/work-forecast.js';

function createWords(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(REPORTS));
}

/** A worker with so much before it; each part of what it is asked for takes 50 ms. */
function open() {
  const words = createWords();
  const state = { ms: 0, leftMs: 0, parts: 0, made: 0 };
  const makeCode = (): MadeCode => {
    if (state.parts === 0) return 'none';
    state.parts -= 1;
    state.made += 1;
    state.ms += 50;
    return state.parts === 0 ? 'whole' : 'part';
  };
  const nowMs = (): number => state.ms;
  const duty = new CodeDuty({ words, work: { workMs: nowMs, leftMs: () => state.leftMs }, makeCode, nowMs });
  const ask = (need: CodeNeed, parts: number): void => {
    state.parts += parts;
    duty.ask(need);
  };
  /** A step of work that takes so long. */
  const work = (ms: number): void => {
    duty.begin();
    state.ms += ms;
    if (duty.isDue()) duty.make();
  };
  return { words, state, duty, ask, work };
}

describe('CodeDuty', () => {
  it('makes code between steps of work that goes on for long after it was asked for, idle time aside', () => {
    const { state, ask, work } = open();
    work(500);
    ask('wanted', 2);
    work(60);
    state.ms += 1000;
    work(30);
    expect(state.made).toBe(0);
    work(30);
    expect(state.made).toBe(1);
    work(0);
    work(0);
    expect(state.made).toBe(2);
    ask('wanted', 1);
    work(60);
    expect(state.made).toBe(2);
  });

  it('makes it soon when the work at hand is known to be long, and at once when waves wait for it', () => {
    const { state, ask, work } = open();
    ask('wanted', 1);
    state.leftMs = 98;
    work(1);
    expect(state.made).toBe(0);
    work(1);
    expect(state.made).toBe(1);
    work(1);
    state.leftMs = 0;
    ask('urgent', 1);
    work(1);
    expect(state.made).toBe(2);
  });

  it('makes what is certain to be worth it at once and without work between, as nothing that is asked for beside', () => {
    const { state, duty, ask, work } = open();
    ask('wanted', 0);
    ask('certain', 3);
    work(1);
    expect([state.made, duty.isPressing]).toEqual([1, true]);
    duty.make();
    duty.make();
    expect([state.made, duty.isPressing, duty.isAsked]).toEqual([3, false, true]);
    state.parts = 1;
    work(1);
    expect(state.made).toBe(3);
    work(100);
    expect(state.made).toBe(4);
  });

  it('ends what it began also when there is no more work', () => {
    const { state, duty, ask, work } = open();
    ask('urgent', 3);
    work(1);
    expect([duty.isBegun, state.made]).toEqual([true, 1]);
    while (duty.isBegun) duty.make();
    expect([duty.isAsked, state.made]).toEqual([false, 3]);
  });

  it('calls the thread when a program is wanted again after making some took long, and leaves it to the thread once that is ready', () => {
    const { words, state, ask, work } = open();
    ask('wanted', 4);
    for (let round = 0; round < 5; round++) work(100);
    ask('urgent', 1);
    work(1);
    work(1);
    expect([state.made, words[CODE_PLACE]]).toEqual([5, CodePlace.worker]);
    ask('wanted', 1);
    work(50);
    expect(words[CODE_PLACE]).toBe(CodePlace.worker);
    work(50);
    expect([state.made, words[CODE_PLACE], words[IRQ_COUNT]]).toEqual([6, CodePlace.wanted, 1]);
    work(0);
    words[CODE_PLACE] = CodePlace.thread;
    ask('urgent', 1);
    work(100);
    expect(state.made).toBe(6);
  });

  it('leaves large programs to the thread', () => {
    const { words, state, ask, work } = open();
    ask('large', 1);
    expect(words[CODE_PLACE]).toBe(CodePlace.wanted);
    work(1000);
    expect(state.made).toBe(0);
  });
});

describe('HelpCall', () => {
  function create(workers: number) {
    const words = createWords();
    const state = { ms: 0, leftMs: 0, hasUnclaimed: true };
    const work = { workMs: () => state.ms, leftMs: () => state.leftMs, hasUnclaimed: () => state.hasUnclaimed };
    return { words, state, call: new HelpCall(words, work, workers) };
  }

  it('calls the others when there is much to share, idle time aside', () => {
    const { words, state, call } = create(2);
    const work = (ms: number): void => {
      state.ms += 1000;
      call.begin();
      state.ms += ms;
      call.look();
    };
    work(50);
    state.leftMs = 190;
    work(9);
    expect(words[HELP_WANTED]).toBe(0);
    state.hasUnclaimed = false;
    work(100);
    expect(words[HELP_WANTED]).toBe(0);
    state.hasUnclaimed = true;
    work(1);
    expect([words[HELP_WANTED], words[IRQ_COUNT]]).toEqual([1, 1]);
  });

  it('calls nobody where there is one worker', () => {
    const { words, state, call } = create(1);
    call.begin();
    state.ms = 10_000;
    call.look();
    expect(words[HELP_WANTED]).toBe(0);
  });
});

describe('IdleTime', () => {
  function create() {
    const state = { ms: 0, asked: 0, log: [] as string[], steps: { rehearse: 2, warmUp: 1 } };
    const code = {
      get isAsked() {
        return state.asked > 0;
      },
      make: () => {
        state.asked -= 1;
        state.log.push('make');
      },
    };
    const step = (what: 'rehearse' | 'warmUp') => (): boolean => {
      state.log.push(what);
      return --state.steps[what] > 0;
    };
    const idle = new IdleTime({ rehearse: step('rehearse'), warmUp: step('warmUp'), code, nowMs: () => state.ms });
    return { state, idle };
  }
  const never = (): boolean => false;

  it('rehearses for the first kernel at once, for optimised code when the device was idle for a while', () => {
    const { state, idle } = create();
    expect(idle.rest('idle', never)).toBe(400);
    expect(state.log).toEqual(['rehearse', 'rehearse']);
    state.ms = 400;
    expect(idle.rest('idle', never)).toBe(Infinity);
    expect(state.log).toEqual(['rehearse', 'rehearse', 'warmUp']);
  });

  it('does not keep work waiting for more than the step under way, nor a program that waited for its first kernel', () => {
    const { state, idle } = create();
    let looks = 0;
    expect(idle.rest('idle', () => looks++ > 0)).toBe(0);
    expect(state.log).toEqual(['rehearse']);
    expect(idle.rest('worked', never)).toBe(400);
    state.ms = 300;
    expect(idle.rest('idle', never)).toBe(100);
    expect(state.log).toEqual(['rehearse']);
  });

  it('makes code that was asked for whenever the device was idle for a while', () => {
    const { state, idle } = create();
    idle.rest('idle', never);
    state.ms = 1000;
    idle.rest('idle', never);
    state.log = [];
    state.asked = 2;
    expect(idle.rest('worked', never)).toBe(400);
    state.ms = 1400;
    expect(idle.rest('idle', never)).toBe(Infinity);
    expect(state.log).toEqual(['make', 'make']);
  });
});

describe('WorkForecast', () => {
  it('goes by the best pace, as far as the past of the dispatch goes', () => {
    const forecast = new WorkForecast();
    forecast.note(1, 0, 1000, 100);
    expect(forecast.leftMs(120)).toBe(20);
    forecast.note(1, 1, 1000, 150);
    expect(forecast.leftMs(150)).toBe(4 * 50);
    forecast.note(1, 1, 1000, 160);
    forecast.note(1, 51, 1000, 185);
    expect(forecast.leftMs(185)).toBe(4 * 85);
    forecast.note(1, 801, 1000, 560);
    forecast.note(1, 811, 1000, 660);
    expect(forecast.leftMs(660)).toBe(189 * 0.5);
  });

  it('knows nothing of the next dispatch, and that one is over', () => {
    const forecast = new WorkForecast();
    forecast.note(1, 0, 2, 0);
    forecast.note(1, 2, 2, 500);
    expect(forecast.leftMs(900)).toBe(0);
    forecast.note(2, 0, 2, 1000);
    expect(forecast.leftMs(1000)).toBe(0);
    expect(forecast.leftMs(1007)).toBe(7);
    forecast.end();
    expect(forecast.leftMs(1010)).toBe(0);
  });
});
