/** One GPU of the emulated machine, as the driver sees it: description, sizes that follow from it, and per-process state. */
import type { GpuNodeDescription } from '../sysfs/machine.js';
import { numberOf } from '../sysfs/machine.js';
import { PAGE_BYTES } from '../memory-map.js';
import { alignUp } from './address.js';
import type { DevicePages } from './device-pages.js';
import type { DoorbellSlots } from './doorbell-slots.js';
import type { RenderFile } from './files.js';

/** Sizes that CREATE_QUEUE demands (amdkfd kfd_queue.c kfd_queue_ctx_save_restore_size). */
export interface QueueSizes {
  readonly eopBytes: number;
  readonly controlStackBytes: number;
  /** Control stack and wave data; {@link areaBytes} is the whole mapping with the debugger's part. */
  readonly saveRestoreBytes: number;
  readonly areaBytes: number;
}

export interface Gpu {
  readonly index: number;
  readonly description: GpuNodeDescription;
  readonly id: number;
  readonly queueSizes: QueueSizes;
  readonly doorbells: DevicePages;
  readonly doorbellSlots: DoorbellSlots;
  /** Open file of the render node whose VM this process uses here, also after it is closed; undefined before ACQUIRE_VM. */
  vmFile: RenderFile | undefined;
  /** The one queue that has the global wave sync resources. */
  gwsQueue: number | undefined;
}

const HEADER_BYTES = 40;
const SGPR_BYTES = 0x4000;
const LDS_BYTES = 0x1_0000;
const HARDWARE_REGISTER_BYTES = 0x1000;
const DEBUGGER_BYTES_PER_WAVE = 32;
const EOP_BYTES = 4096;

/** Vector registers of one compute unit in bytes (kfd_queue.c kfd_get_vgpr_size_per_cu). */
function vgprBytesPerCu(target: string): number {
  if (['gfx908', 'gfx90a', 'gfx942', 'gfx950'].includes(target)) return 0x8_0000;
  if (['gfx1100', 'gfx1101', 'gfx1200', 'gfx1201'].includes(target)) return 0x6_0000;
  return 0x4_0000;
}

/** The sizes for a node; generation from its `gfx_target_version` (major * 10000 + minor * 100 + stepping). */
export function queueSizesOf({ properties, target }: Pick<GpuNodeDescription, 'properties' | 'target'>): QueueSizes {
  const property = (key: string): number => numberOf(properties, key);
  const version = property('gfx_target_version');
  const xccs = Math.max(1, property('num_xcc'));
  const cus = Math.floor(property('simd_count') / property('simd_per_cu') / xccs);
  const engines = property('array_count') / Math.max(1, property('simd_arrays_per_engine'));
  const isGfx10On = version >= 100_100;
  const waves = isGfx10On ? cus * 32 : Math.min(cus * 40, (engines / xccs) * 512);
  let controlStackBytes = alignUp(HEADER_BYTES + waves * (isGfx10On ? 12 : 8) + 8, PAGE_BYTES);
  if (version >= 100_000 && version < 110_000) controlStackBytes = Math.min(controlStackBytes, 0x7000);
  const waveBytes = alignUp(cus * (vgprBytesPerCu(target) + SGPR_BYTES + LDS_BYTES + HARDWARE_REGISTER_BYTES), PAGE_BYTES);
  const saveRestoreBytes = controlStackBytes + waveBytes;
  const debuggerBytes = alignUp(waves * DEBUGGER_BYTES_PER_WAVE, 64);
  return {
    eopBytes: EOP_BYTES,
    controlStackBytes,
    saveRestoreBytes,
    areaBytes: alignUp((saveRestoreBytes + debuggerBytes) * xccs, PAGE_BYTES),
  };
}
