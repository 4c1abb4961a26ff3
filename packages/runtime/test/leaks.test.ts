import { describe, expect, it } from 'vitest';
import { measureResources, runCycle } from './leak-check.js';

describe.skipIf(process.platform !== 'linux')('open, load, launch, close', () => {
  it('leaves no thread and no file behind', { timeout: 60_000 }, async () => {
    for (let i = 0; i < 2; i++) await runCycle();
    const before = measureResources();
    for (let i = 0; i < 4; i++) await runCycle();
    const after = measureResources();
    expect(after.threads).toBeLessThanOrEqual(before.threads);
    expect(after.files).toBeLessThanOrEqual(before.files);
  });
});
