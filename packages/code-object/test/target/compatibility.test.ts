import { describe, expect, it } from 'vitest';
import { type CodeObjectTarget, isaMismatch, parseTargetId, targetsCompatible } from '../../src/index.js';

const code = (text: string, genericVersion = text.includes('-generic') ? 1 : 0): CodeObjectTarget => ({
  ...parseTargetId(text),
  genericVersion,
});

describe('targetsCompatible', () => {
  // The HSA runtime's rule: features that the object fixes must match; then the version, or the generic's members.
  it.each([
    ['gfx1100', 'gfx1100', true, 'same-processor', /both are gfx1100/],
    ['gfx1100', 'gfx1101', false, 'processor', /made for gfx1100, not for gfx1101 or its generic target gfx11-generic/],
    ['gfx11-generic', 'gfx1152', true, 'generic', /gfx11-generic covers gfx1152/],
    ['gfx11-generic', 'gfx1201', false, 'processor', /does not cover gfx1201, which belongs to gfx12-generic/],
    ['gfx9-generic', 'gfx90a', false, 'processor', /does not cover gfx90a, which belongs to no generic target/],
    ['gfx9-4-generic:xnack+', 'gfx942:sramecc+:xnack-', false, 'xnack', /made for xnack on, but the device runs with xnack off/],
    ['gfx90a', 'gfx90a:sramecc+:xnack-', true, 'same-processor', /both/],
    ['gfx90a:sramecc+', 'gfx90a:sramecc+:xnack-', true, 'same-processor', /both/],
    ['gfx90a:xnack+', 'gfx90a:sramecc+:xnack-', false, 'xnack', /xnack on, but the device runs with xnack off/],
    ['gfx90a:sramecc-:xnack+', 'gfx90a:sramecc+:xnack+', false, 'sramecc', /sramecc off, but the device runs with sramecc on/],
    ['gfx90c:xnack-', 'gfx90c:xnack+', false, 'xnack', /gfx90c made for xnack off, but the device runs with xnack on/],
    ['gfx1250', 'gfx1251', false, 'processor', /made for gfx1250/],
    ['gfx12-5-generic', 'gfx1251', true, 'generic', /covers/],
  ])('%s on %s: %s (%s)', (object, agent, compatible, reason, explanation) => {
    expect(targetsCompatible(code(object), parseTargetId(agent))).toEqual({
      compatible,
      reason,
      explanation: expect.stringMatching(explanation) as string,
    });
  });

  it('refuses a generic object older than version 6, which has no version', () => {
    expect(targetsCompatible(code('gfx11-generic', 0), parseTargetId('gfx1100'))).toMatchObject({
      compatible: false,
      reason: 'generic-version',
    });
  });
});

describe('isaMismatch', () => {
  it('lists the targets in the file with their reasons, the device, and what would do (O13, O14)', () => {
    const error = isaMismatch([code('gfx1100'), code('gfx90a:xnack+')], parseTargetId('gfx1152'));
    expect(error.code).toBe('ERR_ISA_MISMATCH');
    expect(error.hsaStatus).toBe(0x100d);
    expect(error.message).toBe(
      'the file has code for gfx1100, gfx90a:xnack+; the device is gfx1152\n' +
        '  gfx1100: made for gfx1100, not for gfx1152 or its generic target gfx11-generic\n' +
        '  gfx90a:xnack+: made for gfx90a, not for gfx1152 or its generic target gfx11-generic',
    );
    expect(error.hint).toBe('Compile with --offload-arch=gfx1152 (or the generic gfx11-generic with code object version 6).');
    expect(error.details).toMatchObject({
      fileTargets: ['gfx1100', 'gfx90a:xnack+'],
      agentTarget: 'gfx1152',
      wouldDo: ['gfx1152', 'gfx11-generic'],
    });
  });

  it('explains the feature that differs, with the setting of both sides (O15)', () => {
    const error = isaMismatch([code('gfx90c:xnack-')], parseTargetId('gfx90c:xnack+'));
    expect(error.message).toMatch(/gfx90c:xnack-: .*xnack.*off.*on/s);
    expect(error.details).toMatchObject({ reasons: [{ target: 'gfx90c:xnack-', compatible: false, reason: 'xnack' }] });
    // Code that says nothing of the feature suits both.
    expect(targetsCompatible(code('gfx90c'), parseTargetId('gfx90c:xnack+'))).toMatchObject({ compatible: true });
  });
});
