import type { Generation, Processor } from '@doorbell/abi/core';
import { isAtLeastGfx10 } from '../kernel/kernel-descriptor.js';
import type { TargetId } from '../target/target-id.js';

/** What the fields of a kernel descriptor depend on. */
export interface KernelTarget {
  readonly processor: string;
  readonly generation: Generation;
  readonly version: readonly [major: number, minor: number, stepping: number];
  readonly major: number;
  readonly waveSize: 32 | 64;
  /** Unified register file with an accumulation offset. */
  readonly isGfx90a: boolean;
  readonly isGfx1250Plus: boolean;
  /** Scratch is set up by hardware: no SGPRs for it. */
  readonly hasArchitectedFlatScratch: boolean;
  readonly hasKernargPreload: boolean;
  readonly hasWorkgroupProcessorMode: boolean;
  /** DX10_CLAMP and IEEE_MODE. */
  readonly hasFloatModes: boolean;
  readonly isXnackOnOrAny: boolean;
  readonly maxUserSgprs: number;
}

/** Of a processor (LLVM GCNProcessors.td and AMDGPUBaseInfo). */
export function kernelTarget(processor: Processor, target: TargetId, waveSize: 32 | 64): KernelTarget {
  const { name, generation } = processor;
  const major = processor.version[0];
  const isGfx940 = generation === 'gfx90a' && name !== 'gfx90a';
  const isGfx1250Plus = generation === 'gfx125' || generation === 'gfx13';
  return {
    processor: name,
    generation,
    version: processor.version,
    major,
    waveSize,
    isGfx90a: generation === 'gfx90a',
    isGfx1250Plus,
    hasArchitectedFlatScratch: isGfx940 || major >= 11,
    hasKernargPreload: generation === 'gfx90a' || isGfx1250Plus,
    hasWorkgroupProcessorMode: isAtLeastGfx10(generation) && !isGfx1250Plus,
    hasFloatModes: major < 12 && !name.startsWith('gfx117') && name !== 'gfx11-7-generic',
    // gfx125x always has it on, and no name for it.
    isXnackOnOrAny: target.xnack === 'on' || target.xnack === 'any' || generation === 'gfx125',
    maxUserSgprs: isGfx1250Plus ? 32 : 16,
  };
}
