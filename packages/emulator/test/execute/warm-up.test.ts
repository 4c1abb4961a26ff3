import { describe, expect, it } from 'vitest';
import { CODE_STORE_BYTES } from '../../src/memory-map.js';
import { Workshop } from '../../src/execute/code-recipe.js';
import { CodeStore, createExecutor, WishCompiler } from '../../src/execute/index.js';
import { warmUpOptimised } from '../../src/execute/warm-up.js';
import { listEmulatedTargets } from '../../src/sysfs/machine.js';
import { Machine } from './machine.js';

const OPTIONS = { softwarePages: false };

/** How often a step can be made; more than any warm-up has counts as endless. */
function stepsOf(step: () => boolean): number {
  let steps = 0;
  while (step()) if (++steps > 1000) throw new Error('no end');
  return steps;
}

describe('warm-up', () => {
  it.each(listEmulatedTargets())('compiles the code of its generation for %s, and nobody finds it', (target) => {
    const codeStore = new SharedArrayBuffer(CODE_STORE_BYTES);
    const { version } = new CodeStore(codeStore);
    const executor = createExecutor(new Machine().memory, { codeStore });
    expect(stepsOf(() => executor.warmUp(target))).toBeGreaterThan(1);
    expect(executor.warmUp(target)).toBe(false);
    expect(new CodeStore(codeStore).version).toBe(version);
  });

  it.each(listEmulatedTargets())('has instructions that %s knows', (target) => {
    const exits: string[] = [];
    class Watching extends Workshop {
      override cfg(...args: Parameters<Workshop['cfg']>): ReturnType<Workshop['cfg']> {
        const cfg = super.cfg(...args);
        exits.push(...cfg.blocks.map(({ ir }) => ir.exit.kind));
        return cfg;
      }
    }
    const warmUp = warmUpOptimised(target, OPTIONS, new Watching());
    stepsOf(() => warmUp.next().done !== true);
    expect(exits.length).toBeGreaterThan(10);
    expect(exits).not.toContain('illegal');
    expect(exits).toContain('barrier');
  });

  it('ends for the compile worker, too', () => {
    const store = new CodeStore(new SharedArrayBuffer(CODE_STORE_BYTES));
    const compiler = new WishCompiler(store);
    expect(compiler.step()).toBe('none');
    expect(stepsOf(() => compiler.warmUp('gfx1100', OPTIONS))).toBeGreaterThan(2);
  });

  it('is nothing where there is no code of the generation', () => {
    expect(createExecutor(new Machine().memory).warmUp('gfx803')).toBe(false);
  });
});
