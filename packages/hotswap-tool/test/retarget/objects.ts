import { assembleObject } from '@doorbell/code-object';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { planRewrite, type Finding } from '../../src/index.js';

/** tools/kernels/src/pipeline.cl as clang 22 compiles it with -O3. */
export function clangObject(target: string): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(new URL(`../fixtures/pipeline.${target}.hsaco.gz`, import.meta.url))));
}

export interface KernelSource {
  /** Instructions before s_endpgm. */
  readonly code?: string;
  /** `.amdhsa_…` lines beside the registers. */
  readonly fields?: string;
  readonly vgprs?: number;
  /** Lines behind the kernel. */
  readonly rest?: string;
  readonly maxWorkgroup?: number;
  readonly wave64?: boolean;
}

/** A code object with one kernel, as our assembler makes it. */
export function kernelObject(target: string, source: KernelSource = {}): Uint8Array {
  const { code = '', fields = '', vgprs = 8, rest = '', maxWorkgroup = 256, wave64 = false } = source;
  const hasWave32 = !/^gfx9/.test(target);
  const isUnified = /^gfx9(?:0a|4|5)/.test(target);
  const text = `
.text
.globl k
.p2align 8
.type k,@function
k:
${code}
  s_endpgm
.Lend:
.size k, .Lend-k
${rest}
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr ${vgprs}
  .amdhsa_next_free_sgpr 16
  ${hasWave32 ? `.amdhsa_wavefront_size32 ${wave64 ? 0 : 1}` : ''}
  ${isUnified ? '.amdhsa_accum_offset 4' : ''}
  ${fields}
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--${target}
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: ${hasWave32 && !wave64 ? 32 : 64}
    .sgpr_count: 16
    .vgpr_count: ${vgprs}
    .max_flat_workgroup_size: ${maxWorkgroup}
...
.end_amdgpu_metadata
`;
  return assembleObject(text, { target });
}

/** What is found on the way from one target to another: `rule severity`, each once. */
export function rulesOf(bytes: Uint8Array, target: string): readonly string[] {
  return findingsOf(bytes, target).map(({ rule, severity }) => `${rule} ${severity}`);
}

export function findingsOf(bytes: Uint8Array, target: string): readonly Finding[] {
  return planRewrite(bytes, { target }).findings;
}
