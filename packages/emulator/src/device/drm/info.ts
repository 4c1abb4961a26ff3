/** DRM_IOCTL_AMDGPU_INFO (amdgpu_kms.c amdgpu_info_ioctl): what is known of the emulated GPU, the rest zero as for a part without it. */
import { drm } from '@doorbell/abi';
import { PAGE_BYTES } from '../../memory-map.js';
import { numberOf } from '../../sysfs/machine.js';
import { ticksOfNs } from '../clock.js';
import { EFAULT, EINVAL } from '../errno.js';
import type { Gpu } from '../gpu.js';
import type { Process } from '../process.js';
import type { DrmIoctl } from './drm-ioctl.js';
import { defineDrmIoctl } from './drm-ioctl.js';

/** amdgpu_drm.h AMDGPU_INFO_*. */
const INFO = {
  accelWorking: 0x00,
  hwIpInfo: 0x02,
  hwIpCount: 0x03,
  timestamp: 0x05,
  fwVersion: 0x0e,
  vramUsage: 0x10,
  gttUsage: 0x11,
  vramGtt: 0x14,
  readMmrReg: 0x15,
  devInfo: 0x16,
  visVramUsage: 0x17,
  memory: 0x19,
  rasEnabledFeatures: 0x20,
} as const;

/** AMDGPU_INFO_FW_*: the last type that the driver of this version knows; the two whose version the topology shows. */
const LAST_FW_TYPE = 0x1b;
const FW_GFX_MEC = 0x08;
const FW_SDMA = 0x0b;
/** The reference clock in kHz; see clock.ts. */
const COUNTER_KHZ = 100_000;
/** Fragments of 2 MiB, as the emulator's own allocations are aligned: a power of two of pages. */
const PTE_FRAGMENT_BITS = 9;
/** READ_MMR_REG takes at most 128 registers (amdgpu_kms.c). */
const MAX_REGISTERS = 128;

interface Query {
  readonly process: Process;
  readonly gpu: Gpu;
  readonly args: { readonly query_fw: { readonly fw_type: number }; readonly read_mmr_reg: { readonly count: number } };
}

export const info: DrmIoctl = defineDrmIoctl(drm.drm_amdgpu_info, 'W', ({ process, gpu, args }) => {
  if (args.return_size === 0 || args.return_pointer === 0n) return -EINVAL;
  const answer = answerOf(args.query, { process, gpu, args });
  if (answer === undefined) return -EINVAL;
  const sizeBytes = Math.min(args.return_size, answer.byteLength);
  const bytes = process.resolve(args.return_pointer, sizeBytes);
  if (bytes === undefined) return -EFAULT;
  bytes.set(answer.subarray(0, sizeBytes));
  return 0;
});

function answerOf(query: number, context: Query): Uint8Array | undefined {
  const { process, gpu, args } = context;
  const usedVram = (): bigint => BigInt(process.buffers.usedBytes('vram', gpu.id));
  switch (query) {
    case INFO.accelWorking:
      return words(1);
    case INFO.hwIpCount:
    case INFO.hwIpInfo:
      // No ring of the GPU is open to DRM clients: counts of rings are 0 for every kind of engine.
      return query === INFO.hwIpCount ? words(0) : drm.drm_amdgpu_info_hw_ip.create();
    case INFO.timestamp:
      return longs(ticksOfNs(process.host.now()));
    case INFO.fwVersion:
      return firmware(gpu, args.query_fw.fw_type);
    case INFO.vramUsage:
    case INFO.visVramUsage:
      return longs(usedVram());
    case INFO.gttUsage:
      return longs(BigInt(process.buffers.usedBytes('gtt')));
    case INFO.vramGtt: {
      const vram = BigInt(gpu.description.vramBytes);
      const sizes = { vram_size: vram, vram_cpu_accessible_size: vram, gtt_size: BigInt(process.machine.systemBytes) };
      return drm.drm_amdgpu_info_vram_gtt.create(sizes);
    }
    case INFO.readMmrReg: {
      const { count } = args.read_mmr_reg;
      return count > MAX_REGISTERS ? undefined : new Uint8Array(count * 4);
    }
    case INFO.devInfo:
      return deviceInfo(process, gpu);
    case INFO.memory: {
      const vram = heap(gpu.description.vramBytes, process.buffers.usedBytes('vram', gpu.id));
      const gtt = heap(process.machine.systemBytes, process.buffers.usedBytes('gtt'));
      return drm.drm_amdgpu_memory_info.create({ vram, cpu_accessible_vram: vram, gtt });
    }
    case INFO.rasEnabledFeatures:
      return longs(0n);
    default:
      return undefined;
  }
}

function heap(totalBytes: number, usedBytes: number) {
  const total = BigInt(totalBytes);
  return { total_heap_size: total, usable_heap_size: total, heap_usage: BigInt(usedBytes), max_allocation: (total * 3n) / 4n };
}

function firmware({ description: { properties } }: Gpu, type: number): Uint8Array | undefined {
  if (type < 1 || type > LAST_FW_TYPE) return undefined;
  const known: Readonly<Record<number, string>> = { [FW_GFX_MEC]: 'fw_version', [FW_SDMA]: 'sdma_fw_version' };
  const key = known[type];
  return drm.drm_amdgpu_info_firmware.create({ ver: key === undefined ? 0 : numberOf(properties, key), feature: 0 });
}

function deviceInfo({ placement }: Process, { description }: Gpu): Uint8Array {
  const { properties, drm: facts, memBanks } = description;
  const property = (key: string): number => numberOf(properties, key);
  const arraysPerEngine = Math.max(1, property('simd_arrays_per_engine'));
  const engines = Math.floor(property('array_count') / arraysPerEngine);
  const cus = Math.floor(property('simd_count') / Math.max(1, property('simd_per_cu')));
  const bank = memBanks[0] ?? {};
  return drm.drm_amdgpu_info_device.create({
    device_id: property('device_id'),
    chip_rev: facts.asic_revision,
    external_rev: facts.external_rev,
    pci_rev: facts.pci_rev,
    family: facts.family_id,
    num_shader_engines: engines,
    num_shader_arrays_per_engine: arraysPerEngine,
    gpu_counter_freq: COUNTER_KHZ,
    max_engine_clock: BigInt(property('max_engine_clk_fcompute')) * 1000n,
    max_memory_clock: BigInt(numberOf(bank, 'mem_clk_max')) * 1000n,
    cu_active_number: cus,
    cu_bitmap: cuBitmap({ engines, arraysPerEngine, cus, cusPerArray: property('cu_per_simd_array') }),
    virtual_address_offset: placement.first,
    virtual_address_max: placement.last + 1n,
    virtual_address_alignment: PAGE_BYTES,
    pte_fragment_size: 1 << PTE_FRAGMENT_BITS,
    gart_page_size: PAGE_BYTES,
    vram_bit_width: numberOf(bank, 'width'),
    wave_front_size: property('wave_front_size'),
    num_cu_per_sh: property('cu_per_simd_array'),
  });
}

/** Active units, the lowest bits of each array, engines in turn. Engines beyond the fourth follow in their rows (gfx_v11_0.c get_cu_info). */
function cuBitmap(shape: {
  readonly engines: number;
  readonly arraysPerEngine: number;
  readonly cus: number;
  readonly cusPerArray: number;
}): number[] {
  const bitmap = new Array<number>(16).fill(0);
  const arrays = Math.max(1, shape.engines * shape.arraysPerEngine);
  for (let cu = 0; cu < shape.cus; cu += 1) {
    const array = cu % arrays;
    const bit = Math.floor(cu / arrays);
    const engine = array % Math.max(1, shape.engines);
    const column = Math.floor(array / Math.max(1, shape.engines)) + Math.floor(engine / 4) * shape.arraysPerEngine;
    const slot = (engine % 4) * 4 + column;
    if (bit < Math.min(32, shape.cusPerArray) && slot < 16) bitmap[slot] = ((bitmap[slot] ?? 0) | (1 << bit)) >>> 0;
  }
  return bitmap;
}

function words(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

function longs(value: bigint): Uint8Array {
  return new Uint8Array(BigUint64Array.of(value).buffer);
}
