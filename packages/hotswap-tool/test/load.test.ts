/** What is loaded in the end: names are those of AMD's tests (`HotswapRewrite`, `hotswap_test`). */
import { hsa } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import type { HotSwapRewriter, RewriteOutcome } from '../src/index.js';
import { installHotSwap, rewrite } from '../src/index.js';
import { loadRewriteOutcome } from '../src/policy/load.js';
import { rewriteForLoad } from '../src/retarget/rewrite-for-load.js';
import { gfx1250Min } from './fixtures/gfx1250-min.js';
import { A0, AGENT, B0, EXECUTABLE, fakeRuntime } from './support.js';

const { HSA_STATUS_SUCCESS, HSA_STATUS_ERROR, HSA_STATUS_ERROR_INVALID_CODE_OBJECT } = hsa;
const NEW = Uint8Array.of(1, 2, 3);
const REWRITTEN: RewriteOutcome = { status: 'rewritten', bytes: NEW };
const REFUSED: RewriteOutcome = { status: 'refused', reason: 'cannot' };

/** Loads of an outcome, and what came of them; `statuses` of the loads that there are. */
function loadsOf(
  outcome: RewriteOutcome,
  { required, statuses = [] }: { readonly required: boolean; readonly statuses?: readonly number[] },
) {
  const loads: ('original' | 'rewritten')[] = [];
  const next = (what: 'original' | 'rewritten'): number => statuses[loads.push(what) - 1] ?? HSA_STATUS_SUCCESS;
  const calls = { original: () => next('original'), rewritten: () => next('rewritten') };
  const { status, loaded } = loadRewriteOutcome(outcome, { required, calls });
  return { loads, status, loaded };
}

/** A load of gfx1250 code through the table. */
function load({
  agent = B0,
  env,
  rewriter,
}: {
  readonly agent?: typeof B0;
  readonly env: Readonly<Record<string, string>>;
  readonly rewriter: HotSwapRewriter;
}) {
  const runtime = fakeRuntime([agent]);
  using _ = installHotSwap(runtime.tables.public, { env, rewriter, events: runtime.sink });
  const { core } = runtime.tables.public;
  const reader = { value: 0n };
  core.hsa_code_object_reader_create_from_memory(gfx1250Min(), BigInt(gfx1250Min().length), reader);
  const status = core.hsa_executable_load_agent_code_object(EXECUTABLE, AGENT, reader.value, null, null);
  return { status, loads: runtime.loads.map(({ bytes }) => bytes), events: runtime.events };
}

const TRAMPOLINES = 'AMD_COMGR_HOTSWAP_ENTRY_TRAMPOLINES';
const STRICT = 'HSA_HOTSWAP_STRICT_MODE';

describe('a rewrite that is optional', () => {
  it.each([
    'RuntimeLoadRewriteFailureFallsBackToOriginal',
    'RuntimeLoadOptionalRewriteFailureFallsBackToOriginal',
    'RuntimeLoadOptionalA0RewriteFailureFallsBackToOriginal',
    'RetargetFailureFallsBackToOriginalReader',
  ])('%s', () => {
    expect(loadsOf(REFUSED, { required: false })).toEqual({
      loads: ['original'],
      status: HSA_STATUS_SUCCESS,
      loaded: 'original',
    });
  });

  it.each([
    'RuntimeLoadOptionalRewrittenLoadFailureFallsBackToOriginal',
    'RuntimeLoadOptionalA0RewrittenLoadFailureFallsBackToOriginal',
  ])('%s', () => {
    expect(loadsOf(REWRITTEN, { required: false, statuses: [HSA_STATUS_ERROR] })).toEqual({
      loads: ['rewritten', 'original'],
      status: HSA_STATUS_SUCCESS,
      loaded: 'original',
    });
  });

  it('gives the status of the original where that fails too', () => {
    expect(loadsOf(REFUSED, { required: false, statuses: [HSA_STATUS_ERROR] })).toMatchObject({
      status: HSA_STATUS_ERROR,
      loaded: 'nothing',
    });
  });
});

describe('a rewrite that is required', () => {
  it('RuntimeLoadRequiredStrictRewriteFailureReturnsError', () => {
    expect(loadsOf(REFUSED, { required: true })).toEqual({
      loads: [],
      status: HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
      loaded: 'nothing',
    });
    const strict = load({ env: { [STRICT]: '1' }, rewriter: () => REFUSED });
    expect(strict).toMatchObject({ status: HSA_STATUS_ERROR_INVALID_CODE_OBJECT, loads: [] });
    expect(strict.events).toMatchObject([{ name: 'load-refused' }]);
  });

  it('RuntimeLoadRequiredStrictRewrittenLoadFailureReturnsError', () => {
    expect(loadsOf(REWRITTEN, { required: true, statuses: [HSA_STATUS_ERROR] })).toEqual({
      loads: ['rewritten'],
      status: HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
      loaded: 'nothing',
    });
  });

  it('loads the original where the rewriter finds it right as it is', () => {
    expect(loadsOf({ status: 'unchanged' }, { required: true })).toMatchObject({ loads: ['original'], loaded: 'original' });
  });
});

describe('what a load asks the rewriter for', () => {
  it('RuntimeLoadNonA0DefaultsToOriginalWhenEntryTrampolinesUnset', () => {
    expect(load({ env: {}, rewriter: () => expect.unreachable() })).toMatchObject({ status: 0, loads: [gfx1250Min()] });
  });

  it.each(['0', 'false', 'off', ''])('RuntimeLoadNonA0FallsBackWhenEntryTrampolinesDisabledAndStrictUnset: %j', (value) => {
    const env = { [TRAMPOLINES]: value };
    expect(load({ env, rewriter: () => expect.unreachable() }).loads).toEqual([gfx1250Min()]);
  });

  it('RuntimeLoadNonA0UsesStrictModeEnvWhenEntryTrampolinesAreZero', () => {
    const flags: unknown[] = [];
    const rewriter: HotSwapRewriter = (_, request) => (flags.push(request.flags), REWRITTEN);
    expect(load({ env: { [TRAMPOLINES]: '0', [STRICT]: '1' }, rewriter }).loads).toEqual([NEW]);
    expect(flags).toEqual([{ entryTrampolines: false, strict: true }]);
  });

  it.each(['1', 'true', 'on'])('RuntimeLoadNonA0UsesEntryTrampolinesWhenEnabled: %j', (value) => {
    const flags: unknown[] = [];
    const rewriter: HotSwapRewriter = (_, request) => (flags.push(request.flags), REWRITTEN);
    expect(load({ env: { [TRAMPOLINES]: value }, rewriter }).loads).toEqual([NEW]);
    expect(flags).toEqual([{ entryTrampolines: true, strict: false }]);
  });

  it('says so where a work-around that was asked for is not to be had, and loads the original', () => {
    const { loads, events } = load({ env: { [TRAMPOLINES]: '1' }, rewriter: rewriteForLoad });
    expect(loads).toEqual([gfx1250Min()]);
    expect(events).toMatchObject([{ name: 'rewrite-refused', level: 'warn' }]);
  });

  it('tells every rewrite in the fields of the vendor tool under HSA_HOTSWAP_VERBOSE', () => {
    const { events } = load({ agent: A0, env: { HSA_HOTSWAP_VERBOSE: '1' }, rewriter: () => REWRITTEN });
    expect(events.find(({ name }) => name === 'load-rewritten')?.details).toMatchObject({
      source_id: expect.stringMatching(/^fnv1a64:[0-9a-f]{16}$/) as string,
      input_revision: 'b0',
      output_revision: 'a0',
      outcome: 'translated',
      changed: true,
      input_bytes: gfx1250Min().length,
      output_bytes: 3,
      translation_status: 0,
      status: 0,
    });
  });
});

describe('the rewriter', () => {
  const target = 'amdgcn-amd-amdhsa--gfx1101';

  it.each(['RetargetInvalidCodeObjectFallsBack', 'RetargetInvalidCodeObjectFails'])('%s', () => {
    const garbage = Uint8Array.of(1, 2, 3, 4);
    const outcome = rewriteForLoad(garbage, { source: 'amdgcn-amd-amdhsa--gfx1100', target });
    expect(outcome.status).toBe('refused');
    // The caller's bytes are what they were.
    expect(garbage).toEqual(Uint8Array.of(1, 2, 3, 4));
  });

  it.each(['RetargetNullTarget', 'RetargetNullSourceOrTarget', 'RetargetNullInputs'])('%s', () => {
    const code = (value: string): Error => expect.objectContaining({ code: value }) as Error;
    expect(() => rewrite(gfx1250Min(), { target: '' })).toThrow(code('ERR_INVALID_ARGUMENT'));
    expect(() => rewrite(gfx1250Min(), { source: '', target })).toThrow(code('ERR_INVALID_ARGUMENT'));
    expect(() => rewrite(new Uint8Array(0), { target })).toThrow(code('ERR_CODE_OBJECT'));
  });
});
