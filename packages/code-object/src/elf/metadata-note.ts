import { NT_AMDGPU_METADATA } from './elf-constants.js';
import type { ElfNote } from './elf-types.js';

/** Whether a note holds the metadata of a code object (LLVM AMDGPUUsage, "Note Records"). */
export function isMetadataNote({ name, type }: ElfNote): boolean {
  return name === 'AMDGPU' && type === NT_AMDGPU_METADATA;
}
