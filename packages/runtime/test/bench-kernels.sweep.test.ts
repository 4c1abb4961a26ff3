import type { Device } from '@doorbell/runtime';
import { openDevice } from '@doorbell/runtime';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { codeObject, KERNELS, prepareCase } from '../../../bench/kernels/cases.mjs';
import { TARGETS } from '../../../bench/kernels/inputs.mjs';

/** Levels of optimisation that each target has code objects of; gfx1100 has more. */
const levelsOf = (target: string): readonly (0 | 1 | 2 | 3)[] => (target === 'gfx1100' ? [0, 1, 2, 3] : [0, 3]);
const devices = TARGETS.flatMap((target) => [1, 2].map((workers) => ({ target, workers })));

describe.each(devices)('benchmark kernels on $target with $workers worker(s)', ({ target, workers }) => {
  let device: Device;
  beforeAll(async () => {
    vi.stubEnv('DOORBELL_WORKERS', String(workers));
    device = await openDevice({ backend: 'emulated', isa: target });
  });
  afterAll(async () => {
    await device.dispose();
    vi.unstubAllEnvs();
  });

  describe.each(levelsOf(target))('compiled at -O%d', (level) => {
    // Without optimisation every value goes through private memory: minutes at L.
    const sizes = level === 0 ? (['S'] as const) : (['S', 'L'] as const);
    const cases = KERNELS.flatMap((kernel) => sizes.map((size) => [kernel, size] as const));
    it.each(cases)('%s gives the recorded sum at size %s', async (kernel, size) => {
      using module = await device.load(codeObject(level, target));
      const ready = await prepareCase(device, module, kernel, size);
      await ready.launch();
      const { ok, expected, got } = await ready.check();
      ready.dispose();
      expect(ok, `sum ${got}, expected ${expected}`).toBe(true);
    });
  });
});
