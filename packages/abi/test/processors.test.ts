import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { findProcessor, findProcessorByMach, PROCESSORS } from '../src/index.js';
import { processorOfLlvm } from './llvm-processor.js';

describe('PROCESSORS', () => {
  it('has every name and every number once', () => {
    expect(new Set(PROCESSORS.map((processor) => processor.name)).size).toBe(PROCESSORS.length);
    expect(new Set(PROCESSORS.map((processor) => processor.mach)).size).toBe(PROCESSORS.length);
  });

  const missing = skipReason('llvm-mc-22');

  // Every processor: processors.sweep.test.ts.
  it.skipIf(missing !== '').each(['gfx906', 'gfx90a', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx9-4-generic'])(
    `has LLVM's number and features of %s${missing === '' ? '' : ` (skipped: ${missing})`}`,
    (name) => {
      const { mach, features } = findProcessor(name)!;
      expect({ mach, features }).toEqual(processorOfLlvm(name));
      expect(findProcessorByMach(mach)?.name).toBe(name);
    },
  );
});
