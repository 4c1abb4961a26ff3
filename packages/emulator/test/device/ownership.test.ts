/** What docs/amdkfd.md says of the emulated device: who owns which doorbells, queues, engines and apertures. */
import { kfd } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { DoorbellSlots } from '../../src/device/doorbell-slots.js';
import type { EmulatedDevice, EmulatedDeviceOptions } from '../../src/device/emulated-device.js';
import type { EmulatedTarget, GpuNodeDescription } from '../../src/sysfs/machine.js';
import { describeMachine, listEmulatedTargets, numberOf } from '../../src/sysfs/machine.js';
import { expectSection, table } from './docs-page.js';
import { PAGE, callerOf, openTestDevice } from './support.js';

const [ENODEV, EINVAL, ENOTSUPP] = [19, 22, 524];
/** kfd_priv.h KFD_QUEUE_DOORBELL_MIRROR_OFFSET. */
const MIRROR = 512;

/** Where amdgpu puts the doorbells of engines that are no compute queues, in each process's page. */
interface Layout {
  readonly sdma: number;
  readonly perSdmaEngine: number;
  readonly ih: number;
  readonly vcn: number;
  readonly last: number;
}
/** amdgpu_doorbell.h AMDGPU_VEGA20_DOORBELL_ASSIGNMENT. */
const VEGA20: Layout = { sdma: 0x100, perSdmaEngine: 10, ih: 0x178, vcn: 0x188, last: 0x18f };
/** AMDGPU_NAVI10_DOORBELL_ASSIGNMENT: the same, and VPE behind video. */
const NAVI10: Layout = { ...VEGA20, last: 0x190 };
/** AMDGPU_DOORBELL_ASSIGNMENT_LAYOUT1; aqua_vanjaram.c: sdma_doorbell_range 20 dwords. */
const LAYOUT1: Layout = { sdma: 0x100, perSdmaEngine: 10, ih: 0x1a0, vcn: 0x1b0, last: 0x1e8 };
/** AMDGPU_SOC_V1_0_DOORBELL_ASSIGNMENT; soc_v1_0.c: sdma_doorbell_range 14 dwords. */
const SOC_V1_0: Layout = { sdma: 0x100, perSdmaEngine: 7, ih: 0x1a0, vcn: 0x1b0, last: 0x1ef };

/**
 * SDMA engines for PCIe and XGMI (kfd_device.c kfd_get_num_sdma_engines: two for PCIe where there is XGMI); queues of an engine that
 * user space may have (kfd_device_info_set_sdma_info: 8, less the two that gfx11 and gfx12 keep for graphics and paging); compute
 * queues (amdgpu_amdkfd.c: those of the first MEC, 4 pipes of 8 or 4 queues, without the 8 rings that amdgpu keeps).
 * No witness: the compute queues of gfx1201, and gfx1250.
 */
const KERNEL: Readonly<Record<Exclude<EmulatedTarget, 'gfx1250'>, readonly [number, number, number, number | undefined]>> = {
  gfx1030: [4, 0, 8, 4 * 4 - 8],
  gfx1100: [2, 0, 8 - 2, 4 * 4 - 8],
  gfx1201: [2, 0, 8 - 2, undefined],
  gfx90a: [2, 5 - 2, 8, 4 * 8 - 8],
  gfx942: [2, 16 - 2, 8, 4 * 8 - 8],
};
const LAYOUTS: Readonly<Record<EmulatedTarget, Layout>> = {
  gfx1030: NAVI10,
  gfx1100: NAVI10,
  gfx1201: NAVI10,
  gfx1250: SOC_V1_0,
  gfx90a: VEGA20,
  gfx942: LAYOUT1,
};

describe('doorbells', () => {
  it.each(listEmulatedTargets())('of SDMA, interrupts and video go to no compute queue of %s', (target) => {
    const { sdma, perSdmaEngine, ih, vcn, last } = LAYOUTS[target];
    const { engines, queuesPerEngine } = engineFacts(target);
    const free = new Set(freeSlots(target));
    // kfd_device_queue_manager.c allocate_doorbell: queue 2i of an engine in the first half, 2i + 1 in the second.
    for (let engine = 0; engine < engines; engine += 1) {
      for (let queue = 0; queue < Math.max(8, queuesPerEngine); queue += 1) {
        expect(free.has(sdma + engine * perSdmaEngine + (queue & 1) * MIRROR + (queue >> 1))).toBe(false);
      }
    }
    for (const index of [ih, vcn, last]) expect([free.has(index), free.has(index + MIRROR)]).toEqual([false, false]);
    for (const index of [0, sdma - 1, last + 1, MIRROR, MIRROR + sdma - 1, MIRROR + last + 1]) expect(free.has(index)).toBe(true);
  });

  it('are mapped as a whole slice of 8 KiB, which each GPU has for itself', async () => {
    const machine = describeMachine({ gpus: ['gfx1100', 'gfx1100'] });
    await using device = await openTestDevice({ machine });
    const [first, second] = machine.gpus.map(({ gpuId }) => (3n << 62n) | (BigInt(gpuId) << 46n));
    const map = (offset: bigint, sizeBytes: number) => device.mapDoorbells({ offset, sizeBytes });
    // kfd_doorbell.c kfd_doorbell_mmap: only the whole slice.
    for (const sizeBytes of [PAGE, 2 * 8192]) expect(map(first!, sizeBytes)).toBe(-EINVAL);
    expect(map(3n << 62n, 8192)).toBe(-ENODEV);
    const [one, two] = [map(first!, 8192), map(second!, 8192)];
    if (typeof one === 'number' || typeof two === 'number') throw new Error('not mapped');
    expect(one.address).not.toBe(two.address);
  });
});

describe('queues and engines', () => {
  it.each(Object.keys(KERNEL) as (keyof typeof KERNEL)[])('of %s are as many as the kernel leaves to user space', (target) => {
    const [pcie, xgmi, queues, compute] = KERNEL[target];
    const { properties } = describeMachine({ gpus: [target] }).gpus[0]!;
    const shown = ['num_sdma_engines', 'num_sdma_xgmi_engines', 'num_sdma_queues_per_engine'];
    expect(shown.map((key) => numberOf(properties, key))).toEqual([pcie, xgmi, queues]);
    if (compute !== undefined) expect(numberOf(properties, 'num_cp_queues')).toBe(compute);
  });

  it.each(listEmulatedTargets())('of SDMA on %s: each engine has a number, none executes', async (target) => {
    const machine = describeMachine({ gpus: [target] });
    await using device = await openTestDevice({ machine });
    const create = queueCreator(device, machine.gpus[0]!);
    const { engines } = engineFacts(target);
    expect([1, 3].map((queue_type) => create({ queue_type }))).toEqual([-ENOTSUPP, -ENOTSUPP]);
    // kfd_chardev.c kfd_ioctl_create_queue: engine ids end with those for XGMI.
    const byEngine = [0, engines - 1, engines].map((sdma_engine_id) => create({ queue_type: 4, sdma_engine_id }));
    expect(byEngine).toEqual([-ENOTSUPP, -ENOTSUPP, -EINVAL]);
  });

  it('of gfx942 are one node with all its dies: one partition', () => {
    const { gpus } = describeMachine({ gpus: ['gfx942'] });
    expect(gpus.map(({ properties, renderMinor }) => [numberOf(properties, 'num_xcc'), renderMinor])).toEqual([[8, 128]]);
  });
});

describe('apertures', () => {
  // kfd_flat_memory.c kfd_init_apertures_v9: 1 << 48 and 2 << 48, 4 GiB each.
  it.each(listEmulatedTargets())('of LDS and private memory on %s lie where no pointer of a process does', async (target) => {
    const { lds_base, lds_limit, scratch_base, scratch_limit } = await aperturesOf(target);
    expect([lds_base, lds_limit]).toEqual([1n << 48n, (1n << 48n) + 0xffff_ffffn]);
    expect([scratch_base, scratch_limit]).toEqual([2n << 48n, (2n << 48n) + 0xffff_ffffn]);
  });

  it('of global memory are what the device can back, or the address space of its client', async () => {
    const fixed = await aperturesOf('gfx1100');
    expect([fixed.gpuvm_base, fixed.gpuvm_limit]).toEqual([0x42_1000_0000n, 0x42_ffff_ffffn]);
    const client = await aperturesOf('gfx1100', { addresses: 'scattered' });
    expect([client.gpuvm_base, client.gpuvm_limit]).toEqual([0x4000n, 0x7fff_ffff_ffffn]);
  });
});

describe('docs/amdkfd.md', () => {
  it('shows each target’s numbers', () => {
    const rows = listEmulatedTargets().map((target) => {
      const { properties } = describeMachine({ gpus: [target] }).gpus[0]!;
      const shown = (key: string): string => numberOf(properties, key).toString();
      const engines = `${shown('num_sdma_engines')} + ${shown('num_sdma_xgmi_engines')}`;
      const { sdma, last } = LAYOUTS[target];
      const reserved = `0x${sdma.toString(16)}–0x${last.toString(16)}, 0x${(sdma + MIRROR).toString(16)}–0x${(last + MIRROR).toString(16)}`;
      const free = freeSlots(target).length.toLocaleString('en');
      return [target, reserved, free, shown('num_cp_queues'), engines, shown('num_sdma_queues_per_engine'), shown('num_gws')];
    });
    const head = ['', 'not for compute', 'left', 'CP queues', 'SDMA engines', 'SDMA queues each', 'GWS'];
    expectSection('amdkfd.md', 'targets', table(head, rows));
  });
});

function freeSlots(target: EmulatedTarget): readonly number[] {
  const slots = new DoorbellSlots(describeMachine({ gpus: [target] }).gpus[0]!);
  const free: number[] = [];
  for (let index = slots.takeForCompute(); index !== undefined; index = slots.takeForCompute()) free.push(index);
  return free;
}

function engineFacts(target: EmulatedTarget): { readonly engines: number; readonly queuesPerEngine: number } {
  const { properties } = describeMachine({ gpus: [target] }).gpus[0]!;
  return {
    engines: numberOf(properties, 'num_sdma_engines') + numberOf(properties, 'num_sdma_xgmi_engines'),
    queuesPerEngine: numberOf(properties, 'num_sdma_queues_per_engine'),
  };
}

/** Acquires the one GPU's VM; then CREATE_QUEUE without buffers: what is asked before they are. */
function queueCreator(device: EmulatedDevice, { gpuId: gpu_id, renderMinor }: GpuNodeDescription) {
  const layout = kfd.kfd_ioctl_create_queue_args;
  const caller = callerOf(device);
  const drm_fd = device.openRenderNode(renderMinor);
  expect(caller.call(kfd.AMDKFD_IOC_ACQUIRE_VM, kfd.kfd_ioctl_acquire_vm_args, { drm_fd, gpu_id }).status).toBe(0);
  return (values: { readonly queue_type: number; readonly sdma_engine_id?: number }): number =>
    caller.call(kfd.AMDKFD_IOC_CREATE_QUEUE, layout, { gpu_id, queue_percentage: 100, queue_priority: 7, ...values }).status;
}

async function aperturesOf(target: EmulatedTarget, options: Partial<EmulatedDeviceOptions> = {}) {
  await using device = await openTestDevice({ machine: describeMachine({ gpus: [target] }), ...options });
  const layout = kfd.kfd_process_device_apertures;
  using buffer = device.hostBuffer(layout.sizeBytes);
  const args = { num_of_nodes: 1, kfd_process_device_apertures_ptr: buffer.address };
  const caller = callerOf(device);
  caller.call(kfd.AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, kfd.kfd_ioctl_get_process_apertures_new_args, args);
  return layout.read(buffer.bytes);
}
