import type { FeatureSetting, TargetId } from '@doorbell/code-object';
import { type CodeObject, formatIsaName, isMetadataNote } from '@doorbell/code-object';
import type { FindingList } from './finding-list.js';
import { processorOf, type TargetPair } from './relation.js';

/** What the ELF header and the metadata will say. */
export interface NewHeader {
  readonly target: TargetId;
  readonly isaName: string;
  /** e_flags */
  readonly flags: number;
  /** EI_ABIVERSION */
  readonly abiVersion: number;
}

/** EI_ABIVERSION of code object version 6, which generic targets need (LLVM AMDGPUUsage, "Header"). */
const ABI_VERSION_6 = 4;
/** EF_AMDGPU_MACH, EF_AMDGPU_FEATURE_XNACK_V4, EF_AMDGPU_FEATURE_SRAMECC_V4, and the version of a generic target (LLVM ELF.h). */
const MACH_MASK = 0xff;
const XNACK_SHIFT = 8;
const SRAMECC_SHIFT = 10;
const FEATURE_MASK = 3;
const GENERIC_VERSION_SHIFT = 24;
/** Bits of e_flags that belong to none of these. */
export const OTHER_FLAGS = 0x00ff_f000;

const SETTINGS: Readonly<Record<FeatureSetting, number>> = { unsupported: 0, any: 1, off: 2, on: 3 };

/** The header of a retargeted code object. Where one cannot be made, the findings say why. */
export function headerFor(codeObject: CodeObject, pair: TargetPair, findings: FindingList): NewHeader {
  const { header } = codeObject.elf;
  const { target } = pair.target;
  const processor = processorOf(pair.target);
  const abiVersion = processor.isGeneric ? ABI_VERSION_6 : header.abiVersion;
  if (processor.isGeneric && codeObject.version < 5) {
    findings.add({
      rule: 'version',
      severity: 'doubt',
      message: `${target.processor} needs code object version 6, whose hidden arguments lie elsewhere than those of version ${codeObject.version}`,
    });
  }
  const named = codeObject.metadata?.target;
  const notes = codeObject.elf.notes.filter(isMetadataNote);
  if (notes.length > 1 && named?.length !== formatIsaName(target).length) {
    findings.add({ rule: 'metadata', severity: 'doubt', message: `${notes.length} metadata notes would have to grow` });
  }
  if ((header.flags & OTHER_FLAGS) !== 0) {
    findings.add({ rule: 'version', severity: 'doubt', message: 'e_flags has bits that no target has' });
  }
  const generic = abiVersion === ABI_VERSION_6 ? target.genericVersion << GENERIC_VERSION_SHIFT : 0;
  const bits = (feature: 'xnack' | 'sramecc', shift: number): number =>
    // Compilers set bits of gfx1250 too, whose name has no features: what no name can say stays as it is.
    target[feature] === 'unsupported' && pair.source.target[feature] === 'unsupported'
      ? header.flags & (FEATURE_MASK << shift)
      : SETTINGS[target[feature]] << shift;
  const flags =
    (header.flags & OTHER_FLAGS) |
    (processor.mach & MACH_MASK) |
    bits('xnack', XNACK_SHIFT) |
    bits('sramecc', SRAMECC_SHIFT) |
    generic;
  return { target, isaName: formatIsaName(target), flags: flags >>> 0, abiVersion };
}
