/** Bit fields of a node: `capability` and `debug_prop` (hsakmttypes.h HSA_CAPABILITY, HSA_DEBUG_PROPERTIES). */
import type { NodeProperties } from './topology-types.js';

/** What a GPU and its driver can do. */
export interface Capability {
  /** Shares memory management with the CPU (IOMMU v2); cleared by current kernels. */
  readonly hsaMmuPresent: boolean;
  readonly queueSizePowerOfTwo: boolean;
  /** Address watch points; 0 when not supported. */
  readonly watchPoints: number;
  /** 0 before 1.0, 1 version 1.0, 2 version 2.0: 64-bit doorbells, needed for AQL. */
  readonly doorbellType: number;
  readonly debugTrap: boolean;
  readonly preciseMemoryOps: boolean;
  readonly preciseAluOps: boolean;
  /** ECC of VRAM is active. */
  readonly memoryEcc: boolean;
  /** ECC of SRAM is active: the `sramecc+` target feature. */
  readonly sramEcc: boolean;
  readonly asicRevision: number;
  readonly svmApi: boolean;
  readonly coherentHostAccess: boolean;
  readonly perQueueReset: boolean;
  /** Trap temporaries always hold dispatch information. */
  readonly dispatchInfoAlwaysValid: boolean;
}

export function decodeCapability({ capability, debugProp }: Pick<NodeProperties, 'capability' | 'debugProp'>): Capability {
  const bit = (index: number): boolean => ((capability >>> index) & 1) === 1;
  const field = (index: number, mask: number): number => (capability >>> index) & mask;
  return {
    hsaMmuPresent: bit(1),
    queueSizePowerOfTwo: bit(3),
    watchPoints: bit(7) ? 1 << field(8, 0xf) : 0,
    doorbellType: field(12, 0x3),
    debugTrap: bit(15),
    preciseMemoryOps: bit(18),
    preciseAluOps: bit(30),
    memoryEcc: bit(20),
    sramEcc: bit(26),
    asicRevision: field(22, 0xf),
    svmApi: bit(27),
    coherentHostAccess: bit(28),
    perQueueReset: bit(31),
    dispatchInfoAlwaysValid: ((debugProp >> 10n) & 1n) === 1n,
  };
}
