import { mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KfdDevice } from '@doorbell/abi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKfdDevice } from '../../src/linux/kfd-device.js';
import { loadKoffi } from '../../src/linux/libc.js';
import { createLinuxSysfs } from '../../src/linux/sysfs.js';

const isLinux = process.platform === 'linux';
const ENOTTY = 25;
const EINVAL = 22;
const EBADF = 9;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'doorbell-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

// A plain file stands in for the device node: it opens, maps and refuses ioctls, which is all the system calls under test need.
describe.skipIf(!isLinux)('openKfdDevice (needs Linux)', () => {
  let device: KfdDevice;
  beforeAll(() => {
    const path = join(folder, 'node');
    writeFileSync(path, Buffer.alloc(65_536, 7));
    device = openKfdDevice({ path });
  });

  it('gives errno of an ioctl, also of one on another thread', async () => {
    expect(device.ioctl(0x80084b01, new Uint8Array(8))).toBe(-ENOTTY);
    expect(await device.waitIoctl(0xc0184b0c, new Uint8Array(24))).toBe(-ENOTTY);
  });

  it('maps a file into a reserved range, unmaps to reserved again, releases', () => {
    const address = device.reserve({ sizeBytes: 8192, alignBytes: 1 << 21, heap: 'vram' }) as bigint;
    expect(address % (1n << 21n)).toBe(0n);
    const mapping = device.mmap({
      file: 'kfd',
      offset: 4096n,
      sizeBytes: 8192,
      address,
      protection: { read: true, write: true },
    });
    if (typeof mapping === 'number') throw new Error(`mmap: ${mapping}`);
    expect(mapping.address).toBe(address);
    expect(mapping.bytes[8191]).toBe(7);
    mapping.bytes[0] = 1;
    expect(device.munmap(mapping)).toBe(0);
    expect(device.release(address, 8192)).toBe(0);
    expect(device.release(address, 8192)).toBe(-EINVAL);
  });

  it('maps nothing outside a reserved range, and no descriptor that it did not open', () => {
    const protection = { read: true, write: true };
    expect(device.mmap({ file: 'kfd', offset: 0n, sizeBytes: 4096, address: 0x1000n, protection })).toBe(-EINVAL);
    expect(device.mmap({ file: 1, offset: 0n, sizeBytes: 4096, protection })).toBe(-EBADF);
  });

  it('gives zeroed memory of the process, where the system likes or in a reserved range', () => {
    const anywhere = device.mapAnonymous({ sizeBytes: 8192 });
    if (typeof anywhere === 'number') throw new Error(`mmap: ${anywhere}`);
    expect(anywhere.bytes.every((byte) => byte === 0)).toBe(true);
    anywhere.bytes.fill(1);
    expect(device.munmap(anywhere)).toBe(0);
    const address = device.reserve({ sizeBytes: 8192, alignBytes: 4096, heap: 'system' }) as bigint;
    expect(device.mapAnonymous({ sizeBytes: 4096, address })).toMatchObject({ address, sizeBytes: 4096 });
    expect(device.mapAnonymous({ sizeBytes: 4096, address: 0x1000n })).toBe(-EINVAL);
    expect(device.release(address, 8192)).toBe(0);
  });

  it('maps a dma-buf by its descriptor, and closes it; its own files stay open', () => {
    const fd = openSync(join(folder, 'node'), 'r+');
    const mapping = device.mmap({
      file: { dmabuf: fd },
      offset: 0n,
      sizeBytes: 4096,
      protection: { read: true, write: true },
    });
    if (typeof mapping === 'number') throw new Error(`mmap: ${mapping}`);
    expect(mapping.bytes[9]).toBe(7);
    expect(device.munmap(mapping)).toBe(0);
    expect(device.closeFile(fd)).toBe(0);
    expect(device.closeFile(fd)).toBe(-EBADF);
    expect(device.drmIoctl(fd, 0xc0406400, new Uint8Array(64))).toBe(-EBADF);
    expect(device.ioctl(0x80084b01, new Uint8Array(8))).toBe(-ENOTTY);
  });

  it('rings with one 64-bit store at the given place', () => {
    const page = device.mapDoorbells({ offset: 0n, sizeBytes: 8192 });
    if (typeof page === 'number') throw new Error(`mmap: ${page}`);
    const words = new BigUint64Array(page.bytes.buffer, page.bytes.byteOffset, 1024);
    const before = words[3];
    for (const value of [0, 1, 0xffff_ffff, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      page.ring(16, value);
      expect(words[2]).toBe(BigInt(value));
    }
    expect(words[3]).toBe(before);
    for (const bad of [-8, 4, 8192]) expect(() => page.ring(bad, 0)).toThrow(/no doorbell/);
    expect(device.munmap(page)).toBe(0);
  });

  it('gives buffers that the kernel can be pointed at', () => {
    using buffer = device.hostBuffer(48);
    expect(buffer.address).toBeGreaterThan(4096n);
    expect([...buffer.bytes]).toEqual(Array(48).fill(0));
  });

  it('opens a path once in a process', () => {
    expect(openKfdDevice({ path: device.path })).toBe(device);
  });

  it('refuses render minors that are none', () => {
    expect(device.openRenderNode(3)).toBe(-EINVAL);
  });

  it('says that the node is missing', () => {
    expect(() => openKfdDevice({ path: join(folder, 'nothing') })).toThrow(
      expect.objectContaining({ code: 'ERR_KFD_MISSING', errno: 2 }),
    );
  });
});

describe('loadKoffi', () => {
  it('says what to do when the native module was bundled away', () => {
    const load = () =>
      loadKoffi(() => {
        throw new Error('Cannot find the native Koffi module; did you bundle it correctly?');
      });
    expect(load).toThrow(
      expect.objectContaining({ code: 'ERR_NATIVE_MODULE', hint: expect.stringContaining('external') as string }),
    );
  });
});

describe.skipIf(!isLinux)('createLinuxSysfs (needs Linux)', () => {
  const sysfs = createLinuxSysfs();

  it('reads files, folders, links and stats', () => {
    const root = join(folder, 'tree');
    mkdirSync(join(root, '10'), { recursive: true });
    mkdirSync(join(root, '9'));
    writeFileSync(join(root, 'id'), '42\n', { mode: 0o640 });
    symlinkSync('id', join(root, 'link'));
    expect(sysfs.readText(join(root, 'id'))).toEqual({ ok: true, value: '42\n' });
    expect(sysfs.list(root)).toEqual({ ok: true, value: ['9', '10', 'id', 'link'] });
    expect(sysfs.readLink(join(root, 'link'))).toEqual({ ok: true, value: join(root, 'id') });
    expect(sysfs.stat(join(root, 'id'))).toMatchObject({ ok: true, value: { kind: 'file', mode: 0o640 } });
    expect(sysfs.stat('/dev/null')).toMatchObject({ ok: true, value: { kind: 'character-device' } });
  });

  it('answers with the errno name', () => {
    const gone = { ok: false, errno: 'ENOENT' };
    expect(sysfs.readText('/sys/nothing')).toEqual(gone);
    expect(sysfs.list('/sys/nothing')).toEqual(gone);
    expect(sysfs.readLink('/dev/null')).toEqual({ ok: false, errno: 'EINVAL' });
    expect(sysfs.readText('/sys')).toEqual({ ok: false, errno: 'EISDIR' });
  });
});
