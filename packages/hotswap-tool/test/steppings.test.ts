/** What a load asks of a rewriter of steppings: names are those of AMD's tests (`hotswap_tool_test`, `hotswap_loader_test`, `HotswapRewriteDecision`). */
import { hsa } from '@doorbell/abi';
import { parseTargetId } from '@doorbell/code-object';
import { describe, expect, it } from 'vitest';
import { AgentFacts } from '../src/hook/agents.js';
import { identifyTarget } from '../src/identity.js';
import type { HotSwapAgent, SteppingRewrite } from '../src/index.js';
import { decideHotSwap, decideSteppingRewrite, readHotSwapEnvironment } from '../src/index.js';
import { a0Gate } from '../src/policy/steppings.js';
import type { FakeAgent } from './support.js';
import { A0, AGENT, B0, fakeRuntime, GFX1100, named, UNKNOWN } from './support.js';

const GFX1250 = 'amdgcn-amd-amdhsa--gfx1250';
const TAGGED_B0 = `${GFX1250}:gfx1250-b0-specific+`;
const TAGGED_A0 = `${GFX1250}:gfx1250-b0-specific-`;
const NO_FLAGS = { entryTrampolines: false, strict: false };
const TRAMPOLINES = 'AMD_COMGR_HOTSWAP_ENTRY_TRAMPOLINES';
const STRICT = 'HSA_HOTSWAP_STRICT_MODE';

function agentOf(processor: string, asicRevision?: number): HotSwapAgent {
  const isaName = `amdgcn-amd-amdhsa--${processor}`;
  return asicRevision === undefined ? { isaName } : { isaName, asicRevision };
}

function decide(code: string, agent: HotSwapAgent, env: Readonly<Record<string, string>> = {}): SteppingRewrite | undefined {
  return decideSteppingRewrite(identifyTarget({ ...parseTargetId(code), genericVersion: 1 }), agent, readHotSwapEnvironment(env));
}

function gateOf(agent: FakeAgent): string {
  const facts = new AgentFacts(fakeRuntime([agent]).tables.internal.core).find(agent.handle);
  return facts === undefined ? 'no facts' : a0Gate(facts);
}

const A0_PAIR = { reason: 'needs-rewrite', source: TAGGED_B0, target: TAGGED_A0, flags: NO_FLAGS, required: true };

describe('the A0 gate', () => {
  it('Gfx1250A0Passes', () => {
    expect(gateOf(A0)).toBe('open');
  });

  it('Gfx1250FeatureSuffixParsed', () => {
    expect(gateOf({ ...A0, isaName: `${GFX1250}:sramecc+:xnack-` })).toBe('open');
  });

  it('NonGfx1250Blocks', () => {
    expect(gateOf({ ...GFX1100, revision: 0 })).toBe('closed');
  });

  it('NearMissTargetBlocks', () => {
    expect(gateOf({ ...A0, isaName: 'amdgcn-amd-amdhsa--gfx1251' })).toBe('closed');
  });

  it('Gfx1250NonA0Blocks', () => {
    expect(gateOf(B0)).toBe('closed');
  });

  it('AsicRevisionQueryFailure: the gate is not open, and the agent is asked once', () => {
    const runtime = fakeRuntime([UNKNOWN]);
    const facts = new AgentFacts(runtime.tables.internal.core);
    for (let i = 0; i < 3; i++) expect(a0Gate(facts.find(AGENT)!)).toBe('unknown');
    expect(named(runtime, 'hsa_agent_get_info')).toEqual([[AGENT, hsa.HSA_AMD_AGENT_INFO_ASIC_REVISION]]);
  });

  it('ResultIsCachedPerHandle', () => {
    for (const agent of [A0, { handle: AGENT }]) {
      const runtime = fakeRuntime([agent]);
      const facts = new AgentFacts(runtime.tables.internal.core);
      for (let i = 0; i < 3; i++) facts.find(AGENT);
      expect(named(runtime, 'hsa_agent_iterate_isas')).toEqual([[AGENT]]);
    }
  });

  it('DistinctHandlesIndependent', () => {
    const facts = new AgentFacts(fakeRuntime([A0, { ...B0, handle: 0x11n }]).tables.internal.core);
    expect([AGENT, 0x11n, AGENT].map((handle) => a0Gate(facts.find(handle)!))).toEqual(['open', 'closed', 'open']);
  });

  it('reads a name that ends with NULs', () => {
    expect(gateOf({ ...A0, isaName: `${GFX1250}\0\0` })).toBe('open');
  });
});

describe('policy of the first tool', () => {
  it.each([undefined, '', '0'])('OptInDisabledLoadsOriginal: %j', (value) => {
    expect(decide('gfx1250', agentOf('gfx1250', 1), value === undefined ? {} : { [TRAMPOLINES]: value })).toBeUndefined();
  });

  it('OptInRoutesGfx1250SameProcessor', () => {
    expect(decide('gfx1250', agentOf('gfx1250', 1), { [TRAMPOLINES]: '1' })).toEqual({
      reason: 'entry-work-around',
      source: TAGGED_B0,
      target: TAGGED_B0,
      flags: { entryTrampolines: true, strict: false },
      required: false,
    });
  });

  it('OptInRoutesGfx12_5Family', () => {
    expect(decide('gfx1251', agentOf('gfx1251'), { [TRAMPOLINES]: '1' })).toMatchObject({
      source: 'amdgcn-amd-amdhsa--gfx1251',
      target: 'amdgcn-amd-amdhsa--gfx1251',
    });
  });

  it('GenericSourceUsesGenericTarget', () => {
    const generic = 'amdgcn-amd-amdhsa--gfx12-5-generic';
    expect(decide('gfx12-5-generic', agentOf('gfx1250', 1), { [TRAMPOLINES]: '1' })).toMatchObject({
      source: generic,
      target: generic,
    });
  });

  it('ConcreteSourceUsesSourceTarget', () => {
    const rewrite = decide('gfx1250', agentOf('gfx1250', 1), { [TRAMPOLINES]: '1' });
    expect(rewrite?.target).toBe(rewrite?.source);
  });

  it('A0UsesBaselineRouteWithoutOptIn', () => {
    expect(decide('gfx1250', agentOf('gfx1250', 0))).toEqual(A0_PAIR);
  });

  it('A0WithOptInKeepsBaselinePair', () => {
    expect(decide('gfx1250', agentOf('gfx1250', 0), { [TRAMPOLINES]: '1' })).toEqual(A0_PAIR);
  });

  it('OptInBlocksNonGfx12_5', () => {
    for (const processor of ['gfx942', 'gfx1201', 'gfx1250-strict'])
      expect(decide(processor, agentOf(processor), { [TRAMPOLINES]: '1' })).toBeUndefined();
  });
});

describe('policy of the native loader', () => {
  it.each([{}, { [STRICT]: '1' }, { [TRAMPOLINES]: '1' }, { [STRICT]: '1', [TRAMPOLINES]: '1' }])(
    'A0RetargetsWithoutStrictModeRegardlessOfOptions: %j',
    (env) => {
      expect(decide('gfx1250', agentOf('gfx1250', 0), env)).toEqual(A0_PAIR);
    },
  );

  it('StrictModeDisabledDoesNotBlockA0Retarget', () => {
    expect(decide('gfx1250', agentOf('gfx1250', 0), { [STRICT]: '0' })).toEqual(A0_PAIR);
  });

  it('EntryTrampolinesDefaultOffBlocksNonA0Gfx1250', () => {
    expect(decide('gfx1250', agentOf('gfx1250', 1))).toBeUndefined();
  });

  it('EntryTrampolinesEnabledRoutesNonA0Gfx1250', () => {
    expect(decide('gfx1250', agentOf('gfx1250', 1), { [TRAMPOLINES]: 'on' })).toMatchObject({
      source: TAGGED_B0,
      target: TAGGED_B0,
      flags: { entryTrampolines: true, strict: false },
      required: false,
    });
  });

  it('StrictModeEnabledRoutesNonA0Gfx1250Strict', () => {
    expect(decide('gfx1250', agentOf('gfx1250', 1), { [STRICT]: '1' })).toEqual({
      reason: 'strict',
      source: TAGGED_B0,
      target: TAGGED_B0,
      flags: { entryTrampolines: false, strict: true },
      required: true,
    });
  });

  it('EntryTrampolinesEnabledKeepsNonA0Gfx1250StrictWhenEnabled', () => {
    expect(decide('gfx1250', agentOf('gfx1250', 1), { [STRICT]: '1', [TRAMPOLINES]: '1' })).toMatchObject({
      flags: { entryTrampolines: true, strict: true },
      required: true,
    });
  });

  it('NonA0Gfx1250NoDecisionWhenEntryAndStrictDisabled', () => {
    expect(decide('gfx1250', agentOf('gfx1250', 1), { [STRICT]: 'off', [TRAMPOLINES]: 'false' })).toBeUndefined();
  });

  it('EntryTrampolinesRouteGfx12_5Family', () => {
    for (const [code, agent] of [
      ['gfx1251', 'gfx1251'],
      ['gfx12-5-generic', 'gfx1251'],
    ] as const)
      expect(decide(code, agentOf(agent), { [TRAMPOLINES]: '1' })).toMatchObject({ reason: 'entry-work-around' });
  });

  it('EntryTrampolinesUseGenericSourceAsTarget', () => {
    expect(decide('gfx12-5-generic', agentOf('gfx1251'), { [TRAMPOLINES]: '1' })?.target).toBe(
      'amdgcn-amd-amdhsa--gfx12-5-generic',
    );
  });

  it('EntryTrampolinesBlockNonGfx12_5', () => {
    expect(decide('gfx942', agentOf('gfx942'), { [TRAMPOLINES]: '1' })).toBeUndefined();
    expect(decide('gfx942', agentOf('gfx1250', 1), { [TRAMPOLINES]: '1' })).toBeUndefined();
  });

  it('refuses an agent that does not tell its revision before anything else', () => {
    const codeObject = { ...parseTargetId('gfx1250'), genericVersion: 0 };
    expect(decideHotSwap({ codeObject, agent: agentOf('gfx1250'), env: { [STRICT]: '1' } })).toMatchObject({
      action: 'refuse',
      reason: 'unknown-revision',
      hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_AGENT,
    });
  });
});
