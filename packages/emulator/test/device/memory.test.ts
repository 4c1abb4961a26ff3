import { kfd } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { CODE_EPOCH } from '../../src/device/shared-state.js';
import { GPU_BASE, PAGE_COARSE, PAGE_EXECUTE, PAGE_READ, PAGE_TABLE, PAGE_WRITE } from '../../src/memory-map.js';
import { FLAG, GPU_ID, PAGE, RW, callerOf, mapToGpu, openTestDevice } from './support.js';

const { AMDKFD_IOC_FREE_MEMORY_OF_GPU, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, AMDKFD_IOC_AVAILABLE_MEMORY } = kfd;

describe.each(['native', 'software'] as const)('memory with %s protection', (protection) => {
  it('shows the host the bytes behind a GPU address', async () => {
    await using device = await openTestDevice({ protection });
    const caller = callerOf(device);
    caller.acquire();
    const buffer = caller.allocate(2 * PAGE);
    buffer.bytes.set([1, 2, 3], PAGE);
    const whole = new Uint8Array(device.memory.buffer);
    expect([...whole.subarray(Number(buffer.address - GPU_BASE) + PAGE).subarray(0, 3)]).toEqual([1, 2, 3]);
  });

  it('says when pages come or go that code may lie in, and only then', async () => {
    await using device = await openTestDevice({ protection });
    const caller = callerOf(device);
    caller.acquire();
    const words = new Int32Array(device.memory.buffer);
    const changes = (flags: number): readonly boolean[] => {
      const { handle } = caller.allocate(2 * PAGE, { flags, map: false });
      return [kfd.AMDKFD_IOC_MAP_MEMORY_TO_GPU, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU].map((request) => {
        const before = words[CODE_EPOCH];
        mapToGpu(device, handle, request);
        return words[CODE_EPOCH] !== before;
      });
    };
    expect(changes(FLAG.vram | RW | FLAG.executable)).toEqual([true, true]);
    expect(changes(FLAG.vram | RW)).toEqual([false, false]);
  });

  it('gives the GPU what the flags say, between MAP and UNMAP only', async () => {
    await using device = await openTestDevice({ protection });
    const caller = callerOf(device);
    caller.acquire();
    const table = new Uint8Array(device.memory.buffer, PAGE_TABLE);
    const cases = [
      [FLAG.gtt | RW, PAGE_READ | PAGE_WRITE | PAGE_COARSE],
      [FLAG.gtt, PAGE_READ | PAGE_COARSE],
      [FLAG.gtt | RW | FLAG.coherent, PAGE_READ | PAGE_WRITE],
      [FLAG.vram | RW | FLAG.executable, PAGE_READ | PAGE_WRITE | PAGE_EXECUTE | PAGE_COARSE],
      [FLAG.vram | RW | FLAG.uncached, PAGE_READ | PAGE_WRITE],
    ] as const;
    for (const [flags, access] of cases) {
      const buffer = caller.allocate(PAGE, { flags, map: false });
      const page = Number(buffer.address - GPU_BASE) / PAGE;
      expect(table[page]).toBe(0);
      expect(mapToGpu(device, buffer.handle)).toEqual({ status: 0, successes: 1 });
      expect(table[page]).toBe(access);
      expect(table[page + 1]).toBe(0);
      expect(mapToGpu(device, buffer.handle, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU).status).toBe(0);
      expect(table[page]).toBe(0);
    }
  });

  it('hands out reused memory zeroed', async () => {
    await using device = await openTestDevice({ protection });
    const caller = callerOf(device);
    caller.acquire();
    for (const sizeBytes of [PAGE, 3 << 20]) {
      const first = caller.allocate(sizeBytes);
      first.bytes.fill(0xaa);
      mapToGpu(device, first.handle, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU);
      expect(device.munmap(first.mapping)).toBe(0);
      const free = caller.call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, kfd.kfd_ioctl_free_memory_of_gpu_args, { handle: first.handle });
      expect(free.status).toBe(0);
      expect(device.release(first.address, sizeBytes)).toBe(0);
      const second = caller.allocate(sizeBytes);
      expect(second.address).toBe(first.address);
      expect(second.bytes.every((byte) => byte === 0)).toBe(true);
    }
  });

  it('gives the next machine the memory of a closed one, zeroed', async () => {
    const first = await openTestDevice({ protection });
    const caller = callerOf(first);
    caller.acquire();
    caller.allocate(PAGE).bytes.fill(0x55);
    await first[Symbol.asyncDispose]();
    await using second = await openTestDevice({ protection });
    expect(second.memory === first.memory).toBe(true);
    const again = callerOf(second);
    again.acquire();
    expect(again.allocate(PAGE).bytes.every((byte) => byte === 0)).toBe(true);
  });
});

describe('memory of a freed buffer', () => {
  it.each([
    ['buffer', 'mapping'],
    ['mapping', 'buffer'],
  ] as const)('goes back to the system with the last of both: first the %s, then the %s', async (...order) => {
    await using device = await openTestDevice();
    const caller = callerOf(device);
    caller.acquire();
    // Large against what else of the process comes and goes.
    const sizeBytes = 128 << 20;
    const buffer = caller.allocate(sizeBytes);
    buffer.bytes.fill(1);
    const filled = process.memoryUsage.rss();
    mapToGpu(device, buffer.handle, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU);
    for (const part of order) {
      expect(filled - process.memoryUsage.rss()).toBeLessThan(sizeBytes / 4);
      if (part === 'mapping') device.munmap(buffer.mapping);
      else caller.call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, kfd.kfd_ioctl_free_memory_of_gpu_args, { handle: buffer.handle });
    }
    expect(filled - process.memoryUsage.rss()).toBeGreaterThan((sizeBytes / 4) * 3);
  });

  const MIB = 1 << 20;
  const free = (caller: ReturnType<typeof callerOf>, handle: bigint): number =>
    caller.call(AMDKFD_IOC_FREE_MEMORY_OF_GPU, kfd.kfd_ioctl_free_memory_of_gpu_args, { handle }).status;
  /** A buffer at an address, as far as the host maps it. */
  const allocateAt = (
    device: Awaited<ReturnType<typeof openTestDevice>>,
    place: { readonly caller: ReturnType<typeof callerOf>; readonly file: number; readonly address: bigint },
    sizes: { readonly bytes: number; readonly mapped: number },
  ): { readonly handle: bigint; readonly bytes: Uint8Array } => {
    const { status, out } = place.caller.call(kfd.AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, kfd.kfd_ioctl_alloc_memory_of_gpu_args, {
      va_addr: place.address,
      size: BigInt(sizes.bytes),
      gpu_id: GPU_ID,
      flags: (FLAG.gtt | RW) >>> 0,
    });
    expect(status).toBe(0);
    const { file, address } = place;
    const protection = { read: true, write: true };
    const mapping = device.mmap({ file, offset: out.mmap_offset, sizeBytes: sizes.mapped, address, protection });
    if (typeof mapping === 'number') throw new Error(`mmap gave ${mapping}`);
    return { handle: out.handle, bytes: mapping.bytes };
  };

  it('stays where a part of it is mapped', async () => {
    await using device = await openTestDevice();
    const caller = callerOf(device);
    const file = caller.acquire();
    const address = BigInt(device.reserve({ sizeBytes: 4 * MIB, alignBytes: PAGE, heap: 'system' }));
    const { handle, bytes } = allocateAt(device, { caller, file, address }, { bytes: 4 * MIB, mapped: MIB });
    bytes.fill(7);
    expect(free(caller, handle)).toBe(0);
    expect(bytes[100]).toBe(7);
  });

  it.each([4, 2])('leaves a newer one of %i MiB at its place alone when its own mapping ends', async (mib) => {
    await using device = await openTestDevice();
    const caller = callerOf(device);
    const file = caller.acquire();
    const first = caller.allocate(4 * MIB, { map: false });
    expect(free(caller, first.handle)).toBe(0);
    const place = { caller, file, address: first.address };
    const { handle, bytes } = allocateAt(device, place, { bytes: mib * MIB, mapped: mib * MIB });
    bytes.fill(9);
    device.munmap(first.mapping);
    expect(mapToGpu(device, handle).status).toBe(0);
    expect(new Uint8Array(device.memory.buffer)[bytes.byteOffset + 5]).toBe(9);
  });
});

describe('memory accounting', () => {
  it('counts VRAM buffers in pages, and refuses more than there is', async () => {
    await using device = await openTestDevice();
    const caller = callerOf(device);
    caller.acquire();
    const available = (): bigint =>
      caller.call(AMDKFD_IOC_AVAILABLE_MEMORY, kfd.kfd_ioctl_get_available_memory_args, { gpu_id: GPU_ID }).out.available;
    expect(available()).toBe(2n << 30n);
    const buffer = caller.allocate(5000, { flags: FLAG.vram | RW });
    expect(available()).toBe((2n << 30n) - 8192n);
    expect(device.sysfs.readText('/sys/class/kfd/kfd/topology/nodes/1/mem_banks/0/used_memory')).toEqual({
      ok: true,
      value: '8192\n',
    });
    const tooMuch = caller.call(kfd.AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, kfd.kfd_ioctl_alloc_memory_of_gpu_args, {
      va_addr: buffer.address + 0x10_0000n,
      size: 2n << 30n,
      gpu_id: GPU_ID,
      flags: (FLAG.vram | RW) >>> 0,
    });
    expect(tooMuch.status).toBe(-12);
  });
});
