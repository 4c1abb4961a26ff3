import { describe, expect, it } from 'vitest';
import { openTestDevice } from './support.js';

describe('opening and closing', () => {
  it('reuses one memory for 200 machines in a row', async () => {
    const memories = new Set<WebAssembly.Memory>();
    for (let count = 0; count < 200; count += 1) {
      await using device = await openTestDevice();
      memories.add(device.memory);
    }
    expect(memories.size).toBe(1);
  });
});
