import { describe, expect, it } from 'vitest';
import { measureResources, runCycle } from './leak-check.js';

describe.skipIf(process.platform !== 'linux')('1,000 times open, load, launch, close', () => {
  it('leave no thread, file or mapping behind', async () => {
    for (let i = 0; i < 50; i++) await runCycle();
    const before = measureResources();
    for (let i = 0; i < 1000; i++) await runCycle();
    const after = measureResources();
    expect(after.threads).toBeLessThanOrEqual(before.threads);
    expect(after.files).toBeLessThanOrEqual(before.files);
    // The allocator's own arenas come and go; a leak would add at least one mapping a cycle.
    expect(after.mappings - before.mappings).toBeLessThan(100);
  });
});
