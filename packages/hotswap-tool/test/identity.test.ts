import { isHsaError } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { identifyCodeObject, parseSteppedIsa } from '../src/index.js';
import { fixture } from './support.js';

describe('identifyCodeObject', () => {
  // Names as comgr derives them from the header: no generic version; XNACK of gfx1250 is always on and has no modifier.
  it.each([
    ['gfx90a-v5.hsaco', 'amdgcn-amd-amdhsa--gfx90a', false, undefined],
    ['gfx942-v5.hsaco', 'amdgcn-amd-amdhsa--gfx942', false, undefined],
    ['gfx1100-v4.hsaco', 'amdgcn-amd-amdhsa--gfx1100', false, undefined],
    ['gfx11-generic-v6.hsaco', 'amdgcn-amd-amdhsa--gfx11-generic', true, undefined],
    ['gfx1250-v6.hsaco', 'amdgcn-amd-amdhsa--gfx1250', false, 'b0'],
  ])('%s', (name, isaName, isGeneric, stepping) => {
    const identity = identifyCodeObject(fixture(name));
    expect(identity.isaName.split(':')[0]).toBe(isaName);
    expect(identity.isGeneric).toBe(isGeneric);
    expect(identity.stepping).toBe(stepping);
  });

  it('refuses what is no code object', () => {
    expect(() => identifyCodeObject(new Uint8Array(64))).toThrow(expect.objectContaining({ code: 'ERR_CODE_OBJECT' }) as Error);
  });
});

describe('parseSteppedIsa', () => {
  it.each([
    ['amdgcn-amd-amdhsa--gfx1250', undefined],
    ['amdgcn-amd-amdhsa--gfx1250:gfx1250-b0-specific+', 'b0'],
    ['amdgcn-amd-amdhsa--gfx1250:gfx1250-b0-specific-', 'a0'],
  ])('%s', (name, stepping) => {
    expect(parseSteppedIsa(name)).toMatchObject({ target: { processor: 'gfx1250' } });
    expect(parseSteppedIsa(name).stepping).toBe(stepping);
  });

  it('keeps the features beside the token', () => {
    expect(parseSteppedIsa('amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-').target).toEqual({
      processor: 'gfx90a',
      sramecc: 'on',
      xnack: 'off',
    });
  });

  it.each(['gfx1250:gfx1250-b0-specific+:gfx1250-b0-specific-', 'gfx1251:gfx1250-b0-specific+', 'gfx125', 'sm_90'])(
    'refuses %s',
    (name) => {
      try {
        parseSteppedIsa(name);
        expect.unreachable();
      } catch (error) {
        expect(isHsaError(error, 'ERR_INVALID_ARGUMENT')).toBe(true);
      }
    },
  );
});
