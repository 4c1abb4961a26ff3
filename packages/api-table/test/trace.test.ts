import { hsa, ref } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { createApiTables, formatCall, traceCalls } from '../src/index.js';

describe('formatCall', () => {
  it.each([
    [{ name: 'hsa_init', args: [], result: 0 }, 'hsa_init() = HSA_STATUS_SUCCESS'],
    [
      { name: 'hsa_queue_create', args: [16n, 64, 0, () => undefined, null, 4294967295, 0, ref(0x1000n)], result: 0 },
      'hsa_queue_create(agent=0x10, size=64, type=0, callback=function, data=NULL, private_segment_size=4294967295, group_segment_size=0, queue=&0x1000) = HSA_STATUS_SUCCESS',
    ],
    [
      { name: 'hsa_signal_store_relaxed', args: [32n, -1n], result: undefined },
      'hsa_signal_store_relaxed(signal=0x20, value=-1)',
    ],
    [{ name: 'hsa_signal_load_relaxed', args: [32n], result: -5n }, 'hsa_signal_load_relaxed(signal=0x20) = -5'],
    [
      { name: 'hsa_isa_from_name', args: ['amdgcn "x"', ref(0n)], result: 0x1017 },
      'hsa_isa_from_name(name="amdgcn \\"x\\"", isa=&0x0) = HSA_STATUS_ERROR_INVALID_ISA_NAME',
    ],
    [
      { name: 'hsa_memory_copy', args: [1n, new Uint8Array(9), 9n], result: 77 },
      'hsa_memory_copy(dst=0x1, src=<9 bytes>, size=0x9) = 77',
    ],
    [
      {
        name: 'hsa_amd_signal_create',
        args: [0n, 10, Array.from({ length: 10 }, (_, index) => BigInt(index)), 0n, ref(1n)],
        result: 0,
      },
      'hsa_amd_signal_create(initial_value=0x0, num_consumers=10, consumers=[0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, … 10 in all], attributes=0x0, signal=&0x1) = HSA_STATUS_SUCCESS',
    ],
    [
      { name: 'hsa_ext_image_get_capability', args: [1n, 1, { channel_type: 2, channel_order: 3 }, ref(7)], result: 0 },
      'hsa_ext_image_get_capability(agent=0x1, geometry=1, image_format={channel_type=2, channel_order=3}, capability_mask=&7) = HSA_STATUS_SUCCESS',
    ],
  ] as const)('%#', (call, expected) => {
    expect(formatCall(call)).toBe(expected);
  });
});

describe('traceCalls', () => {
  it('reports every call with what it wrote, and nothing once it is disposed', () => {
    const { public: tables } = createApiTables({
      hsa_status_string: (status, text) => {
        text.value = `status ${status}`;
        return hsa.HSA_STATUS_SUCCESS;
      },
    });
    const before = tables.core.hsa_status_string;
    const lines: string[] = [];
    {
      using _ = traceCalls(tables, (call) => lines.push(formatCall(call)));
      tables.core.hsa_status_string(3, ref(''));
      tables.amdExt.hsa_amd_memory_pool_free(5n);
    }
    tables.core.hsa_init();
    expect(lines).toEqual([
      'hsa_status_string(status=3, status_string=&"status 3") = HSA_STATUS_SUCCESS',
      'hsa_amd_memory_pool_free(ptr=0x5) = HSA_STATUS_ERROR',
    ]);
    expect(tables.core.hsa_status_string).toBe(before);
    expect(tables.tools.hsa_amd_tool_scratch_event_alloc_start).toBeNull();
  });
});
