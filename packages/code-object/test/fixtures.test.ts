import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { fixture, FIXTURES } from './support/fixtures.js';
import { rebuild } from './support/llvm.js';

/** The others: fixtures.sweep.test.ts. */
const CHECKED = ['gfx1100-v5.hsaco'];
const missing = skipReason('clang-22', 'ld.lld-22');

describe.skipIf(missing !== '')(`fixtures${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  it.each(FIXTURES.filter((candidate) => CHECKED.includes(candidate.file)))('$file is what its command line makes', (made) => {
    expect(Buffer.compare(rebuild(made), fixture(made.file))).toBe(0);
  });
});
