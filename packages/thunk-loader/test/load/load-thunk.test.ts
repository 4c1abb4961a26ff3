import { readFileSync } from 'node:fs';
import { HsaError } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { loadThunk } from '../../src/load/load-thunk.js';
import type { TraceEvent } from '../../src/trace/trace-event.js';
import { formatTraceStep } from '../../src/trace/trace-event.js';
import { noCompiler, OLD_FUNCTIONS, temporaryFolder } from '../support/built-library.js';
import { FakeDevice } from '../support/fake-device.js';
import { fakeLibraries, textBytes } from '../support/fake-libraries.js';
import { fakeSysfs } from '../support/fake-sysfs.js';

const noDevice = () => {
  throw new HsaError('ERR_KFD_PERMISSION', { message: '/dev/kfd: EACCES', errno: 13, hint: 'usermod' });
};

const base = { libraries: fakeLibraries({}), kfd: { sysfs: fakeSysfs({}) } };

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

  it('does not look for libhsakmt where there is no driver for it to open', async () => {
    const looked: string[] = [];
    const libraries = {
      ...fakeLibraries({}),
      realPath: (path: string) => (looked.push(path), { ok: false, errno: 'ENOENT' } as const),
    };
    const load = loadThunk({ ...base, libraries, backend: 'libhsakmt' });
    await expect(load).rejects.toMatchObject({
      code: 'ERR_KFD_MISSING',
      message: expect.stringContaining('opens /dev/kfd too') as string,
    });
    expect(looked).toEqual([]);
    const sysfs = fakeSysfs({}, { '/dev/kfd': { kind: 'character-device', mode: 0o660, uid: 0, gid: 0 } });
    await expect(loadThunk({ libraries, kfd: { sysfs }, backend: 'libhsakmt' })).rejects.toMatchObject({
      code: 'ERR_THUNK_NOT_FOUND',
    });
    expect(looked).toContain('/opt/rocm/lib/libhsakmt.so.1');
  });

  it('looks for WSL only where its device opens', async () => {
    await expect(loadThunk({ ...base, backend: 'dxg' })).rejects.toMatchObject({
      code: 'ERR_THUNK_NOT_FOUND',
      message: 'this is no WSL: /dev/dxg is not there (ENOENT)',
    });
    const denied = { ...base, backend: 'dxg', libraries: fakeLibraries({ devices: { '/dev/dxg': 'EACCES' } }) } as const;
    await expect(loadThunk(denied)).rejects.toThrow('/dev/dxg is there, but opening it failed with EACCES');
    const off = fakeLibraries({ devices: { '/dev/dxg': 'opens' }, env: { HSA_ENABLE_DXG_DETECTION: '0' } });
    await expect(loadThunk({ ...base, backend: 'dxg', libraries: off })).rejects.toThrow('HSA_ENABLE_DXG_DETECTION=0');
  });

  it("tries in the order of ROCr: WSL's library first where its device opens, the simulator's where it is asked for", async () => {
    const order = async (env: Readonly<Record<string, string>>, devices: Readonly<Record<string, string>>) => {
      const libraries = fakeLibraries({ env, devices });
      const loaded = await loadThunk({
        ...base,
        libraries,
        openDevice: noDevice,
        emulated: async () => Promise.resolve(new FakeDevice()),
      });
      await loaded.thunk[Symbol.asyncDispose]();
      return loaded.candidates.map(({ backend }) => backend);
    };
    expect(await order({}, {})).toEqual(['kfd', 'libhsakmt', 'dxg', 'emulated']);
    expect(await order({}, { '/dev/dxg': 'opens' })).toEqual(['dxg', 'kfd', 'libhsakmt', 'emulated']);
    expect(await order({ HSA_ENABLE_DTIF: '1' }, {})).toEqual(['dtif', 'kfd', 'libhsakmt', 'dxg', 'emulated']);
  });

  it('gives one message with every path where the library of WSL is not found (O24)', async () => {
    const libraries = fakeLibraries({
      devices: { '/dev/dxg': 'opens' },
      env: { LD_LIBRARY_PATH: '/a' },
      files: { '/a/librocdxg.so': textBytes('x'.repeat(99)) },
    });
    const error = await loadThunk({ ...base, libraries, openDevice: noDevice }).catch((e: unknown) => e as HsaError);
    expect((error as HsaError).message).toContain(
      'dxg: librocdxg.so.1 or librocdxg.so is there, but cannot be used: ENOENT: /a/librocdxg.so.1, ',
    );
    expect((error as HsaError).message).toContain('it is not an ELF file: /a/librocdxg.so');
  });

  it.skipIf(noCompiler !== '')(
    `opens a library that was found with what is known of it${noCompiler && ` (${noCompiler})`}`,
    async () => {
      using folder = temporaryFolder();
      const path = folder.build('lib/libhsakmt.so.1', { functions: OLD_FUNCTIONS, soname: 'libhsakmt.so.1' });
      const libraries = fakeLibraries({ env: { LD_LIBRARY_PATH: `${folder.path}/lib` }, files: { [path]: readFileSync(path) } });
      const options = { ...base, libraries, backend: 'libhsakmt', search: 'thorough' } as const;
      const { thunk } = await loadThunk({ ...base, openDevice: () => new FakeDevice() });
      const loaded = await loadThunk({
        ...options,
        openLibrary: async (library) => {
          expect(library).toMatchObject({ path, generation: { generation: 'A' } });
          return Promise.resolve(thunk);
        },
      });
      await loaded.thunk[Symbol.asyncDispose]();
      expect(loaded.candidates[0]).toMatchObject({
        state: 'taken',
        facts: { path },
        library: { path },
        warnings: [expect.stringContaining('ld.so.cache')],
      });
      expect(loaded.candidates[0]!.tried![0]).toMatchObject({ path, outcome: 'usable', origin: 'LD_LIBRARY_PATH' });
    },
  );

  it.skipIf(noCompiler !== '')("refuses AMD's simulator as not supported, naming it", async () => {
    using folder = temporaryFolder();
    const path = folder.build('libdtif.so', { functions: [...OLD_FUNCTIONS, 'DtifCreate', 'DtifDestroy'] });
    const libraries = fakeLibraries({
      env: { LD_LIBRARY_PATH: folder.path, HSA_ENABLE_DTIF: '1' },
      files: { [path]: readFileSync(path) },
    });
    await expect(loadThunk({ ...base, libraries, backend: 'dtif' })).rejects.toMatchObject({
      code: 'ERR_NOT_SUPPORTED',
      details: { path },
    });
  });

  it('does not hide a bug behind the next candidate', async () => {
    const broken = () => {
      throw new TypeError('bug');
    };
    await expect(loadThunk({ ...base, openDevice: broken })).rejects.toThrow(TypeError);
  });

  it('tells every step as it happens, to the end of one that fails', async () => {
    const steps: TraceEvent[] = [];
    const trace = (event: TraceEvent): void => void steps.push(event);
    await expect(loadThunk({ ...base, openDevice: noDevice, trace, search: 'thorough' })).rejects.toThrow('no thunk came up');
    const lines = steps.map(formatTraceStep);
    expect(lines[0]).toBe('candidate kfd');
    expect(lines).toContain('  open /dev/kfd: errno (13)');
    expect(lines).toContain('kfd is refused: /dev/kfd: EACCES');
    expect(lines).toContain('  look at /opt/rocm/lib/libhsakmt.so.1: absent, ENOENT');
    expect(lines.at(-1)).toBe('emulated is refused: no emulated device was handed to the loader');
    expect(steps.every(({ timeMs }, i) => i === 0 || timeMs >= steps[i - 1]!.timeMs)).toBe(true);
  });
});
