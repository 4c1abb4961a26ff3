/**
 * Which doorbells of a process's slice belong to which engine (amdkfd kfd_process.c init_doorbell_bitmap,
 * kfd_device_queue_manager.c allocate_doorbell): the hardware routes a doorbell by the lower 12 bits of its address, so that SDMA,
 * interrupt handler and VCN have a fixed range in each half of the slice, and compute queues get the lowest free one of the others.
 */
import type { GpuNodeDescription } from '../sysfs/machine.js';
import { numberOf } from '../sysfs/machine.js';

/** amdkfd kfd_priv.h KFD_MAX_NUM_OF_QUEUES_PER_PROCESS, KFD_QUEUE_DOORBELL_MIRROR_OFFSET. */
const DOORBELL_COUNT = 1024;
const MIRROR_OFFSET = 512;
/** amdgpu_doorbell.h AMDGPU_{VEGA20,NAVI10}_DOORBELL_sDMA_ENGINE0 and LAYOUT1_sDMA_ENGINE_START. */
const FIRST_NON_CP = 0x100;
/**
 * The last one, by layout: AMDGPU_VEGA20_DOORBELL64_LAST_NON_CP; AMDGPU_NAVI10_DOORBELL64_LAST_NON_CP (VPE's); for
 * parts with several dies AMDGPU_DOORBELL_LAYOUT1_LAST_NON_CP (gfx9.4.3 on) and AMDGPU_SOC_V1_0_DOORBELL_LAST_NON_CP (gfx12.5).
 */
const LAST_NON_CP = { vega20: 0x18f, navi10: 0x190, layout1: 0x1e8, socV1: 0x1ef } as const;

/** The doorbells of one process on one GPU. */
export class DoorbellSlots {
  readonly #taken = new Uint8Array(DOORBELL_COUNT);

  constructor({ properties }: Pick<GpuNodeDescription, 'properties'>) {
    const last = lastNonCp(numberOf(properties, 'gfx_target_version'));
    this.#taken.fill(1, FIRST_NON_CP, last + 1);
    this.#taken.fill(1, FIRST_NON_CP + MIRROR_OFFSET, last + 1 + MIRROR_OFFSET);
  }

  /** The lowest free doorbell for a compute queue; undefined when all are taken. */
  takeForCompute(): number | undefined {
    const index = this.#taken.indexOf(0);
    if (index < 0) return undefined;
    this.#taken[index] = 1;
    return index;
  }

  /** Gives a doorbell back that {@link takeForCompute} gave. */
  give(index: number): void {
    this.#taken[index] = 0;
  }
}

function lastNonCp(gfxVersion: number): number {
  if (gfxVersion >= 120_500) return LAST_NON_CP.socV1;
  if (gfxVersion >= 100_000) return LAST_NON_CP.navi10;
  return gfxVersion >= 90_402 ? LAST_NON_CP.layout1 : LAST_NON_CP.vega20;
}
