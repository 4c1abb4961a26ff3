/** The last check: one kernel, assembled here, launched, and its result compared. */
import { openDevice, write } from '@doorbell/runtime';
import { abi, codeObject } from '@doorbell/runtime/layers';
import type { Backend } from '@doorbell/runtime';
import { formatDuration } from '../text.js';

const WORK_ITEMS = 64;
const VALUE = 0x5eed;

/** Launches a kernel on a device and checks what it wrote; says what was run. Throws what fails. */
export async function runFirstDispatch(backend: Backend, isa?: string): Promise<string> {
  await using device = await openDevice({ backend, ...(isa === undefined ? {} : { isa }) });
  using module = await device.load(codeObject.assembleObject(fillKernel(device.isa), { target: device.isa }));
  using output = device.alloc('u32', WORK_ITEMS);
  const kernel = module.kernel('fill', { out: write('u32') });
  const { durationNs } = await kernel.launch({ grid: WORK_ITEMS, workgroup: WORK_ITEMS, args: { out: output } });
  const values = await output.read();
  const wrong = values.findIndex((value, i) => value !== (i ^ VALUE));
  if (wrong >= 0) throw new Error(`work-item ${wrong} wrote ${values[wrong] ?? 0} instead of ${wrong ^ VALUE}`);
  return `${WORK_ITEMS} work-items ran on ${device.name} (${device.isa}, backend ${device.backend}) in ${formatDuration(durationNs)}, and wrote what they should`;
}

/** A kernel that writes `index ^ 0x5eed` to each element, in the mnemonics of the target's generation. */
function fillKernel(target: string): string {
  const { processor } = codeObject.parseTargetId(target);
  const major = Number(/^gfx(\d+)[0-9a-f]{2}$/.exec(processor)?.[1] ?? 9);
  const [load, wait, store] =
    major >= 12
      ? ['s_load_b64', 's_wait_kmcnt 0x0', 'global_store_b32']
      : major === 11
        ? ['s_load_b64', 's_waitcnt lgkmcnt(0)', 'global_store_b32']
        : ['s_load_dwordx2', 's_waitcnt lgkmcnt(0)', 'global_store_dword'];
  const waveSize = abi.findProcessor(processor)?.waveSize ?? 64;
  // From gfx90a on, gfx9 splits its registers at this index.
  const accumulators = /^gfx9(0a|4|5)/.test(processor) ? '.amdhsa_accum_offset 4' : '';
  return `
	.text
	.globl	fill
	.p2align	8
	.type	fill,@function
fill:
	${load} s[0:1], s[0:1], 0x0
	v_lshlrev_b32 v1, 2, v0
	v_xor_b32 v0, ${VALUE}, v0
	${wait}
	${store} v1, v0, s[0:1]
	s_endpgm
	.size	fill, .-fill

	.rodata
	.p2align	6
	.amdhsa_kernel fill
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_kernarg_size 8
		${accumulators}
		.amdhsa_next_free_vgpr .amdgcn.next_free_vgpr
		.amdhsa_next_free_sgpr .amdgcn.next_free_sgpr
	.end_amdhsa_kernel

	.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: fill
    .symbol: fill.kd
    .args: [ {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global} ]
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: ${waveSize}
    .sgpr_count: 8
    .vgpr_count: 2
    .max_flat_workgroup_size: ${WORK_ITEMS}
...
	.end_amdgpu_metadata
`;
}
