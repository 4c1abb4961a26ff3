import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../../src/load/library-search.js';
import { fakeLibraries, textBytes } from '../support/fake-libraries.js';

const EMPTY = new Uint8Array();
const NAMES = ['libhsakmt.so.1'];

describe('placesOf', () => {
  it('goes from what the user named to what the dynamic loader takes', () => {
    const source = fakeLibraries({
      env: { LD_LIBRARY_PATH: '/a:/b', ROCM_PATH: '/r', HIP_PATH: '/h', VIRTUAL_ENV: '/venv', CONDA_PREFIX: '/conda' },
      files: {
        '/venv/lib/python3.11/site-packages/x': EMPTY,
        '/opt/rocm/core-7.14/x': EMPTY,
        '/opt/rocm-6.4.1/x': EMPTY,
        '/opt/rocm-6.10.0/x': EMPTY,
        '/opt/other/x': EMPTY,
      },
    });
    const { places } = placesOf(source, NAMES, '/given/libhsakmt.so.1');
    const folders = places.map(({ path, origin }) => `${origin} ${path.slice(0, path.lastIndexOf('/'))}`);
    expect(folders).toEqual([
      'given /given',
      'LD_LIBRARY_PATH /a',
      'LD_LIBRARY_PATH /b',
      'ROCM_PATH /r/lib',
      'HIP_PATH /h/lib',
      'python /venv/lib/python3.11/site-packages/_rocm_sdk_core/lib',
      'conda /conda/lib',
      'rocm /opt/rocm/lib',
      'rocm /opt/rocm/lib64',
      'rocm /opt/rocm/core-7.14/lib',
      'rocm /opt/rocm/core-7.14/lib64',
      'rocm /opt/rocm-6.10.0/lib',
      'rocm /opt/rocm-6.10.0/lib64',
      'rocm /opt/rocm-6.4.1/lib',
      'rocm /opt/rocm-6.4.1/lib64',
      'system /lib/x86_64-linux-gnu',
      'system /usr/lib/x86_64-linux-gnu',
      'system /lib64',
      'system /usr/lib64',
      'system /lib',
      'system /usr/lib',
    ]);
  });

  it('takes relative and empty entries of LD_LIBRARY_PATH from the working directory, as ld.so(8) has it, and says so', () => {
    const env = { LD_LIBRARY_PATH: 'own/lib:/b;:${LIB}/x', ROCM_PATH: 'rocm' };
    const { places, notes } = placesOf(fakeLibraries({ env, cwd: '/home/me' }), NAMES);
    expect(places.slice(0, 4).map(({ path }) => path)).toEqual([
      '/home/me/own/lib/libhsakmt.so.1',
      '/b/libhsakmt.so.1',
      '/home/me/libhsakmt.so.1',
      '/home/me/rocm/lib/libhsakmt.so.1',
    ]);
    expect(notes.slice(1)).toEqual([
      expect.stringMatching(/LD_LIBRARY_PATH has the relative entry own\/lib: .* is \/home\/me\/own\/lib now/),
      expect.stringMatching(/LD_LIBRARY_PATH has an empty entry: .* is \/home\/me now/),
      expect.stringContaining('LD_LIBRARY_PATH has ${LIB}/x, which only the dynamic loader can expand'),
      expect.stringContaining('ROCM_PATH has the relative entry rocm'),
    ]);
  });

  it("looks where this machine's own loader looks, in its order", ({ skip }) => {
    const LD_LIBRARY_PATH = 'own/lib:/nowhere;;last';
    const env = { LD_LIBRARY_PATH, LD_DEBUG: 'libs' };
    const { stderr } = spawnSync('/bin/true', { cwd: '/usr', env, encoding: 'utf8' });
    const tried = [...stderr.matchAll(/trying file=(.*)\/libc\.so\.6$|trying file=(libc\.so\.6)$/gm)].map(
      ([, folder = '']) => folder,
    );
    skip(tried.length === 0, 'the loader of this machine does not say where it looks');
    // Folders of processors' features below the named ones (`glibc-hwcaps/…`, `tls`, `x86_64`) are the loader's alone.
    const own = tried.filter((folder) => !/(^|\/)(glibc-hwcaps|tls|x86_64|haswell|avx512)/.test(folder));
    const { places } = placesOf(fakeLibraries({ env: { LD_LIBRARY_PATH }, cwd: '/usr' }), ['libc.so.6']);
    const wanted = places.filter(({ origin }) => origin === 'LD_LIBRARY_PATH').map(({ path }) => path);
    expect(wanted).toEqual(
      own
        .slice(0, wanted.length)
        .map((folder) => (folder.startsWith('/') ? folder : `/usr/${folder}`.replace(/\/$/, '')) + '/libc.so.6'),
    );
  });

  it('leaves out entries that depend on a working directory which was removed', () => {
    const { places, notes } = placesOf(fakeLibraries({ env: { LD_LIBRARY_PATH: 'own/lib:' } }), NAMES);
    expect(places[0]!.origin).not.toBe('LD_LIBRARY_PATH');
    expect(notes.at(-1)).toContain('the working directory cannot be told (ENOENT)');
    expect(placesOf(fakeLibraries({ env: { LD_LIBRARY_PATH: '' } }), NAMES).notes).toHaveLength(1);
  });

  it('looks beside the runtime last (O24)', () => {
    const runtime = '/venv/lib/python3.12/site-packages/_rocm_sdk_core/lib/libhsa-runtime64.so.1';
    const beside = fakeLibraries({
      env: { VIRTUAL_ENV: '/venv', LD_LIBRARY_PATH: '/links' },
      files: {
        [runtime]: EMPTY,
        '/links/libhsa-runtime64.so.1': '/somewhere/libhsa-runtime64.so.1',
        '/somewhere/libhsa-runtime64.so.1': EMPTY,
      },
    });
    expect(placesOf(beside, NAMES).places.at(-1)).toEqual({
      path: '/somewhere/libhsakmt.so.1',
      origin: 'runtime',
    });
  });

  it('reads /etc/ld.so.conf and what it includes where the cache is not there', () => {
    const source = fakeLibraries({
      files: {
        '/etc/ld.so.conf': textBytes('include /etc/ld.so.conf.d/*.conf\n# comment\n/opt/own/lib\n'),
        '/etc/ld.so.conf.d/rocm.conf': textBytes('/opt/amdgpu/lib # comment\n'),
        '/etc/ld.so.conf.d/readme.txt': textBytes('/not/this\n'),
        // A file that includes itself ends nevertheless.
        '/etc/ld.so.conf.d/loop.conf': textBytes('include ld.so.conf.d/loop.conf\n'),
      },
    });
    const { places, notes } = placesOf(source, NAMES);
    const configured = places.filter(({ origin }) => origin === 'ld.so.conf').map(({ path }) => path);
    expect(configured).toEqual(['/opt/own/lib/libhsakmt.so.1', '/opt/amdgpu/lib/libhsakmt.so.1']);
    expect(notes).toEqual([expect.stringContaining('/etc/ld.so.cache cannot be read (ENOENT)')]);
  });

  it('says that a damaged cache is damaged', () => {
    const { notes } = placesOf(fakeLibraries({ files: { '/etc/ld.so.cache': textBytes('garbage') } }), NAMES);
    expect(notes).toEqual([expect.stringContaining('no header of a format that is known')]);
  });
});
