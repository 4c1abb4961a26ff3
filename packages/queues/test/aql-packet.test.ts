import { aqlPackets } from '@doorbell/abi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AqlPacket } from '../src/aql-packet.js';
import { openBench } from './support/open.js';

const bytes = (packet: AqlPacket) => new Uint8Array(packet.words.buffer);
const address = fc.bigInt({ min: 0n, max: (1n << 44n) - 1n }).map((n) => n * 16n);

const dispatch = {
  grid: [1000, 20, 3],
  workgroup: [64, 2, 1],
  kernelObject: 0x1234_5678_9abc_def0n,
  kernargAddress: 0xfedc_ba98_7654_3210n,
} as const;

describe('AqlPacket', () => {
  // Header values of the HSA specification's bit layout: type | barrier 8 | acquire 9 | release 11.
  it.each([
    { options: { barrier: true }, header: 0x1502 },
    { options: {}, header: 0x1402 },
    { options: { acquire: 'none', release: 'agent' }, header: 0x0802 },
  ] as const)('makes header $header', ({ options, header }) => {
    expect(new AqlPacket().kernelDispatch({ ...dispatch, ...options }).words[0]! & 0xffff).toBe(header);
  });

  it('lays a dispatch out as hsa.h does', async () => {
    await using bench = await openBench();
    const completion = bench.signals.create();
    const packet = new AqlPacket().kernelDispatch({ ...dispatch, privateBytes: 16, groupBytes: 4096, completion });
    expect(aqlPackets.kernelDispatch.read(bytes(packet))).toEqual({
      ...aqlPackets.kernelDispatch.read(new Uint8Array(64)),
      header: 0x1402,
      setup: 3,
      workgroup_size_x: 64,
      workgroup_size_y: 2,
      workgroup_size_z: 1,
      grid_size_x: 1000,
      grid_size_y: 20,
      grid_size_z: 3,
      private_segment_size: 16,
      group_segment_size: 4096,
      kernel_object: dispatch.kernelObject,
      kernarg_address: dispatch.kernargAddress,
      completion_signal: completion.handle,
    });
  });

  it('counts dimensions and sets those unused to 1', () => {
    const packet = new AqlPacket().kernelDispatch({ ...dispatch, grid: [7], workgroup: [7] });
    const value = aqlPackets.kernelDispatch.read(bytes(packet));
    expect(value).toMatchObject({ setup: 1, grid_size_x: 7, grid_size_y: 1, grid_size_z: 1, workgroup_size_z: 1 });
  });

  it('keeps every address and size that it can hold', () => {
    const size = fc.integer({ min: 1, max: 0xffff_ffff });
    const group = fc.integer({ min: 1, max: 0xffff });
    fc.assert(
      fc.property(fc.tuple(size, size, size), fc.tuple(group, group, group), address, (grid, workgroup, at) => {
        const value = aqlPackets.kernelDispatch.read(
          bytes(new AqlPacket().kernelDispatch({ grid, workgroup, kernelObject: at + 64n, kernargAddress: at })),
        );
        expect([value.grid_size_x, value.grid_size_y, value.grid_size_z]).toEqual(grid);
        expect([value.workgroup_size_x, value.workgroup_size_y, value.workgroup_size_z]).toEqual(workgroup);
        expect(value.kernel_object).toBe(at + 64n);
        expect(value.kernarg_address).toBe(at);
      }),
    );
  });

  it.each([
    { name: 'no work-items', fields: { grid: [0, 1, 1] } },
    { name: 'a fraction', fields: { grid: [1.5, 1, 1] } },
    { name: 'too large a grid', fields: { grid: [2 ** 32, 1, 1] } },
    { name: 'too large a workgroup', fields: { workgroup: [65_536, 1, 1] } },
    { name: 'dimensions that differ', fields: { grid: [4] } },
    { name: 'a kernarg segment that is not aligned', fields: { kernargAddress: 8n } },
    { name: 'LDS of no size', fields: { groupBytes: NaN } },
  ] as const)('refuses $name', ({ fields }) => {
    expect(() => new AqlPacket().kernelDispatch({ ...dispatch, ...fields })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    );
  });

  it('lays barriers out as hsa.h does', async () => {
    await using bench = await openBench();
    const [a, b, completion] = [bench.signals.create(), bench.signals.create(), bench.signals.create()];
    const and = aqlPackets.barrierAnd.read(
      bytes(new AqlPacket().barrierAnd({ dependencies: [a, b], completion, barrier: true })),
    );
    expect(and.header).toBe(0x1503);
    expect(and.dep_signal).toEqual([a.handle, b.handle, 0n, 0n, 0n]);
    expect(and.completion_signal).toBe(completion.handle);
    const or = aqlPackets.barrierOr.read(bytes(new AqlPacket().barrierOr({ dependencies: [b] })));
    expect(or.header).toBe(0x1405);
    expect(or.dep_signal[0]).toBe(b.handle);
  });

  it('lays a barrier on a value out as hsa_ext_amd.h does', async () => {
    await using bench = await openBench();
    const dependency = bench.signals.create();
    const packet = new AqlPacket().barrierValue({ dependency, condition: 'gte', value: -5n, mask: 0xffn });
    const value = aqlPackets.barrierValue.read(bytes(packet));
    expect(value.header).toMatchObject({ header: 0x1400, AmdFormat: 2 });
    expect(value).toMatchObject({ signal: dependency.handle, value: -5n, mask: 0xffn, cond: 3 });
  });

  it('refuses a sixth dependency', async () => {
    await using bench = await openBench();
    const dependencies = Array.from({ length: 6 }, () => bench.signals.create());
    expect(() => new AqlPacket().barrierAnd({ dependencies })).toThrow(/at most 5/);
  });

  it('changes kernarg and completion in place', async () => {
    await using bench = await openBench();
    const completion = bench.signals.create();
    const packet = new AqlPacket().kernelDispatch(dispatch).setKernarg(0x10, 0x20).setCompletion(completion);
    const value = aqlPackets.kernelDispatch.read(bytes(packet.copy()));
    expect(value).toMatchObject({ kernarg_address: 0x20_0000_0010n, completion_signal: completion.handle });
  });
});
