import { skipReason } from '@doorbell/test-support';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findProcessorByMach, formatIsaName, formatTargetId, parseTargetId, PROCESSORS } from '../../src/index.js';
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

describe('PROCESSORS', () => {
  it('has every name and every number once', () => {
    expect(new Set(PROCESSORS.map((processor) => processor.name)).size).toBe(PROCESSORS.length);
    expect(new Set(PROCESSORS.map((processor) => processor.mach)).size).toBe(PROCESSORS.length);
  });

  const missing = skipReason('llvm-mc-22');

  it.skipIf(missing !== '')(
    `has LLVM's number and features for every processor llvm-mc knows${missing === '' ? '' : ` (skipped: ${missing})`}`,
    () => {
      // Newer than LLVM 22; and gfx125x, where LLVM has feature bits that target ids do not name.
      const later = new Set(['gfx1170', 'gfx1171', 'gfx1172', 'gfx1310', 'gfx11-7-generic', 'gfx12-5-generic', 'gfx13-generic']);
      for (const { name, features, mach } of PROCESSORS) {
        if (later.has(name)) continue;
        const version = name.endsWith('-generic') ? ['.amdhsa_code_object_version 6\n'] : ['.amdhsa_code_object_version 5\n'];
        const object = execFileSync('llvm-mc-22', ['-triple=amdgcn-amd-amdhsa', `-mcpu=${name}`, '-filetype=obj'], {
          input: version[0],
        });
        const flags = object.readUInt32LE(48);
        expect([name, flags & 0xff, findProcessorByMach(flags & 0xff)?.name]).toEqual([name, mach, name]);
        if (name.startsWith('gfx125')) continue;
        expect([name, (flags & 0x300) !== 0, (flags & 0xc00) !== 0]).toEqual([
          name,
          features.includes('xnack'),
          features.includes('sramecc'),
        ]);
      }
    },
  );
});
