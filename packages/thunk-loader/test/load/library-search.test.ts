import { describe, expect, it } from 'vitest';
import { placesOf } from '../../src/load/library-search.js';
import { fakeLibraries, textBytes } from '../support/fake-libraries.js';

const EMPTY = new Uint8Array();
const NAMES = ['libhsakmt.so.1'];

describe('placesOf', () => {
  it('goes from what the user named to what the dynamic loader takes', () => {
    const source = fakeLibraries({
      env: { LD_LIBRARY_PATH: '/a:/b;relative:', ROCM_PATH: '/r', HIP_PATH: '/h', VIRTUAL_ENV: '/venv', CONDA_PREFIX: '/conda' },
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
