import { describe, expect, it } from 'vitest';
import { queueErrorOf } from '../src/queue-error.js';

const stopped = (facts: { readonly inactive?: bigint; readonly exception?: bigint }) =>
  queueErrorOf({
    label: 'queue 0',
    gpuId: 1,
    packetIndex: 0,
    packet: new Uint8Array(64),
    inactive: 0n,
    exception: 0n,
    memoryException: undefined,
    hwException: undefined,
    ...facts,
  });

describe('queueErrorOf', () => {
  // Statuses of ROCr's handlers (amd_aql_queue.cpp), by their numbers in hsa.h and hsa_ext_amd.h.
  it.each([
    [0x2n, 'ERR_QUEUE_ERROR', 0x100d],
    [0x4n, 'ERR_QUEUE_ERROR', 0x1003],
    [0x8n, 'ERR_QUEUE_ERROR', 0x1010],
    [0x20n, 'ERR_QUEUE_ERROR', 0x1009],
    [0x100n, 'ERR_QUEUE_ERROR', 0x1009],
    [0x40n, 'ERR_QUEUE_ERROR', 0x1001],
    [0x80n, 'ERR_OUT_OF_REGISTERS', 45],
    [0x2000_0000n, 'ERR_APERTURE_VIOLATION', 41],
    [0x4000_0000n, 'ERR_ILLEGAL_INSTRUCTION', 42],
    [0x8000_0000n, 'ERR_KERNEL_TRAP', 0x1016],
    [0x1000n, 'ERR_QUEUE_ERROR', 0x1000],
    [0x1n, 'ERR_QUEUE_ERROR', 0x1008],
    [0x400n, 'ERR_QUEUE_ERROR', 0x1008],
    // Tested in order: the lowest row wins.
    [0x4000_0002n, 'ERR_QUEUE_ERROR', 0x100d],
  ] as const)('maps inactive value %d', (inactive, code, hsaStatus) => {
    expect(stopped({ inactive })).toMatchObject({ code, hsaStatus });
  });

  it.each([
    [1, 'ERR_KERNEL_TRAP', 0x1016],
    [4, 'ERR_ILLEGAL_INSTRUCTION', 42],
    [5, 'ERR_MEMORY_FAULT', 43],
    [6, 'ERR_APERTURE_VIOLATION', 41],
    [16, 'ERR_QUEUE_ERROR', 0x100d],
    [18, 'ERR_QUEUE_ERROR', 0x1010],
    [22, 'ERR_OUT_OF_REGISTERS', 0x100f],
    [23, 'ERR_QUEUE_ERROR', 0x1009],
    [34, 'ERR_DEVICE_LOST', 0x1000],
    [63, 'ERR_QUEUE_ERROR', 0x1000],
  ] as const)('maps exception code %i', (exception, code, hsaStatus) => {
    expect(stopped({ exception: 1n << BigInt(exception - 1) })).toMatchObject({ code, hsaStatus });
  });
});
