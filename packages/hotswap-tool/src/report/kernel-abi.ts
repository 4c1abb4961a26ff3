import { findProcessor, type Processor } from '@doorbell/abi';
import { type KernelInfo, occupancy } from '@doorbell/code-object';
import { hasWaveSize } from '../retarget/relation.js';

/** What a kernel finds when it begins, by processor. */
interface KernelAbi {
  /** The ids of a work-item come in one register, 10 bits each (LLVM FeaturePackedTID). */
  readonly packsWorkitemIds: boolean;
  /** Scratch is found without set-up code (LLVM FeatureArchitectedFlatScratch). */
  readonly hasArchitectedScratch: boolean;
  /** Ids of the workgroup are in trap registers, not in SGPRs (LLVM FeatureArchitectedSGPRs). */
  readonly hasArchitectedIds: boolean;
}

function abiOf({ name, version: [major] }: Processor): KernelAbi {
  const isCdna3 = /^gfx9(?:4|5|-4)/.test(name);
  return {
    packsWorkitemIds: major >= 11 || isCdna3 || name === 'gfx90a',
    hasArchitectedScratch: major >= 11 || isCdna3,
    hasArchitectedIds: major >= 12,
  };
}

/** What keeps a kernel from another processor beside its instructions; one sentence each. */
export function kernelLimits(kernel: KernelInfo, sourceName: string, targetName: string): readonly string[] {
  const [source, target] = [findProcessor(sourceName), findProcessor(targetName)];
  if (source === undefined || target === undefined) return [];
  const [from, to] = [abiOf(source), abiOf(target)];
  const { descriptor } = kernel;
  const limits: string[] = [];
  if (source.generation !== target.generation) limits.push('kernel descriptors have another layout');
  if (from.packsWorkitemIds !== to.packsWorkitemIds && descriptor.workitemIdDims > 1) {
    limits.push('the ids of work-items come in other registers');
  }
  const usesScratch = kernel.privateBytes > 0 || kernel.usesDynamicStack || descriptor.usesPrivateSegment;
  if (from.hasArchitectedScratch !== to.hasArchitectedScratch && usesScratch) limits.push('scratch is set up otherwise');
  const usesIds = descriptor.workgroupIdX || descriptor.workgroupIdY || descriptor.workgroupIdZ;
  if (from.hasArchitectedIds !== to.hasArchitectedIds && usesIds) limits.push('the ids of workgroups come in other registers');
  if (!hasWaveSize(target, kernel.waveSize)) limits.push(`there are no waves of ${kernel.waveSize} lanes`);
  const fits =
    target.isGeneric || occupancy(kernel, { workgroup: [kernel.maxFlatWorkgroupSize, 1, 1], processor: target }).wavesPerSimd > 0;
  if (!fits) limits.push('the largest workgroup does not fit: registers or LDS');
  return limits;
}
