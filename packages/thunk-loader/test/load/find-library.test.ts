import { readFileSync } from 'node:fs';
import type { HsaError } from '@doorbell/abi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSharedLibrary } from '../../src/linux/shared-library.js';
import type { FindLibraryOptions, FoundLibrary } from '../../src/load/find-library.js';
import { findLibrary, notFoundError } from '../../src/load/find-library.js';
import type { LibraryRecipe, TemporaryFolder } from '../support/built-library.js';
import { noCompiler, OLD_FUNCTIONS, temporaryFolder } from '../support/built-library.js';
import type { FakeLibraries } from '../support/fake-libraries.js';
import { fakeLibraries, textBytes } from '../support/fake-libraries.js';

const NAME = 'libhsakmt.so.1';
const OLD: LibraryRecipe = {
  functions: [...OLD_FUNCTIONS.filter((name) => name !== 'hsaKmtPcSamplingSupport')],
  soname: NAME,
  version: 'HSAKMT_1',
};
/** All functions of August 2025, and the variable that came with its layouts. */
const NEW: LibraryRecipe = {
  functions: OLD_FUNCTIONS,
  soname: NAME,
  strings: ['HSA_MODEL_TOPOLOGY', 'HSA_OVERRIDE_GFX_VERSION_%d'],
};

describe.skipIf(noCompiler !== '')(`findLibrary${noCompiler && ` (${noCompiler})`}`, () => {
  let folder: TemporaryFolder;
  const built = new Map<LibraryRecipe, Uint8Array>();
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => {
    folder[Symbol.dispose]();
  });

  const bytesOf = (recipe: LibraryRecipe): Uint8Array => {
    const known = built.get(recipe) ?? readFileSync(folder.build(`${built.size}.so`, recipe));
    built.set(recipe, known);
    return known;
  };

  /** Looks on a made-up machine; loading is made up too, and says what was loaded. */
  const look = (
    machine: FakeLibraries,
    options: Partial<FindLibraryOptions> = {},
  ): FoundLibrary & { readonly loaded: string[] } => {
    const loaded: string[] = [];
    const dlopen: FindLibraryOptions['dlopen'] = (path) => {
      loaded.push(path);
      return { ok: true, library: { path, callWith: () => 0 } };
    };
    const found = findLibrary({ backend: 'libhsakmt', names: [NAME], source: fakeLibraries(machine), dlopen, ...options });
    return { ...found, loaded };
  };

  it('takes a library of ROCm 5.2 to 6.2 as generation A, and tells all of it', () => {
    const files = {
      '/opt/rocm/lib/libhsakmt.so.1': '/opt/rocm/lib/libhsakmt.so.1.0.6',
      '/opt/rocm/lib/libhsakmt.so.1.0.6': bytesOf(OLD),
    };
    const { chosen, loaded } = look({ files: { ...files, '/opt/rocm/.info/version': textBytes('6.1.2-90\n') } });
    expect(loaded).toEqual(['/opt/rocm/lib/libhsakmt.so.1']);
    expect(chosen!.inspected).toMatchObject({
      realPath: '/opt/rocm/lib/libhsakmt.so.1.0.6',
      version: '1.0.6 (ROCm 6.1.2-90)',
      soname: NAME,
      symbolVersions: ['HSAKMT_1'],
      generation: { generation: 'A', evidence: expect.stringContaining('hsaKmtPcSamplingSupport') as string },
      missingMandatory: [],
      missingOptional: ['hsaKmtPcSamplingSupport'],
    });
    expect(chosen!.inspected.drm.missing).toContain('amdgpu_device_initialize');
  });

  it.each([
    ['August 2025', NEW, 'B'],
    ['6.2.4', { ...NEW, strings: [] }, 'A'],
    ['5.2', { ...OLD, functions: [...OLD.functions, 'hsaKmtGetKernelDebugTrapVersionInfo'] }, 'A'],
  ])('tells the layouts of %s', (_release, recipe, generation) => {
    const { chosen } = look({ files: { '/usr/lib/libhsakmt.so.1': bytesOf(recipe) } });
    expect(chosen!.inspected.generation.generation).toBe(generation);
  });

  it.each([
    ['ROCm 6.3', { ...NEW, strings: ['HSA_OVERRIDE_GFX_VERSION_%d'] }, '360 bytes'],
    ['2026', { ...NEW, functions: [...OLD_FUNCTIONS, 'hsaKmtHandleImport'] }, 'hsaKmtHandleImport'],
  ])('refuses layouts that are not known, those of %s, without loading them', (_release, recipe, reason) => {
    const found = look({ files: { '/usr/lib/libhsakmt.so.1': bytesOf(recipe) } });
    expect(found.loaded).toEqual([]);
    expect(notFoundError([NAME], found).message).toContain(reason);
  });

  it('names mandatory functions that are missing, and does not load the library (O23)', () => {
    const lacking = { ...OLD, functions: OLD.functions.filter((name) => !['hsaKmtOpenKFD', 'hsaKmtAllocMemory'].includes(name)) };
    const found = look({ files: { '/usr/lib/libhsakmt.so.1': bytesOf(lacking) } });
    expect(found.loaded).toEqual([]);
    expect(notFoundError([NAME], found)).toMatchObject({
      code: 'ERR_THUNK_SYMBOL',
      message: expect.stringContaining('it lacks hsaKmtOpenKFD, hsaKmtAllocMemory: /usr/lib/libhsakmt.so.1') as string,
      details: { path: '/usr/lib/libhsakmt.so.1', missing: ['hsaKmtOpenKFD', 'hsaKmtAllocMemory'] },
    });
  });

  it('warns of optional functions that are missing (O23)', () => {
    const { warnings } = look({ files: { '/usr/lib/libhsakmt.so.1': bytesOf(OLD) } });
    expect(warnings).toContain('/usr/lib/libhsakmt.so.1 lacks hsaKmtPcSamplingSupport; calling one of them fails');
  });

  it('goes on after a file that cannot be used, and warns of it and of other copies', () => {
    const found = look({
      env: { LD_LIBRARY_PATH: '/text' },
      files: {
        '/text/libhsakmt.so.1': textBytes('no library at all'.repeat(9)),
        '/opt/rocm/lib/libhsakmt.so.1': bytesOf(OLD),
        '/usr/lib/libhsakmt.so.1': bytesOf(NEW),
        '/lib/libhsakmt.so.1': '/usr/lib/libhsakmt.so.1',
      },
    });
    expect(found.loaded).toEqual(['/opt/rocm/lib/libhsakmt.so.1']);
    const warnings = found.warnings.join('\n');
    expect(warnings).toContain('/text/libhsakmt.so.1 was refused: it is not an ELF file');
    expect(warnings.match(/there is another copy/g)).toHaveLength(1);
    expect(warnings).toMatch(/another copy, \/(usr\/)?lib\/libhsakmt.so.1 .*generation B/);
  });

  it('refuses a library of another architecture', () => {
    const found = look({ arch: 'arm64', files: { '/usr/lib/libhsakmt.so.1': bytesOf(OLD) } });
    expect(notFoundError([NAME], found).message).toContain('built for x64, and this process is arm64');
  });

  it('lists every path with its reason in one message (O24)', () => {
    const found = look(
      { env: { LD_LIBRARY_PATH: '/a' }, files: { '/a/librocdxg.so': textBytes('x'.repeat(99)) } },
      { names: ['librocdxg.so.1', 'librocdxg.so'] },
    );
    const { code, message, hint } = notFoundError(['librocdxg.so.1', 'librocdxg.so'], found);
    expect(code).toBe('ERR_THUNK_NOT_FOUND');
    for (const { path } of found.tried) expect(message).toContain(path.slice(0, path.lastIndexOf('/')));
    expect(message).toContain('it is not an ELF file: /a/librocdxg.so');
    expect(message).toContain('/opt/rocm/lib/{librocdxg.so.1,librocdxg.so}');
    expect(hint).toContain('LD_LIBRARY_PATH');
  });

  it("keeps the dynamic loader's words (O24)", () => {
    // A library that needs one that is not there: its own file is sound.
    const needed = folder.build('deps/libneeded.so.3', { functions: ['needed'], soname: 'libneeded.so.3' });
    const path = folder.build('needing/libhsakmt.so.1', {
      ...OLD,
      code: 'int needed(void); int uses(void) { return needed(); }',
      flags: [needed],
    });
    const files = { [path]: readFileSync(path), '/usr/lib/libhsakmt.so.1': path };
    const machine = { env: { LD_LIBRARY_PATH: path.slice(0, path.lastIndexOf('/')) }, files };
    const found = look(machine, { dlopen: openSharedLibrary });
    expect(found.chosen).toBeUndefined();
    expect(found.tried[0]).toMatchObject({
      outcome: 'refused',
      reason: 'libneeded.so.3: cannot open shared object file: No such file or directory',
    });
    expect(found.tried.at(-1)).toMatchObject({
      path: '/usr/lib/libhsakmt.so.1',
      outcome: 'refused',
      reason: `the same file as ${path}`,
    });
    expect(notFoundError([NAME], found).message).toContain(`No such file or directory: ${path}`);
  });

  it('tells DxgAbiCheck the sizes, and refuses a library that refuses them', () => {
    const check = 'int DxgAbiCheck(unsigned short *s) { return s[0] == 16 && s[1] == WANTED && s[2] == 0 ? 0 : 3; }';
    const dxg = (wanted: number): LibraryRecipe => ({
      functions: [...OLD_FUNCTIONS, 'hsaKmtHandleImport'],
      code: check.replace('WANTED', `${wanted}`),
    });
    const lookFor = (name: string, wanted: number): FoundLibrary => {
      const path = folder.build(`${name}/librocdxg.so.1`, dxg(wanted));
      const machine = { env: { LD_LIBRARY_PATH: path.slice(0, path.lastIndexOf('/')) }, files: { [path]: readFileSync(path) } };
      return look(machine, { names: ['librocdxg.so.1'], dlopen: openSharedLibrary });
    };
    const accepted = lookFor('dxg-368', 368);
    expect(accepted.chosen!.inspected.generation).toMatchObject({
      generation: 'B',
      evidence: expect.stringContaining('DxgAbiCheck') as string,
    });
    const refused = lookFor('dxg-396', 396);
    expect(refused.chosen).toBeUndefined();
    expect(refused.tried[0]!.reason).toBe('DxgAbiCheck refuses with status 3 HsaNodeProperties of 368 bytes');
  });

  it('finds what the driver binds of libdrm in the libraries that are loaded with it', () => {
    const drm = folder.build('drm/libdrm_amdgpu.so.1', {
      functions: ['amdgpu_device_initialize', 'amdgpu_bo_free'],
      soname: 'libdrm_amdgpu.so.1',
    });
    const path = folder.build('with-drm/libhsakmt.so.1', {
      ...OLD,
      flags: ['-Wl,--no-as-needed', drm, '-Wl,-rpath,$ORIGIN/../drm'],
    });
    const files = { '/x/lib/libhsakmt.so.1': readFileSync(path), '/x/lib/../drm/libdrm_amdgpu.so.1': readFileSync(drm) };
    const { chosen } = look({ env: { LD_LIBRARY_PATH: '/x/lib' }, files });
    expect(chosen!.inspected.needed).toEqual([{ name: 'libdrm_amdgpu.so.1', path: '/x/lib/../drm/libdrm_amdgpu.so.1' }]);
    expect(chosen!.inspected.drm.bound).toEqual({
      '/x/lib/../drm/libdrm_amdgpu.so.1': ['amdgpu_device_initialize', 'amdgpu_bo_free'],
    });
    expect(chosen!.inspected.drm.missing).toContain('amdgpu_bo_export');
  });

  it('throws typed errors only', () => {
    const error: HsaError = notFoundError([NAME], look({}));
    expect(error.code).toBe('ERR_THUNK_NOT_FOUND');
  });
});
