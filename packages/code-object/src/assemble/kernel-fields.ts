import type { KernelTarget } from './kernel-target.js';

/** The words of a kernel descriptor that directives set bits of. */
export type DescriptorWord =
  | 'rsrc1'
  | 'rsrc2'
  | 'rsrc3'
  | 'properties'
  | 'kernargPreload'
  | 'groupBytes'
  | 'privateBytes'
  | 'kernargBytes';

/** What one `.amdhsa_…` directive sets. */
export interface KernelField {
  readonly word: DescriptorWord;
  readonly shift: number;
  readonly width: number;
  /** SGPRs that the item takes when it is on. */
  readonly userSgprs?: number;
  /** Why this target does not have it; undefined: it has. */
  readonly missing?: (target: KernelTarget) => string | undefined;
}

type Missing = NonNullable<KernelField['missing']>;

const since =
  (major: number): Missing =>
  (target) =>
    target.major < major ? `it is there from gfx${major} on` : undefined;
const withoutArchitectedScratch: Missing = ({ hasArchitectedFlatScratch }) =>
  hasArchitectedFlatScratch ? 'hardware sets up flat scratch' : undefined;
const withArchitectedScratch: Missing = ({ hasArchitectedFlatScratch }) =>
  hasArchitectedFlatScratch ? undefined : 'hardware does not set up flat scratch';
const gfx90a: Missing = ({ isGfx90a }) => (isGfx90a ? undefined : 'only gfx90a, gfx940 and gfx950 have it');
const preload: Missing = ({ hasKernargPreload }) => (hasKernargPreload ? undefined : 'it has no kernarg preload');
const floatModes: Missing = ({ hasFloatModes }) => (hasFloatModes ? undefined : 'it is there up to gfx11 only');

const field = (word: DescriptorWord, shift: number, width: number, missing?: Missing): KernelField => ({
  word,
  shift,
  width,
  ...(missing ? { missing } : {}),
});
const userSgpr = (shift: number, userSgprs: number, missing?: Missing): KernelField => ({
  ...field('properties', shift, 1, missing),
  userSgprs,
});

/** Directives of `.amdhsa_kernel` that are plain bit fields (AMDHSAKernelDescriptor.h; LLVM AMDGPUUsage, "Kernel Descriptor"). */
export const KERNEL_FIELDS: Readonly<Record<string, KernelField>> = {
  group_segment_fixed_size: field('groupBytes', 0, 32),
  private_segment_fixed_size: field('privateBytes', 0, 32),
  kernarg_size: field('kernargBytes', 0, 32),
  user_sgpr_private_segment_buffer: userSgpr(0, 4, withoutArchitectedScratch),
  user_sgpr_dispatch_ptr: userSgpr(1, 2),
  user_sgpr_queue_ptr: userSgpr(2, 2),
  user_sgpr_kernarg_segment_ptr: userSgpr(3, 2),
  user_sgpr_dispatch_id: userSgpr(4, 2),
  user_sgpr_flat_scratch_init: userSgpr(5, 2, withoutArchitectedScratch),
  user_sgpr_private_segment_size: userSgpr(6, 1),
  wavefront_size32: field('properties', 10, 1, since(10)),
  uses_dynamic_stack: field('properties', 11, 1),
  user_sgpr_kernarg_preload_length: field('kernargPreload', 0, 7, preload),
  user_sgpr_kernarg_preload_offset: field('kernargPreload', 7, 9, preload),
  system_sgpr_private_segment_wavefront_offset: field('rsrc2', 0, 1, withoutArchitectedScratch),
  enable_private_segment: field('rsrc2', 0, 1, withArchitectedScratch),
  system_sgpr_workgroup_id_x: field('rsrc2', 7, 1),
  system_sgpr_workgroup_id_y: field('rsrc2', 8, 1),
  system_sgpr_workgroup_id_z: field('rsrc2', 9, 1),
  system_sgpr_workgroup_info: field('rsrc2', 10, 1),
  system_vgpr_workitem_id: field('rsrc2', 11, 2),
  exception_fp_ieee_invalid_op: field('rsrc2', 24, 1),
  exception_fp_denorm_src: field('rsrc2', 25, 1),
  exception_fp_ieee_div_zero: field('rsrc2', 26, 1),
  exception_fp_ieee_overflow: field('rsrc2', 27, 1),
  exception_fp_ieee_underflow: field('rsrc2', 28, 1),
  exception_fp_ieee_inexact: field('rsrc2', 29, 1),
  exception_int_div_zero: field('rsrc2', 30, 1),
  float_round_mode_32: field('rsrc1', 12, 2),
  float_round_mode_16_64: field('rsrc1', 14, 2),
  float_denorm_mode_32: field('rsrc1', 16, 2),
  float_denorm_mode_16_64: field('rsrc1', 18, 2),
  dx10_clamp: field('rsrc1', 21, 1, floatModes),
  round_robin_scheduling: field('rsrc1', 21, 1, since(12)),
  ieee_mode: field('rsrc1', 23, 1, floatModes),
  fp16_overflow: field('rsrc1', 26, 1, since(9)),
  workgroup_processor_mode: field('rsrc1', 29, 1, ({ hasWorkgroupProcessorMode }) =>
    hasWorkgroupProcessorMode ? undefined : 'it has no such mode',
  ),
  memory_ordered: field('rsrc1', 30, 1, since(10)),
  forward_progress: field('rsrc1', 31, 1, since(10)),
  tg_split: field('rsrc3', 16, 1, gfx90a),
  shared_vgpr_count: field('rsrc3', 0, 4, ({ major }) =>
    major === 10 || major === 11 ? undefined : 'only gfx10 and gfx11 have it',
  ),
  named_barrier_count: field('rsrc3', 14, 3, ({ isGfx1250Plus }) => (isGfx1250Plus ? undefined : 'it is there from gfx1250 on')),
};

/** `.amdhsa_inst_pref_size` is wider from gfx12 on. */
export function instructionPrefetchField(target: KernelTarget): KernelField {
  return field('rsrc3', 4, target.major >= 12 ? 8 : 6, since(11));
}

/** Directives that go into computed fields: their bits, and why a target does not have them. */
export const COMPUTED_FIELDS: Readonly<Record<string, { readonly width: number; readonly missing?: Missing }>> = {
  next_free_vgpr: { width: 32 },
  next_free_sgpr: { width: 32 },
  user_sgpr_count: { width: 32 },
  accum_offset: { width: 32, missing: gfx90a },
  reserve_vcc: { width: 1 },
  reserve_flat_scratch: { width: 1, missing: withoutArchitectedScratch },
  reserve_xnack_mask: { width: 1, missing: since(8) },
};
