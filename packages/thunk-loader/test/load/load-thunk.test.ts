import { HsaError } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import type { LibrarySource } from '../../src/load/library-search.js';
import { loadThunk } from '../../src/load/load-thunk.js';
import { FakeDevice } from '../support/fake-device.js';
import { fakeSysfs } from '../support/fake-sysfs.js';

const libraries = (files: readonly string[] = [], env: Readonly<Record<string, string>> = {}): LibrarySource => ({
  env,
  exists: (path) => files.includes(path),
  list: () => ['rocm', 'rocm-6.4.1', 'other'],
});

const noDevice = () => {
  throw new HsaError('ERR_KFD_PERMISSION', { message: '/dev/kfd: EACCES', errno: 13, hint: 'usermod' });
};

const base = { libraries: libraries(), kfd: { sysfs: fakeSysfs({}) } };

describe('loadThunk', () => {
  it('takes the first candidate that comes up and says of the others that they were not tried', async () => {
    const loaded = await loadThunk({ ...base, openDevice: () => new FakeDevice() });
    await using thunk = loaded.thunk;
    expect(thunk.provider).toBe('kfd');
    expect(loaded.candidates.map(({ backend, state }) => [backend, state])).toEqual([
      ['kfd', 'taken'],
      ['libhsakmt', 'not-tried'],
      ['dxg', 'not-tried'],
      ['emulated', 'not-tried'],
    ]);
    expect(loaded.candidates[0]!.reason).toContain('interface 1.17, 1 of 1 GPUs usable');
  });

  it('falls back to the emulated device, keeping each refusal in order', async () => {
    const loaded = await loadThunk({ ...base, openDevice: noDevice, emulated: async () => Promise.resolve(new FakeDevice()) });
    await using thunk = loaded.thunk;
    expect(thunk.version.major).toBe(1);
    expect(loaded.backend).toBe('emulated');
    expect(loaded.candidates.map(({ state }) => state)).toEqual(['refused', 'refused', 'refused', 'taken']);
    expect(loaded.candidates[0]).toMatchObject({ facts: { code: 'ERR_KFD_PERMISSION', errno: 13 }, error: { hint: 'usermod' } });
  });

  it('throws all reasons when none comes up', async () => {
    const error = await loadThunk({ ...base, openDevice: noDevice }).then(
      () => undefined,
      (e: unknown) => e as HsaError,
    );
    expect(error).toMatchObject({ code: 'ERR_THUNK_NOT_FOUND', hint: 'usermod' });
    expect((error!.cause as AggregateError).errors).toHaveLength(4);
    expect(error!.message).toMatch(/kfd: .*EACCES.*libhsakmt: .*dxg: .*emulated: /);
  });

  it('throws the reason itself when one backend was asked for', async () => {
    await expect(loadThunk({ ...base, backend: 'kfd', openDevice: noDevice })).rejects.toMatchObject({
      code: 'ERR_KFD_PERMISSION',
      errno: 13,
    });
  });

  it('refuses a thunk library that is there as not supported, naming it', async () => {
    const path = '/opt/rocm-6.4.1/lib/libhsakmt.so.1';
    const load = loadThunk({ ...base, backend: 'libhsakmt', libraries: libraries([path]) });
    await expect(load).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED', details: { path } });
  });

  it('looks in LD_LIBRARY_PATH, then in the folders of ROCm, then in those of the system', async () => {
    const load = loadThunk({ ...base, backend: 'dxg', libraries: libraries([], { LD_LIBRARY_PATH: '/a:/b' }) });
    const error = await load.catch((e: unknown) => e as HsaError);
    const tried = (error as HsaError).details['tried'] as string[];
    expect(tried.slice(0, 5)).toEqual([
      '/a/librocdxg.so.1',
      '/a/librocdxg.so',
      '/b/librocdxg.so.1',
      '/b/librocdxg.so',
      '/opt/rocm/lib/librocdxg.so.1',
    ]);
    expect(tried).toContain('/usr/lib/x86_64-linux-gnu/librocdxg.so');
    expect(error).toMatchObject({ details: { deviceState: 'ENOENT' } });
  });

  it('does not hide a bug behind the next candidate', async () => {
    const broken = () => {
      throw new TypeError('bug');
    };
    await expect(loadThunk({ ...base, openDevice: broken })).rejects.toThrow(TypeError);
  });
});
