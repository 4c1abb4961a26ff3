/** The render node's DRM ioctls. Numbers and structures: drm.h and amdgpu_drm.h; answers: amdgpu_kms.c, amdgpu_gem.c, drm_ioctl.c. */
import type { Fields, StructInit, StructLayout, StructValue } from '@doorbell/abi';
import { drm, kfd } from '@doorbell/abi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmulatedDevice } from '../../src/device/emulated-device.js';
import { describeMachine } from '../../src/sysfs/index.js';
import type { Caller } from './support.js';
import { FLAG, GPU_ID, PAGE, RENDER_MINOR, RW, callerOf, openTestDevice } from './support.js';

const [ENOENT, EBADF, EACCES, EFAULT, EINVAL, ENOTTY] = [2, 9, 13, 14, 22, 25];
const GPU = describeMachine({ gpus: ['gfx1100'] }).gpus[0]!;
const VERSION = 0xc040_6400;
const GET_CAP = 0xc010_640c;
const GEM_CLOSE = 0x4008_6409;
const HANDLE_TO_FD = 0xc00c_642d;
const FD_TO_HANDLE = 0xc00c_642e;
/** AMDGPU_INFO_*. */
const INFO = {
  accel: 0,
  timestamp: 5,
  firmware: 0xe,
  vram: 0x10,
  gtt: 0x11,
  sizes: 0x14,
  registers: 0x15,
  device: 0x16,
  memory: 0x19,
};
const DOMAIN = { gtt: 2n, vram: 4n } as const;

let device: EmulatedDevice;
let caller: Caller;
let file: number;

beforeEach(async () => {
  device = await openTestDevice();
  caller = callerOf(device);
  file = device.openRenderNode(RENDER_MINOR);
});
afterEach(() => device[Symbol.asyncDispose]());

describe('DRM', () => {
  it('tells the driver’s name and version, cut where there is little room', () => {
    using text = device.hostBuffer(32);
    const arg = new Uint8Array(64);
    const view = new DataView(arg.buffer);
    view.setBigUint64(16, 3n, true);
    view.setBigUint64(24, text.address, true);
    expect(device.drmIoctl(file, VERSION, arg)).toBe(0);
    expect(view.getInt32(0, true)).toBe(3);
    expect(view.getBigUint64(16, true)).toBe(6n);
    expect(new TextDecoder().decode(text.bytes.subarray(0, 4))).toBe('amd\0');
    view.setBigUint64(24, 0x1000n, true);
    expect(device.drmIoctl(file, VERSION, arg)).toBe(-EFAULT);
  });

  it('tells its capabilities: dma-bufs both ways, no syncobj', () => {
    const ask = (capability: bigint): bigint | number => {
      const arg = new Uint8Array(BigUint64Array.of(capability, 99n).buffer);
      const status = device.drmIoctl(file, GET_CAP, arg);
      return status < 0 ? status : new BigUint64Array(arg.buffer)[1]!;
    };
    expect([0x5n, 0x6n, 0x13n, 0xffn].map(ask)).toEqual([3n, 1n, 0n, -EINVAL]);
  });

  it('answers what render nodes may not, what is not there, and what nobody knows', () => {
    const arg = new Uint8Array(256);
    const answers = { GET_UNIQUE: [0x01, EACCES], GET_MAGIC: [0x02, EACCES], CTX: [0x42, ENOTTY], CS: [0x44, ENOTTY] } as const;
    for (const [name, [number, errno]] of Object.entries(answers)) {
      expect([name, device.drmIoctl(file, 0xc010_6400 + number, arg)]).toEqual([name, -errno]);
    }
    expect(device.drmIoctl(file, 0xc010_647f, arg)).toBe(-EINVAL);
    expect(device.drmIoctl(file, kfd.AMDKFD_IOC_GET_VERSION, arg)).toBe(-ENOTTY);
    expect(device.drmIoctl(77, VERSION, arg)).toBe(-EBADF);
    expect(device.drmIoctl(file, VERSION, new Uint8Array(8))).toBe(-EFAULT);
  });
});

describe('AMDGPU_INFO', () => {
  it('says that the GPU works, and what it is', () => {
    expect(info(INFO.accel, 4)).toEqual(Uint8Array.of(1, 0, 0, 0));
    const bytes = info(INFO.device, drm.drm_amdgpu_info_device.sizeBytes);
    const { properties } = GPU;
    expect(drm.drm_amdgpu_info_device.read(bytes as Uint8Array)).toMatchObject({
      device_id: properties['device_id'],
      family: GPU.drm.family_id,
      external_rev: GPU.drm.external_rev,
      num_shader_engines: Number(properties['array_count']) / Number(properties['simd_arrays_per_engine']),
      cu_active_number: Number(properties['simd_count']) / Number(properties['simd_per_cu']),
      wave_front_size: 32,
      gpu_counter_freq: 100_000,
      max_engine_clock: BigInt(properties['max_engine_clk_fcompute'] ?? 0) * 1000n,
    });
  });

  it('marks as many compute units as are active', () => {
    const bytes = info(INFO.device, drm.drm_amdgpu_info_device.sizeBytes);
    const words = drm.drm_amdgpu_info_device.read(bytes as Uint8Array).cu_bitmap;
    const bits = words.flat().reduce((count, word) => count + [...word.toString(2)].filter((bit) => bit === '1').length, 0);
    expect(bits).toBe(Number(GPU.properties['simd_count']) / Number(GPU.properties['simd_per_cu']));
  });

  it('counts memory', () => {
    const sizes = drm.drm_amdgpu_info_vram_gtt.read(info(INFO.sizes, 24) as Uint8Array);
    expect(sizes.vram_size).toBe(BigInt(GPU.vramBytes));
    caller.acquire();
    caller.allocate(3 * PAGE, { flags: (FLAG.vram | RW) >>> 0 });
    caller.allocate(2 * PAGE);
    const memory = drm.drm_amdgpu_memory_info.read(info(INFO.memory, 96) as Uint8Array);
    expect([memory.vram.heap_usage, memory.gtt.heap_usage]).toEqual([12_288n, 8192n]);
    expect(info(INFO.vram, 8)).toEqual(new Uint8Array(BigUint64Array.of(12_288n).buffer));
    expect(info(INFO.gtt, 8)).toEqual(new Uint8Array(BigUint64Array.of(8192n).buffer));
  });

  it('tells versions of firmware that the topology knows, and the time', () => {
    const firmware = (type: number): number | undefined => {
      const bytes = info(INFO.firmware, 8, { query_fw: { fw_type: type } });
      return typeof bytes === 'number' ? bytes : new Uint32Array(bytes.buffer)[0];
    };
    const { fw_version: mec, sdma_fw_version: sdma } = GPU.properties;
    expect([0x8, 0xb, 0x1, 0, 0x99].map(firmware)).toEqual([mec, sdma, 0, -EINVAL, -EINVAL]);
    const [before, after] = [info(INFO.timestamp, 8), info(INFO.timestamp, 8)].map(
      (bytes) => new BigUint64Array((bytes as Uint8Array).buffer)[0]!,
    );
    expect(after).toBeGreaterThanOrEqual(before!);
  });

  it('answers as much as there is room for, and refuses none', () => {
    expect(info(INFO.memory, 8)).toHaveLength(8);
    expect(info(INFO.registers, 4, { read_mmr_reg: { dword_offset: 0x263e, count: 1 } })).toEqual(new Uint8Array(4));
    expect(info(INFO.registers, 4, { read_mmr_reg: { count: 129 } })).toBe(-EINVAL);
    expect(info(0x77, 8)).toBe(-EINVAL);
    const arg = drm.drm_amdgpu_info.create({ return_pointer: 0x1000n, return_size: 4, query: INFO.accel });
    expect(device.drmIoctl(file, drm.DRM_IOCTL_AMDGPU_INFO, arg)).toBe(-EFAULT);
    expect(device.drmIoctl(file, drm.DRM_IOCTL_AMDGPU_INFO, new Uint8Array(32))).toBe(-EINVAL);
  });
});

describe('GEM', () => {
  it.each(['gtt', 'vram'] as const)('makes %s that the host maps and the GPU reaches', (domain) => {
    const handle = create(8192, DOMAIN[domain]);
    const { status, out } = call(drm.DRM_IOCTL_AMDGPU_GEM_MMAP, drm.drm_amdgpu_gem_mmap, { in: { handle } });
    expect(status).toBe(0);
    const mapping = device.mmap({ file, offset: out.out.addr_ptr, sizeBytes: 8192, protection: { read: true, write: true } });
    if (typeof mapping === 'number') throw new Error(`mmap: ${mapping}`);
    mapping.bytes.fill(5);
    const pages = new Uint8Array(device.memory.buffer, 0x10_0000, 0x10_0000);
    const page = mapping.bytes.byteOffset / PAGE;
    const va = { handle, operation: 1, flags: 0x6, va_address: mapping.address, map_size: 8192n };
    expect(call(drm.DRM_IOCTL_AMDGPU_GEM_VA, drm.drm_amdgpu_gem_va, va).status).toBe(0);
    expect(pages[page]! & 3).toBe(3);
    expect(call(drm.DRM_IOCTL_AMDGPU_GEM_VA, drm.drm_amdgpu_gem_va, { ...va, operation: 2 }).status).toBe(0);
    expect(pages[page]).toBe(0);
    device.munmap(mapping);
    expect(close(handle)).toBe(0);
    expect(close(handle)).toBe(-EINVAL);
  });

  it('gives memory back with the handle, the file, or the last dma-buf', () => {
    const used = (): bigint => new BigUint64Array((info(INFO.vram, 8) as Uint8Array).buffer)[0]!;
    const handle = create(1 << 20, DOMAIN.vram);
    const { dmabuf } = toFd(handle);
    close(handle);
    expect(used()).toBe(1n << 20n);
    expect(device.closeFile(dmabuf)).toBe(0);
    expect(used()).toBe(0n);
    const other = device.openRenderNode(RENDER_MINOR);
    create(4096, DOMAIN.vram, other);
    expect(used()).toBe(4096n);
    device.closeRenderNode(other);
    expect(used()).toBe(0n);
  });

  it('shares memory with KFD by dma-buf, with what is attached to it', () => {
    caller.acquire();
    const handle = create(8192, DOMAIN.gtt);
    const data = { flags: 1n, tiling_info: 2n, data_size_bytes: 8, data: [0x1111, 0x2222] };
    const set = { handle, op: 1, data };
    expect(call(drm.DRM_IOCTL_AMDGPU_GEM_METADATA, drm.drm_amdgpu_gem_metadata, set).status).toBe(0);
    const got = call(drm.DRM_IOCTL_AMDGPU_GEM_METADATA, drm.drm_amdgpu_gem_metadata, { handle, op: 2 }).out;
    expect(got.data).toMatchObject({ flags: 1n, tiling_info: 2n, data_size_bytes: 8 });
    const { dmabuf } = toFd(handle);
    using buffer = device.hostBuffer(8);
    const ask = { dmabuf_fd: dmabuf, metadata_ptr: buffer.address, metadata_size: 8 };
    const { status, out } = caller.call(kfd.AMDKFD_IOC_GET_DMABUF_INFO, kfd.kfd_ioctl_get_dmabuf_info_args, ask);
    expect([status, out.size, out.gpu_id, out.metadata_size]).toEqual([0, 8192n, GPU_ID, 8]);
    expect([...new Uint32Array(buffer.bytes.buffer)]).toEqual([0x1111, 0x2222]);
    const again = new Uint8Array(Uint32Array.of(0, 0, dmabuf).buffer);
    expect(device.drmIoctl(file, FD_TO_HANDLE, again)).toBe(0);
    expect(new Uint32Array(again.buffer)[0]).toBe(handle);
  });

  it('refuses what makes no sense', () => {
    const create0 = { in: { bo_size: 0n, domains: DOMAIN.gtt } };
    expect(call(drm.DRM_IOCTL_AMDGPU_GEM_CREATE, drm.drm_amdgpu_gem_create, create0).status).toBe(-EINVAL);
    const nowhere = { in: { bo_size: 4096n, domains: 0n } };
    expect(call(drm.DRM_IOCTL_AMDGPU_GEM_CREATE, drm.drm_amdgpu_gem_create, nowhere).status).toBe(-EINVAL);
    expect(call(drm.DRM_IOCTL_AMDGPU_GEM_MMAP, drm.drm_amdgpu_gem_mmap, { in: { handle: 9 } }).status).toBe(-ENOENT);
    const va = { handle: 9, operation: 1, va_address: 0x42_3000_0000n, map_size: 4096n };
    expect(call(drm.DRM_IOCTL_AMDGPU_GEM_VA, drm.drm_amdgpu_gem_va, va).status).toBe(-ENOENT);
    expect(call(drm.DRM_IOCTL_AMDGPU_GEM_VA, drm.drm_amdgpu_gem_va, { ...va, operation: 9 }).status).toBe(-EINVAL);
    const handle = create(4096, DOMAIN.gtt);
    const unmap = { ...va, handle, operation: 2 };
    expect(call(drm.DRM_IOCTL_AMDGPU_GEM_VA, drm.drm_amdgpu_gem_va, unmap).status).toBe(-ENOENT);
    const idle = { in: { handle } };
    expect(call(drm.DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE, drm.drm_amdgpu_gem_wait_idle, idle).status).toBe(0);
    expect(device.drmIoctl(file, FD_TO_HANDLE, new Uint8Array(Uint32Array.of(0, 0, 99).buffer))).toBe(-EBADF);
    expect(device.drmIoctl(file, FD_TO_HANDLE, new Uint8Array(Uint32Array.of(0, 0, file).buffer))).toBe(-EINVAL);
  });
});

function call<F extends Fields>(
  request: number,
  layout: StructLayout<F>,
  values: StructInit<F>,
  on: number = file,
): { readonly status: number; readonly out: StructValue<F> } {
  const arg = layout.create(values);
  const status = device.drmIoctl(on, request, arg);
  return { status, out: layout.read(arg) };
}

/** What AMDGPU_INFO answers in `sizeBytes` bytes, or its errno. */
function info(query: number, sizeBytes: number, more: StructInit<typeof drm.drm_amdgpu_info.fields> = {}): Uint8Array | number {
  using buffer = device.hostBuffer(sizeBytes);
  const arg = drm.drm_amdgpu_info.create({ return_pointer: buffer.address, return_size: sizeBytes, query, ...more });
  const status = device.drmIoctl(file, drm.DRM_IOCTL_AMDGPU_INFO, arg);
  return status < 0 ? status : buffer.bytes.slice();
}

function create(sizeBytes: number, domains: bigint, on: number = file): number {
  const values = { in: { bo_size: BigInt(sizeBytes), domains } };
  const { status, out } = call(drm.DRM_IOCTL_AMDGPU_GEM_CREATE, drm.drm_amdgpu_gem_create, values, on);
  if (status !== 0) throw new Error(`create: ${status}`);
  return out.out.handle;
}

function close(handle: number): number {
  return device.drmIoctl(file, GEM_CLOSE, new Uint8Array(Uint32Array.of(handle, 0).buffer));
}

function toFd(handle: number): { readonly dmabuf: number } {
  const arg = new Uint8Array(Uint32Array.of(handle, 0, 0).buffer);
  const status = device.drmIoctl(file, HANDLE_TO_FD, arg);
  if (status !== 0) throw new Error(`to fd: ${status}`);
  return { dmabuf: new Uint32Array(arg.buffer)[2]! };
}
