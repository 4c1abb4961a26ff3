import { codeObject } from '@doorbell/runtime/layers';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseArgRequest, requirePointer, scalarValue } from '../src/kernel-arguments.js';
import type { ArgRequest, BufferRequest } from '../src/kernel-arguments.js';
import { codeObjectFixture, fixture } from './support.js';

function slotsOf(path: string): readonly codeObject.ArgSlot[] {
  const { kernels } = codeObject.parseCodeObject(new Uint8Array(readFileSync(path)));
  return codeObject.layoutKernarg(kernels[0]!).slots;
}

const typed = slotsOf(fixture('fixtures/arguments.gfx1100.hsaco'));

function value(name: string, text: string, slots = typed): unknown {
  const { request } = parseArgRequest(`${name}=${text}`);
  return scalarValue(slots.find((slot) => slot.name === name)!, request as Exclude<ArgRequest, BufferRequest>);
}

describe('parseArgRequest', () => {
  it.each<[string, ArgRequest]>([
    ['5', { kind: 'scalar', text: '5' }],
    ['f32:1.5', { kind: 'scalar', text: '1.5', type: 'f32' }],
    ['in:f32:dir/a:b.bin', { kind: 'in', type: 'f32', inputPath: 'dir/a:b.bin' }],
    ['out:u32:64', { kind: 'out', type: 'u32', length: 64 }],
    ['out:u32:64:r.bin', { kind: 'out', type: 'u32', length: 64, outputPath: 'r.bin' }],
    ['inout:f64:a.bin', { kind: 'inout', type: 'f64', inputPath: 'a.bin' }],
    ['inout:f64:a.bin:b.bin', { kind: 'inout', type: 'f64', inputPath: 'a.bin', outputPath: 'b.bin' }],
    ['zero:i64:0x10', { kind: 'zero', type: 'i64', length: 16 }],
    ['rand:f16:8', { kind: 'rand', type: 'f16', length: 8, seed: 1 }],
    ['rand:f16:8:0', { kind: 'rand', type: 'f16', length: 8, seed: 0 }],
    ['hex:00ff', { kind: 'bytes', bytes: Uint8Array.of(0, 255) }],
    ['lds:256', { kind: 'lds', ldsBytes: 256 }],
  ])('reads %s', (text, request) => {
    expect(parseArgRequest(`x=${text}`)).toEqual({ name: 'x', request });
  });

  it.each([
    'x',
    '=5',
    'x=in:f32',
    'x=in:f31:a',
    'x=out:u32:',
    'x=out:u32:0',
    'x=out:u32:-1',
    'x=zero:u32:4:f',
    'x=hex:0',
    'x=new:1',
    'x=out:u32:4:',
  ])('refuses %s', (text) => {
    expect(() => parseArgRequest(text)).toThrow(/--arg|argument x/);
  });
});

describe('scalarValue', () => {
  it.each([
    ['c', '-128', -128],
    ['uc', '255', 255],
    ['ui', '0xffffffff', 0xffff_ffff],
    ['l', '-9223372036854775808', -(2n ** 63n)],
    ['ul', '18446744073709551615', 2n ** 64n - 1n],
    ['f', '1.5e3', 1500],
    ['d', '-inf', -Infinity],
    ['out', '0x1000', 0x1000n],
    ['scratch', 'lds:64', { ldsBytes: 64 }],
  ])('%s=%s', (name, text, expected) => {
    expect(value(name, text)).toEqual(expected);
  });

  it.each([
    ['c', '128', /out of the range of i8/],
    ['ui', '-1', /out of the range of u32/],
    ['i', '1.5', /no whole number/],
    ['f', 'x', /no number/],
    ['i', 'f32:1', /it is i32, not f32/],
    ['p', '5', /a struct of 12 bytes/],
    ['p', 'hex:00', /it has 12 bytes; 1 are given/],
    ['out', '-4', /pointer/],
    ['scratch', '4', /dynamic LDS/],
    ['i', 'lds:4', /not dynamic LDS/],
  ])('refuses %s=%s', (name, text, message) => {
    expect(() => value(name, text)).toThrow(message);
  });

  it('wants the type of a fraction where the code object does not say it', () => {
    const untyped = slotsOf(codeObjectFixture('untyped-gfx1100.hsaco'));
    const slot = untyped.find(({ type, sizeBytes }) => type === 'integer' && sizeBytes === 4)!;
    expect(() => value(slot.name, '1.5', untyped)).toThrow(/does not say its type/);
    expect(value(slot.name, 'f32:1.5', untyped)).toEqual({ type: 'f32', value: 1.5 });
    expect(value(slot.name, '7', untyped)).toBe(7);
  });

  it('gives buffers to pointers only', () => {
    expect(() => requirePointer(typed.find(({ name }) => name === 'i')!)).toThrow(/not a pointer/);
  });
});
