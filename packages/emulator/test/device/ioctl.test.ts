import type { Fields, StructInit, StructLayout } from '@doorbell/abi';
import { kfd } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import type { EmulatedDevice } from '../../src/device/emulated-device.js';
import { openInlineDevice } from './inline-threads.js';
import type { Caller } from './support.js';
import { FLAG, GPU_ID, PAGE, RENDER_MINOR, RW, callerOf, mapToGpu, openTestDevice } from './support.js';
import { Events, Heap, TestQueue, queueArgs, waitEvents } from './test-queue.js';

const EPERM = 1;
const ENOENT = 2;
const ESRCH = 3;
const EIO = 5;
const EBADF = 9;
const ENOMEM = 12;
const EFAULT = 14;
const EBUSY = 16;
const EEXIST = 17;
const ENODEV = 19;
const EINVAL = 22;
const ENOSPC = 28;
const EADDRINUSE = 98;
const ENOTSUPP = 524;

const UNKNOWN_GPU = 0x1234;
const NOWHERE = 0x10_0000n;

async function open(): Promise<{ device: EmulatedDevice; caller: Caller } & AsyncDisposable> {
  const { device } = await openInlineDevice();
  const caller = callerOf(device);
  return { device, caller, [Symbol.asyncDispose]: () => device[Symbol.asyncDispose]() };
}

describe('ioctl numbers and sizes', () => {
  it('goes by number alone: shorter and longer arguments work', async () => {
    await using machine = await open();
    machine.caller.acquire();
    const { args } = queueArgs(machine.caller);
    // The 88-byte argument of interface 1.11, and one longer than the driver knows.
    for (const layout of [kfd.kfd_ioctl_create_queue_args_1_11, undefined]) {
      const sizeBytes = layout?.sizeBytes ?? 128;
      const arg = new Uint8Array(sizeBytes);
      kfd.kfd_ioctl_create_queue_args_1_11.write(arg, args);
      const request = (0xc000_4b02 | (sizeBytes << 16)) >>> 0;
      const status = machine.device.ioctl(request, arg);
      expect([sizeBytes, status]).toEqual([sizeBytes, 0]);
      expect(kfd.kfd_ioctl_create_queue_args_1_11.read(arg).doorbell_offset >> 62n).toBe(3n);
    }
  });

  it('faults at an argument that is shorter than the request says', async () => {
    await using machine = await open();
    expect(machine.device.ioctl(kfd.AMDKFD_IOC_GET_VERSION, new Uint8Array(4))).toBe(-EFAULT);
  });

  it('copies out nothing of an ioctl that only takes, whatever direction the caller encoded', async () => {
    await using machine = await open();
    machine.caller.acquire();
    const arg = kfd.kfd_ioctl_acquire_vm_args.create({ drm_fd: 77, gpu_id: GPU_ID });
    const before = arg.slice();
    expect(machine.device.ioctl(kfd.AMDKFD_IOC_ACQUIRE_VM | 0x8000_0000, arg)).toBe(-EINVAL);
    expect(arg).toEqual(before);
  });

  it('speaks version 1.17', async () => {
    await using machine = await open();
    const { status, out } = machine.caller.call(kfd.AMDKFD_IOC_GET_VERSION, kfd.kfd_ioctl_get_version_args);
    expect([status, out]).toEqual([0, { major_version: 1, minor_version: 17 }]);
  });

  it('answers EBADF after close', async () => {
    const machine = await open();
    await machine.device[Symbol.asyncDispose]();
    expect(machine.device.ioctl(kfd.AMDKFD_IOC_GET_VERSION, new Uint8Array(8))).toBe(-EBADF);
    expect(await machine.device.waitIoctl(kfd.AMDKFD_IOC_WAIT_EVENTS, new Uint8Array(24))).toBe(-EBADF);
    expect(machine.device.reserve({ sizeBytes: PAGE, alignBytes: PAGE, heap: 'vram' })).toBe(-EBADF);
    await machine.device[Symbol.asyncDispose]();
  });
});

interface ErrorCase {
  readonly name: string;
  readonly errno: number;
  readonly run: (machine: { readonly device: EmulatedDevice; readonly caller: Caller }) => number;
  /** Without ACQUIRE_VM first. */
  readonly isBare?: boolean;
}

function ioctlCase<F extends Fields>(
  name: string,
  errno: number,
  request: number,
  layout: StructLayout<F>,
  values: StructInit<F>,
  isBare = false,
): ErrorCase {
  return { name, errno, isBare, run: ({ caller }) => caller.call(request, layout, values).status };
}

const ALLOC = [kfd.AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, kfd.kfd_ioctl_alloc_memory_of_gpu_args] as const;
const POLICY = [kfd.AMDKFD_IOC_SET_MEMORY_POLICY, kfd.kfd_ioctl_set_memory_policy_args] as const;
const TRAP = [kfd.AMDKFD_IOC_SET_TRAP_HANDLER, kfd.kfd_ioctl_set_trap_handler_args] as const;
const SCRATCH = [kfd.AMDKFD_IOC_SET_SCRATCH_BACKING_VA, kfd.kfd_ioctl_set_scratch_backing_va_args] as const;
const MAP = [kfd.AMDKFD_IOC_MAP_MEMORY_TO_GPU, kfd.kfd_ioctl_map_memory_to_gpu_args] as const;
const HERE = 0x42_3000_0000n;
const GTT = (FLAG.gtt | RW) >>> 0;

const CASES: readonly ErrorCase[] = [
  ioctlCase('SET_MEMORY_POLICY: unknown policy', EINVAL, ...POLICY, { gpu_id: GPU_ID, default_policy: 2 }),
  ioctlCase('SET_MEMORY_POLICY: unknown alternate policy', EINVAL, ...POLICY, { gpu_id: GPU_ID, alternate_policy: 2 }),
  ioctlCase('SET_MEMORY_POLICY: unknown GPU', EINVAL, ...POLICY, { gpu_id: UNKNOWN_GPU }),
  ioctlCase('SET_MEMORY_POLICY: no VM', ESRCH, ...POLICY, { gpu_id: GPU_ID }, true),
  ioctlCase('SET_MEMORY_POLICY', 0, ...POLICY, { gpu_id: GPU_ID, default_policy: 1 }),
  ioctlCase('SET_TRAP_HANDLER: unknown GPU', EINVAL, ...TRAP, { gpu_id: UNKNOWN_GPU }),
  ioctlCase('SET_TRAP_HANDLER: no VM', ESRCH, ...TRAP, { gpu_id: GPU_ID }, true),
  ioctlCase('SET_TRAP_HANDLER', 0, ...TRAP, { gpu_id: GPU_ID, tba_addr: HERE }),
  ioctlCase('SET_SCRATCH_BACKING_VA: unknown GPU', EINVAL, ...SCRATCH, { gpu_id: UNKNOWN_GPU }),
  ioctlCase('SET_SCRATCH_BACKING_VA: no VM', ENODEV, ...SCRATCH, { gpu_id: GPU_ID }, true),
  ioctlCase('SET_SCRATCH_BACKING_VA', 0, ...SCRATCH, { gpu_id: GPU_ID, va_addr: HERE >> 16n }),
  ioctlCase('ALLOC: size 0', EINVAL, ...ALLOC, { va_addr: HERE, size: 0n, gpu_id: GPU_ID, flags: GTT }),
  ioctlCase('ALLOC: unknown GPU', EINVAL, ...ALLOC, { va_addr: HERE, size: 4096n, gpu_id: UNKNOWN_GPU, flags: GTT }),
  ioctlCase('ALLOC: no VM', ENODEV, ...ALLOC, { va_addr: HERE, size: 4096n, gpu_id: GPU_ID, flags: GTT }, true),
  ioctlCase('ALLOC: no domain', EINVAL, ...ALLOC, { va_addr: HERE, size: 4096n, gpu_id: GPU_ID, flags: RW }),
  ioctlCase('ALLOC: two domains', EINVAL, ...ALLOC, {
    va_addr: HERE,
    size: 4096n,
    gpu_id: GPU_ID,
    flags: (GTT | FLAG.vram) >>> 0,
  }),
  ioctlCase('ALLOC: doorbells of another size', EINVAL, ...ALLOC, {
    va_addr: HERE,
    size: 4096n,
    gpu_id: GPU_ID,
    flags: FLAG.doorbell,
  }),
  ioctlCase('ALLOC: registers of another size', EINVAL, ...ALLOC, {
    va_addr: HERE,
    size: 8192n,
    gpu_id: GPU_ID,
    flags: FLAG.mmio,
  }),
  ioctlCase('ALLOC: unaligned user memory', EINVAL, ...ALLOC, {
    va_addr: HERE,
    mmap_offset: HERE + 8n,
    size: 4096n,
    gpu_id: GPU_ID,
    flags: FLAG.userptr,
  }),
  ioctlCase('ALLOC: user memory that is not there', EFAULT, ...ALLOC, {
    va_addr: HERE,
    mmap_offset: HERE,
    size: 4096n,
    gpu_id: GPU_ID,
    flags: FLAG.userptr,
  }),
  ioctlCase('ALLOC: more VRAM than there is', ENOMEM, ...ALLOC, {
    va_addr: HERE,
    size: 3n << 30n,
    gpu_id: GPU_ID,
    flags: FLAG.vram,
  }),
  ioctlCase('ALLOC: more system memory than there is', ENOMEM, ...ALLOC, {
    va_addr: HERE,
    size: 2n << 30n,
    gpu_id: GPU_ID,
    flags: FLAG.gtt,
  }),
  ioctlCase('ALLOC: an address the emulator cannot back', ENOMEM, ...ALLOC, {
    va_addr: NOWHERE,
    size: 4096n,
    gpu_id: GPU_ID,
    flags: GTT,
  }),
  ioctlCase('ALLOC: the emulator’s own state', ENOMEM, ...ALLOC, {
    va_addr: 0x42_0010_0000n,
    size: 4096n,
    gpu_id: GPU_ID,
    flags: GTT,
  }),
  {
    name: 'ALLOC: an address in use',
    errno: EADDRINUSE,
    run: ({ caller }) => {
      const { address } = caller.allocate(2 * PAGE);
      return caller.call(...ALLOC, { va_addr: address + 4096n, size: 4096n, gpu_id: GPU_ID, flags: GTT }).status;
    },
  },
  {
    name: 'FREE: unknown handle',
    errno: EINVAL,
    run: ({ caller }) => free(caller, 99n),
  },
  {
    name: 'FREE: still mapped on the GPU',
    errno: EBUSY,
    run: ({ caller }) => free(caller, caller.allocate(PAGE).handle),
  },
  {
    name: 'FREE: the event page',
    errno: EPERM,
    run: ({ caller }) => {
      const page = caller.allocate(32_768);
      caller.call(kfd.AMDKFD_IOC_CREATE_EVENT, kfd.kfd_ioctl_create_event_args, { event_page_offset: page.handle });
      return free(caller, page.handle);
    },
  },
  ioctlCase('MAP: no devices', EINVAL, ...MAP, { handle: 1n, n_devices: 0 }),
  ioctlCase('MAP: more successes than devices', EINVAL, ...MAP, { handle: 1n, n_devices: 1, n_success: 2 }),
  ioctlCase('MAP: no array', EFAULT, ...MAP, { handle: BigInt(GPU_ID) << 32n, n_devices: 1, device_ids_array_ptr: 0n }),
  {
    name: 'MAP: unknown GPU in the handle',
    errno: EINVAL,
    run: ({ device }) => mapToGpu(device, BigInt(UNKNOWN_GPU) << 32n).status,
  },
  {
    name: 'MAP: unknown buffer',
    errno: ENOMEM,
    run: ({ device }) => mapToGpu(device, (BigInt(GPU_ID) << 32n) | 0x99n).status,
  },
  {
    name: 'MAP: already mapped is no error',
    errno: 0,
    run: ({ device, caller }) => mapToGpu(device, caller.allocate(PAGE).handle).status,
  },
  {
    name: 'UNMAP: memory of a queue',
    errno: EBUSY,
    run: ({ device, caller }) => {
      const queue = new TestQueue(caller, new Heap(caller));
      return mapToGpu(device, queue.memory.ring.handle, kfd.AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU).status;
    },
  },
  {
    name: 'ACQUIRE_VM: unknown descriptor',
    errno: EINVAL,
    isBare: true,
    run: ({ caller }) =>
      caller.call(kfd.AMDKFD_IOC_ACQUIRE_VM, kfd.kfd_ioctl_acquire_vm_args, { drm_fd: 5, gpu_id: GPU_ID }).status,
  },
  {
    name: 'ACQUIRE_VM: unknown GPU',
    errno: EINVAL,
    isBare: true,
    run: ({ device, caller }) => acquire(caller, device.openRenderNode(RENDER_MINOR), UNKNOWN_GPU),
  },
  {
    name: 'ACQUIRE_VM: twice with one file',
    errno: 0,
    run: ({ caller }) => acquire(caller, 0, GPU_ID),
  },
  {
    name: 'ACQUIRE_VM: with a second file under the number of the first',
    errno: EBUSY,
    isBare: true,
    run: ({ device, caller }) => {
      const first = caller.acquire();
      device.closeRenderNode(first);
      const second = device.openRenderNode(RENDER_MINOR);
      expect(second).toBe(first);
      return acquire(caller, second, GPU_ID);
    },
  },
  {
    name: 'ACQUIRE_VM: with a second file',
    errno: EBUSY,
    run: ({ device, caller }) => acquire(caller, device.openRenderNode(RENDER_MINOR), GPU_ID),
  },
  {
    name: 'AVAILABLE_MEMORY: unknown GPU',
    errno: EINVAL,
    run: ({ caller }) =>
      caller.call(kfd.AMDKFD_IOC_AVAILABLE_MEMORY, kfd.kfd_ioctl_get_available_memory_args, { gpu_id: UNKNOWN_GPU }).status,
  },
  { name: 'SET_XNACK_MODE: on', errno: EPERM, run: ({ caller }) => xnack(caller, 1) },
  { name: 'SET_XNACK_MODE: off', errno: 0, run: ({ caller }) => xnack(caller, 0) },
  {
    name: 'SET_XNACK_MODE: with a queue',
    errno: EBUSY,
    run: ({ caller }) => {
      new TestQueue(caller, new Heap(caller));
      return xnack(caller, 0);
    },
  },
  { name: 'RUNTIME_ENABLE: disable at any time', errno: 0, run: ({ caller }) => runtimeEnable(caller, 0) },
  {
    name: 'RUNTIME_ENABLE: twice',
    errno: EBUSY,
    run: ({ caller }) => {
      expect(runtimeEnable(caller, 1)).toBe(0);
      return runtimeEnable(caller, 1);
    },
  },
  {
    name: 'RUNTIME_ENABLE: again after disabling',
    errno: 0,
    run: ({ caller }) => {
      runtimeEnable(caller, 1);
      runtimeEnable(caller, 0);
      return runtimeEnable(caller, 3);
    },
  },
  {
    name: 'RUNTIME_ENABLE: with a queue',
    errno: EEXIST,
    run: ({ caller }) => {
      new TestQueue(caller, new Heap(caller));
      return runtimeEnable(caller, 1);
    },
  },
  {
    name: 'GET_PROCESS_APERTURES_NEW: no array',
    errno: EFAULT,
    run: ({ caller }) =>
      caller.call(kfd.AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, kfd.kfd_ioctl_get_process_apertures_new_args, { num_of_nodes: 1 })
        .status,
  },
  { name: 'SET_EVENT: unknown', errno: EINVAL, run: ({ caller }) => event(caller, kfd.AMDKFD_IOC_SET_EVENT, 5) },
  { name: 'RESET_EVENT: unknown', errno: EINVAL, run: ({ caller }) => event(caller, kfd.AMDKFD_IOC_RESET_EVENT, 5) },
  { name: 'DESTROY_EVENT: unknown', errno: EINVAL, run: ({ caller }) => event(caller, kfd.AMDKFD_IOC_DESTROY_EVENT, 5) },
  ...[kfd.AMDKFD_IOC_SET_EVENT, kfd.AMDKFD_IOC_RESET_EVENT].map((request) => ({
    name: `event of another type (request ${request.toString(16)})`,
    errno: EINVAL,
    run: ({ caller }: { readonly caller: Caller }): number => event(caller, request, new Events(caller).create(8).id),
  })),
  {
    name: 'CREATE_EVENT: page that is no buffer',
    errno: EINVAL,
    run: ({ caller }) => createEvent(caller, 1n),
  },
  {
    name: 'CREATE_EVENT: page of another size',
    errno: EINVAL,
    run: ({ caller }) => createEvent(caller, caller.allocate(PAGE).handle),
  },
  {
    name: 'CREATE_EVENT: a second page',
    errno: EINVAL,
    run: ({ caller }) => {
      expect(createEvent(caller, caller.allocate(32_768).handle)).toBe(0);
      return createEvent(caller, caller.allocate(32_768).handle);
    },
  },
  {
    name: 'CREATE_EVENT: more than 4095 signal events',
    errno: ENOSPC,
    run: ({ caller }) => {
      expect(createEvent(caller, caller.allocate(32_768).handle)).toBe(0);
      for (let count = 1; count < 4095; count += 1) if (createEvent(caller, 0n) !== 0) return -9999;
      return createEvent(caller, 0n);
    },
  },
  {
    name: 'CREATE_EVENT: more than 255 without a full page',
    errno: ENOSPC,
    run: ({ caller }) => {
      for (let count = 0; count < 255; count += 1) if (createEvent(caller, 0n) !== 0) return -9999;
      return createEvent(caller, 0n);
    },
  },
];

const free = (caller: Caller, handle: bigint): number =>
  caller.call(kfd.AMDKFD_IOC_FREE_MEMORY_OF_GPU, kfd.kfd_ioctl_free_memory_of_gpu_args, { handle }).status;
const acquire = (caller: Caller, file: number, gpuId: number): number =>
  caller.call(kfd.AMDKFD_IOC_ACQUIRE_VM, kfd.kfd_ioctl_acquire_vm_args, { drm_fd: file, gpu_id: gpuId }).status;
const xnack = (caller: Caller, mode: number): number =>
  caller.call(kfd.AMDKFD_IOC_SET_XNACK_MODE, kfd.kfd_ioctl_set_xnack_mode_args, { xnack_enabled: mode }).status;
const runtimeEnable = (caller: Caller, mode: number): number =>
  caller.call(kfd.AMDKFD_IOC_RUNTIME_ENABLE, kfd.kfd_ioctl_runtime_enable_args, { mode_mask: mode }).status;
const event = (caller: Caller, request: number, id: number): number =>
  caller.call(request, kfd.kfd_ioctl_set_event_args, { event_id: id }).status;
const createEvent = (caller: Caller, page: bigint): number =>
  caller.call(kfd.AMDKFD_IOC_CREATE_EVENT, kfd.kfd_ioctl_create_event_args, { event_page_offset: page, auto_reset: 1 }).status;

describe('errno of each case', () => {
  it.each(CASES.map((entry) => [entry.name, entry] as const))('%s', async (_name, { errno, run, isBare }) => {
    await using machine = await open();
    if (isBare !== true) machine.caller.acquire();
    expect(run(machine)).toBe(errno === 0 ? 0 : -errno);
  });
});

type QueueInit = StructInit<typeof kfd.kfd_ioctl_create_queue_args.fields>;

describe('CREATE_QUEUE', () => {
  const changes: readonly (readonly [string, number, (args: Required<QueueInit>) => QueueInit])[] = [
    ['as it should be', 0, () => ({})],
    ['percentage 101', EINVAL, () => ({ queue_percentage: 101 })],
    ['percentage with a target XCC', 0, () => ({ queue_percentage: 0x164 })],
    ['priority 16', EINVAL, () => ({ queue_priority: 16 })],
    ['ring of no power of two', EINVAL, () => ({ ring_size: 4096 + 64 })],
    ['ring beyond user addresses', EFAULT, () => ({ ring_base_address: 0xffff_8000_0000_0000n })],
    ['read pointer beyond user addresses', EFAULT, () => ({ read_pointer_address: 0xffff_8000_0000_0000n })],
    ['write pointer beyond user addresses', EFAULT, () => ({ write_pointer_address: 0xffff_8000_0000_0000n })],
    ['EOP beyond user addresses', EFAULT, () => ({ eop_buffer_address: 0xffff_8000_0000_0000n })],
    ['save area beyond user addresses', EFAULT, () => ({ ctx_save_restore_address: 0xffff_8000_0000_0000n })],
    ['unknown GPU', EINVAL, () => ({ gpu_id: UNKNOWN_GPU })],
    ['unknown type', ENOTSUPP, () => ({ queue_type: 5 })],
    ['SDMA engine that is not there', EINVAL, () => ({ queue_type: 4, sdma_engine_id: 2 })],
    ['ring larger than its buffer', EINVAL, () => ({ ring_size: 8192 })],
    ['ring inside a buffer', EINVAL, (args) => ({ ring_base_address: args.ring_base_address + 64n })],
    ['write pointer nowhere', EINVAL, () => ({ write_pointer_address: HERE })],
    ['read pointer in a buffer of several pages', EINVAL, (args) => ({ read_pointer_address: args.ctx_save_restore_address })],
    ['misaligned read pointer', EINVAL, (args) => ({ read_pointer_address: args.read_pointer_address + 4n })],
    ['no EOP buffer', 0, () => ({ eop_buffer_address: 0n })],
    ['EOP size that the node does not have', EINVAL, () => ({ eop_buffer_size: 8192n })],
    ['control stack of another size', EINVAL, (args) => ({ ctl_stack_size: args.ctl_stack_size + 4096 })],
    ['save area too small', EINVAL, (args) => ({ ctx_save_restore_size: args.ctx_save_restore_size - 4096 })],
    ['save area nowhere', EINVAL, () => ({ ctx_save_restore_address: HERE })],
  ];

  it.each(changes)('%s', async (_name, errno, change) => {
    await using machine = await open();
    machine.caller.acquire();
    const { args } = queueArgs(machine.caller);
    const changed = { ...args, ...change(args as Required<QueueInit>) };
    const { status } = machine.caller.call(kfd.AMDKFD_IOC_CREATE_QUEUE, kfd.kfd_ioctl_create_queue_args, changed);
    expect(status).toBe(errno === 0 ? 0 : -errno);
  });

  it('wants an acquired VM', async () => {
    await using machine = await open();
    const args = { gpu_id: GPU_ID, queue_type: 2, ring_size: 4096, queue_percentage: 100 };
    expect(machine.caller.call(kfd.AMDKFD_IOC_CREATE_QUEUE, kfd.kfd_ioctl_create_queue_args, args).status).toBe(-ESRCH);
  });

  it('gives the lowest free id and its doorbell, up to 127 queues', async () => {
    await using machine = await open();
    machine.caller.acquire();
    const { args } = queueArgs(machine.caller);
    const create = () => machine.caller.call(kfd.AMDKFD_IOC_CREATE_QUEUE, kfd.kfd_ioctl_create_queue_args, args);
    const destroy = (queue_id: number) =>
      machine.caller.call(kfd.AMDKFD_IOC_DESTROY_QUEUE, kfd.kfd_ioctl_destroy_queue_args, { queue_id }).status;
    for (let id = 0; id < 127; id += 1) {
      const { status, out } = create();
      expect([status, out.queue_id]).toEqual([0, id]);
      expect(out.doorbell_offset).toBe((3n << 62n) | (BigInt(GPU_ID) << 46n) | BigInt(id * 8));
    }
    expect(create().status).toBe(-ENOSPC);
    expect(destroy(5)).toBe(0);
    expect(destroy(5)).toBe(-EINVAL);
    // Free once the command processor let go of it, for which DESTROY_QUEUE waits 9 ms at most.
    const next = (): number => {
      const { queue_id } = create().out;
      if (queue_id !== 5) destroy(queue_id);
      return queue_id;
    };
    await expect.poll(next, { timeout: 60_000 }).toBe(5);
  });
});

describe('UPDATE_QUEUE', () => {
  const update = (caller: Caller, values: StructInit<typeof kfd.kfd_ioctl_update_queue_args.fields>): number =>
    caller.call(kfd.AMDKFD_IOC_UPDATE_QUEUE, kfd.kfd_ioctl_update_queue_args, values).status;

  it.each([
    ['percentage 101', EINVAL, { queue_percentage: 101 }],
    ['priority 16', EINVAL, { queue_priority: 16 }],
    ['ring of no power of two', EINVAL, { ring_size: 100 }],
    ['unknown queue', EFAULT, { queue_id: 9 }],
    ['ring that is not mapped', EFAULT, { ring_base_address: HERE }],
    ['address 0 disables', 0, { ring_base_address: 0n }],
    ['size 0 disables', 0, { ring_size: 0 }],
    ['percentage 0 disables', 0, { queue_percentage: 0 }],
  ] as const)('%s', async (_name, errno, change) => {
    await using machine = await open();
    machine.caller.acquire();
    const queue = new TestQueue(machine.caller, new Heap(machine.caller));
    const args = { queue_id: queue.id, ring_base_address: queue.memory.ring.address, ring_size: 4096, queue_percentage: 100 };
    expect(update(machine.caller, { ...args, ...change })).toBe(errno === 0 ? 0 : -errno);
  });
});

describe('GET_CLOCK_COUNTERS and apertures', () => {
  it('counts at 100 MHz and 1 GHz', async () => {
    await using machine = await open();
    const read = (gpu_id: number) =>
      machine.caller.call(kfd.AMDKFD_IOC_GET_CLOCK_COUNTERS, kfd.kfd_ioctl_get_clock_counters_args, { gpu_id }).out;
    const before = process.hrtime.bigint();
    const counters = read(GPU_ID);
    const after = process.hrtime.bigint();
    expect(counters.system_clock_freq).toBe(1_000_000_000n);
    expect(counters.system_clock_counter >= before && counters.system_clock_counter <= after).toBe(true);
    expect(counters.gpu_clock_counter).toBe(counters.system_clock_counter / 10n);
    expect(read(UNKNOWN_GPU).gpu_clock_counter).toBe(0n);
  });

  it('counts the nodes, then fills as many apertures as asked for', async () => {
    await using machine = await open();
    const layout = kfd.kfd_ioctl_get_process_apertures_new_args;
    const count = machine.caller.call(kfd.AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, layout);
    expect([count.status, count.out.num_of_nodes]).toEqual([0, 1]);
    using buffer = machine.device.hostBuffer(2 * 56);
    const { status, out } = machine.caller.call(kfd.AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, layout, {
      num_of_nodes: 2,
      kfd_process_device_apertures_ptr: buffer.address,
    });
    expect([status, out.num_of_nodes]).toEqual([0, 1]);
    const aperture = kfd.kfd_process_device_apertures.read(buffer.bytes);
    expect(aperture).toMatchObject({ lds_base: 1n << 48n, scratch_base: 1n << 49n, gpu_id: GPU_ID });
    const address = machine.device.reserve({ sizeBytes: PAGE, alignBytes: PAGE, heap: 'system' });
    expect(aperture.gpuvm_base <= (address as bigint) && (address as bigint) <= aperture.gpuvm_limit).toBe(true);
  });

  it('is never in XNACK mode', async () => {
    await using machine = await open();
    const layout = kfd.kfd_ioctl_set_xnack_mode_args;
    const { status, out } = machine.caller.call(kfd.AMDKFD_IOC_SET_XNACK_MODE, layout, { xnack_enabled: -1 });
    expect([status, out.xnack_enabled]).toEqual([0, 0]);
  });
});

describe('mmap', () => {
  const whole = { read: true, write: true };
  const doorbells = (3n << 62n) | (BigInt(GPU_ID) << 46n);

  it.each([
    ['doorbells of an unknown GPU', ENODEV, 'kfd', (3n << 62n) | (1n << 46n), 8192],
    ['doorbells of another length', EINVAL, 'kfd', doorbells, 4096],
    ['events before there are any', EINVAL, 'kfd', 2n << 62n, 32_768],
    ['registers at offset 0', ENODEV, 'kfd', 0n, 4096],
    ['registers of another length', EINVAL, 'kfd', BigInt(GPU_ID) << 46n, 8192],
    ['reserved memory', ENODEV, 'kfd', (1n << 62n) | (BigInt(GPU_ID) << 46n), 8192],
    ['unknown descriptor', EBADF, 7, 0x1_0000_0000n, 4096],
    ['unknown buffer', EINVAL, 0, 0x1_0000_0000n, 4096],
    ['nothing', EINVAL, 'kfd', doorbells, 0],
  ] as const)('%s', async (_name, errno, file, offset, sizeBytes) => {
    await using machine = await open();
    machine.caller.acquire();
    expect(machine.device.mmap({ file, offset, sizeBytes, protection: whole })).toBe(-errno);
  });

  it('refuses private VRAM, a second address, and more than the buffer has', async () => {
    await using machine = await open();
    const file = machine.caller.acquire();
    const reserve = (heap: 'vram' | 'system') => machine.device.reserve({ sizeBytes: PAGE, alignBytes: PAGE, heap }) as bigint;
    const [hidden, shown] = [FLAG.vram | FLAG.writable, FLAG.vram | RW].map(
      (flags) =>
        machine.caller.call(...ALLOC, { va_addr: reserve('vram'), size: 4096n, gpu_id: GPU_ID, flags: flags >>> 0 }).out
          .mmap_offset,
    );
    const map = (offset: bigint, sizeBytes: number, address?: bigint) =>
      machine.device.mmap({ file, offset, sizeBytes, protection: whole, ...(address === undefined ? {} : { address }) });
    expect(map(hidden!, PAGE)).toBe(-EPERM);
    expect(map(shown!, PAGE, reserve('system'))).toBe(-EINVAL);
    expect(map(shown!, 2 * PAGE)).toBe(-EINVAL);
    expect(typeof map(shown!, PAGE)).toBe('object');
  });

  it('maps doorbells where a buffer of them was allocated', async () => {
    await using machine = await open();
    machine.caller.acquire();
    const va = machine.device.reserve({ sizeBytes: 8192, alignBytes: 8192, heap: 'system' }) as bigint;
    const { status } = machine.caller.call(...ALLOC, {
      va_addr: va,
      size: 8192n,
      gpu_id: GPU_ID,
      flags: (FLAG.doorbell | FLAG.writable) >>> 0,
    });
    expect(status).toBe(0);
    const page = machine.device.mapDoorbells({ offset: doorbells, sizeBytes: 8192 });
    expect(page).toMatchObject({ address: va, sizeBytes: 8192 });
    const second = machine.device.mmap({
      file: 'kfd',
      offset: doorbells,
      sizeBytes: 8192,
      protection: whole,
      address: va + 8192n,
    });
    expect(second).toBe(-EINVAL);
  });

  it('maps the registers and the events that the driver made', async () => {
    await using machine = await open();
    machine.caller.acquire();
    const registers = machine.device.mmap({ file: 'kfd', offset: BigInt(GPU_ID) << 46n, sizeBytes: PAGE, protection: whole });
    expect(registers).toMatchObject({ sizeBytes: PAGE });
    expect(createEvent(machine.caller, 0n)).toBe(0);
    const events = machine.device.mmap({ file: 'kfd', offset: 2n << 62n, sizeBytes: 32_768, protection: whole });
    if (typeof events === 'number') throw new Error(`${events}`);
    expect(events.bytes.every((byte) => byte === 0xff)).toBe(true);
    for (let count = 1; count < 300; count += 1) expect(createEvent(machine.caller, 0n)).toBe(0);
    expect(machine.device.munmap(events)).toBe(0);
    expect(machine.device.munmap(events)).toBe(-EINVAL);
    expect(machine.device.munmap(registers as typeof events)).toBe(0);
  });

  it('opens render nodes that are there', async () => {
    await using machine = await open();
    expect(machine.device.openRenderNode(129)).toBe(-ENOENT);
    const file = machine.device.openRenderNode(128);
    expect(file).toBeGreaterThanOrEqual(0);
    machine.device.closeRenderNode(file);
    expect(machine.device.openRenderNode(128)).toBe(file);
  });
});

describe('reserve and release', () => {
  it('keeps alignment and heaps, and gives ranges back', async () => {
    await using device = await openTestDevice();
    const reserve = (sizeBytes: number, alignBytes: number, heap: 'system' | 'vram' = 'system') =>
      device.reserve({ sizeBytes, alignBytes, heap });
    expect(reserve(0, PAGE)).toBe(-EINVAL);
    expect(reserve(PAGE, 1000)).toBe(-EINVAL);
    expect(reserve(PAGE, 2048)).toBe(-EINVAL);
    expect(reserve(2 ** 31, PAGE)).toBe(-ENOMEM);
    const first = reserve(5000, PAGE) as bigint;
    const second = reserve(PAGE, 0x20_0000) as bigint;
    expect(second % 0x20_0000n).toBe(0n);
    expect(device.release(second, 2 * PAGE)).toBe(-EINVAL);
    expect(device.release(first, 5000)).toBe(0);
    expect(device.release(first, 5000)).toBe(-EINVAL);
    expect(reserve(PAGE, PAGE)).toBe(first);
    expect((reserve(PAGE, PAGE, 'vram') as bigint) >= 0x42_5000_0000n).toBe(true);
  });

  it('does not reuse a released range before its buffer is freed', async () => {
    await using machine = await open();
    machine.caller.acquire();
    const buffer = machine.caller.allocate(PAGE);
    expect(machine.device.release(buffer.address, PAGE)).toBe(0);
    expect(machine.device.reserve({ sizeBytes: PAGE, alignBytes: PAGE, heap: 'system' })).not.toBe(buffer.address);
    mapToGpu(machine.device, buffer.handle, kfd.AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU);
    machine.device.munmap(buffer.mapping);
    expect(free(machine.caller, buffer.handle)).toBe(0);
    expect(machine.device.reserve({ sizeBytes: PAGE, alignBytes: PAGE, heap: 'system' })).toBe(buffer.address);
  });
});

describe('WAIT_EVENTS', () => {
  it('answers errno and result', async () => {
    await using machine = await open();
    machine.caller.acquire();
    const events = new Events(machine.caller);
    const { id } = events.create();
    expect(await waitEvents(machine.device, [id], { timeoutMs: 0 })).toMatchObject({ status: 0, result: 1 });
    expect(await waitEvents(machine.device, [99])).toMatchObject({ status: -EINVAL, result: 2 });
    expect(await waitEvents(machine.device, [], { all: true })).toMatchObject({ status: 0, result: 0 });
    const layout = kfd.kfd_ioctl_wait_events_args;
    const nowhere = layout.create({ events_ptr: NOWHERE, num_events: 1, timeout: 0 });
    expect(await machine.device.waitIoctl(kfd.AMDKFD_IOC_WAIT_EVENTS, nowhere)).toBe(-EFAULT);
    const pending = waitEvents(machine.device, [id]);
    expect(event(machine.caller, kfd.AMDKFD_IOC_DESTROY_EVENT, id)).toBe(0);
    expect(await pending).toMatchObject({ status: -EIO, result: 2 });
  });

  it('polls synchronously, but never waits so', async () => {
    await using machine = await open();
    const layout = kfd.kfd_ioctl_wait_events_args;
    const poll = layout.create({ num_events: 0, wait_for_all: 1, timeout: 0 });
    expect(machine.device.ioctl(kfd.AMDKFD_IOC_WAIT_EVENTS, poll)).toBe(0);
    expect(machine.device.ioctl(kfd.AMDKFD_IOC_WAIT_EVENTS, layout.create({ timeout: 5 }))).toBe(-EINVAL);
  });

  it('fails pending waits when the device closes', async () => {
    const machine = await open();
    machine.caller.acquire();
    const pending = waitEvents(machine.device, [new Events(machine.caller).create().id]);
    await machine.device[Symbol.asyncDispose]();
    expect(await pending).toMatchObject({ status: -EIO });
  });
});
