import { skipReason } from '@doorbell/test-support';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArgType, findKernel, type KernelInfo, layoutKernarg, parseCodeObject } from '../../src/index.js';
import { errorOf, fixture } from '../support/fixtures.js';
import { compile } from '../support/llvm.js';

const kernelOf = (file: string, name: string): KernelInfo => findKernel(parseCodeObject(fixture(file)), name);

describe('layoutKernarg', () => {
  it('takes names, places and types from the metadata', () => {
    const layout = layoutKernarg(kernelOf('gfx1100-v5.hsaco', 'many_args'));
    // Offsets: OpenCL C alignment rules on the parameters of kernels.cl, LP64, 32-bit LDS pointers.
    expect(layout.slots.map((slot) => [slot.name, slot.offset, slot.sizeBytes, slot.type])).toEqual([
      ['out', 0, 8, 'global'],
      ['a', 8, 1, 'i8'],
      ['b', 9, 1, 'u8'],
      ['c', 10, 2, 'i16'],
      ['d', 12, 2, 'u16'],
      ['e', 16, 4, 'i32'],
      ['f', 20, 4, 'u32'],
      ['g', 24, 8, 'i64'],
      ['h', 32, 8, 'u64'],
      ['i', 40, 2, 'f16'],
      ['j', 44, 4, 'f32'],
      ['k', 48, 8, 'f64'],
      ['l', 64, 16, 'struct'],
      ['m', 80, 4, 'struct'],
      ['n', 88, 24, 'struct'],
      ['o', 112, 4, 'lds'],
      ['p', 116, 4, 'lds'],
      ['q', 120, 8, 'global'],
      ['r', 128, 8, 'global'],
    ]);
    expect(layout.sizeBytes).toBe(136);
    expect(layout.alignBytes).toBe(16);
    expect(layout.slots.map((slot) => slot.ldsAlign).slice(15, 17)).toEqual([4, 16]);
  });

  it('names arguments in order where the compiler left the names out, and takes their sizes', () => {
    const layout = layoutKernarg(kernelOf('untyped-gfx1100.hsaco', 'plain'));
    expect(layout.slots.map((slot) => [slot.name, slot.type])).toEqual([
      ['arg0', 'global'],
      ['arg1', 'integer'],
    ]);
  });

  it('lets a signature name the arguments in order when the metadata does not', () => {
    const layout = layoutKernarg(kernelOf('untyped-gfx1100.hsaco', 'plain'), { out: 'global', n: 'f32' });
    expect(layout.slots.map((slot) => [slot.name, slot.type])).toEqual([
      ['out', 'global'],
      ['n', 'f32'],
    ]);
  });

  it('has the types of OpenCL arguments also without their names', () => {
    const layout = layoutKernarg(kernelOf('gfx1100-unnamed.hsaco', 'plain'));
    expect(layout.slots.map((slot) => [slot.name, slot.type])).toEqual([
      ['arg0', 'global'],
      ['arg1', 'u32'],
    ]);
  });

  it('takes a signature in any order when the metadata has names', () => {
    const layout = layoutKernarg(kernelOf('gfx1100-v5.hsaco', 'plain'), { n: 'u32', out: 'global' });
    expect(layout.slots.map((slot) => [slot.name, slot.offset, slot.type])).toEqual([
      ['out', 0, 'global'],
      ['n', 8, 'u32'],
    ]);
  });

  it.each<[string, Readonly<Record<string, ArgType>>, RegExp]>([
    ['too few arguments', { out: 'global' }, /it has 1 arguments, the code object 2/],
    ['too many arguments', { out: 'global', n: 'u32', m: 'u32' }, /it has 3 arguments, the code object 2/],
    ['another name', { out: 'global', count: 'u32' }, /it lacks the argument n/],
    ['another size', { out: 'global', n: 'u64' }, /says u64 for argument n \(number 1\); the code object has uint of 4 bytes/],
    ['another kind of number', { out: 'global', n: 'f32' }, /says f32 for argument n .*; the code object has uint of 4 bytes/],
    ['a scalar for a pointer', { out: 'u64', n: 'u32' }, /has a pointer to global memory/],
    ['a pointer for a scalar', { out: 'global', n: 'global' }, /has uint of 4 bytes/],
    ['LDS for global memory', { out: 'lds', n: 'u32' }, /has a pointer to global memory/],
  ])('refuses a signature with %s', (_, signature, message) => {
    expect(errorOf(() => layoutKernarg(kernelOf('gfx1100-v5.hsaco', 'plain'), signature))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      message: expect.stringMatching(message) as string,
    });
  });

  it('allows another signedness, as C does', () => {
    expect(layoutKernarg(kernelOf('gfx1100-v5.hsaco', 'plain'), { out: 'global', n: 'i32' }).slots[1]?.type).toBe('i32');
  });

  const missing = skipReason('clang-22');

  it.skipIf(missing !== '')(
    `keeps to the C rules of size and alignment for random parameter lists${missing === '' ? '' : ` (skipped: ${missing})`}`,
    () => {
      const types: readonly (readonly [string, ArgType, number])[] = [
        ['char', 'i8', 1],
        ['ushort', 'u16', 2],
        ['int', 'i32', 4],
        ['float', 'f32', 4],
        ['ulong', 'u64', 8],
        ['double', 'f64', 8],
        ['global int *', 'global', 8],
        ['local int *', 'lds', 4],
        ['float4', 'struct', 16],
      ];
      const lists = fc.sample(fc.array(fc.constantFrom(...types), { minLength: 1, maxLength: 12 }), { numRuns: 30, seed: 7 });
      const source = lists.map(
        (list, index) => `kernel void k${index}(${list.map(([type], at) => `${type} p${at}`).join(', ')}) {}`,
      );
      const codeObject = parseCodeObject(compile(source.join('\n'), ['-mcpu=gfx1100', '-cl-kernel-arg-info', '-O1']));
      lists.forEach((list, index) => {
        let end = 0;
        const expected = list.map(([, type, size], at) => {
          const offset = Math.ceil(end / size) * size;
          end = offset + size;
          return [`p${at}`, offset, size, type];
        });
        const layout = layoutKernarg(findKernel(codeObject, `k${index}`));
        expect(layout.slots.map((slot) => [slot.name, slot.offset, slot.sizeBytes, slot.type])).toEqual(expected);
      });
    },
  );
});
