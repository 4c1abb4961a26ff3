import { describe, expect, it } from 'vitest';
import { aqlQueueSizes, queueSizeInputs } from '../../src/kfd/queue-sizes.js';

const node = (gfxTargetVersion: number, cus: number, more: Partial<Parameters<typeof aqlQueueSizes>[0]> = {}) => ({
  gfxTargetVersion,
  simdCount: cus * 2,
  simdPerCu: 2,
  arrayCount: 12,
  simdArraysPerEngine: 2,
  xccCount: 1,
  ldsSizeKb: 64,
  ...more,
});

describe('aqlQueueSizes', () => {
  // Figures of published ioctl traces and of libhsakmt itself, not of this code.
  it.each([
    { name: 'gfx1100, 96 CUs', node: node(110000, 96), stack: 0xa000, save: 0x2be_a000, area: 0x2c0_2000 },
    {
      name: 'gfx90a, 104 CUs',
      node: node(90010, 104, { simdCount: 416, simdPerCu: 4, arrayCount: 8, simdArraysPerEngine: 1 }),
      stack: 0x9000,
      save: 0x3c9_1000,
      area: 0x3cb_1000,
    },
    { name: 'gfx1030, 60 CUs', node: node(100300, 60), stack: 0x6000, save: 0x13f_2000, area: 0x140_1000 },
    {
      name: 'gfx942, 38 CUs on each of 8 XCCs',
      node: node(90402, 304, { simdCount: 1216, simdPerCu: 4, arrayCount: 32, simdArraysPerEngine: 1, xccCount: 8 }),
      stack: 0x3000,
      save: 0x162_1000,
      area: 0xb16_7000,
    },
  ])('gives the sizes that the driver computes for $name', ({ node: inputs, stack, save, area }) => {
    const sizes = aqlQueueSizes(inputs);
    expect(sizes.controlStackBytes).toBe(stack);
    expect(sizes.saveBytes).toBe(save);
    expect(sizes.saveAreaBytes).toBe(area);
  });

  it('wants no EOP buffer on gfx942 and a page elsewhere', () => {
    expect(aqlQueueSizes(node(90402, 38)).eopBytes).toBe(0);
    expect(aqlQueueSizes(node(110000, 96)).eopBytes).toBe(4096);
  });

  it('caps the control stack of gfx10', () => {
    expect(aqlQueueSizes(node(100300, 80)).controlStackBytes).toBe(0x7000);
  });
});

describe('queueSizeInputs', () => {
  it('names the property that is missing', () => {
    expect(() => queueSizeInputs(new Map([['gfx_target_version', 110000n]]))).toThrow(/simd_count/);
  });
});
