import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ERROR_CODES,
  hsa,
  HsaError,
  hsaStatusName,
  hsaStatusString,
  InternalError,
  isHsaError,
  isHsaFailure,
} from '../src/index.js';
import { runC, whyNoHeaders } from './c-compiler.js';
import { numbersOf } from './layout-facts.js';

const statuses = Object.entries(numbersOf(hsa)).filter(([name]) => /^HSA_(EXT_)?STATUS_/.test(name));

describe('statuses', () => {
  it('all have a name and a text', () => {
    expect(statuses.length).toBe(54);
    for (const [name, value] of statuses) {
      expect(hsaStatusName(Number(value))).toBe(name);
      expect(hsaStatusString(Number(value))).toMatch(new RegExp(`^${name}: [A-Za-z].*\\.$`));
    }
  });

  it('are unknown when no header has the number', () => {
    expect([hsaStatusName(0x1234), hsaStatusString(-1)]).toEqual([undefined, undefined]);
  });

  it('are failures, but for success and the two that only inform', () => {
    const informing = statuses.filter(([, value]) => !isHsaFailure(Number(value))).map(([name]) => name);
    expect(informing).toEqual(['HSA_STATUS_SUCCESS', 'HSA_STATUS_INFO_BREAK', 'HSA_STATUS_CU_MASK_REDUCED']);
  });

  const header = '/usr/include/hsa/hsa.h';
  const missing = whyNoHeaders(header);
  it.skipIf(missing !== '')(`have the numbers of hsa.h, also the newest that it has ${missing}`, () => {
    expect(existsSync(header)).toBe(true);
    const names = [
      'HSA_STATUS_ERROR_FATAL',
      'HSA_STATUS_ERROR_INVALID_FILE',
      'HSA_STATUS_CU_MASK_REDUCED',
      'HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED',
    ];
    const source = names.map((name) => `printf("%s\\n%d\\n", "${name}", (int)${name});`).join('\n');
    const includes = ['hsa.h', 'hsa_ext_amd.h', 'hsa_ext_image.h'].map((file) => `#include <hsa/${file}>`).join('\n');
    const output = runC(`#include <stdio.h>\n${includes}\nint main(void) { ${source} return 0; }\n`).trim().split('\n');
    expect(output).toEqual(names.flatMap((name) => [name, String(statuses.find(([known]) => known === name)?.[1])]));
  });
});

describe('HsaError', () => {
  it('has the status of its code unless it names another', () => {
    expect(new HsaError('ERR_ISA_MISMATCH', { message: 'x' }).hsaStatus).toBe(hsa.HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    expect(new HsaError('ERR_ISA_MISMATCH', { message: 'x', hsaStatus: 0x1000 }).hsaStatus).toBe(hsa.HSA_STATUS_ERROR);
  });

  it('has the general cure of its code as hint unless it names another', () => {
    expect(new HsaError('ERR_NATIVE_MODULE', { message: 'x' }).hint).toBe(ERROR_CODES.ERR_NATIVE_MODULE.cure);
    expect(new HsaError('ERR_NATIVE_MODULE', { message: 'x', hint: 'y' }).hint).toBe('y');
  });

  it('keeps errno, details and cause', () => {
    const cause = new Error('below');
    const error = new HsaError('ERR_KFD_IOCTL', { message: 'x', errno: 22, details: { ioctl: 'CREATE_QUEUE' }, cause });
    expect(error).toMatchObject({
      name: 'HsaError',
      code: 'ERR_KFD_IOCTL',
      errno: 22,
      details: { ioctl: 'CREATE_QUEUE' },
      cause,
    });
  });

  it('is recognised by brand and code, also from another copy of the class', () => {
    const foreign = Object.assign(new Error('x'), { code: 'ERR_TIMEOUT', [Symbol.for('@doorbell/HsaError')]: true });
    expect([isHsaError(foreign), isHsaError(foreign, 'ERR_TIMEOUT'), isHsaError(foreign, 'ERR_ABORTED')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([
      isHsaError(new Error('x')),
      isHsaError(null),
      isHsaError('ERR_TIMEOUT'),
      isHsaError(new InternalError('x')),
    ]).not.toContain(true);
  });

  it('has for every code a status that hsa.h knows, and it is a failure', () => {
    for (const [code, { hsaStatus }] of Object.entries(ERROR_CODES)) {
      expect(hsaStatusName(hsaStatus), code).toBeDefined();
      expect(isHsaFailure(hsaStatus), code).toBe(true);
    }
  });
});
