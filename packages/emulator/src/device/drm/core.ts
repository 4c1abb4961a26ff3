/** Ioctls of DRM itself that render nodes have (drm.h, drm_ioctl.c, drm_gem.c, drm_prime.c). */
import { defineStruct } from '@doorbell/abi';
import { EBADF, EFAULT, EINVAL, ENOENT } from '../errno.js';
import type { DrmIoctl } from './drm-ioctl.js';
import { defineDrmIoctl } from './drm-ioctl.js';
import { addGemHandle } from './gem.js';

/** amdgpu_drv.c: name, description, date and version of the driver; 3.57 has what the KFD interface 1.17 goes with. */
const DRIVER = { name: 'amdgpu', date: '20150101', desc: 'AMD GPU', major: 3, minor: 57, patch: 0 } as const;

const drmVersion = defineStruct('drm_version', 64, {
  version_major: { offset: 0, type: 'i32' },
  version_minor: { offset: 4, type: 'i32' },
  version_patchlevel: { offset: 8, type: 'i32' },
  name_len: { offset: 16, type: 'u64' },
  name: { offset: 24, type: 'u64' },
  date_len: { offset: 32, type: 'u64' },
  date: { offset: 40, type: 'u64' },
  desc_len: { offset: 48, type: 'u64' },
  desc: { offset: 56, type: 'u64' },
});
const drmGetCap = defineStruct('drm_get_cap', 16, {
  capability: { offset: 0, type: 'u64' },
  value: { offset: 8, type: 'u64' },
});
const drmGemClose = defineStruct('drm_gem_close', 8, { handle: { offset: 0, type: 'u32' } });
const drmPrimeHandle = defineStruct('drm_prime_handle', 12, {
  handle: { offset: 0, type: 'u32' },
  flags: { offset: 4, type: 'u32' },
  fd: { offset: 8, type: 'i32' },
});

/** drm.h DRM_CAP_PRIME (import and export), DRM_CAP_TIMESTAMP_MONOTONIC, DRM_CAP_SYNCOBJ, DRM_CAP_SYNCOBJ_TIMELINE. */
const CAPABILITIES: ReadonlyMap<bigint, bigint> = new Map([
  [0x5n, 3n],
  [0x6n, 1n],
  [0x13n, 0n],
  [0x14n, 0n],
]);

/** Strings are cut at the caller's length and not terminated; the lengths that come back are the whole ones (drm_copy_field). */
export const getVersion: DrmIoctl = defineDrmIoctl(drmVersion, 'WR', ({ process, args, put }) => {
  put({ version_major: DRIVER.major, version_minor: DRIVER.minor, version_patchlevel: DRIVER.patch });
  const strings = [
    [DRIVER.name, args.name, args.name_len],
    [DRIVER.date, args.date, args.date_len],
    [DRIVER.desc, args.desc, args.desc_len],
  ] as const;
  put({
    name_len: BigInt(DRIVER.name.length),
    date_len: BigInt(DRIVER.date.length),
    desc_len: BigInt(DRIVER.desc.length),
  });
  for (const [text, address, room] of strings) {
    const length = Math.min(text.length, Number(room));
    if (address === 0n || length === 0) continue;
    const bytes = process.resolve(address, length);
    if (bytes === undefined) return -EFAULT;
    bytes.set(new TextEncoder().encode(text.slice(0, length)));
  }
  return 0;
});

export const getCap: DrmIoctl = defineDrmIoctl(drmGetCap, 'WR', ({ args, put }) => {
  const value = CAPABILITIES.get(args.capability);
  if (value === undefined) return -EINVAL;
  put({ value });
  return 0;
});

export const gemClose: DrmIoctl = defineDrmIoctl(drmGemClose, 'W', ({ process, file, args }) => {
  const object = file.handles.get(args.handle);
  if (object === undefined) return -EINVAL;
  file.handles.delete(args.handle);
  process.closeGem(object);
  return 0;
});

export const primeHandleToFd: DrmIoctl = defineDrmIoctl(drmPrimeHandle, 'WR', ({ process, file, args, put }) => {
  const object = file.handles.get(args.handle);
  if (object === undefined) return -ENOENT;
  process.retainMemory(object.memory);
  put({ fd: process.files.open({ kind: 'dmabuf', memory: object.memory }) });
  return 0;
});

/** The same memory has one handle in a file. */
export const primeFdToHandle: DrmIoctl = defineDrmIoctl(drmPrimeHandle, 'WR', ({ process, file, args, put }) => {
  if (process.files.get(args.fd) === undefined) return -EBADF;
  const memory = process.files.dmabuf(args.fd)?.memory;
  if (memory === undefined) return -EINVAL;
  const known = [...file.handles].find(([, object]) => object.memory === memory);
  put({ handle: known?.[0] ?? addGemHandle(process, file, memory) });
  return 0;
});
