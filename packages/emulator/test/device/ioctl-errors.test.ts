/** The driver's answer in each case, a table for the ioctls about memory, queues and SVM; `fact` is where the kernel says so. */
import type { Fields, StructInit, StructLayout } from '@doorbell/abi';
import { kfd } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import type { EmulatedDevice } from '../../src/device/emulated-device.js';
import { describeMachine } from '../../src/sysfs/index.js';
import { openInlineDevice } from './inline-threads.js';
import type { Caller } from './support.js';
import { FLAG, GPU_ID, PAGE, RW, callerOf, mapToGpu, openTestDevice } from './support.js';
import { Heap, TestQueue, queueArgs } from './test-queue.js';

const [EPERM, EBADF, ENOMEM, EFAULT, EBUSY, EINVAL, EADDRINUSE, ENOTSUPP] = [1, 9, 12, 14, 16, 22, 98, 524];
const UNKNOWN_GPU = 0x1234;
const NOWHERE = 0x10_0000n;
const OP_SET = 0;
const OP_GET = 1;
const ATTR = {
  preferred: 0,
  prefetch: 1,
  access: 2,
  inPlace: 3,
  noAccess: 4,
  setFlags: 5,
  clearFlags: 6,
  granularity: 7,
} as const;

const UPDATE = [kfd.AMDKFD_IOC_UPDATE_QUEUE, kfd.kfd_ioctl_update_queue_args] as const;
const DESTROY = [kfd.AMDKFD_IOC_DESTROY_QUEUE, kfd.kfd_ioctl_destroy_queue_args] as const;
const CU_MASK = [kfd.AMDKFD_IOC_SET_CU_MASK, kfd.kfd_ioctl_set_cu_mask_args] as const;
const WAVE_STATE = [kfd.AMDKFD_IOC_GET_QUEUE_WAVE_STATE, kfd.kfd_ioctl_get_queue_wave_state_args] as const;
const GWS = [kfd.AMDKFD_IOC_ALLOC_QUEUE_GWS, kfd.kfd_ioctl_alloc_queue_gws_args] as const;
const TILE = [kfd.AMDKFD_IOC_GET_TILE_CONFIG, kfd.kfd_ioctl_get_tile_config_args] as const;
const EXPORT = [kfd.AMDKFD_IOC_EXPORT_DMABUF, kfd.kfd_ioctl_export_dmabuf_args] as const;
const IMPORT = [kfd.AMDKFD_IOC_IMPORT_DMABUF, kfd.kfd_ioctl_import_dmabuf_args] as const;
const INFO = [kfd.AMDKFD_IOC_GET_DMABUF_INFO, kfd.kfd_ioctl_get_dmabuf_info_args] as const;
const XNACK = [kfd.AMDKFD_IOC_SET_XNACK_MODE, kfd.kfd_ioctl_set_xnack_mode_args] as const;

interface Machine {
  readonly device: EmulatedDevice;
  readonly caller: Caller;
}

interface Case {
  readonly name: string;
  readonly errno: number;
  readonly fact: string;
  readonly run: (machine: Machine) => number;
}

const CASES: readonly Case[] = [
  // kfd_chardev.c kfd_ioctl_create_queue
  queueCase('CREATE_QUEUE: an unknown type', ENOTSUPP, 'set_queue_properties_from_user', { queue_type: 5 }),
  queueCase('CREATE_QUEUE: PM4, which nothing here executes', ENOTSUPP, 'limit of the emulator', { queue_type: 0 }),
  queueCase('CREATE_QUEUE: SDMA, which nothing here executes', ENOTSUPP, 'limit of the emulator', { queue_type: 1 }),
  queueCase('CREATE_QUEUE: an SDMA engine beyond the last', EINVAL, 'kfd_ioctl_create_queue max_sdma_eng_id', {
    queue_type: 4,
    sdma_engine_id: 99,
  }),
  queueCase('CREATE_QUEUE: a share above 100', EINVAL, 'set_queue_properties_from_user', { queue_percentage: 101 }),
  queueCase('CREATE_QUEUE: a priority above 15', EINVAL, 'set_queue_properties_from_user', { queue_priority: 16 }),
  queueCase('CREATE_QUEUE: a ring that is no power of two', EINVAL, 'set_queue_properties_from_user', { ring_size: 4095 }),
  queueCase('CREATE_QUEUE: a control stack of another size', EINVAL, 'kfd_queue.c kfd_queue_acquire_buffers', {
    ctl_stack_size: 1,
  }),
  queueCase('CREATE_QUEUE: an EOP buffer of another size', EINVAL, 'kfd_queue.c kfd_queue_acquire_buffers', {
    eop_buffer_size: 1n,
  }),
  // kfd_process_queue_manager.c pqm_update_queue_properties
  call('UPDATE_QUEUE: an unknown queue', EFAULT, 'pqm_update_queue_properties', ...UPDATE, {
    queue_id: 9,
    queue_percentage: 100,
  }),
  onQueue('UPDATE_QUEUE: a ring that is not mapped', EFAULT, 'kfd_queue.c kfd_queue_buffer_get', ...UPDATE, (queue) => ({
    queue_id: queue.id,
    ring_base_address: NOWHERE,
    ring_size: 4096,
    queue_percentage: 100,
  })),
  onQueue('UPDATE_QUEUE: no ring stops the queue', 0, 'update_queue_properties is_active', ...UPDATE, (queue) => ({
    queue_id: queue.id,
    queue_percentage: 100,
  })),
  call('DESTROY_QUEUE: an unknown queue', EINVAL, 'pqm_destroy_queue', ...DESTROY, {
    queue_id: 3,
  }),
  // kfd_ioctl_set_cu_mask, pqm_update_mqd
  cuMask('SET_CU_MASK: no bits', EINVAL, 'cu_mask_count == 0', 0, [0]),
  cuMask('SET_CU_MASK: not a multiple of 32', EINVAL, 'num_cu_mask % 32', 33, [0, 0]),
  cuMask('SET_CU_MASK: half a work-group processor', EINVAL, 'pqm_update_mqd cu_pair', 32, [0x1]),
  cuMask('SET_CU_MASK: half a work-group processor, other half', EINVAL, 'pqm_update_mqd cu_pair', 32, [0x8000_0000]),
  cuMask('SET_CU_MASK: whole work-group processors', 0, 'pqm_update_mqd', 64, [0xc000_0003, 0xf0]),
  onQueue('SET_CU_MASK: a mask that is not there', EFAULT, 'copy_from_user', ...CU_MASK, (queue) => ({
    queue_id: queue.id,
    num_cu_mask: 32,
    cu_mask_ptr: NOWHERE,
  })),
  {
    name: 'SET_CU_MASK: an unknown queue',
    errno: EFAULT,
    fact: 'pqm_update_mqd "no queue exists"',
    run: ({ device, caller }) => {
      using mask = device.hostBuffer(4);
      const args = { queue_id: 7, num_cu_mask: 32, cu_mask_ptr: mask.address };
      return caller.call(...CU_MASK, args).status;
    },
  },
  // kfd_device_queue_manager.c get_wave_state
  call('GET_QUEUE_WAVE_STATE: an unknown queue', EFAULT, 'pqm_get_wave_state', ...WAVE_STATE, { queue_id: 7 }),
  onQueue('GET_QUEUE_WAVE_STATE: a queue that runs', EINVAL, 'get_wave_state is_active', ...WAVE_STATE, (queue) => ({
    queue_id: queue.id,
    ctl_stack_address: queue.memory.saveArea.address,
  })),
  {
    name: 'GET_QUEUE_WAVE_STATE: nowhere to write',
    errno: EFAULT,
    fact: 'kfd_mqd_manager_v9.c get_wave_state copy_to_user',
    run: ({ caller }) => {
      const queue = new TestQueue(caller, new Heap(caller));
      stop(caller, queue.id);
      return caller.call(...WAVE_STATE, { queue_id: queue.id, ctl_stack_address: NOWHERE }).status;
    },
  },
  // kfd_ioctl_alloc_queue_gws, pqm_set_gws
  call('ALLOC_QUEUE_GWS: an unknown queue', EINVAL, 'pqm_get_user_queue', ...GWS, {
    queue_id: 3,
    num_gws: 64,
  }),
  onQueue('ALLOC_QUEUE_GWS: to give back what nobody has', EINVAL, 'pqm_set_gws', ...GWS, (queue) => ({
    queue_id: queue.id,
    num_gws: 0,
  })),
  {
    name: 'ALLOC_QUEUE_GWS: a second queue',
    errno: EBUSY,
    fact: 'pqm_set_gws "one queue per process"',
    run: ({ caller }) => {
      const heap = new Heap(caller);
      const [first, second] = [new TestQueue(caller, heap), new TestQueue(caller, heap)];
      expect(caller.call(...GWS, { queue_id: first.id, num_gws: 64 }).status).toBe(0);
      return caller.call(...GWS, { queue_id: second.id, num_gws: 64 }).status;
    },
  },
  // kfd_ioctl_get_tile_config
  call('GET_TILE_CONFIG: an unknown GPU', EINVAL, 'kfd_process_device_data_by_id', ...TILE, { gpu_id: UNKNOWN_GPU }),
  call('GET_TILE_CONFIG: nowhere to write', EFAULT, 'copy_to_user', ...TILE, { gpu_id: GPU_ID, num_tile_configs: 1 }),
  call('GET_TILE_CONFIG: only the counts', 0, 'kfd_ioctl_get_tile_config', ...TILE, { gpu_id: GPU_ID }),
  // the old debugger
  ...['DBG_REGISTER', 'DBG_UNREGISTER', 'DBG_ADDRESS_WATCH', 'DBG_WAVE_CONTROL'].map(
    (name, i): Case => ({
      name: `${name}: gone`,
      errno: EPERM,
      fact: 'kfd_ioctl_dbg_register',
      run: ({ device }) => device.ioctl(0x4008_4b0d + i, new Uint8Array(8)),
    }),
  ),
  // dma-bufs
  call('EXPORT_DMABUF: an unknown handle', EINVAL, 'kfd_ioctl_export_dmabuf', ...EXPORT, { handle: 99n }),
  {
    name: 'EXPORT_DMABUF: the user’s own memory',
    errno: EPERM,
    fact: 'amdgpu_dma_buf.c amdgpu_gem_prime_export',
    run: ({ device, caller }) => caller.call(...EXPORT, { handle: userptr(device, caller) }).status,
  },
  call('GET_DMABUF_INFO: no such file', EBADF, 'dma_buf_get', ...INFO, {
    dmabuf_fd: 77,
  }),
  call('GET_DMABUF_INFO: a file of another kind', EINVAL, 'dma_buf_get', ...INFO, {
    dmabuf_fd: 0,
  }),
  call('IMPORT_DMABUF: an unknown GPU', EINVAL, 'kfd_ioctl_import_dmabuf', ...IMPORT, { gpu_id: UNKNOWN_GPU }),
  call('IMPORT_DMABUF: no such file', EBADF, 'dma_buf_get', ...IMPORT, { gpu_id: GPU_ID, dmabuf_fd: 77 }),
  {
    name: 'IMPORT_DMABUF: at another address',
    errno: ENOMEM,
    fact: 'limit of the emulator',
    run: ({ caller }) => {
      const { handle } = caller.allocate(PAGE);
      const { dmabuf_fd: file } = caller.call(...EXPORT, { handle }).out;
      return caller.call(...IMPORT, { gpu_id: GPU_ID, dmabuf_fd: file, va_addr: 0x42_3000_0000n }).status;
    },
  },
  // userptr
  {
    name: 'MAP: user memory that is mapped already',
    errno: EINVAL,
    fact: 'amdgpu_vm.c amdgpu_vm_bo_map',
    run: ({ device, caller }) => {
      const area = device.mapAnonymous({ sizeBytes: PAGE });
      if (typeof area === 'number') return area;
      expect(mapToGpu(device, userptrAt(caller, area.address)).status).toBe(0);
      return mapToGpu(device, userptrAt(caller, area.address)).status;
    },
  },
  // kfd_ioctl_svm, kfd_svm.c
  svmCase('SVM: size 0', EINVAL, 'kfd_ioctl_svm', OP_SET, [], { sizeBytes: 0n }),
  svmCase('SVM: not whole pages', EINVAL, 'kfd_ioctl_svm', OP_SET, [], { sizeBytes: 100n }),
  svmCase('SVM: an unknown operation', EINVAL, 'svm_ioctl', 2, []),
  svmCase('SVM: an unknown attribute', EINVAL, 'svm_range_check_attr', OP_SET, [[8, 0]]),
  svmCase('SVM: access of an unknown GPU', EINVAL, 'svm_range_check_attr', OP_SET, [[ATTR.access, UNKNOWN_GPU]]),
  svmCase('SVM: prefetch to nowhere', EINVAL, 'svm_range_check_attr', OP_SET, [[ATTR.prefetch, 0xffff_ffff]]),
  svmCase('SVM: prefer nowhere', 0, 'svm_range_check_attr', OP_SET, [[ATTR.preferred, 0xffff_ffff]]),
  svmCase('SVM: to ask for no access', EINVAL, 'svm_range_get_attr', OP_GET, [[ATTR.noAccess, GPU_ID]]),
  svmCase('SVM: memory that is not there', EFAULT, 'svm_range_is_valid', OP_SET, [[ATTR.setFlags, 1]], { sizeBytes: 1n << 20n }),
  {
    name: 'SVM: memory of a buffer',
    errno: EADDRINUSE,
    fact: 'svm_range_check_vm',
    run: ({ device, caller }) => {
      const area = device.mapAnonymous({ sizeBytes: PAGE });
      if (typeof area === 'number') return area;
      userptrAt(caller, area.address);
      return svmCall(device, { op: OP_SET, address: area.address, sizeBytes: 4096n, attributes: [[ATTR.setFlags, 1]] }).status;
    },
  },
  {
    name: 'SVM: more attributes than the argument holds',
    errno: EINVAL,
    fact: 'kfd_ioctl_svm_validate',
    run: ({ device }) => {
      const arg = new Uint8Array(32);
      kfd.kfd_ioctl_svm_args.write(arg, { start_addr: 0x42_3000_0000n, size: 4096n, nattr: 2 });
      return device.ioctl(kfd.AMDKFD_IOC_SVM + (8 << 16), arg);
    },
  },
  // kfd_ioctl_set_xnack_mode
  call('SET_XNACK_MODE: on, where GPUs cannot', EPERM, 'kfd_process_xnack_mode', ...XNACK, {
    xnack_enabled: 1,
  }),
  onQueue('SET_XNACK_MODE: with a queue', EBUSY, 'kfd_ioctl_set_xnack_mode', ...XNACK, () => ({ xnack_enabled: 0 })),
];

describe('answers of the driver', () => {
  it.each(CASES)('$name → $errno ($fact)', async ({ errno, run }) => {
    const { device } = await openInlineDevice();
    const caller = callerOf(device);
    caller.acquire();
    const status = run({ device, caller });
    await device[Symbol.asyncDispose]();
    expect(status).toBe(errno === 0 ? 0 : -errno);
  });

  it('XNACK only where every GPU has the switch', async () => {
    const targets = { gfx90a: 0, gfx1030: -EPERM, 'gfx90a,gfx1100': -EPERM } as const;
    for (const [gpus, status] of Object.entries(targets)) {
      await using device = await openTestDevice({ machine: describeMachine({ gpus: gpus.split(',') }) });
      const arg = kfd.kfd_ioctl_set_xnack_mode_args.create({ xnack_enabled: 1 });
      expect([gpus, device.ioctl(kfd.AMDKFD_IOC_SET_XNACK_MODE, arg)]).toEqual([gpus, status]);
      const ask = kfd.kfd_ioctl_set_xnack_mode_args.create({ xnack_enabled: -1 });
      device.ioctl(kfd.AMDKFD_IOC_SET_XNACK_MODE, ask);
      expect(kfd.kfd_ioctl_set_xnack_mode_args.read(ask).xnack_enabled).toBe(status === 0 ? 1 : 0);
    }
  });

  it('tells an empty save area of a stopped queue', async () => {
    const { device } = await openInlineDevice();
    const caller = callerOf(device);
    caller.acquire();
    const queue = new TestQueue(caller, new Heap(caller));
    stop(caller, queue.id);
    const { address, bytes } = queue.memory.saveArea;
    const { status, out } = caller.call(...WAVE_STATE, { queue_id: queue.id, ctl_stack_address: address });
    expect([status, out.ctl_stack_used_size, out.save_area_used_size]).toEqual([0, 0, 0]);
    const header = kfd.kfd_context_save_area_header.read(bytes).wave_state;
    expect(header.control_stack_offset).toBe(0xa000);
    await device[Symbol.asyncDispose]();
  });
});

describe('doorbells', () => {
  it('go to compute queues in order, but for what SDMA, interrupts and video have in each half', async () => {
    const { device } = await openInlineDevice();
    const caller = callerOf(device);
    caller.acquire();
    const heap = new Heap(caller);
    const queues = [0, 1, 2].map(() => new TestQueue(caller, heap));
    expect(queues.map(({ doorbell }) => doorbell)).toEqual([0, 8, 16]);
    caller.call(...DESTROY, { queue_id: queues[1]!.id });
    expect(new TestQueue(caller, heap).doorbell).toBe(8);
    await device[Symbol.asyncDispose]();
  });
});

/** A case that is one ioctl with these fields. */
function call<F extends Fields>(
  name: string,
  errno: number,
  fact: string,
  request: number,
  layout: StructLayout<F>,
  values: StructInit<F>,
): Case {
  return { name, errno, fact, run: ({ caller }) => caller.call(request, layout, values).status };
}

/** A case with one queue there. */
function onQueue<F extends Fields>(
  name: string,
  errno: number,
  fact: string,
  request: number,
  layout: StructLayout<F>,
  values: (queue: TestQueue) => StructInit<F>,
): Case {
  const run = ({ caller }: Machine): number =>
    caller.call(request, layout, values(new TestQueue(caller, new Heap(caller)))).status;
  return { name, errno, fact, run };
}

/** CREATE_QUEUE with correct arguments but for these. */
function queueCase(
  name: string,
  errno: number,
  fact: string,
  wrong: StructInit<typeof kfd.kfd_ioctl_create_queue_args.fields>,
): Case {
  const layout = kfd.kfd_ioctl_create_queue_args;
  return {
    name,
    errno,
    fact,
    run: ({ caller }) => caller.call(kfd.AMDKFD_IOC_CREATE_QUEUE, layout, { ...queueArgs(caller).args, ...wrong }).status,
  };
}

function cuMask(name: string, errno: number, fact: string, bits: number, words: readonly number[]): Case {
  const run = ({ device, caller }: Machine): number => {
    const queue = new TestQueue(caller, new Heap(caller));
    using mask = device.hostBuffer(words.length * 4);
    mask.bytes.set(new Uint8Array(Uint32Array.from(words).buffer));
    const args = { queue_id: queue.id, num_cu_mask: bits, cu_mask_ptr: mask.address };
    return caller.call(...CU_MASK, args).status;
  };
  return { name, errno, fact, run };
}

function stop(caller: Caller, queueId: number): void {
  const args = { queue_id: queueId, queue_percentage: 0 };
  expect(caller.call(...UPDATE, args).status).toBe(0);
}

function userptr(device: EmulatedDevice, caller: Caller): bigint {
  const area = device.mapAnonymous({ sizeBytes: PAGE });
  if (typeof area === 'number') throw new Error(`mapAnonymous: ${area}`);
  return userptrAt(caller, area.address);
}

function userptrAt(caller: Caller, address: bigint): bigint {
  const flags = (FLAG.userptr | RW) >>> 0;
  const args = { va_addr: address, mmap_offset: address, size: 4096n, gpu_id: GPU_ID, flags };
  const { status, out } = caller.call(kfd.AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, kfd.kfd_ioctl_alloc_memory_of_gpu_args, args);
  if (status !== 0) throw new Error(`alloc: ${status}`);
  return out.handle;
}

type SvmPair = readonly [type: number, value: number];

/** SVM on one page of the process's own memory. */
function svmCase(
  name: string,
  errno: number,
  fact: string,
  op: number,
  attributes: readonly SvmPair[],
  { sizeBytes = 4096n }: { readonly sizeBytes?: bigint } = {},
): Case {
  const run = ({ device }: Machine): number => {
    const area = device.mapAnonymous({ sizeBytes: PAGE });
    return typeof area === 'number' ? area : svmCall(device, { op, address: area.address, sizeBytes, attributes }).status;
  };
  return { name, errno, fact, run };
}

function svmCall(
  device: EmulatedDevice,
  call: { readonly op: number; readonly address: bigint; readonly sizeBytes: bigint; readonly attributes: readonly SvmPair[] },
): { readonly status: number; readonly attributes: readonly SvmPair[] } {
  const arg = new Uint8Array(24 + call.attributes.length * 8);
  const { op, address, sizeBytes, attributes } = call;
  kfd.kfd_ioctl_svm_args.write(arg, { start_addr: address, size: sizeBytes, op, nattr: attributes.length });
  attributes.forEach(([type, value], i) => kfd.kfd_ioctl_svm_attribute.write(arg, { type, value }, 24 + i * 8));
  const status = device.ioctl(kfd.AMDKFD_IOC_SVM + ((attributes.length * 8) << 16), arg);
  const after = attributes.map((_, i): SvmPair => {
    const { type, value } = kfd.kfd_ioctl_svm_attribute.read(arg, 24 + i * 8);
    return [type, value];
  });
  return { status, attributes: after };
}
