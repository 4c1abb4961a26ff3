import type { Device } from '@doorbell/runtime';
import { openDevice } from '@doorbell/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeObject, KERNELS, prepareCase } from '../../../bench/kernels/cases.mjs';

let device: Device;

beforeAll(async () => {
  device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
});
afterAll(() => device.dispose());

describe.each([1, 2, 3] as const)('benchmark kernels at size L, compiled at -O%d', (level) => {
  it.each(KERNELS)('%s gives the recorded sum', async (kernel) => {
    using module = await device.load(codeObject(level));
    const ready = await prepareCase(device, module, kernel, 'L');
    await ready.launch();
    const { ok, expected, got } = await ready.check();
    ready.dispose();
    expect(ok, `sum ${got}, expected ${expected}`).toBe(true);
  });
});
