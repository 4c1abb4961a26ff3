/** A device without workers, and a caller that packs ioctl arguments: what the tests of the driver share. */
import type { Fields, Mapping, StructInit, StructLayout, StructValue } from '@doorbell/abi';
import { kfd } from '@doorbell/abi';
import type { EmulatedDevice, EmulatedDeviceOptions } from '../../src/device/emulated-device.js';
import { openDevice } from '../../src/device/emulated-device.js';
import type { DeviceThreads } from '../../src/device/threads.js';
import type { Host } from '../../src/host.js';
import { createNodeHost } from '../../src/node/node-host.js';
import { describeMachine } from '../../src/sysfs/index.js';

export const GPU_ID: number = describeMachine({ gpus: ['gfx1100'] }).gpus[0]!.gpuId;
export const RENDER_MINOR = 128;
export const PAGE = 4096;

export const FLAG = {
  vram: 1,
  gtt: 2,
  userptr: 4,
  doorbell: 8,
  mmio: 16,
  writable: 0x8000_0000,
  executable: 0x4000_0000,
  public: 0x2000_0000,
  coherent: 0x400_0000,
  uncached: 0x200_0000,
} as const;
export const RW: number = (FLAG.writable | FLAG.public) >>> 0;

export async function nodeHost(protection: 'native' | 'software' = 'native'): Promise<Host> {
  return createNodeHost({ protection, workerUrl: new URL('file:///nowhere.js'), env: {} });
}

/** Threads that never do anything: for tests of the driver alone. */
export function idleThreads(): DeviceThreads {
  let isStarted = false;
  return {
    start: () => {
      isStarted = true;
    },
    get isStarted() {
      return isStarted;
    },
    reinforce: () => undefined,
    startProcessor: () => undefined,
    startCompiler: () => undefined,
    relax: () => undefined,
    setRef: () => undefined,
    stop: () => Promise.resolve(),
  };
}

export interface Caller {
  readonly device: EmulatedDevice;
  /** Issues an ioctl with these fields; the status and the argument as it came back. */
  call<F extends Fields>(
    request: number,
    layout: StructLayout<F>,
    values?: StructInit<F>,
  ): { readonly status: number; readonly out: StructValue<F> };
  /** Opens the render node and acquires the VM. */
  acquire(): number;
  /** Reserves, allocates, maps to the host and to the GPU; throws where a step fails. */
  allocate(sizeBytes: number, options?: { readonly flags?: number; readonly map?: boolean }): Allocation;
}

export interface Allocation extends Mapping {
  readonly handle: bigint;
  readonly mapping: Mapping;
}

export function callerOf(device: EmulatedDevice): Caller {
  let file = -1;
  const call: Caller['call'] = (request, layout, values) => {
    const arg = layout.create(values);
    const status = device.ioctl(request, arg);
    return { status, out: layout.read(arg) };
  };
  const must = (what: string, status: number): void => {
    if (status !== 0) throw new Error(`${what}: ${status}`);
  };
  return {
    device,
    call,
    acquire() {
      file = device.openRenderNode(RENDER_MINOR);
      must('acquire', call(kfd.AMDKFD_IOC_ACQUIRE_VM, kfd.kfd_ioctl_acquire_vm_args, { drm_fd: file, gpu_id: GPU_ID }).status);
      return file;
    },
    allocate(sizeBytes, { flags = FLAG.gtt | RW | FLAG.executable, map = true } = {}) {
      const heap = (flags & FLAG.vram) !== 0 ? 'vram' : 'system';
      const address = device.reserve({ sizeBytes, alignBytes: PAGE, heap });
      if (typeof address === 'number') throw new Error(`reserve: ${address}`);
      const { status, out } = call(kfd.AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, kfd.kfd_ioctl_alloc_memory_of_gpu_args, {
        va_addr: address,
        size: BigInt(sizeBytes),
        gpu_id: GPU_ID,
        flags: flags >>> 0,
      });
      must('allocate', status);
      const mapping = device.mmap({
        file,
        offset: out.mmap_offset,
        sizeBytes,
        address,
        protection: { read: true, write: true },
      });
      if (typeof mapping === 'number') throw new Error(`mmap: ${mapping}`);
      if (map) must('map', mapToGpu(device, out.handle).status);
      return { ...mapping, handle: out.handle, mapping };
    },
  };
}

/** MAP_MEMORY_TO_GPU or UNMAP_MEMORY_FROM_GPU for the one GPU. */
export function mapToGpu(
  device: EmulatedDevice,
  handle: bigint,
  request: number = kfd.AMDKFD_IOC_MAP_MEMORY_TO_GPU,
): { readonly status: number; readonly successes: number } {
  using ids = device.hostBuffer(4);
  new DataView(ids.bytes.buffer).setUint32(0, GPU_ID, true);
  const layout = kfd.kfd_ioctl_map_memory_to_gpu_args;
  const arg = layout.create({ handle, device_ids_array_ptr: ids.address, n_devices: 1, n_success: 0 });
  const status = device.ioctl(request, arg);
  return { status, successes: layout.read(arg).n_success };
}

/** A device of one gfx1100 with these threads (default: none that work). */
export async function openTestDevice(
  options: { readonly protection?: 'native' | 'software' } & Partial<EmulatedDeviceOptions> = {},
): Promise<EmulatedDevice> {
  const host = options.host ?? (await nodeHost(options.protection));
  return openDevice({
    host,
    machine: describeMachine({ gpus: ['gfx1100'] }),
    createThreads: idleThreads,
    ...options,
  });
}
