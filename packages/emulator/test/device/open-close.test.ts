import { describe, expect, it } from 'vitest';
import type { DeviceThreads } from '../../src/device/threads.js';
import { idleThreads, openTestDevice } from './support.js';

describe('opening and closing', () => {
  it('reuses one memory for 200 machines in a row', async () => {
    const memories = new Set<WebAssembly.Memory>();
    for (let count = 0; count < 200; count += 1) {
      await using device = await openTestDevice();
      memories.add(device.memory);
    }
    expect(memories.size).toBe(1);
  });

  it.each([
    ['now', true],
    ['when-needed', false],
    [undefined, false],
  ] as const)('starts the threads as it opens where they are wanted %s', async (threads, isStarted) => {
    let made: DeviceThreads | undefined;
    await using device = await openTestDevice({ threads, createThreads: () => (made = idleThreads()) });
    expect([device.path, made?.isStarted]).toEqual(['emulated gfx1100', isStarted]);
  });
});
