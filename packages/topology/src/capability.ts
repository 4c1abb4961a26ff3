/** Bit fields of a node: `capability`, `capability2` and `debug_prop` (hsakmttypes.h HSA_CAPABILITY, HSA_CAPABILITY2, HSA_DEBUG_PROPERTIES). */
import type { NodeProperties } from './topology-types.js';

/** What a GPU and its driver can do. */
export interface Capability {
  readonly hotPluggable: boolean;
  /** Shares memory management with the CPU (IOMMU v2); cleared by current kernels. */
  readonly hsaMmuPresent: boolean;
  readonly sharedWithGraphics: boolean;
  readonly queueSizePowerOfTwo: boolean;
  readonly queueSize32Bit: boolean;
  readonly queueIdleEvent: boolean;
  readonly vaLimit: boolean;
  /** Address watch points; 0 when not supported. */
  readonly watchPoints: number;
  /** 0 before 1.0, 1 version 1.0, 2 version 2.0: 64-bit doorbells, needed for AQL. */
  readonly doorbellType: number;
  /** The ring has to be mapped twice, one behind the other. */
  readonly aqlQueueDoubleMap: boolean;
  readonly debugTrap: boolean;
  readonly waveLaunchTrapOverride: boolean;
  readonly waveLaunchMode: boolean;
  readonly preciseMemoryOps: boolean;
  readonly preciseAluOps: boolean;
  /** ECC of VRAM is active. */
  readonly memoryEcc: boolean;
  readonly rasEventNotify: boolean;
  /** ECC of SRAM is active: the `sramecc+` target feature. */
  readonly sramEcc: boolean;
  readonly asicRevision: number;
  readonly svmApi: boolean;
  readonly coherentHostAccess: boolean;
  readonly debugFirmware: boolean;
  readonly perQueueReset: boolean;
  readonly perSdmaQueueReset: boolean;
  /** Trap temporaries always hold dispatch information. */
  readonly dispatchInfoAlwaysValid: boolean;
  /** Lowest and highest bit of the mask of a watch point that can be set. */
  readonly watchAddressMaskBits: readonly [number, number];
  /** Each process has watch points of its own. */
  readonly watchPointsPerProcess: boolean;
}

/** Names the bits. */
export function decodeCapability({
  capability,
  capability2,
  debugProp,
}: Pick<NodeProperties, 'capability' | 'capability2' | 'debugProp'>): Capability {
  const bit = (index: number): boolean => ((capability >>> index) & 1) === 1;
  const field = (index: number, mask: number): number => (capability >>> index) & mask;
  const debug = (index: number, mask: bigint): number => Number((debugProp >> BigInt(index)) & mask);
  return {
    hotPluggable: bit(0),
    hsaMmuPresent: bit(1),
    sharedWithGraphics: bit(2),
    queueSizePowerOfTwo: bit(3),
    queueSize32Bit: bit(4),
    queueIdleEvent: bit(5),
    vaLimit: bit(6),
    watchPoints: bit(7) ? 1 << field(8, 0xf) : 0,
    doorbellType: field(12, 0x3),
    aqlQueueDoubleMap: bit(14),
    debugTrap: bit(15),
    waveLaunchTrapOverride: bit(16),
    waveLaunchMode: bit(17),
    preciseMemoryOps: bit(18),
    preciseAluOps: bit(30),
    memoryEcc: bit(20),
    rasEventNotify: bit(21),
    sramEcc: bit(26),
    asicRevision: field(22, 0xf),
    svmApi: bit(27),
    coherentHostAccess: bit(28),
    debugFirmware: bit(29),
    perQueueReset: bit(31),
    perSdmaQueueReset: (capability2 & 1) === 1,
    dispatchInfoAlwaysValid: debug(10, 1n) === 1,
    watchAddressMaskBits: [debug(0, 0xfn), debug(4, 0x3fn)],
    watchPointsPerProcess: debug(11, 1n) === 1,
  };
}
