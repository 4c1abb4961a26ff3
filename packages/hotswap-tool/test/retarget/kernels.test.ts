import { parseCodeObject } from '@doorbell/code-object';
import { describe, expect, it } from 'vitest';
import { findingsOf, kernelObject, rulesOf } from './objects.js';
import { planRewrite } from '../../src/index.js';

describe('kernels', () => {
  // 1024 work-items are 8 waves on each of 4 SIMDs; gfx1100 has 1536 VGPRs of a lane there, gfx1102 has 1024 (hsa-api, granules).
  it('whose largest workgroup does not fit are refused', () => {
    const bytes = kernelObject('gfx1100', { vgprs: 192, maxWorkgroup: 1024, fields: '.amdhsa_workgroup_processor_mode 1' });
    expect(rulesOf(bytes, 'gfx1102')).toEqual(['limit blocker']);
    expect(rulesOf(bytes, 'gfx1101')).toEqual([]);
    // The members of a generic target must all have room.
    expect(rulesOf(bytes, 'gfx11-generic')).toContain('limit blocker');
  });

  it('report the waves that fit', () => {
    const bytes = kernelObject('gfx1100', { vgprs: 120, maxWorkgroup: 32 });
    const [kernel] = planRewrite(bytes, { target: 'gfx1102' }).kernels;
    // 1536 / 120 and 1024 / 120, of at most 16.
    expect(kernel).toMatchObject({ name: 'k', vgprs: 120, waveSize: 32, wavesPerSimd: { source: 12, target: 8 } });
    expect(findingsOf(bytes, 'gfx1102')).toMatchObject([{ rule: 'occupancy', severity: 'info', places: [{ symbol: 'k' }] }]);
  });

  // LLVM FeatureUserSGPRInit16Bug: gfx1100 and gfx1102, waves of 32 lanes.
  it.each([
    ['gfx1101', 'gfx1100', '.amdhsa_user_sgpr_count 2', ['descriptor blocker']],
    ['gfx1101', 'gfx1100', '.amdhsa_user_sgpr_count 15', []],
    ['gfx1101', 'gfx1103', '.amdhsa_user_sgpr_count 2', []],
    ['gfx1100', 'gfx1102', '.amdhsa_user_sgpr_count 2', ['occupancy info']],
  ])('of %s start right on %s with %s: %j', (source, target, fields, rules) => {
    expect(
      rulesOf(kernelObject(source, { fields, vgprs: 100, maxWorkgroup: 32 }), target).filter(
        (rule) => source === 'gfx1100' || !rule.startsWith('occupancy'),
      ),
    ).toEqual(rules);
  });

  it('in waves that the processor does not have are refused', () => {
    const bytes = kernelObject('gfx1250');
    const { descriptorVaddr = 0n } = parseCodeObject(bytes).kernels[0] ?? {};
    // kernel_code_properties bit 10, ENABLE_WAVEFRONT_SIZE32; .rodata lies at its address in the file.
    const at = Number(descriptorVaddr) + 57;
    bytes[at] = (bytes[at] ?? 0) & ~4;
    expect(findingsOf(bytes, 'gfx1250')).toMatchObject([{ rule: 'descriptor', message: 'gfx1250 has no waves of 64 lanes' }]);
  });
});
