/**
 * Which structure layouts a thunk library was built with. The structures have no size fields, and the library's version
 * (1.0.6) did not change with them, so other traits of the file decide. Layouts by release, measured with the headers of
 * ROCT-Thunk-Interface rocm-5.3.0 … rocm-6.2.4 and ROCR-Runtime of October 2024 (`sizeof` HsaNodeProperties, HsaIoLinkProperties):
 * 5.2 … 6.2: 356, 48; October 2024 (6.3): 360, 52; August 2025 (7.0): 368, 52; later: 376 and more.
 */
import type { ElfLibrary } from './elf-library.js';
import { holdsString } from './elf-library.js';
import { LATER_SYMBOLS } from './thunk-symbols.js';

/** A set of layouts that abi has: `A` of ROCm 5.2 to 6.2, `B` of August 2025. */
export type AbiGeneration = 'A' | 'B';

/** The decision, and why. */
export type GenerationDecision =
  | { readonly generation: AbiGeneration; readonly evidence: string }
  | { readonly generation: undefined; readonly evidence: string };

/** Gone since 5.7. */
const ONLY_OLD = 'hsaKmtGetKernelDebugTrapVersionInfo';
/** In 6.2.4 and all later ones. */
const SINCE_6_2_4 = 'hsaKmtPcSamplingSupport';
/** The software model came between October 2024 and August 2025; the library asks for it by this variable. */
const MODEL_VARIABLE = 'HSA_MODEL_TOPOLOGY';
/** The override per node came with the layouts of October 2024 (`OverrideEngineId`). */
const OVERRIDE_PER_NODE = 'HSA_OVERRIDE_GFX_VERSION_%d';

/** Tells the generation of a libhsakmt from its exports and its strings. */
export function decideGeneration(library: ElfLibrary, bytes: Uint8Array): GenerationDecision {
  const has = (name: string): boolean => library.exports.has(name);
  if (has('DxgAbiCheck')) {
    return { generation: 'B', evidence: 'it exports DxgAbiCheck, so it follows the structure sizes that it is told' };
  }
  const later = LATER_SYMBOLS.filter(has);
  if (later.length > 0) {
    return {
      generation: undefined,
      evidence: `it exports ${later.join(', ')}, which came after August 2025: its structures may be larger than those that are known`,
    };
  }
  if (has(ONLY_OLD)) return { generation: 'A', evidence: `it exports ${ONLY_OLD}, which is gone since ROCm 5.7` };
  if (!has(SINCE_6_2_4)) return { generation: 'A', evidence: `it lacks ${SINCE_6_2_4}, which ROCm 6.2.4 brought` };
  if (holdsString(bytes, MODEL_VARIABLE)) {
    return { generation: 'B', evidence: `it exports ${SINCE_6_2_4} and asks for ${MODEL_VARIABLE}, as since 2025` };
  }
  if (holdsString(bytes, OVERRIDE_PER_NODE)) {
    return {
      generation: undefined,
      evidence: `it reads ${OVERRIDE_PER_NODE} but not ${MODEL_VARIABLE}, as ROCm 6.3 does: its structures (HsaNodeProperties of 360 bytes) are not known here`,
    };
  }
  return {
    generation: 'A',
    evidence: `it exports ${SINCE_6_2_4} but reads neither ${MODEL_VARIABLE} nor ${OVERRIDE_PER_NODE}: ROCm 6.2`,
  };
}
