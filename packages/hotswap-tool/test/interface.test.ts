/** What the rewriter answers to wrong input: names are those of AMD's tests (comgr's lit tests and `HotswapElfTest`, rocjitsu's library). */
import { isHsaError } from '@doorbell/abi';
import { parseCodeObject } from '@doorbell/code-object';
import { describe, expect, it } from 'vitest';
import { identifyCodeObject, planRewrite, rewrite } from '../src/index.js';
import { rewriteForLoad } from '../src/retarget/rewrite-for-load.js';
import { gfx1250Min } from './fixtures/gfx1250-min.js';
import { fixture } from './support.js';

const GFX1030 = 'amdgcn-amd-amdhsa--gfx1030';
const GFX1031 = 'amdgcn-amd-amdhsa--gfx1031';

/** The code of the error. */
function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return isHsaError(error) ? error.code : String(error);
  }
  return 'no error';
}

/** A code object with a change: offsets are those of the ELF-64 header (gABI, `Elf64_Ehdr`). */
function changed(change: (view: DataView) => void, bytes: Uint8Array = fixture('gfx1030-v5.hsaco')): Uint8Array {
  const copy = bytes.slice();
  change(new DataView(copy.buffer));
  return copy;
}

/** Section headers of a type (gABI, `Elf64_Shdr`). */
function sectionsOf(view: DataView, type: number): readonly number[] {
  const [start, size, count] = [Number(view.getBigUint64(0x28, true)), view.getUint16(0x3a, true), view.getUint16(0x3c, true)];
  return Array.from({ length: count }, (_, index) => start + index * size).filter((at) => view.getUint32(at + 4, true) === type);
}

describe('results and errors', () => {
  it('RetargetRealCodeObject', () => {
    const bytes = fixture('gfx1030-v5.hsaco');
    const outcome = rewriteForLoad(bytes, { source: GFX1030, target: GFX1031 });
    if (outcome.status !== 'rewritten') return expect.unreachable();
    expect(identifyCodeObject(outcome.bytes).isaName).toBe(GFX1031);
    expect(parseCodeObject(outcome.bytes).kernels).toHaveLength(parseCodeObject(bytes).kernels.length);
  });

  it('hotswap-rewrite.c: every wrong argument is an error of its kind', () => {
    const bytes = fixture('gfx1030-v5.hsaco');
    expect(codeOf(() => rewrite(bytes, { target: '' }))).toBe('ERR_INVALID_ARGUMENT');
    expect(codeOf(() => rewrite(bytes, { target: 'amdgcn-amd-amdhsa--gfx' }))).toBe('ERR_INVALID_ARGUMENT');
    expect(codeOf(() => rewrite(bytes, { source: 'nonsense', target: GFX1031 }))).toBe('ERR_INVALID_ARGUMENT');
    expect(codeOf(() => rewrite(new Uint8Array(0), { target: GFX1031 }))).toBe('ERR_CODE_OBJECT');
    expect(codeOf(() => rewrite(bytes.slice(0, 100), { target: GFX1031 }))).toBe('ERR_CODE_OBJECT');
    // A pair that nothing moves code between.
    expect(rewrite(fixture('gfx942-v5.hsaco'), { target: 'gfx950' }).status).toBe('refused');
  });

  it('hotswap-rewrite-e2e.hip: code for the same processor stays as it is', () => {
    const bytes = gfx1250Min();
    const result = rewrite(bytes, { target: 'amdgcn-amd-amdhsa--gfx1250' });
    expect(result).toMatchObject({ status: 'unchanged', report: { changes: [] } });
    expect(bytes).toEqual(gfx1250Min());
    expect(parseCodeObject(bytes).elf.sections.map(({ name }) => name)).toContain('.text');
  });

  it('RejectsInvalidArgumentsAndClearsOutputs: a refusal has no bytes', () => {
    const refused = rewrite(gfx1250Min(), { target: 'amdgcn-amd-amdhsa--gfx1250:gfx1250-b0-specific-' });
    expect(refused.status).toBe('refused');
    expect(refused).not.toHaveProperty('bytes');
    const outcome = rewriteForLoad(Uint8Array.of(1, 2, 3), { source: GFX1030, target: GFX1031 });
    expect(outcome).toEqual({ status: 'refused', reason: expect.any(String) as string });
  });

  it('get-data-isa-name: linked and unlinked objects', () => {
    expect(identifyCodeObject(gfx1250Min()).isaName).toBe('amdgcn-amd-amdhsa--gfx1250');
    expect(identifyCodeObject(fixture('unlinked.o')).isaName).toBe('amdgcn-amd-amdhsa--gfx1100');
  });
});

describe('ELF', () => {
  it('RejectsTruncatedInput', () => {
    const bytes = fixture('gfx1030-v5.hsaco');
    for (const size of [0, 3, 63, 64, 200, 1000, bytes.length - 1])
      expect(
        codeOf(() => planRewrite(bytes.subarray(0, size), { target: GFX1031 })),
        `${size} bytes`,
      ).toMatch(/^ERR_(CODE_OBJECT|METADATA)/);
  });

  it('RejectsNonElfInput', () => {
    expect(codeOf(() => planRewrite(new TextEncoder().encode('#!/bin/sh\n'.repeat(20)), { target: GFX1031 }))).toBe(
      'ERR_CODE_OBJECT',
    );
  });

  it('ReadsLdsSizeFromKernelDescriptor', () => {
    const bytes = fixture('gfx1030-v5.hsaco');
    // kernels.cl: `static_lds` has 640 words.
    const sizeOf = (file: Uint8Array): number | undefined =>
      planRewrite(file, { target: GFX1031 }).kernels.find(({ name }) => name === 'static_lds')?.ldsBytes;
    expect(sizeOf(bytes)).toBe(640 * 4);
  });

  it('ReturnsNulloptWhenKdMissing: a kernel without a descriptor is an error', () => {
    // The symbols of descriptors end with .kd: another name, and none is left.
    const bytes = fixture('gfx1030-v5.hsaco');
    const text = Buffer.from(bytes).toString('latin1').replaceAll('static_lds.kd', 'static_lds.kx');
    expect(codeOf(() => planRewrite(new Uint8Array(Buffer.from(text, 'latin1')), { target: GFX1031 }))).toMatch(
      /^ERR_(CODE_OBJECT|METADATA)/,
    );
  });

  it('KernelDescriptorsSkipsKdWhenFileOffsetOverflows: a descriptor outside the file is an error', () => {
    const bytes = fixture('gfx1030-v5.hsaco');
    const symbol = parseCodeObject(bytes).symbols.find(({ name }) => name === 'static_lds.kd')!;
    const far = changed((view) => {
      // Both symbol tables; entries are 24 bytes with the value at 8 (gABI, `Elf64_Sym`).
      for (const section of [...sectionsOf(view, 2), ...sectionsOf(view, 11)]) {
        const [start, size] = [Number(view.getBigUint64(section + 0x18, true)), Number(view.getBigUint64(section + 0x20, true))];
        for (let at = start; at < start + size; at += 24)
          if (view.getBigUint64(at + 8, true) === symbol.value) view.setBigUint64(at + 8, 0xffff_ffff_ffff_ff00n, true);
      }
    });
    expect(codeOf(() => planRewrite(far, { target: GFX1031 }))).toMatch(/^ERR_(CODE_OBJECT|METADATA)/);
  });
});
