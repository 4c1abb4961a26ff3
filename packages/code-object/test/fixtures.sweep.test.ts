import { hasTool, skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { fixture, FIXTURES } from './support/fixtures.js';
import { rebuild } from './support/llvm.js';

const missing = skipReason('clang-22', 'ld.lld-22');

describe.skipIf(missing !== '')(`every fixture${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  for (const made of FIXTURES) {
    const program = made.command.split(' ', 1)[0] ?? '';
    it.skipIf(!hasTool(program))(`${made.file} is what its command line makes`, () => {
      expect(Buffer.compare(rebuild(made), fixture(made.file))).toBe(0);
    });
  }
});
