import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { measureResources, runCycle } from './leak-check.js';

/** Collects garbage: what devices that are closed mapped goes with it, some hundred mappings that come and go else. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  // Safe: that is what the flag gives a new context.
  const collect = runInNewContext('gc') as () => void;
  // Device threads take compiled code under their own flags only.
  setFlagsFromString('--no-expose-gc');
  collect();
}

describe.skipIf(process.platform !== 'linux')('1,000 times open, load, launch, close', () => {
  it('leave no thread, file or mapping behind', async () => {
    for (let i = 0; i < 50; i++) await runCycle();
    collectGarbage();
    const before = measureResources();
    for (let i = 0; i < 1000; i++) await runCycle();
    collectGarbage();
    const after = measureResources();
    expect(after.threads).toBeLessThanOrEqual(before.threads);
    expect(after.files).toBeLessThanOrEqual(before.files);
    // The allocator's own arenas come and go; a leak would add at least one mapping a cycle.
    expect(after.mappings - before.mappings).toBeLessThan(100);
  });
});
