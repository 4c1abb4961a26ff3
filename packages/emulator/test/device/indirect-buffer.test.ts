import { AqlVendorFormat, aqlPackets } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { openInlineDevice } from './inline-threads.js';
import { callerOf } from './support.js';
import { Heap, TestQueue } from './test-queue.js';

/** PM4 type 3 header: opcode, and dwords behind it (Linux amdgpu soc15d.h PACKET3). */
const packet3 = (opcode: number, dwords: number): number => ((3 << 30) | ((dwords - 1) << 16) | (opcode << 8)) >>> 0;
const ACQUIRE_MEM = [packet3(0x58, 6), 0x0800_0000, 0xffff_ffff, 0xff, 0, 0, 0xa];
const NOP = [packet3(0x10, 2), 1, 2];
const WRITE_DATA = [packet3(0x37, 4), 0, 0, 0, 0];

/** Has a queue run these commands; the completion signal and the fault, if there is one. */
async function run(commands: readonly number[], { dwords = commands.length, jump = packet3(0x3f, 3) } = {}) {
  const { device, threads } = await openInlineDevice();
  await using _ = device;
  const caller = callerOf(device);
  caller.acquire();
  const heap = new Heap(caller);
  const queue = new TestQueue(caller, heap);
  const { bytes, address } = heap.bytes(256);
  bytes.set(new Uint8Array(Uint32Array.from(commands).buffer));
  const completion = heap.signal(1n);
  queue.submit(
    aqlPackets.pm4Ib.create({
      header: 0,
      amd_format: AqlVendorFormat.pm4Ib,
      pm4: [jump, Number(address & 0xffff_ffffn), Number(address >> 32n), dwords | (1 << 23)],
      dw_cnt_remain: 10,
      completion_signal: completion.address,
    }),
  );
  threads.pump();
  return { left: completion.value, fault: device.lastFault(queue.id)?.fault };
}

describe('an indirect buffer of PM4', () => {
  it('is done when all it has are commands about caches', async () => {
    expect(await run([...ACQUIRE_MEM, ...NOP, 0x8000_0000, ...ACQUIRE_MEM])).toEqual({ left: 0n, fault: undefined });
  });

  it.each([
    ['another command', [...NOP, ...WRITE_DATA], {}, 'PM4 opcode 0x37 in an indirect buffer cannot be executed'],
    ['no command', [0x1234], {}, 'dword 0 of the indirect buffer, 0x00001234, is no PM4 packet of type 3'],
    ['more than there is', NOP, { dwords: 0xf_ffff }, 'the indirect buffer is not in memory of this GPU'],
    ['no jump', NOP, { jump: packet3(0x10, 3) }, 'the PM4 packet 0xc0021000 is no INDIRECT_BUFFER'],
  ])('is refused with %s', async (_name, commands, options, message) => {
    expect(await run(commands, options)).toMatchObject({ left: 1n, fault: { kind: 'packet', message } });
  });
});
