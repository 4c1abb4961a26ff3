import { hsa } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import type { HotSwapAgent } from '../src/index.js';
import { decideHotSwap } from '../src/index.js';
import { fixture } from './support.js';

function agent(target: string, asicRevision?: number): HotSwapAgent {
  const isaName = `amdgcn-amd-amdhsa--${target}`;
  return asicRevision === undefined ? { isaName } : { isaName, asicRevision };
}

const gfx1250 = fixture('gfx1250-v6.hsaco');

describe('decideHotSwap', () => {
  it('lets the kill switch rule first, also over the A0 gate and over bytes that cannot be read', () => {
    const env = { HSA_HOTSWAP_DISABLE: '1' };
    for (const codeObject of [gfx1250, new Uint8Array(3)]) {
      expect(decideHotSwap({ codeObject, agent: agent('gfx1250', 0), env })).toMatchObject({
        action: 'pass',
        reason: 'disabled',
      });
    }
  });

  it.each([
    ['gfx1100-v5.hsaco', 'gfx1100', 'native'],
    ['gfx11-generic-v6.hsaco', 'gfx1100', 'generic'],
    ['gfx11-generic-v6.hsaco', 'gfx1151', 'generic'],
    ['gfx1100-v5.hsaco', 'gfx1101', 'not-compatible'],
    ['gfx90a-v5.hsaco', 'gfx1100', 'not-compatible'],
    ['gfx1030-v5.hsaco', 'gfx1031', 'not-compatible'],
  ] as const)('hands %s on %s on: %s', (name, target, reason) => {
    const decision = decideHotSwap({ codeObject: fixture(name), agent: agent(target), env: {} });
    expect(decision).toMatchObject({ action: 'pass', reason });
  });

  it('says both targets where they do not fit', () => {
    const { message } = decideHotSwap({ codeObject: fixture('gfx90a-v5.hsaco'), agent: agent('gfx1100'), env: {} });
    expect(message).toMatch(/gfx90a[\s\S]*gfx1100[\s\S]*not retargeted/);
  });

  it('hands bytes that cannot be read to the loader', () => {
    expect(decideHotSwap({ codeObject: Uint8Array.of(1, 2, 3), agent: agent('gfx1100'), env: {} })).toMatchObject({
      action: 'pass',
      reason: 'unreadable',
    });
  });

  it('takes a parsed target as well', () => {
    const codeObject = { processor: 'gfx1100', sramecc: 'unsupported', xnack: 'unsupported', genericVersion: 0 } as const;
    expect(decideHotSwap({ codeObject, agent: agent('gfx1100'), env: {} }).reason).toBe('native');
  });

  it('throws for an agent whose name is no ISA', () => {
    expect(() => decideHotSwap({ codeObject: gfx1250, agent: { isaName: 'gfx-nine' }, env: {} })).toThrow();
  });

  describe('a retarget', () => {
    const env = { DOORBELL_HOTSWAP_RETARGET: '1' };

    it.each([
      ['gfx1030-v5.hsaco', 'gfx1031', 'retarget'],
      ['gfx1100-v5.hsaco', 'gfx1153', 'retarget'],
      ['gfx90a-v5.hsaco', 'gfx90a:xnack+', 'native'],
      ['gfx90a-v4.hsaco', 'gfx90a:xnack+', 'retarget'],
      ['gfx1100-v5.hsaco', 'gfx1100', 'native'],
      ['gfx11-generic-v6.hsaco', 'gfx1101', 'generic'],
      ['gfx1100-v5.hsaco', 'gfx1201', 'not-compatible'],
      ['gfx90a-v5.hsaco', 'gfx942', 'not-compatible'],
    ] as const)('%s on %s when asked for: %s', (name, target, reason) => {
      const decision = decideHotSwap({ codeObject: fixture(name), agent: agent(target), env });
      expect(decision).toMatchObject({ reason, action: reason === 'retarget' ? 'rewrite' : 'pass' });
    });

    it('says what it wants, and can do without', () => {
      expect(decideHotSwap({ codeObject: fixture('gfx1030-v5.hsaco'), agent: agent('gfx1031'), env })).toMatchObject({
        request: { source: 'amdgcn-amd-amdhsa--gfx1030', target: 'amdgcn-amd-amdhsa--gfx1031' },
        required: false,
      });
    });
  });

  describe('the A0 gate', () => {
    it('asks for a rewrite, and for nothing less', () => {
      expect(decideHotSwap({ codeObject: gfx1250, agent: agent('gfx1250', 0), env: {} })).toMatchObject({
        action: 'rewrite',
        reason: 'needs-rewrite',
        required: true,
      });
    });

    it.each([
      ['another stepping', 'gfx1250', 1, 'native'],
      ['a near miss', 'gfx1251', 0, 'not-compatible'],
      ['another processor', 'gfx1100', 0, 'not-compatible'],
    ] as const)('is closed on %s', (_name, target, revision, reason) => {
      expect(decideHotSwap({ codeObject: gfx1250, agent: agent(target, revision), env: {} })).toMatchObject({
        action: 'pass',
        reason,
      });
    });

    it('refuses bytes that cannot be read, and an agent that does not tell its revision', () => {
      const decide = (codeObject: Uint8Array, revision?: number) =>
        decideHotSwap({ codeObject, agent: agent('gfx1250', revision), env: {} });
      expect(decide(Uint8Array.of(1, 2, 3), 0)).toMatchObject({
        action: 'refuse',
        hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
      });
      expect(decide(gfx1250)).toMatchObject({ action: 'refuse', hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_AGENT });
    });

    it('hands code for another processor on an A0 agent to the loader', () => {
      const codeObject = fixture('gfx1100-v5.hsaco');
      expect(decideHotSwap({ codeObject, agent: agent('gfx1250', 0), env: {} })).toMatchObject({
        action: 'pass',
        reason: 'not-compatible',
      });
    });
  });
});
