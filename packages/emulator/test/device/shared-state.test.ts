import { expect, it } from 'vitest';
import { REGION_PARTS } from '../../src/device/shared-state.js';

it('lays the parts of the control region side by side', () => {
  for (const [index, [name, start, end]] of REGION_PARTS.entries()) {
    const next = REGION_PARTS[index + 1];
    expect([name, start <= end, next === undefined || end <= next[1]]).toEqual([name, true, true]);
  }
});
