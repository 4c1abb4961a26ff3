import { execFileSync } from 'node:child_process';

/** Number and features of a processor as llvm-mc-22 writes them into e_flags (LLVM ELF.h, EF_AMDGPU_*). */
export function processorOfLlvm(name: string): { readonly mach: number; readonly features: readonly string[] } {
  const input = `.amdhsa_code_object_version ${name.endsWith('-generic') ? 6 : 5}\n`;
  const object = execFileSync('llvm-mc-22', ['-triple=amdgcn-amd-amdhsa', `-mcpu=${name}`, '-filetype=obj'], { input });
  const flags = object.readUInt32LE(48);
  const features = [(flags & 0xc00) === 0 ? '' : 'sramecc', (flags & 0x300) === 0 ? '' : 'xnack'];
  return { mach: flags & 0xff, features: features.filter((feature) => feature !== '') };
}
