import { parseCodeObject } from '@doorbell/code-object';
import { describe, expect, it } from 'vitest';
import { fixture } from '../support.js';
import { clangObject, findingsOf, kernelObject } from './objects.js';

const layoutOf = (bytes: Uint8Array, target: string): readonly string[] =>
  findingsOf(bytes, target).flatMap(({ rule, message }) => (rule === 'layout' ? [message] : []));

/** With an entry of its `.symtab`, 24 bytes each (gABI, Elf64_Sym), changed. */
function withSymbol(bytes: Uint8Array, name: string, edit: (view: DataView, at: number) => void): Uint8Array {
  const { elf } = parseCodeObject(bytes);
  const index = elf.symtab.findIndex((symbol) => symbol.name === name);
  const table = elf.sections.find(({ name: section }) => section === '.symtab');
  if (table === undefined || index < 0) throw new Error(`no symbol ${name}`);
  const copy = bytes.slice();
  edit(new DataView(copy.buffer), Number(table.fileOffset) + 24 * index);
  return copy;
}

describe('where code may go', () => {
  // The literal is s_add_f32 s0, s0, s1 of gfx1150 (llvm-mc): jumped over by what is decoded in line, jumped to by the branch.
  const HIDDEN = 's_branch 1\ns_mov_b32 s0, 0xa0000100\ns_nop 0';

  it('is the beginning of an instruction', () => {
    expect(layoutOf(kernelObject('gfx1150', { code: HIDDEN }), 'gfx1151')).toEqual([
      'a branch goes to where no instruction begins',
    ]);
    expect(layoutOf(kernelObject('gfx1150', { code: HIDDEN.replace('s_branch 1', 's_branch 2') }), 'gfx1151')).toEqual([]);
    expect(layoutOf(kernelObject('gfx1030', { code: 's_cbranch_scc0 65535\ns_cbranch_vccz 0' }), 'gfx1031')).toEqual([]);
  });

  it('is the segment', () => {
    const out = ['a branch leaves the executable segment'];
    expect(layoutOf(kernelObject('gfx1030', { code: 's_branch 20000' }), 'gfx1031')).toEqual(out);
    expect(layoutOf(kernelObject('gfx1030', { code: 's_cbranch_execz 40000' }), 'gfx1031')).toEqual(out);
    expect(layoutOf(kernelObject('gfx1030', { code: 's_call_b64 s[2:3], 20000' }), 'gfx1031')).toEqual(out);
  });

  it('is where functions are, and these lie in executable segments', () => {
    const bytes = clangObject('gfx1030');
    const outside = withSymbol(bytes, 'blur', (view, at) => {
      view.setBigUint64(at + 8, 0n, true);
    });
    expect(layoutOf(bytes, 'gfx1031')).toEqual([]);
    expect(layoutOf(outside, 'gfx1031')).toContain('a function begins outside the executable segments');
  });

  it('is code in a section that calls itself data, too', () => {
    // s_add_f32 s0, s0, s1 behind the kernel, which no symbol covers and only a register could lead to.
    const bytes = kernelObject('gfx1150', { rest: '.long 0xa0000100' });
    const { elf } = parseCodeObject(bytes);
    const index = elf.sections.findIndex(({ name }) => name === '.text');
    const hidden = bytes.slice();
    const view = new DataView(hidden.buffer);
    // sh_flags without SHF_EXECINSTR (gABI, Elf64_Shdr)
    view.setBigUint64(Number(view.getBigUint64(40, true)) + 64 * index + 8, 2n, true);
    const message = 'bytes outside every function are no padding';
    expect(layoutOf(bytes, 'gfx1151')).toEqual([message]);
    expect(layoutOf(hidden, 'gfx1151')).toEqual([message]);
  });

  it('is not changed when it is loaded', () => {
    const bytes = fixture('calls-gfx1100.hsaco');
    const { elf } = parseCodeObject(bytes);
    const table = elf.sections.find(({ type, info }) => type === 4 && info === 0);
    const text = elf.sections.find(({ name }) => name === '.text');
    if (table === undefined || text === undefined) throw new Error('the fixture has no relocations');
    const patched = bytes.slice();
    new DataView(patched.buffer).setBigUint64(Number(table.fileOffset), text.vaddr + 8n, true);
    expect(layoutOf(bytes, 'gfx1101')).toEqual([]);
    expect(layoutOf(patched, 'gfx1101')).toEqual(['a relocation changes code when it is loaded']);
  });
});

describe('a header', () => {
  it('with bits that no target has is not moved', () => {
    const bytes = clangObject('gfx1030').slice();
    new DataView(bytes.buffer).setUint32(48, 0x4036, true);
    expect(findingsOf(bytes, 'gfx1031')).toMatchObject([{ rule: 'version', severity: 'doubt' }]);
  });
});
