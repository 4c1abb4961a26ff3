/**
 * The tests of AMD's HotSwap, by suite: names are theirs. A name alone has a counterpart here whose test title holds it; the others say
 * why there is none.
 */
export interface UpstreamSuite {
  readonly title: string;
  readonly tests: readonly UpstreamTest[];
}

export type UpstreamTest =
  | string
  | { readonly names: readonly string[]; readonly status: 'later' | 'none'; readonly why: string };

const later = (why: string, ...names: readonly string[]): UpstreamTest => ({ names, status: 'later', why });
const none = (why: string, ...names: readonly string[]): UpstreamTest => ({ names, status: 'none', why });

const NO_STEPPINGS = 'needs the rewriter of steppings';
const NO_DISK = 'there is no cache on disk';

export const UPSTREAM_SUITES: readonly UpstreamSuite[] = [
  {
    title: 'hotswap_tool_test: agent query and gate',
    tests: [
      'Gfx1250A0Passes',
      'Gfx1250FeatureSuffixParsed',
      'NonGfx1250Blocks',
      'NearMissTargetBlocks',
      'Gfx1250NonA0Blocks',
      'AsicRevisionQueryFailure',
      'ResultIsCachedPerHandle',
      'DistinctHandlesIndependent',
    ],
  },
  {
    title: 'hotswap_test: the retarget function',
    tests: [
      'RetargetInvalidCodeObjectFallsBack',
      none('results are values here, there are no output pointers', 'RetargetNullOutputPointers'),
      'RetargetNullInputs',
      'RetargetNullTarget',
    ],
  },
  {
    title: 'hotswap_loader_test: policy of the tool',
    tests: [
      'OptInDisabledLoadsOriginal',
      'OptInRoutesGfx1250SameProcessor',
      'OptInRoutesGfx12_5Family',
      'GenericSourceUsesGenericTarget',
      'ConcreteSourceUsesSourceTarget',
      'A0UsesBaselineRouteWithoutOptIn',
      'A0WithOptInKeepsBaselinePair',
      'OptInBlocksNonGfx12_5',
      'RetargetFailureFallsBackToOriginalReader',
    ],
  },
  {
    title: 'HotswapRewriteDecision: policy of the native loader',
    tests: [
      'A0RetargetsWithoutStrictModeRegardlessOfOptions',
      'StrictModeDisabledDoesNotBlockA0Retarget',
      'EntryTrampolinesDefaultOffBlocksNonA0Gfx1250',
      'EntryTrampolinesEnabledRoutesNonA0Gfx1250',
      'StrictModeEnabledRoutesNonA0Gfx1250Strict',
      'EntryTrampolinesEnabledKeepsNonA0Gfx1250StrictWhenEnabled',
      'NonA0Gfx1250NoDecisionWhenEntryAndStrictDisabled',
      'EntryTrampolinesRouteGfx12_5Family',
      'EntryTrampolinesUseGenericSourceAsTarget',
      'EntryTrampolinesBlockNonGfx12_5',
    ],
  },
  {
    title: 'HotswapRewrite: loads at run time',
    tests: [
      'GetIsaNameRealCodeObject',
      'GetIsaNameInvalidCodeObject',
      'RetargetRealCodeObject',
      'RetargetInvalidCodeObjectFails',
      'RetargetNullInputs',
      'RetargetNullSourceOrTarget',
      'RuntimeLoadUsesRewrittenCodeObject',
      'RuntimeLoadNonA0DefaultsToOriginalWhenEntryTrampolinesUnset',
      'RuntimeLoadNonA0FallsBackWhenEntryTrampolinesDisabledAndStrictUnset',
      'RuntimeLoadNonA0UsesStrictModeEnvWhenEntryTrampolinesAreZero',
      'RuntimeLoadNonA0UsesEntryTrampolinesWhenEnabled',
      'RuntimeLoadDisableEnvFallsBackToOriginal',
      'RuntimeLoadRewriteFailureFallsBackToOriginal',
      'RuntimeLoadOptionalRewriteFailureFallsBackToOriginal',
      'RuntimeLoadOptionalA0RewriteFailureFallsBackToOriginal',
      'RuntimeLoadRequiredStrictRewriteFailureReturnsError',
      'RuntimeLoadOptionalRewrittenLoadFailureFallsBackToOriginal',
      'RuntimeLoadOptionalA0RewrittenLoadFailureFallsBackToOriginal',
      'RuntimeLoadRequiredStrictRewrittenLoadFailureReturnsError',
      'RetargetCacheServesSecondLoadFromCache',
      'RetargetCacheCoalescesConcurrentMisses',
      'RetargetCacheRetriesFailures',
    ],
  },
  {
    title: 'RetargetDiskCache',
    tests: [
      later(
        NO_DISK,
        'Blake2b256MatchesKnownVector',
        'CacheDigestCoversCanonicalInputs',
        'WriteThenReadRoundTrips',
        'ComgrFingerprintMismatchIsMiss',
        'MissingEntryIsMiss',
        'DistinctKeysDoNotCollide',
        'OverwriteSameKeyIsIdempotent',
        'CorruptPayloadIsRejected',
        'ShutdownWithoutUseDoesNotConstructWriter',
        'DefaultOnWithOptionalKillSwitch',
        'QueueTaskLimitDropsBeforeUnboundedRetention',
        'QueueByteLimit…',
        'ConcurrentShutdownWaitersAreSafe',
        'ProductionColdWriteThenHitWithoutComgrRewrite',
      ),
    ],
  },
  {
    title: 'HsaHotswapHookTest: interception',
    tests: [
      'InstallsOnlyTheEightEntryEagerSurface',
      'UnloadRestoresAndAllowsReinstall',
      'UsesImmutableSnapshotForForwardedA0Load',
      'RetainedStorageSurvivesUnloadAndReinstall',
      'B0LoadsUseOnlyTheOriginalApi',
      'FailedLoadDestroysTransientReaderImmediately',
      'FailedLoadDoesNotRetainAndDoesNotGrow',
      'SuccessfulLoadRetainsUntilDestroy',
      'FailedReaderDestroyKeepsCapturedBytes',
      'FileCaptureFailureDestroysCreatedReader',
      'RefusesAgentlessAndDeprecatedA0Loads',
      'ContainsExceptionsAtTheHsaBoundary',
      'CallbackApiSnapshotIsSafeDuringUnload',
    ],
  },
  {
    title: 'Gfx1250B0ToA0Library and CodeObjectIsaTest',
    tests: [
      'RejectsInvalidArgumentsAndClearsOutputs',
      later(NO_STEPPINGS, 'TranslatesRealGfx1250CodeObject', 'TranslatesAndReproducesDeviceFunctionCallers'),
      'AlwaysOnXnackHasNoModifier',
      'SelectableXnackPreservesModifiers',
      'UnsupportedXnackHasNoModifier',
      'SramEccModifiersArePreserved',
    ],
  },
  {
    title: 'HotswapElfTest',
    tests: [
      'RejectsTruncatedInput',
      'RejectsNonElfInput',
      'ReadsLdsSizeFromKernelDescriptor',
      'ReturnsNulloptWhenKdMissing',
      'KernelDescriptorsSkipsKdWhenFileOffsetOverflows',
      later(
        'code is not moved: it finds out which kernel a site to patch belongs to',
        'FindKernelAtAddressResolvesNearestPrecedingForZeroSizeSymbol',
      ),
      later(
        NO_STEPPINGS,
        'SkipsSledsOutsideSourceOwnerRange',
        'UsesGatewayOnlyPaddingOnlyWhenRequested',
        'SeparatesSourceOwnerFromStorageCapacity',
        'SharesPostFunctionPaddingAcrossCertifiedRoles',
        'PrefersOwnerBodyBeforeGlobalRelocationBody',
        'RejectsExtendedSymbolSectionIndices',
        'KernelDescriptorsEnumeratesAndUpdatesEntryOffset',
        'GrowWithTrampolinesKeepsAllocSectionSymbols',
        'GrowWithTrampolinesKeepsIsaReferenceConsistentWithSymbol',
        'TrampolinePoolVAddrRejectsAlignmentOverflow',
      ),
    ],
  },
  {
    title: 'HotswapMCTest, and the suites Cfg, DefUse, Liveness, Occupancy, Profile, RegisterSet, Scratch',
    tests: [
      later(
        NO_STEPPINGS,
        'StubTemplateMatchesMCOutput',
        'AddTid…DecodesWithExpectedLayout',
        'SecondPassAddsNoDuplicateStubSymbol',
      ),
    ],
  },
  {
    title: 'lit tests of the interface',
    tests: [
      'hotswap-rewrite.c',
      'hotswap-rewrite-e2e.hip',
      'get-data-isa-name',
      later(
        NO_STEPPINGS,
        'already-a0-noop',
        'already-a0-incomplete',
        'already-a0-malformed',
        'already-a0-mixed',
        'already-a0-omitted-kernel',
        'hotswap-kernel-entry-trampoline.s',
        'all other tests of rewriter/ and hotswap-*.s',
      ),
      later('needs LLVM to build code anew', 'all tests of raiser/'),
    ],
  },
  {
    title: 'translation between generations (rocjitsu)',
    tests: [
      later(
        'code is compared with another generation, not translated',
        'translate, translate_gfx1250, multikernel_indirect_branch, code_placement, semantic_scratch, translation_store, virtual_lds_metadata, waitcnt_translator, proxy_code_object, cdna4_to_cdna3_dispatch, sidecar_registry',
      ),
    ],
  },
];
