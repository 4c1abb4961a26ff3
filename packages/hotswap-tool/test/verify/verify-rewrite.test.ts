import { parseCodeObject } from '@doorbell/code-object';
import { describe, expect, it } from 'vitest';
import { rewrite, verifyRewrite } from '../../src/index.js';
import { clangObject, kernelObject } from '../retarget/objects.js';

function rewritten(bytes: Uint8Array, target: string): Uint8Array {
  const result = rewrite(bytes, { target });
  if (result.status !== 'rewritten') throw new Error(result.status);
  return result.bytes;
}

describe('the proof of a rewritten code object', () => {
  const original = clangObject('gfx1030');

  it('holds for what clang makes for the other member', () => {
    expect(verifyRewrite(original, clangObject('gfx1036'))).toMatchObject({ ok: true, problems: [] });
  });

  it('names the places that changed', () => {
    const proof = verifyRewrite(original, rewritten(original, 'gfx1031'));
    expect(proof.ranges.map(({ what }) => what)).toEqual(['e_flags', 'metadata note']);
    expect(proof.code.instructions).toBeGreaterThan(0);
  });

  it('fails for one changed bit of the code, the descriptors, the symbols or the metadata', () => {
    const bytes = rewritten(original, 'gfx1031');
    const { elf, kernels } = parseCodeObject(original);
    const start = (name: string): number => Number(elf.sections.find((section) => section.name === name)?.fileOffset ?? 0n);
    const { descriptorVaddr = 0n } = kernels[0] ?? {};
    // .rodata lies at its address in the file.
    for (const at of [start('.text'), Number(descriptorVaddr) + 48, start('.symtab') + 30, start('.comment')]) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verifyRewrite(original, changed)).toMatchObject({ ok: false });
    }
    // A number of the metadata that no parser of ours keeps: the language version.
    const description = elf.notes[0]?.description ?? new Uint8Array();
    const key = Buffer.from(description).indexOf('.language_version');
    const changed = bytes.slice();
    const at = description.byteOffset - original.byteOffset + key + '.language_version'.length + 1;
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(verifyRewrite(original, changed)).toMatchObject({ ok: false });
  });

  it('fails for what the target cannot run, whoever made it', () => {
    const before = kernelObject('gfx1150', { code: 's_add_f32 s0, s1, s2' });
    const { elf } = parseCodeObject(before);
    const after = before.slice();
    after[48] = 0x46; // EF_AMDGPU_MACH_AMDGCN_GFX1101
    const { description } = elf.notes[0] ?? { description: new Uint8Array() };
    const at = description.byteOffset - before.byteOffset + Buffer.from(description).indexOf('gfx1150') + 'gfx1'.length;
    after.set(Buffer.from('101'), at);
    const { ok, problems } = verifyRewrite(before, after);
    expect([ok, problems]).toEqual([false, ['gfx1101 has no s_add_f32']]);
  });

  it('fails for another layout of the hidden arguments, and for bits of e_flags that name no target', () => {
    const changed = (at: number, value: number): Uint8Array => {
      const bytes = rewritten(original, 'gfx1031').slice();
      bytes[at] = value;
      return bytes;
    };
    // EI_ABIVERSION 2 and 3 are code object versions 4 and 5; the original has version 6.
    expect(verifyRewrite(original, changed(8, 2))).toMatchObject({ ok: false });
    expect(verifyRewrite(original, changed(8, 3))).toMatchObject({ ok: true });
    expect(verifyRewrite(original, changed(50, 1))).toMatchObject({ ok: false });
  });

  it('fails for another file', () => {
    expect(verifyRewrite(original, clangObject('gfx1100')).ok).toBe(false);
  });

  it('raises typed errors for what is no code object', () => {
    expect(() => verifyRewrite(original, original.subarray(0, 100))).toThrow(
      expect.objectContaining({ code: 'ERR_CODE_OBJECT' }),
    );
  });
});
