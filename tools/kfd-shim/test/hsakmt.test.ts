import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { compileProgram, missing, removeFiles, runOn } from './client.js';

const reason = missing();
const kernelFor = (target: string): string =>
  fileURLToPath(new URL(`../../../packages/runtime/test/fixtures/vadd.${target}.hsaco`, import.meta.url));

afterAll(removeFiles);

describe.skipIf(reason !== '')(`libhsakmt on the emulated device ${reason}`, () => {
  it.each([
    ['gfx90a', 'gpu 1 gfx9.0.10 AMD Instinct MI210'],
    ['gfx1030', 'gpu 1 gfx10.3.0 AMD Radeon RX 6800'],
  ])('runs a kernel on %s in memory of each kind, and gives registered memory back', async (target, gpu) => {
    const program = compileProgram('hsakmt-vadd', 'hsakmt');
    const { code, out, err } = await runOn(target, program, kernelFor(target));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^interface 1\.\d+, nodes 2$/),
      gpu,
      'event 1 mailbox yes',
      'registered elsewhere',
      'right',
      'malloc memory kept',
      'closed',
      '',
    ]);
  });
});
