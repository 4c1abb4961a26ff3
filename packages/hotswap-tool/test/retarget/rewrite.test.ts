import { applyLoad, parseCodeObject, planLoad } from '@doorbell/code-object';
import { describe, expect, it } from 'vitest';
import { planRewrite, rewrite, verifyRewrite } from '../../src/index.js';
import { clangObject, kernelObject, rulesOf } from './objects.js';

function rewritten(bytes: Uint8Array, target: string): Uint8Array {
  const result = rewrite(bytes, { target });
  if (result.status !== 'rewritten') throw new Error(`${result.status}: ${JSON.stringify(result.report.findings)}`);
  return result.bytes;
}

/** The target that clang's object has in its file name, and another member for which clang makes the same code. */
describe('a retarget within a family', () => {
  it.each([
    ['gfx1030', 'gfx1036'],
    ['gfx1036', 'gfx1030'],
  ])('of %s to %s is what clang makes for the other, byte for byte', (source, target) => {
    expect(rewritten(clangObject(source), target)).toEqual(clangObject(target));
  });

  // clang pads the SGPRs of gfx1100 and waits for transcendental results there.
  it.each([
    ['gfx1100', 'gfx1101'],
    ['gfx1100', 'gfx1150'],
    ['gfx11-generic', 'gfx1103'],
    ['gfx1030', 'gfx10-3-generic'],
    ['gfx1100', 'gfx11-generic'],
  ])('of %s to %s keeps code, descriptors and addresses', (source, target) => {
    const original = clangObject(source);
    const bytes = rewritten(original, target);
    expect(verifyRewrite(original, bytes)).toMatchObject({ ok: true, problems: [] });
    const [before, after] = [original, bytes].map((file) => {
      const plan = planLoad(parseCodeObject(file));
      const image = new Uint8Array(plan.imageBytes);
      applyLoad(plan, image, 0n);
      return { image: Buffer.from(image), kernels: plan.kernels.map(({ entryOffset }) => entryOffset) };
    });
    expect(after?.kernels).toEqual(before?.kernels);
    // The image holds the ELF header, and the note where it did not have to grow.
    const firstDifference = before?.image.findIndex((byte, i) => i >= 64 && byte !== after?.image[i]);
    const { descriptorVaddr = 0n } = parseCodeObject(original).kernels[0] ?? {};
    expect(after?.image.subarray(Number(descriptorVaddr))).toEqual(before?.image.subarray(Number(descriptorVaddr)));
    expect(firstDifference).toBeLessThan(Number(descriptorVaddr));
    expect(parseCodeObject(bytes).target.processor).toBe(target);
    expect(parseCodeObject(bytes).metadata?.target).toBe(`amdgcn-amd-amdhsa--${target}`);
  });

  it('back and forth gives the original', () => {
    const original = clangObject('gfx1030');
    expect(rewritten(rewritten(original, 'gfx1034'), 'gfx1030')).toEqual(original);
  });

  it('leaves the input alone, and declares every byte that differs', () => {
    const original = clangObject('gfx1100');
    const copy = original.slice();
    const result = rewrite(original, { target: 'gfx11-generic' });
    expect(original).toEqual(copy);
    if (result.status !== 'rewritten') throw new Error(result.status);
    const undeclared = result.bytes.findIndex(
      (byte, at) => byte !== original[at] && !result.ranges.some(({ offset, length }) => offset <= at && at < offset + length),
    );
    expect(undeclared).toBe(-1);
    expect(result.ranges.map(({ what }) => what)).toEqual([
      'e_flags',
      'PT_NOTE program header',
      '.note section header',
      ...(original.length % 16 === 0 ? [] : ['padding']),
      'amdhsa.target',
    ]);
  });

  it('takes ISA names, and a source that the caller names', () => {
    const bytes = clangObject('gfx1030');
    const result = rewrite(bytes, { source: 'amdgcn-amd-amdhsa--gfx1031', target: 'amdgcn-amd-amdhsa--gfx1032' });
    expect(result.report).toMatchObject({ status: 'rewritten', relation: 'family' });
    expect(result.report.source.target.processor).toBe('gfx1031');
    expect(result.report.findings.map(({ rule, severity }) => `${rule} ${severity}`)).toContain('pair info');
  });

  it('to what the code object is made for changes nothing', () => {
    expect(rewrite(clangObject('gfx1030'), { target: 'gfx1030' })).toMatchObject({ status: 'unchanged', ranges: [] });
  });

  it('raises typed errors for names that are none', () => {
    expect(() => planRewrite(clangObject('gfx1030'), { target: 'gfx1' })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    );
  });

  it('reports what it counted and changes', () => {
    const report = planRewrite(clangObject('gfx1030'), { target: 'gfx1031' });
    expect(report.changes).toEqual([
      { field: 'e_flags', before: '0x36', after: '0x37' },
      { field: 'amdhsa.target', before: 'amdgcn-amd-amdhsa--gfx1030', after: 'amdgcn-amd-amdhsa--gfx1031' },
    ]);
    const text = parseCodeObject(clangObject('gfx1030')).elf.sections.find(({ name }) => name === '.text');
    expect(report.code.codeBytes + report.code.paddingBytes).toBe(Number(text?.sizeBytes));
    expect(report.kernels.length).toBeGreaterThan(0);
  });
});

describe('a pair of targets', () => {
  // LLVM's families, and what belongs to none or to another instruction set.
  it.each([
    ['gfx1030', 'gfx1100', 'pair blocker'],
    ['gfx1030', 'gfx1010', 'pair blocker'],
    ['gfx942', 'gfx950', 'pair blocker'],
    ['gfx1250', 'gfx1250-strict', 'pair blocker'],
    ['gfx1250', 'gfx1251', 'pair doubt'],
    ['gfx1250', 'gfx12-5-generic', 'pair doubt'],
    ['gfx1250', 'gfx1250:gfx1250-b0-specific-', 'stepping blocker'],
    // Code that may be replayed assumes less than code that may not (LLVM GCNSubtarget::isXNACKEnabled).
    ['gfx90a:xnack-', 'gfx90a:xnack+', 'feature blocker'],
  ])('%s → %s is refused: %s', (source, target, rule) => {
    const result = rewrite(kernelObject(source), { target });
    expect(result.status).toBe('refused');
    expect(rulesOf(kernelObject(source), target)).toContain(rule);
  });

  it.each([
    ['gfx1200', 'gfx1201', 'family'],
    ['gfx12-5-generic', 'gfx1251', 'from-generic'],
    ['gfx1250', 'gfx1250:gfx1250-b0-specific+', 'same'],
    ['gfx1250:gfx1250-b0-specific-', 'gfx1250:gfx1250-b0-specific-', 'same'],
    ['gfx90a:xnack+', 'gfx90a:xnack-', 'features'],
    ['gfx90a', 'gfx90a:xnack+', 'features'],
    ['gfx900:xnack-', 'gfx906', 'family'],
  ])('%s → %s is not: %s', (source, target, relation) => {
    const made = source.replace(/:gfx1250.*/, '');
    const result = rewrite(kernelObject(made), made === source ? { target } : { source, target });
    expect(result.report).toMatchObject({ relation, findings: [] });
    expect(result.status).not.toBe('refused');
  });

  it('takes settings of features over that the name leaves open', () => {
    const result = rewrite(kernelObject('gfx900:xnack+'), { target: 'gfx902' });
    expect(result.report.target.isaName).toBe('amdgcn-amd-amdhsa--gfx902:xnack+');
  });

  // With SRAMECC, d16 loads write the whole register (LLVM GCNSubtarget::d16PreservesUnusedBits).
  it('lets code with sramecc off run with it on unless it loads halves', () => {
    const target = 'gfx90a:sramecc+';
    expect(rulesOf(kernelObject('gfx90a:sramecc-', { code: 'global_load_dword v0, v[2:3], off' }), target)).toEqual([]);
    expect(rulesOf(kernelObject('gfx90a:sramecc-', { code: 'global_load_short_d16 v0, v[2:3], off' }), target)).toEqual([
      'feature blocker',
    ]);
  });
});
