import { describe, expect, it } from 'vitest';
import { findKernel, formatTargetId, parseCodeObject } from '../src/index.js';
import { errorOf, fixture, patched } from './support/fixtures.js';

describe('parseCodeObject', () => {
  // Version and target as the command lines in fixtures.json ask for them.
  it.each([
    ['gfx1100-v4.hsaco', 4, 'gfx1100', 'gfx11', 0],
    ['gfx1100-v5.hsaco', 5, 'gfx1100', 'gfx11', 0],
    ['gfx1100-v6.hsaco', 6, 'gfx1100', 'gfx11', 0],
    ['gfx90a-v4.hsaco', 4, 'gfx90a:sramecc+:xnack-', 'gfx90a', 0],
    ['gfx90a-v5.hsaco', 5, 'gfx90a', 'gfx90a', 0],
    ['gfx942-v5.hsaco', 5, 'gfx942:xnack+', 'gfx90a', 0],
    ['gfx1030-v5.hsaco', 5, 'gfx1030', 'gfx10', 0],
    ['gfx1201-v6.hsaco', 6, 'gfx1201', 'gfx12', 0],
    ['gfx1250-v6.hsaco', 6, 'gfx1250', 'gfx125', 0],
    ['gfx11-generic-v6.hsaco', 6, 'gfx11-generic', 'gfx11', 1],
  ])('reads version and target of %s', (file, version, target, generation, genericVersion) => {
    const codeObject = parseCodeObject(fixture(file));
    expect(codeObject.version).toBe(version);
    expect(formatTargetId(codeObject.target)).toBe(target);
    expect(codeObject.processor.generation).toBe(generation);
    expect(codeObject.target.genericVersion).toBe(genericVersion);
    expect(codeObject.kernels.map((kernel) => kernel.name)).toEqual(['many_args', 'unpack_hidden', 'static_lds', 'plain']);
  });

  it('gives what kernels.cl says of a kernel', () => {
    const kernel = findKernel(parseCodeObject(fixture('gfx1100-v5.hsaco')), 'static_lds');
    expect(kernel).toMatchObject({
      symbol: 'static_lds.kd',
      groupBytes: 640 * 4,
      privateBytes: 0,
      kernargBytes: 8,
      kernargAlign: 16,
      waveSize: 32,
      language: 'OpenCL C',
      maxFlatWorkgroupSize: 128,
      usesDynamicStack: false,
    });
    expect(kernel.metadata?.requiredWorkgroup).toEqual([64, 2, 1]);
    expect(kernel.metadata?.languageVersion).toEqual([2, 0]);
    expect(kernel.descriptor.workitemIdDims).toBe(2);
  });

  it('takes a code object without symbol table through its dynamic symbols', () => {
    const bytes = fixture('gfx1100-v5.hsaco');
    const kernels = parseCodeObject(bytes).kernels;
    expect(
      parseCodeObject(patched(patched(bytes, 40, 8, 0), 60, 4, 0))
        .kernels.map((kernel) => kernel.name)
        .sort(),
    ).toEqual(kernels.map((kernel) => kernel.name).sort());
  });

  it('refuses an unlinked object with the command line that links it', () => {
    expect(errorOf(() => parseCodeObject(fixture('unlinked.o')))).toMatchObject({
      code: 'ERR_CODE_OBJECT_RELOCATABLE',
      hsaStatus: 0x1010,
      hint: expect.stringContaining('ld.lld -shared in.o -o out.hsaco') as string,
    });
  });

  const bytes = fixture('gfx1100-v5.hsaco');

  it.each([
    [0, 2],
    [1, 3],
    [5, 7],
  ])('refuses EI_ABIVERSION %i (version %i)', (abiVersion, version) => {
    expect(errorOf(() => parseCodeObject(patched(bytes, 8, 1, abiVersion)))).toMatchObject({
      code: 'ERR_CODE_OBJECT_VERSION',
      details: { version },
    });
  });

  it.each([
    ['another machine', patched(bytes, 18, 2, 62), 'ERR_CODE_OBJECT', /e_machine is 62/],
    ['another operating system', patched(bytes, 7, 1, 65), 'ERR_CODE_OBJECT', /EI_OSABI is 65/],
    ['an unknown processor', patched(bytes, 48, 1, 0x27), 'ERR_CODE_OBJECT', /0x27/],
    [
      'a header that contradicts the metadata',
      patched(bytes, 48, 1, 0x46),
      'ERR_CODE_OBJECT',
      /header says gfx1101, the metadata says gfx1100/,
    ],
  ])('refuses %s', (_, input, code, message) => {
    expect(errorOf(() => parseCodeObject(input))).toMatchObject({ code, message: expect.stringMatching(message) as string });
  });

  it('refuses a kernel whose entry is not in code', () => {
    const codeObject = parseCodeObject(bytes);
    const kernel = findKernel(codeObject, 'plain');
    // .rodata is mapped where it lies in the file: descriptor field 16 is the entry offset.
    const away = patched(bytes, Number(kernel.descriptorVaddr) + 16, 8, 0x10_0000n - kernel.descriptorVaddr);
    expect(errorOf(() => parseCodeObject(away))).toMatchObject({
      code: 'ERR_CODE_OBJECT',
      message: expect.stringContaining('plain.kd: entry address 0x100000 lies in no executable segment') as string,
    });
  });
});

describe('findKernel', () => {
  const codeObject = parseCodeObject(fixture('gfx1100-v5.hsaco'));

  it('takes the name with and without .kd', () => {
    expect(findKernel(codeObject, 'plain.kd')).toBe(findKernel(codeObject, 'plain'));
  });

  it('lists the kernels there are', () => {
    expect(errorOf(() => findKernel(codeObject, 'vadd'))).toMatchObject({
      code: 'ERR_SYMBOL_NOT_FOUND',
      message: 'the code object has no kernel "vadd"; it has many_args, unpack_hidden, static_lds, plain',
    });
  });
});
