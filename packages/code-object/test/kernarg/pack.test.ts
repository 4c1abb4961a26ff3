import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import {
  findKernel,
  type KernargDispatch,
  type KernelInfo,
  layoutKernarg,
  packKernarg,
  packRawKernarg,
  parseCodeObject,
} from '../../src/index.js';
import { errorOf, fixture } from '../support/fixtures.js';
import { withFolder } from '../support/llvm.js';

const kernelOf = (file: string, name: string): KernelInfo => findKernel(parseCodeObject(fixture(file)), name);
const dispatch: KernargDispatch = { grid: [1000, 6, 1], workgroup: [256, 4, 1] };
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const packet = new Uint8Array(24).map((_, index) => index + 1);
const VALUES = {
  out: 0x1234_5678_9abcn,
  a: -5,
  b: 250,
  c: -1234,
  d: 65535,
  e: -2_000_000_000,
  f: 4_000_000_000,
  g: -(2n ** 62n) - 3n,
  h: 2n ** 64n - 2n,
  i: 1.5009765625,
  j: 0.1,
  k: -1e300,
  l: new Float32Array([1, -2, 0.5, 3]),
  m: new Int8Array([1, -1, 7, 0]),
  n: packet,
  o: { ldsBytes: 100 },
  p: { ldsBytes: 64 },
  q: 0xffff_ffff_0000_0000n,
  r: 16n,
};

/** The same struct in C for the host: what the kernel reads at its arguments' places. */
const HOST = `
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef float float4 __attribute__((vector_size(16)));
typedef struct { int first; double second; short third[3]; } Packet;
struct Args {
  void *out; signed char a; unsigned char b; short c; unsigned short d; int e; unsigned f; int64_t g; uint64_t h; _Float16 i;
  float j; double k; float4 l; signed char m[4]; Packet n; uint32_t o; uint32_t p; void *q; void *r;
};
int main(void) {
  static struct Args x;
  x.out = (void *)0x123456789abcull; x.a = -5; x.b = 250; x.c = -1234; x.d = 65535; x.e = -2000000000; x.f = 4000000000u;
  x.g = -(1ll << 62) - 3; x.h = -2ull; x.i = 1.5009765625; x.j = 0.1f; x.k = -1e300; x.l = (float4){1, -2, 0.5f, 3};
  x.m[0] = 1; x.m[1] = -1; x.m[2] = 7; x.m[3] = 0;
  for (int i = 0; i < 24; i++) ((unsigned char *)&x.n)[i] = i + 1;
  x.o = 0; x.p = 112; x.q = (void *)0xffffffff00000000ull; x.r = (void *)16;
  fwrite(&x, 136, 1, stdout);
  return 0;
}`;

describe('packKernarg', () => {
  const layout = layoutKernarg(kernelOf('gfx1100-v5.hsaco', 'many_args'));
  const missing = skipReason('gcc');

  it.skipIf(missing !== '')(`writes the bytes a C compiler writes${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
    const expected = withFolder((folder) => {
      writeFileSync(join(folder, 'host.c'), HOST);
      execFileSync('gcc', ['host.c', '-o', 'host'], { cwd: folder });
      return execFileSync(join(folder, 'host'));
    });
    // LDS: o at 0 (100 bytes), p aligned to the 16 bytes of a double2: 112.
    const packed = packKernarg(layout, VALUES, dispatch);
    expect(hexOf(packed.bytes)).toBe(hexOf(expected));
    expect(packed.groupSegmentBytes).toBe(176);
  });

  it('takes the values in order as well', () => {
    expect(packKernarg(layout, Object.values(VALUES), dispatch)).toEqual(packKernarg(layout, VALUES, dispatch));
  });

  it('puts dynamic LDS behind the static', () => {
    const shifted = layoutKernarg({ ...kernelOf('gfx1100-v5.hsaco', 'many_args'), groupBytes: 10 });
    const { bytes, groupSegmentBytes } = packKernarg(shifted, VALUES, { ...dispatch, dynamicLdsBytes: 1000 });
    const view = new DataView(bytes.buffer);
    // o at 10 aligned to 4, p behind 112 aligned to 16, then 1000 more.
    expect([view.getUint32(112, true), view.getUint32(116, true)]).toEqual([12, 112]);
    expect(groupSegmentBytes).toBe(176 + 1000);
  });

  it.each([
    ['a', 128, /argument a \(number 1\) of many_args expects i8 \(a whole number from -128 to 127\); got the number 128/],
    ['b', -1, /expects u8 .* from 0 to 255\); got the number -1/],
    ['c', 1.5, /expects i16 .*; got the number 1.5/],
    ['e', NaN, /expects i32 .*; got the number NaN/],
    ['f', 5n, /expects u32 .*; got the bigint 5n/],
    ['g', 2n ** 63n, /expects i64 .*; got the bigint 9223372036854775808n/],
    ['h', 2 ** 53, /expects u64 .*safe integer/],
    ['j', '1', /expects f32 \(a number\); got the string "1"/],
    ['k', 1n, /expects f64 \(a number\)/],
    ['out', 4096, /argument out \(number 0\) of many_args expects a pointer \(a bigint address\); got the number 4096/],
    ['out', -1n, /expects a pointer/],
    ['out', 2n ** 64n, /expects a pointer/],
    ['out', null, /expects a pointer .*; got null/],
    ['n', new Uint8Array(23), /argument n \(number 14\) of many_args expects 24 bytes .*; got Uint8Array of 23 bytes/],
    ['o', 64, /expects dynamic LDS: \{ ldsBytes \}/],
    ['o', { ldsBytes: -1 }, /expects dynamic LDS/],
    ['j', { type: 'u32', value: 5 }, /expects f32; got a u32 value/],
  ])('refuses %s = %s', (name, value, message) => {
    expect(errorOf(() => packKernarg(layout, { ...VALUES, [name]: value }, dispatch))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      hsaStatus: 0x1001,
      message: expect.stringMatching(message) as string,
      details: { argument: name },
    });
  });

  it('names arguments that are missing, too many, or unknown', () => {
    const { r: _, ...without } = VALUES;
    expect(errorOf(() => packKernarg(layout, without, dispatch))).toMatchObject({ details: { missing: ['r'] } });
    expect(errorOf(() => packKernarg(layout, { ...VALUES, z: 1 }, dispatch))).toMatchObject({ details: { unknown: ['z'] } });
    expect(errorOf(() => packKernarg(layout, Object.values(VALUES).slice(1), dispatch))).toMatchObject({ details: { got: 18 } });
  });

  it('takes integers of either sign, typed values and bytes where only the size is known', () => {
    const unnamed = layoutKernarg(kernelOf('untyped-gfx1100.hsaco', 'plain'));
    const word = (value: unknown): string => hexOf(packKernarg(unnamed, [0n, value], dispatch).bytes.subarray(8, 12));
    expect(word(4_000_000_000)).toBe('00286bee');
    expect(word(-2)).toBe('feffffff');
    expect(word({ type: 'f32', value: 1.5 })).toBe('0000c03f');
    expect(word(new Uint8Array([1, 2, 3, 4]))).toBe('01020304');
    expect(errorOf(() => word(1.5))).toMatchObject({
      message: expect.stringContaining('use a signature or { type, value }') as string,
    });
    expect(errorOf(() => word(2 ** 32))).toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    expect(errorOf(() => word({ type: 'f64', value: 1.5 }))).toMatchObject({
      message: expect.stringContaining('a value of 4 bytes') as string,
    });
  });

  it.each([
    [{ grid: [0, 1, 1], workgroup: [1, 1, 1] }, /grid.x is 0/],
    [{ grid: [1, 2 ** 32, 1], workgroup: [1, 1, 1] }, /grid.y is 4294967296/],
    [{ grid: [1, 1, 1], workgroup: [1, 1, 1.5] }, /workgroup.z is 1.5/],
    [{ grid: [1, 1, 1], workgroup: [65536, 1, 1] }, /workgroup.x is 65536/],
    [{ grid: [1, 1, 1], workgroup: [1, 1, 1], dynamicLdsBytes: -4 }, /dynamicLdsBytes is -4/],
  ] as readonly [KernargDispatch, RegExp][])('refuses %j', (bad, message) => {
    expect(errorOf(() => packKernarg(layout, VALUES, bad))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      message: expect.stringMatching(message) as string,
    });
  });

  it('wants raw bytes where the code object describes no arguments', () => {
    const { metadata: _, ...bare } = kernelOf('gfx1100-v5.hsaco', 'plain');
    const unknown = layoutKernarg({ ...bare, args: [], hiddenArgs: [] });
    expect(errorOf(() => packKernarg(unknown, {}, dispatch))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      hint: 'Pass kernarg: Uint8Array in place of args.',
    });
    expect(hexOf(packRawKernarg(unknown, new Uint8Array([7]), dispatch).bytes)).toBe('07' + '00'.repeat(11));
  });
});

describe('hidden arguments', () => {
  const pointers = {
    printfBuffer: 0x11n,
    hostcallBuffer: 0x22n,
    multigridSync: 0x33n,
    heap: 0x44n,
    defaultQueue: 0x55n,
    completionAction: 0x66n,
    queue: 0x77n,
    privateBase: 0x88,
    sharedBase: 0x99,
  };
  const full: KernargDispatch = { ...dispatch, dynamicLdsBytes: 512, globalOffset: [1n, 2n, 3n], pointers };

  /** LLVM AMDGPUUsage, kernarg value kinds of version 5: offset from the implicit base, size, value for `full`. */
  const V5: readonly (readonly [string, number, number, bigint])[] = [
    ['hidden_block_count_x', 0, 4, 3n],
    ['hidden_block_count_y', 4, 4, 1n],
    ['hidden_block_count_z', 8, 4, 1n],
    ['hidden_group_size_x', 12, 2, 256n],
    ['hidden_group_size_y', 14, 2, 4n],
    ['hidden_group_size_z', 16, 2, 1n],
    ['hidden_remainder_x', 18, 2, 232n],
    ['hidden_remainder_y', 20, 2, 2n],
    ['hidden_remainder_z', 22, 2, 0n],
    ['hidden_global_offset_x', 40, 8, 1n],
    ['hidden_global_offset_y', 48, 8, 2n],
    ['hidden_global_offset_z', 56, 8, 3n],
    ['hidden_grid_dims', 64, 2, 2n],
    ['hidden_printf_buffer', 72, 8, 0x11n],
    ['hidden_hostcall_buffer', 80, 8, 0x22n],
    ['hidden_multigrid_sync_arg', 88, 8, 0x33n],
    ['hidden_heap_v1', 96, 8, 0x44n],
    ['hidden_default_queue', 104, 8, 0x55n],
    ['hidden_completion_action', 112, 8, 0x66n],
    ['hidden_dynamic_lds_size', 120, 4, 512n],
    ['hidden_private_base', 192, 4, 0x88n],
    ['hidden_shared_base', 196, 4, 0x99n],
    ['hidden_queue_ptr', 200, 8, 0x77n],
  ];
  const V4: readonly (readonly [string, number, number, bigint])[] = [
    ['hidden_global_offset_x', 0, 8, 1n],
    ['hidden_global_offset_y', 8, 8, 2n],
    ['hidden_global_offset_z', 16, 8, 3n],
    ['hidden_printf_buffer', 24, 8, 0x11n],
    ['hidden_hostcall_buffer', 24, 8, 0x22n],
    ['hidden_default_queue', 32, 8, 0x55n],
    ['hidden_completion_action', 40, 8, 0x66n],
    ['hidden_multigrid_sync_arg', 48, 8, 0x33n],
    ['hidden_none', 24, 8, 0n],
    ['hidden_none', 32, 8, 0n],
    ['hidden_none', 40, 8, 0n],
    ['hidden_none', 48, 8, 0n],
  ];

  it.each([
    ['gfx1100-v4.hsaco', V4],
    ['gfx90a-v4.hsaco', V4],
    ['gfx1100-v5.hsaco', V5],
    ['gfx942-v5.hsaco', V5],
    ['gfx1250-v6.hsaco', V5],
    ['calls-gfx1100.hsaco', V5],
  ])('have the places and values that the version of %s gives them', (file, table) => {
    const kernel = parseCodeObject(fixture(file)).kernels.find(({ name }) => name === 'unpack_hidden' || name === 'caller')!;
    const isCaller = kernel.name === 'caller';
    const base = isCaller ? 16 : 8;
    const { bytes } = packKernarg(layoutKernarg(kernel), isCaller ? [0x1000n, 5] : [0x1000n], full);
    expect(bytes.length).toBe(kernel.kernargBytes);
    const expected = new Uint8Array(bytes.length);
    const view = new DataView(expected.buffer);
    view.setBigUint64(0, 0x1000n, true);
    if (isCaller) view.setInt32(8, 5, true);
    expect(kernel.hiddenArgs.length).toBeGreaterThan(3);
    for (const hidden of kernel.hiddenArgs) {
      const row = table.find(
        ([kind, offset, size]) => kind === hidden.kind && base + offset === hidden.offset && size === hidden.sizeBytes,
      );
      expect(row, `${hidden.kind} at ${hidden.offset - base}`).toBeDefined();
      for (let byte = 0; byte < row![2]; byte++) expected[base + row![1] + byte] = Number((row![3] >> BigInt(8 * byte)) & 0xffn);
    }
    expect(hexOf(bytes)).toBe(hexOf(expected));
  });

  it('write every kind, also those clang lists only when they are used', () => {
    const kernel = kernelOf('gfx1100-v5.hsaco', 'plain');
    const hiddenArgs = V5.map(([kind, offset, sizeBytes]) => ({
      kind: kind as KernelInfo['hiddenArgs'][number]['kind'],
      offset: 16 + offset,
      sizeBytes,
    }));
    const { bytes } = packKernarg(layoutKernarg({ ...kernel, kernargBytes: 272, hiddenArgs }), [0n, 1], full);
    const view = new DataView(bytes.buffer);
    const read = { 2: 'getUint16', 4: 'getUint32', 8: 'getBigUint64' } as const;
    expect(V5.map(([kind, offset, size]) => [kind, BigInt(view[read[size as 2 | 4 | 8]](16 + offset, true))])).toEqual(
      V5.map(([kind, , , value]) => [kind, value]),
    );
  });

  it('are 0 where nothing is given, and whole workgroups 0 in a grid smaller than one', () => {
    const kernel = kernelOf('calls-gfx1100.hsaco', 'caller');
    const { bytes } = packKernarg(layoutKernarg(kernel), [0n, 0], { grid: [100, 1, 1], workgroup: [256, 1, 1] });
    const view = new DataView(bytes.buffer);
    expect([view.getUint32(16, true), view.getUint16(28, true), view.getUint16(34, true), view.getUint16(80, true)]).toEqual([
      0, 256, 100, 1,
    ]);
    expect(bytes.subarray(88).every((byte) => byte === 0)).toBe(true);
  });

  it('refuse a value that does not fit its place', () => {
    const kernel = kernelOf('gfx1100-v5.hsaco', 'plain');
    const hiddenArgs = [{ kind: 'hidden_global_offset_x' as const, offset: 8, sizeBytes: 4 }];
    const layout = layoutKernarg({ ...kernel, hiddenArgs });
    expect(errorOf(() => packKernarg(layout, [0n, 1], { ...dispatch, globalOffset: [2n ** 32n, 0n, 0n] }))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      message: expect.stringContaining('hidden_global_offset_x has 4 bytes') as string,
    });
  });
});

describe('packRawKernarg', () => {
  const layout = layoutKernarg(kernelOf('gfx1100-v5.hsaco', 'unpack_hidden'));

  it('leaves what is given and fills the hidden arguments behind it', () => {
    // Pointer, then block counts x and y by hand; the metadata goes on with block count z at 16.
    const raw = new Uint8Array(16).fill(0xee);
    const { bytes } = packRawKernarg(layout, raw, dispatch);
    const whole = packKernarg(layout, [0n], dispatch).bytes;
    expect(hexOf(bytes.subarray(0, 16))).toBe('ee'.repeat(16));
    expect(hexOf(bytes.subarray(16))).toBe(hexOf(whole.subarray(16)));
    expect(whole.subarray(16).some((byte) => byte !== 0)).toBe(true);
  });

  it('takes a whole segment as it is', () => {
    const raw = new Uint8Array(layout.sizeBytes).fill(0xee);
    expect(hexOf(packRawKernarg(layout, raw, dispatch).bytes)).toBe(hexOf(raw));
  });

  it.each([
    [layout.sizeBytes + 1, /the kernarg segment has only/],
    [4, /argument out lies at 0 … 7/],
    [10, /they end inside hidden_block_count_x at 8 … 11/],
  ])('refuses %i bytes', (size, message) => {
    expect(errorOf(() => packRawKernarg(layout, new Uint8Array(size), dispatch))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      message: expect.stringMatching(message) as string,
    });
  });
});
