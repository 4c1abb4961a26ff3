import { describe, expect, it } from 'vitest';
import { canForwardCodeObject, HOTSWAP_TOOL_ID } from '../src/index.js';

const GFX1250 = 'amdgcn-amd-amdhsa--gfx1250';
const tools = [HOTSWAP_TOOL_ID];

describe('canForwardCodeObject', () => {
  it('forwards gfx1250 code to gfx1250, with features and without', () => {
    expect(canForwardCodeObject({ tools, source: GFX1250, agent: GFX1250 })).toBe(true);
    expect(canForwardCodeObject({ tools, source: `${GFX1250}:sramecc+`, agent: `${GFX1250}:xnack+` })).toBe(true);
  });

  it.each(['gfx950', 'gfx942', 'gfx12500', 'gfx1250-strict', 'gfx125'])(
    'leaves gfx1250 code for %s to native and generic code',
    (agent) => {
      expect(canForwardCodeObject({ tools, source: GFX1250, agent: `amdgcn-amd-amdhsa--${agent}` })).toBe(false);
    },
  );

  it('takes other pairs', () => {
    const question = { tools, source: GFX1250, agent: 'amdgcn-amd-amdhsa--gfx942', pairs: [['gfx1250', 'gfx942']] } as const;
    expect(canForwardCodeObject(question)).toBe(true);
    expect(canForwardCodeObject({ ...question, agent: GFX1250 })).toBe(false);
  });

  it('knows the tool by its id, not by the name of a file', () => {
    expect(canForwardCodeObject({ tools: ['libhsa-hotswap.so'], source: GFX1250, agent: GFX1250 })).toBe(false);
    expect(canForwardCodeObject({ tools: [], source: GFX1250, agent: GFX1250 })).toBe(false);
  });
});
