import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { PROCESSORS } from '../src/index.js';
import { processorOfLlvm } from './llvm-processor.js';

/** Older or newer than what LLVM 22 knows. */
const NOT_IN_LLVM = [
  'gfx940',
  'gfx941',
  'gfx1250-strict',
  'gfx1170',
  'gfx1171',
  'gfx1172',
  'gfx1310',
  'gfx11-7-generic',
  'gfx12-5-generic',
  'gfx13-generic',
];
const missing = skipReason('llvm-mc-22');

describe.skipIf(missing !== '')(`PROCESSORS${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  it.each(PROCESSORS.filter(({ name }) => !NOT_IN_LLVM.includes(name)))(
    "has LLVM's number and features of $name",
    (processor) => {
      const { mach, features } = processorOfLlvm(processor.name);
      expect(processor.mach).toBe(mach);
      // LLVM has feature bits for gfx125x that target ids do not name.
      if (!processor.name.startsWith('gfx125')) expect(processor.features).toEqual(features);
    },
  );
});
