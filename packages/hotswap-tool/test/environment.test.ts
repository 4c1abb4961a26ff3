import { describe, expect, it } from 'vitest';
import { readHotSwapEnvironment } from '../src/index.js';

const VARIABLES = {
  disabled: 'HSA_HOTSWAP_DISABLE',
  verbose: 'HSA_HOTSWAP_VERBOSE',
  retarget: 'DOORBELL_HOTSWAP_RETARGET',
  entryTrampolines: 'AMD_COMGR_HOTSWAP_ENTRY_TRAMPOLINES',
  strict: 'HSA_HOTSWAP_STRICT_MODE',
};
const ALL_OFF = { disabled: false, verbose: false, retarget: false, entryTrampolines: false, strict: false };

describe('readHotSwapEnvironment', () => {
  it.each([undefined, '', '0', 'off', 'OFF', 'false', 'no', 'N', 'f'])('takes %j for no', (value) => {
    const env = Object.fromEntries(Object.values(VARIABLES).map((name) => [name, value]));
    expect(readHotSwapEnvironment(env)).toEqual(ALL_OFF);
  });

  it.each(['1', 'true', 'on', 'yes', '2', 'anything'])('takes %j for yes', (value) => {
    for (const [flag, name] of Object.entries(VARIABLES))
      expect(readHotSwapEnvironment({ [name]: value })).toEqual({ ...ALL_OFF, [flag]: true });
  });
});
