import { findProcessorByMach, HsaError, type Processor, type TargetFeature } from '@doorbell/abi/core';
import { ELFOSABI_AMDGPU_HSA, EM_AMDGPU, ET_DYN, ET_EXEC, ET_REL } from '../elf/elf-constants.js';
import type { ElfHeader } from '../elf/elf-types.js';
import { readElfHeader } from '../elf/parse-elf.js';
import { badCodeObject, hex } from '../internal/byte-reader.js';
import type { CodeObjectTarget } from './compatibility.js';
import { type FeatureSetting, targetOf } from './target-id.js';

/** Version of a code object, from EI_ABIVERSION. */
export type CodeObjectVersion = 3 | 4 | 5 | 6;

/** What the ELF header of a code object says; nothing behind it was looked at. */
export interface HeaderTarget {
  readonly processor: Processor;
  readonly target: CodeObjectTarget;
  readonly version: CodeObjectVersion;
  /** A relocatable object is not linked yet. */
  readonly kind: 'executable' | 'relocatable';
}

/**
 * The target that the ELF header of a code object names, linked or not.
 *
 * @throws {HsaError} ERR_CODE_OBJECT for another class, machine, OS ABI, type or processor; ERR_CODE_OBJECT_VERSION.
 */
export function readHeaderTarget(bytes: Uint8Array): HeaderTarget {
  return headerTarget(readElfHeader(bytes));
}

/** As {@link readHeaderTarget}, of a header that is read already. */
export function headerTarget(header: ElfHeader): HeaderTarget {
  if (header.machine !== EM_AMDGPU) {
    throw badCodeObject(`the file is not for AMD GPUs: e_machine is ${header.machine}, not EM_AMDGPU (${EM_AMDGPU})`);
  }
  if (header.osAbi !== ELFOSABI_AMDGPU_HSA) {
    throw badCodeObject(
      `the file is not for the HSA runtime: EI_OSABI is ${header.osAbi}, not ${ELFOSABI_AMDGPU_HSA} (compile for amdgcn-amd-amdhsa)`,
    );
  }
  const { type } = header;
  if (type !== ET_REL && type !== ET_DYN && type !== ET_EXEC) {
    throw badCodeObject(`a code object is a shared object (e_type 3); this file has e_type ${type}`);
  }
  const version = versionOf(header);
  const mach = header.flags & 0xff;
  const processor = findProcessorByMach(mach);
  if (!processor) {
    throw badCodeObject(`e_flags ${hex(header.flags)} names processor ${hex(mach)}, which is not known`, {
      flags: header.flags,
      mach,
    });
  }
  const settings = version === 3 ? oldFeatures(header.flags) : features(header.flags);
  const target = { ...targetOf(processor, settings), genericVersion: version === 6 ? header.flags >>> 24 : 0 };
  return { processor, target, version, kind: type === ET_REL ? 'relocatable' : 'executable' };
}

/** EI_ABIVERSION: 0 version 2, 1 version 3, 2 version 4, 3 version 5, 4 version 6 (LLVM AMDGPUUsage, "Header"). */
function versionOf(header: ElfHeader): CodeObjectVersion {
  const version = header.abiVersion + 2;
  if (version === 3 || version === 4 || version === 5 || version === 6) return version;
  throw unsupportedVersion(version);
}

/** The code object's version is not one that loaders take. */
export function unsupportedVersion(version: number): HsaError {
  return new HsaError('ERR_CODE_OBJECT_VERSION', {
    message: `the code object has version ${version} (EI_ABIVERSION ${version - 2}); versions 4, 5 and 6 are supported`,
    hint:
      version < 4
        ? 'Compile again with a current compiler, or with -mcode-object-version=5.'
        : 'Compile with -mcode-object-version=6.',
    details: { version, abiVersion: version - 2 },
  });
}

type FeatureSettings = Readonly<Record<TargetFeature, FeatureSetting>>;

/** EF_AMDGPU_FEATURE_XNACK_V4 0x300 and EF_AMDGPU_FEATURE_SRAMECC_V4 0xc00: 0 unsupported, 1 any, 2 off, 3 on (LLVM ELF.h). */
const SETTINGS: readonly FeatureSetting[] = ['unsupported', 'any', 'off', 'on'];

function features(flags: number): FeatureSettings {
  const setting = (shift: number): FeatureSetting => SETTINGS[(flags >>> shift) & 3] ?? 'unsupported';
  return { xnack: setting(8), sramecc: setting(10) };
}

/** EF_AMDGPU_FEATURE_XNACK_V3 0x100 and EF_AMDGPU_FEATURE_SRAMECC_V3 0x200: set or not; there is no "any" (LLVM ELF.h). */
function oldFeatures(flags: number): FeatureSettings {
  const setting = (bit: number): FeatureSetting => ((flags & bit) === 0 ? 'off' : 'on');
  return { xnack: setting(0x100), sramecc: setting(0x200) };
}
