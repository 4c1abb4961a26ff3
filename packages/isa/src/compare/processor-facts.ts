/**
 * Differences between processors of one table that are no matter of which instructions there are. From the feature sets of LLVM 22's
 * AMDGPU.td; what the features mean, from GCNSubtarget.h, GCNHazardRecognizer.cpp and the passes that ask for them.
 */

/** What a processor does that its relatives may not. */
export type ProcessorQuirk =
  /** VOP3 with DPP takes an SGPR or constant as src1 (FeatureDPPSrc1SGPR). */
  | 'dpp-src1-sgpr'
  /** A VALU operation must wait before it reads what a transcendental one wrote (FeatureVALUTransUseHazard). */
  | 'trans-use'
  /** v_mad_u64_u32, v_mad_i64_i32 must not write what they read (FeatureMADIntraFwdBug). */
  | 'mad-overlap'
  /** image_msaa_load picks wrong components (FeatureMSAALoadDstSelBug). */
  | 'msaa-load'
  /** s_trap 2 does nothing in privileged mode (FeaturePrivEnabledTrap2NopBug). */
  | 'trap2-nop'
  /** Waves of 32 lanes need at least 16 SGPRs to be initialised (FeatureUserSGPRInit16Bug). */
  | 'sgpr-init16'
  /** Exports need a priority (FeatureRequiredExportPriority). */
  | 'export-priority'
  /** A sample may return like a load, out of the order of other samples (FeaturePointSampleAccel). */
  | 'point-sample';

const GFX11_0: readonly ProcessorQuirk[] = ['trans-use', 'mad-overlap', 'msaa-load', 'trap2-nop'];
const GFX11_5: readonly ProcessorQuirk[] = ['dpp-src1-sgpr', 'export-priority'];

/** Those of gfx11, whose members differ. In the other tables they are alike: all of gfx12 and gfx1250 have `dpp-src1-sgpr`. */
const QUIRKS: Readonly<Record<string, readonly ProcessorQuirk[]>> = {
  gfx1100: [...GFX11_0, 'sgpr-init16'],
  gfx1101: GFX11_0,
  gfx1102: [...GFX11_0, 'sgpr-init16'],
  gfx1103: GFX11_0,
  gfx1150: [...GFX11_5, 'point-sample'],
  gfx1151: [...GFX11_5, 'point-sample'],
  gfx1152: [...GFX11_5, 'point-sample'],
  gfx1153: GFX11_5,
  'gfx11-generic': [...GFX11_0, 'sgpr-init16', 'export-priority'],
};

const NONE: ReadonlySet<ProcessorQuirk> = new Set();
const sets = new Map<string, ReadonlySet<ProcessorQuirk>>();

/** What sets a processor apart from others of its table. For a generic one: what code for it must expect of any member. */
export function processorQuirks(processor: string): ReadonlySet<ProcessorQuirk> {
  const quirks = QUIRKS[processor];
  if (quirks === undefined) return NONE;
  let set = sets.get(processor);
  if (set === undefined) {
    set = new Set(quirks);
    sets.set(processor, set);
  }
  return set;
}
