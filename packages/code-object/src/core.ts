export { checkMetadataTarget, findKernel, parseCodeObject } from './code-object.js';
export type { CodeObject } from './code-object.js';
export type { BundleCompression } from './compressed-bundle.js';
export { readLineTable } from './debug/line-table.js';
export type { LineTable, SourceLine } from './debug/line-table.js';
export { parseDeviceFile } from './device-file.js';
export type { DeviceFile, DeviceFileEntry, DeviceFileFormat, DeviceFileProblem, EntryPlace } from './device-file.js';
export {
  E_FLAGS,
  E_PHOFF,
  E_SHOFF,
  EI_ABIVERSION,
  PF_X,
  PROGRAM_HEADER_BYTES,
  PT_LOAD,
  PT_NOTE,
  SECTION_HEADER_BYTES,
  SHF_ALLOC,
  SHF_EXECINSTR,
  SHT_NOBITS,
  SHT_NOTE,
  STT_AMDGPU_HSA_KERNEL,
  STT_FUNC,
  STT_NOTYPE,
} from './elf/elf-constants.js';
export { isMetadataNote } from './elf/metadata-note.js';
export { parseElf } from './elf/parse-elf.js';
export type { ElfFile, ElfHeader, ElfNote, ElfRelocation, ElfSymbol, ProgramHeader, SectionHeader } from './elf/elf-types.js';
export type { HiddenPointers, KernargDispatch } from './kernarg/hidden-arguments.js';
export { layoutKernarg } from './kernarg/layout.js';
export type { ArgSlot, ArgType, KernargLayout, SlotType } from './kernarg/layout.js';
export { packKernarg, packRawKernarg } from './kernarg/pack.js';
export type { ArgValue, ArgValues, LdsBlock, PackedKernarg, TypedValue } from './kernarg/pack.js';
export { SCALAR_TYPES } from './kernarg/scalar-types.js';
export type { ScalarType } from './kernarg/scalar-types.js';
export { KERNEL_DESCRIPTOR_BYTES, parseKernelDescriptor } from './kernel/kernel-descriptor.js';
export type { DenormMode, KernelDescriptor, RoundMode, UserSgprItem, UserSgprs } from './kernel/kernel-descriptor.js';
export type { KernelInfo } from './kernel/kernel-info.js';
export type {
  Access,
  AddressSpace,
  CodeObjectMetadata,
  ExplicitKind,
  HiddenArg,
  HiddenKind,
  KernelArg,
  KernelMetadata,
} from './kernel/metadata-types.js';
export { parseMetadata } from './kernel/parse-metadata.js';
export { occupancy } from './kernel/occupancy.js';
export type { Occupancy, OccupancyOptions } from './kernel/occupancy.js';
export { applyLoad, planLoad, symbolAddress } from './load-plan.js';
export type { LoadKernel, LoadPlan, LoadRelocation, LoadSegment, RelocationKind, RelocationSymbol } from './load-plan.js';
export { isOffloadBundle, parseOffloadBundle } from './offload-bundle.js';
export type { BundleEntry, OffloadBundle } from './offload-bundle.js';
export { parseCodeObjectFor, pickBundleEntry, rankEntries } from './pick-entry.js';
export type { EntryFit, RankedEntry } from './pick-entry.js';
export { isaMismatch, targetsCompatible } from './target/compatibility.js';
export type { CodeObjectTarget, Compatibility, CompatibilityReason } from './target/compatibility.js';
export { readHeaderTarget } from './target/header-target.js';
export type { CodeObjectVersion, HeaderTarget } from './target/header-target.js';
export { formatIsaName, formatTargetId, parseTargetId, targetOf } from './target/target-id.js';
export type { FeatureSetting, TargetId } from './target/target-id.js';
