import { describe, expect, it } from 'vitest';
import { readHotSwapEnvironment } from '../src/index.js';

describe('readHotSwapEnvironment', () => {
  it.each([undefined, '', '0', 'off', 'OFF', 'false', 'no', 'N', 'f'])('takes %j for no', (value) => {
    expect(readHotSwapEnvironment({ HSA_HOTSWAP_DISABLE: value, HSA_HOTSWAP_VERBOSE: value })).toEqual({
      disabled: false,
      verbose: false,
    });
  });

  it.each(['1', 'true', 'on', 'yes', '2', 'anything'])('takes %j for yes', (value) => {
    expect(readHotSwapEnvironment({ HSA_HOTSWAP_DISABLE: value }).disabled).toBe(true);
    expect(readHotSwapEnvironment({ HSA_HOTSWAP_VERBOSE: value }).verbose).toBe(true);
  });
});
