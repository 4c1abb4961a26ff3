import { HsaError, type Processor } from '@doorbell/abi/core';
import { alignUp } from '../internal/align-up.js';
import { isAtLeastGfx10 } from './kernel-descriptor.js';
import type { KernelInfo } from './kernel-info.js';

/** How many waves of a kernel fit on one SIMD, and what keeps more from fitting. */
export interface Occupancy {
  /** On the fullest SIMD; 0 when the workgroup does not fit at all. */
  readonly wavesPerSimd: number;
  readonly limitedBy: 'vgpr' | 'sgpr' | 'lds' | 'workgroup' | 'none';
}

export interface OccupancyOptions {
  readonly workgroup: readonly [number, number, number];
  /** The processor it runs on (for a generic code object: the device's). */
  readonly processor: Processor;
  /** Beside the kernel's static LDS; default 0. */
  readonly dynamicLdsBytes?: number;
}

/** What the workgroups of a compute unit (or pair of them, in WGP mode) share. */
interface Machine {
  readonly simds: number;
  readonly maxWaves: number;
  /** VGPRs of one lane of a SIMD and the granule they are allocated in. */
  readonly vgprs: number;
  readonly vgprGranule: number;
  /** SGPRs of a SIMD; undefined where every wave has its own full set. */
  readonly sgprs?: number;
  readonly ldsBytes: number;
  readonly ldsGranule: number;
  /** Workgroups of more than one wave that can be resident. */
  readonly maxGroups: number;
}

/**
 * The occupancy of a kernel: waves that fit by registers, LDS and workgroup slots, whole workgroups only.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT when the workgroup is not three whole numbers ≥ 1.
 */
export function occupancy(kernel: KernelInfo, options: OccupancyOptions): Occupancy {
  const { workgroup, processor, dynamicLdsBytes = 0 } = options;
  if (workgroup.some((size) => !Number.isInteger(size) || size < 1)) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `a workgroup of ${workgroup.join(' × ')} is not three whole numbers ≥ 1`,
    });
  }
  const machine = machineOf(kernel, processor);
  const items = workgroup[0] * workgroup[1] * workgroup[2];
  if (items > kernel.maxFlatWorkgroupSize) return { wavesPerSimd: 0, limitedBy: 'workgroup' };
  const groupWaves = Math.ceil(items / kernel.waveSize);
  const ldsBytes = alignUp(kernel.groupBytes + dynamicLdsBytes, machine.ldsGranule);

  const slots = machine.maxWaves * machine.simds;
  const maxGroups = groupWaves === 1 ? slots : Math.min(Math.floor(slots / groupWaves), machine.maxGroups);
  const ldsGroups = ldsBytes === 0 ? slots : Math.floor(machine.ldsBytes / ldsBytes);
  // What each resource allows on a SIMD, in waves, and how much of that whole workgroups fill.
  const wavesOf = (groups: number): number => Math.ceil((Math.min(groups, maxGroups) * groupWaves) / machine.simds);
  const limits = (
    [
      ['vgpr', wavesByVgprs(kernel.vgprs, machine)],
      ['sgpr', wavesBySgprs(kernel.sgprs, machine)],
      ['lds', Math.min(machine.maxWaves, Math.ceil((ldsGroups * groupWaves) / machine.simds))],
    ] as const
  ).map(([name, cap]) => {
    const groups = name === 'lds' ? ldsGroups : Math.floor((cap * machine.simds) / groupWaves);
    return { name, cap, waves: Math.min(cap, wavesOf(groups)) };
  });
  const wavesPerSimd = Math.min(...limits.map(({ waves }) => waves));
  if (wavesPerSimd === machine.maxWaves) return { wavesPerSimd, limitedBy: 'none' };
  const byGroupsAlone = wavesOf(maxGroups);
  const limit = limits.find(({ cap, waves }) => cap <= wavesPerSimd || (waves === wavesPerSimd && waves < byGroupsAlone));
  return { wavesPerSimd, limitedBy: limit?.name ?? 'workgroup' };
}

function wavesByVgprs(vgprs: number, machine: Machine): number {
  return Math.min(machine.maxWaves, Math.floor(machine.vgprs / alignUp(vgprs, machine.vgprGranule)));
}

function wavesBySgprs(sgprs: number, machine: Machine): number {
  return machine.sgprs === undefined ? machine.maxWaves : Math.min(machine.maxWaves, Math.floor(machine.sgprs / sgprs));
}

/** Processors with one and a half times the VGPRs of their family (LLVM Feature1_5xVGPRs). */
const LARGE_FILE: ReadonlySet<string> = new Set(['gfx1100', 'gfx1101', 'gfx1151', 'gfx1200', 'gfx1201', 'gfx12-generic']);

/** Figures: LLVM 22 AMDGPUBaseInfo (getMaxWavesPerEU, getTotalNumVGPRs, getVGPRAllocGranule, getEUsPerCU) and AMDGPUUsage. */
function machineOf(kernel: KernelInfo, processor: Processor): Machine {
  const { generation, name } = processor;
  if (generation === 'gfx125') {
    // Four SIMDs in a compute unit, no WGP mode.
    return { simds: 4, maxWaves: 16, vgprs: 1024, vgprGranule: 16, ldsBytes: 320 << 10, ldsGranule: 2048, maxGroups: 16 };
  }
  if (isAtLeastGfx10(generation)) {
    const isWgp = kernel.descriptor.workgroupProcessorMode ?? false;
    const scale = kernel.waveSize === 32 ? 2 : 1;
    const isGfx101 = generation === 'gfx10' && (processor.version[1] === 1 || name === 'gfx10-1-generic');
    const isLarge = LARGE_FILE.has(name);
    return {
      simds: isWgp ? 4 : 2,
      maxWaves: isGfx101 ? 20 : 16,
      vgprs: (isLarge ? 768 : 512) * scale,
      vgprGranule: (isLarge ? 12 : isGfx101 ? 4 : 8) * scale,
      ldsBytes: isWgp ? 128 << 10 : 64 << 10,
      ldsGranule: 512,
      maxGroups: isWgp ? 32 : 16,
    };
  }
  const isUnified = generation === 'gfx90a';
  return {
    simds: 4,
    maxWaves: isUnified ? 8 : 10,
    vgprs: isUnified ? 512 : 256,
    vgprGranule: isUnified ? 8 : 4,
    sgprs: generation === 'gfx6' || generation === 'gfx7' ? 512 : 800,
    ldsBytes: name === 'gfx950' ? 160 << 10 : 64 << 10,
    ldsGranule: name === 'gfx950' ? 1280 : 512,
    maxGroups: 16,
  };
}
