import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { findProcessor, type Processor } from '@doorbell/abi';
import { type KernelInfo, occupancy, parseCodeObject } from '../../src/index.js';
import { errorOf, fixture } from '../support/fixtures.js';
import { compareOccupancy } from '../support/occupancy.js';

const missing = skipReason('clang-22');

const processorOf = (name: string): Processor => findProcessor(name)!;

describe.skipIf(missing !== '')(`occupancy agrees with clang${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  // More of them: occupancy.sweep.test.ts.
  it.each(['gfx90a', 'gfx1100'])('for %s', (name) => {
    const { clang, ours } = compareOccupancy(name);
    expect(ours).toEqual(clang);
  });
});

describe('occupancy', () => {
  const base = parseCodeObject(fixture('gfx1100-v5.hsaco')).kernels[0]!;
  const kernel = (fields: Partial<KernelInfo>): KernelInfo => ({
    ...base,
    groupBytes: 0,
    vgprs: 8,
    maxFlatWorkgroupSize: 1024,
    ...fields,
  });
  const gfx1100 = processorOf('gfx1100');

  it('is limited by nothing for a small kernel: 16 waves on gfx11', () => {
    expect(occupancy(kernel({}), { workgroup: [256, 1, 1], processor: gfx1100 })).toEqual({
      wavesPerSimd: 16,
      limitedBy: 'none',
    });
  });

  it('is limited by VGPRs: 1536 of gfx1100 in granules of 24', () => {
    // 104 → 120; 1536 / 120 = 12.8
    expect(occupancy(kernel({ vgprs: 104 }), { workgroup: [128, 1, 1], processor: gfx1100 })).toEqual({
      wavesPerSimd: 12,
      limitedBy: 'vgpr',
    });
  });

  it('is limited by LDS: 128 KiB of a WGP with four SIMDs', () => {
    // Two workgroups of 8 waves with 64 KiB each: 16 waves on 4 SIMDs.
    const options = { workgroup: [256, 1, 1] as const, processor: gfx1100, dynamicLdsBytes: 32 << 10 };
    expect(occupancy(kernel({ groupBytes: 32 << 10 }), options)).toEqual({ wavesPerSimd: 4, limitedBy: 'lds' });
  });

  it('is limited by SGPRs: 800 of a gfx9 SIMD', () => {
    const gfx9 = { ...base.descriptor };
    const wide = kernel({ vgprs: 24, sgprs: 112, waveSize: 64, descriptor: gfx9 });
    expect(occupancy(wide, { workgroup: [64, 1, 1], processor: processorOf('gfx906') })).toEqual({
      wavesPerSimd: 7,
      limitedBy: 'sgpr',
    });
  });

  it('is limited by whole workgroups: 24 waves leave 16 of 64 slots empty', () => {
    expect(occupancy(kernel({}), { workgroup: [768, 1, 1], processor: gfx1100 })).toEqual({
      wavesPerSimd: 12,
      limitedBy: 'workgroup',
    });
  });

  it('is 0 when the workgroup is larger than the kernel allows or its LDS than there is', () => {
    expect(occupancy(kernel({}), { workgroup: [1025, 1, 1], processor: gfx1100 })).toEqual({
      wavesPerSimd: 0,
      limitedBy: 'workgroup',
    });
    const options = { workgroup: [64, 1, 1] as const, processor: gfx1100, dynamicLdsBytes: 200_000 };
    expect(occupancy(kernel({}), options)).toEqual({ wavesPerSimd: 0, limitedBy: 'lds' });
  });

  it('refuses a workgroup of no work-items', () => {
    expect(errorOf(() => occupancy(kernel({}), { workgroup: [0, 1, 1], processor: gfx1100 }))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});
