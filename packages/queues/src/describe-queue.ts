import { AMD_QUEUE, AMD_QUEUE_BYTES, AMD_SIGNAL, AmdQueueProperties, AmdSignalKind, hsa } from '@doorbell/abi';
import type { ThunkGpu } from '@doorbell/thunk-loader';
import { highHalf } from './words64.js';

/** The doorbell's own signal lies behind the queue in its page. */
export const DOORBELL_SIGNAL_OFFSET: number = AMD_QUEUE_BYTES;

/** What the device must know of a queue. */
export interface QueueDescription {
  readonly gpu: ThunkGpu;
  readonly queue: {
    readonly address: bigint;
    readonly doorbellSignalHandle: bigint;
    readonly packets: number;
    readonly id: bigint;
  };
  readonly ringAddress: bigint;
  readonly inactiveSignal: bigint;
  readonly profiling: 'on' | 'off';
}

/** Fills the `amd_queue_t` and the doorbell's signal. The device reads them when the driver connects the queue. */
export function describeQueue(bytes: Uint8Array, { gpu, queue, ringAddress, inactiveSignal, profiling }: QueueDescription): void {
  const property = (key: string): number => Number(gpu.properties.get(key) ?? 0n);
  const simdPerCu = Math.max(1, property('simd_per_cu'));
  const cus = Math.floor(property('simd_count') / simdPerCu);
  const wavesPerCu = property('max_waves_per_simd') * simdPerCu;
  AMD_QUEUE.write(bytes, {
    hsa_queue: {
      type: hsa.HSA_QUEUE_TYPE_MULTI,
      features: hsa.HSA_QUEUE_FEATURE_KERNEL_DISPATCH,
      base_address: ringAddress,
      doorbell_signal: queue.doorbellSignalHandle,
      size: queue.packets,
      id: queue.id,
    },
    group_segment_aperture_base_hi: highHalf(gpu.apertures?.ldsBase ?? 0n),
    private_segment_aperture_base_hi: highHalf(gpu.apertures?.scratchBase ?? 0n),
    max_cu_id: Math.max(0, cus - 1),
    max_wave_id: Math.max(0, wavesPerCu - 1),
    read_dispatch_id_field_base_byte_offset: AMD_QUEUE.fields.read_dispatch_id.offset,
    queue_properties: AmdQueueProperties.isPtr64 | (profiling === 'on' ? AmdQueueProperties.enableProfiling : 0),
    // No scratch yet, for dispatches however late.
    scratch_max_use_index: 0xffff_ffff_ffff_ffffn,
    alt_scratch_max_use_index: 0xffff_ffff_ffff_ffffn,
    queue_inactive_signal: inactiveSignal,
  });
  AMD_SIGNAL.write(bytes, { kind: AmdSignalKind.doorbell, queue_ptr: queue.address }, DOORBELL_SIGNAL_OFFSET);
}
