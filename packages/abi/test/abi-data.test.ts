import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { drm, hsakmtA, hsakmtB, kfd } from '../src/index.js';
import type { AnyLayout } from './layout-facts.js';
import { layoutsOf, membersOf, numbersOf } from './layout-facts.js';

interface FlatStruct {
  readonly size: number;
  readonly fields: Readonly<
    Record<string, { readonly offset: number; readonly size: number; readonly bit?: number; readonly bits?: number }>
  >;
}

/** DWARF dumps of the headers, checked with gcc when they were made: see each file's `verified`. */
function readData<T>(name: string): T {
  const file = new URL(`../../../tools/abi-generator/data/${name}`, import.meta.url);
  // The files are part of the repository, so their shape is known.
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as T;
}

interface KfdData {
  readonly ioctls: Readonly<Record<string, number>>;
  readonly ioctls_uapi_6_1: Readonly<Record<string, number>>;
  readonly structs: Readonly<Record<string, FlatStruct>>;
  readonly structs_uapi_6_1_only_differences: Readonly<Record<string, FlatStruct>>;
  readonly drm_amdgpu: {
    readonly ioctls: Readonly<Record<string, number>>;
    readonly structs: Readonly<Record<string, FlatStruct>>;
  };
}

interface ThunkData {
  readonly debian_5_2_3: Readonly<Record<string, FlatStruct>>;
  readonly rocm_2025_08: Readonly<Record<string, FlatStruct>>;
}

function expectLayouts(
  layouts: Readonly<Record<string, AnyLayout>>,
  structs: Readonly<Record<string, FlatStruct>>,
  suffix = '',
): void {
  for (const [name, struct] of Object.entries(structs)) {
    const layout = layouts[`${name}${suffix}`]!;
    const members = new Map(membersOf(layout.fields).map((member) => [member.path, member]));
    expect(layout.sizeBytes, name).toBe(struct.size);
    for (const [path, { offset, size, bit, bits }] of Object.entries(struct.fields)) {
      const member = members.get(path)!;
      const where = `${name}.${path}`;
      expect(member.offset, where).toBe(offset);
      expect([member.bit, member.bits], where).toEqual([bit, bits]);
      if (bits === undefined) expect(member.sizeBytes, where).toBe(size);
    }
  }
}

describe('layouts and the ABI data they are made from', () => {
  const kfdData = readData<KfdData>('kfd-abi.json.gz');
  const thunkData = readData<ThunkData>('hsakmt-abi.json.gz');

  it('has every KFD structure, and the older form of those that grew', () => {
    expectLayouts(layoutsOf(kfd), kfdData.structs);
    expectLayouts(layoutsOf(kfd), kfdData.structs_uapi_6_1_only_differences, '_1_11');
  });

  it('has every KFD ioctl number', () => {
    expect(numbersOf(kfd)).toMatchObject(kfdData.ioctls);
    expect(kfd.AMDKFD_IOC_CREATE_QUEUE_1_11).toBe(kfdData.ioctls_uapi_6_1['AMDKFD_IOC_CREATE_QUEUE']);
  });

  it('has every DRM structure and ioctl number', () => {
    expectLayouts(layoutsOf(drm), kfdData.drm_amdgpu.structs);
    expect(numbersOf(drm)).toEqual(kfdData.drm_amdgpu.ioctls);
  });

  it('has every thunk structure of both generations', () => {
    expectLayouts(layoutsOf(hsakmtA), thunkData.debian_5_2_3);
    expectLayouts(layoutsOf(hsakmtB), thunkData.rocm_2025_08);
  });
});
