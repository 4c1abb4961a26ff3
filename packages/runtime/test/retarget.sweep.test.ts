import { rewrite } from '@doorbell/hotswap-tool';
import type { Device } from '@doorbell/runtime';
import { openDevice } from '@doorbell/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeObject, KERNELS, prepareCase } from '../../../bench/kernels/cases.mjs';
import type { KernelTarget } from '../../../bench/kernels/inputs.mjs';

/** Code that clang made for the first, retargeted to the second, run on the third. */
const ROUTES: readonly (readonly [source: KernelTarget, target: string, device: string])[] = [
  ...['gfx1031', 'gfx1032', 'gfx1033', 'gfx1034', 'gfx1035', 'gfx1036'].map((target) => ['gfx1030', target, target] as const),
  ...['gfx1101', 'gfx1102', 'gfx1103', 'gfx1150', 'gfx1151', 'gfx1152', 'gfx1153'].map(
    (target) => ['gfx1100', target, target] as const,
  ),
  ['gfx1201', 'gfx1200', 'gfx1200'],
  ['gfx1030', 'gfx10-3-generic', 'gfx1034'],
  ['gfx1100', 'gfx11-generic', 'gfx1150'],
  ['gfx1201', 'gfx12-generic', 'gfx1200'],
];

describe.each(ROUTES)('benchmark kernels for %s, retargeted to %s, on %s', (source, target, isa) => {
  let device: Device;
  beforeAll(async () => {
    // Integrated members are opened by explicit choice only.
    device = await openDevice({ backend: 'emulated', isa, index: 0 });
  }, 120_000);
  afterAll(() => device.dispose());

  describe.each([0, 3] as const)('compiled at -O%d', (level) => {
    it.each(KERNELS)('%s gives the recorded sum', { timeout: 120_000 }, async (kernel) => {
      const result = rewrite(codeObject(level, source), { target });
      if (result.status !== 'rewritten') throw new Error(JSON.stringify(result.report.findings));
      using module = await device.load(result.bytes);
      const ready = await prepareCase(device, module, kernel, 'S');
      await ready.launch();
      const { ok, expected, got } = await ready.check();
      ready.dispose();
      expect(ok, `sum ${got}, expected ${expected}`).toBe(true);
    });
  });
});
