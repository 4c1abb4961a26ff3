import { skipReason } from '@doorbell/test-support';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { PROCESSORS } from '../src/index.js';
import { processorOfLlvm } from './llvm-processor.js';

/** Older than LLVM 22, which has dropped them. */
const DROPPED: readonly string[] = ['gfx940', 'gfx941'];
const missing = skipReason('llvm-mc-22');

describe.skipIf(missing !== '')(`PROCESSORS${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  it.each(PROCESSORS.filter(({ name, isProvisional }) => !isProvisional && !DROPPED.includes(name)))(
    "has LLVM's number and features of $name",
    (processor) => {
      const { mach, features } = processorOfLlvm(processor.name);
      expect(processor.mach).toBe(mach);
      // LLVM has feature bits for gfx125x that target ids do not name.
      if (!processor.name.startsWith('gfx125')) expect(processor.features).toEqual(features);
    },
  );

  it('marks those that LLVM does not know as provisional', () => {
    const help = spawnSync('llvm-mc-22', ['-triple=amdgcn-amd-amdhsa', '-mcpu=help'], { input: '', encoding: 'utf8' }).stderr;
    const known = new Set(Array.from(help.matchAll(/^ +(gfx\S+) +- Select/gm), ([, name]) => name));
    expect(known.size).toBeGreaterThan(40);
    const unknown = PROCESSORS.filter(({ name }) => !known.has(name) && !DROPPED.includes(name)).map(({ name }) => name);
    expect(PROCESSORS.filter(({ isProvisional }) => isProvisional).map(({ name }) => name)).toEqual(unknown);
  });
});
