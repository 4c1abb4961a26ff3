import { PROCESSORS } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { formatIsaName, formatTargetId, parseTargetId } from '../../src/index.js';
import { errorOf } from '../support/fixtures.js';

describe('parseTargetId', () => {
  it.each([
    ['gfx1100', 'gfx1100', 'unsupported', 'unsupported'],
    ['gfx90a', 'gfx90a', 'any', 'any'],
    ['gfx90a:sramecc+:xnack-', 'gfx90a', 'on', 'off'],
    ['gfx90a:xnack-:sramecc+', 'gfx90a', 'on', 'off'],
    ['gfx90c:xnack+', 'gfx90c', 'unsupported', 'on'],
    ['amdgcn-amd-amdhsa--gfx942:xnack+', 'gfx942', 'any', 'on'],
    ['amdgcn-amd-amdhsa-unknown-gfx1030', 'gfx1030', 'unsupported', 'unsupported'],
    ['amdgpu12.50-amd-amdhsa-unknown-gfx1250', 'gfx1250', 'unsupported', 'unsupported'],
    ['gfx9-4-generic:sramecc-', 'gfx9-4-generic', 'off', 'any'],
  ])('reads %s', (text, processor, sramecc, xnack) => {
    expect(parseTargetId(text)).toEqual({ processor, sramecc, xnack });
  });

  it.each([
    ['gfx1234', /no processor "gfx1234"/],
    ['', /no processor ""/],
    ['gfx125', /no processor/],
    ['gfx1100:xnack+', /gfx1100 has no feature xnack/],
    ['gfx90a:xnack', /not a feature setting/],
    ['gfx90a:xnack+:xnack-', /xnack is given twice/],
    ['gfx90a:', /"" is not a feature setting/],
    ['x86_64-unknown-linux-gnu', /no processor/],
  ])('refuses %j', (text, message) => {
    expect(errorOf(() => parseTargetId(text))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      hsaStatus: 0x1017,
      message: expect.stringMatching(message) as string,
    });
  });

  it('prints sramecc before xnack, and nothing for any', () => {
    expect(formatTargetId(parseTargetId('gfx908:xnack-:sramecc+'))).toBe('gfx908:sramecc+:xnack-');
    expect(formatIsaName(parseTargetId('gfx908'))).toBe('amdgcn-amd-amdhsa--gfx908');
  });

  it('gives back what it printed, for every processor and setting', () => {
    for (const { name, features } of PROCESSORS) {
      for (const signs of [[], ['+'], ['-']]) {
        const text = [name, ...features.flatMap((feature) => signs.map((sign) => feature + sign))].join(':');
        expect(formatTargetId(parseTargetId(text))).toBe(text);
      }
    }
  });
});
