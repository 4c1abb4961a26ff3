import { describe, expect, it } from 'vitest';
import { rehearse, takeStep } from '../../src/device/rehearsal.js';
import { createExecutor } from '../../src/execute/index.js';
import { MEMORY_PAGES } from '../../src/memory-map.js';
import { listEmulatedTargets } from '../../src/sysfs/machine.js';

const createMemory = (): WebAssembly.Memory | undefined =>
  new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES, shared: true });
const now = (): bigint => process.hrtime.bigint();

/** The number of steps, and whether the dispatch came to its end. */
function run(processor: string, reserveMemory = createMemory): { readonly steps: number; readonly isComplete: boolean } {
  const rehearsal = rehearse({ processor, createExecutor, now, reserveMemory });
  for (let steps = 0; ; steps++) {
    const { done, value } = rehearsal.next();
    if (done === true) return { steps, isComplete: value };
  }
}

describe('a rehearsal', () => {
  it.each(listEmulatedTargets())('dispatches a kernel of its generation on %s to its end', (processor) => {
    const { steps, isComplete } = run(processor);
    expect(isComplete).toBe(true);
    expect(steps).toBeGreaterThan(1);
  });

  it('is nothing where there is no kernel of the generation', () => {
    expect(run('gfx803')).toEqual({ steps: 0, isComplete: false });
  });

  it('is nothing where address space is short', () => {
    expect(run('gfx1100', () => undefined)).toEqual({ steps: 0, isComplete: false });
    const reserveMemory = (): never => {
      throw new RangeError('could not allocate memory');
    };
    expect(takeStep(rehearse({ processor: 'gfx1100', createExecutor, now, reserveMemory }))).toBe(false);
  });

  it('hides no other error', () => {
    const broken = (): never => {
      throw new TypeError('a bug');
    };
    const rehearsal = rehearse({ processor: 'gfx1100', createExecutor: broken, now, reserveMemory: createMemory });
    expect(() => takeStep(rehearsal)).toThrowError('a bug');
  });
});
