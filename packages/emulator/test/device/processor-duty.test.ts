import { describe, expect, it } from 'vitest';
import type { CommandProcessor } from '../../src/device/command-processor.js';
import { ProcessorDuty, takeDuty } from '../../src/device/processor-duty.js';
import {
  CP_WAKE,
  PROCESSOR_PLACE,
  ProcessorPlace,
  REPORTS,
  SHUTDOWN,
  WORKER_WAKE,
  wakeProcessor,
  workerWord,
} from '../../src/device/shared-state.js';

function open(waitMs = Infinity) {
  const words = new Int32Array(new SharedArrayBuffer(REPORTS));
  const clock = { ms: 0 };
  const log: string[] = [];
  const processor = {
    step: () => {
      log.push('step');
      return waitMs;
    },
    handOver: () => log.push('hand over'),
  } as unknown as CommandProcessor;
  return { words, clock, log, duty: new ProcessorDuty(words, processor, () => clock.ms) };
}

describe('ProcessorDuty', () => {
  it('steps between two steps of work when woken, or when the time has come', () => {
    const { words, clock, log, duty } = open(10);
    expect(duty.step()).toBe(10);
    duty.look();
    expect(log).toHaveLength(1);
    wakeProcessor(words);
    duty.look();
    expect(log).toHaveLength(2);
    clock.ms = 10;
    duty.look();
    expect(log).toHaveLength(3);
  });

  it('asks for a thread once the worker was busy for long, idle time aside', () => {
    const { words, clock, duty } = open();
    for (let round = 0; round < 10; round++) {
      clock.ms += 1000;
      duty.step();
      clock.ms += 20;
      duty.look();
    }
    expect(words[PROCESSOR_PLACE]).toBe(ProcessorPlace.worker);
    clock.ms += 100;
    duty.look();
    expect(words[PROCESSOR_PLACE]).toBe(ProcessorPlace.wanted);
  });

  it('hands over when the thread is there, and steps no more', () => {
    const { words, log, duty } = open();
    duty.step();
    words[PROCESSOR_PLACE] = ProcessorPlace.ready;
    duty.look();
    expect([words[PROCESSOR_PLACE], log]).toEqual([ProcessorPlace.thread, ['step', 'hand over']]);
    expect(duty.step()).toBe(Infinity);
    expect(log).toHaveLength(2);
  });

  it('is not taken when the machine shuts down', () => {
    const { words } = open();
    words[SHUTDOWN] = 1;
    expect(takeDuty(words)).toBe(false);
    expect(words[workerWord(0) + WORKER_WAKE]).toBe(1);
  });

  it('is woken with the worker while it is the worker’s', () => {
    const { words } = open();
    wakeProcessor(words);
    words[PROCESSOR_PLACE] = ProcessorPlace.thread;
    wakeProcessor(words);
    expect([words[CP_WAKE], words[workerWord(0) + WORKER_WAKE]]).toEqual([2, 1]);
  });
});
