import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { compareOccupancy } from '../support/occupancy.js';

const missing = skipReason('clang-22');

describe.skipIf(missing !== '')(`occupancy agrees with clang${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  it.each(['gfx900', 'gfx906', 'gfx908', 'gfx942', 'gfx1010', 'gfx1030', 'gfx1102', 'gfx1151', 'gfx1201', 'gfx1250'])(
    'for %s',
    (name) => {
      const { clang, ours } = compareOccupancy(name);
      expect(ours).toEqual(clang);
    },
  );
});
