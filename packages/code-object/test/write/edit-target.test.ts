import { describe, expect, it } from 'vitest';
import { editCodeObjectTarget, parseCodeObject, parseTargetId, type EditedElf } from '../../src/index.js';
import { fixture } from '../support/fixtures.js';

/** EF_AMDGPU_MACH values and EI_ABIVERSION of version 6 (LLVM ELF.h). */
const GFX1101 = 0x46;
const GFX11_GENERIC = 0x0100_0054;
const ABI_VERSION_6 = 4;

function edit(bytes: Uint8Array, target: string, flags: number, abiVersion: number): EditedElf {
  return editCodeObjectTarget(parseCodeObject(bytes), { target: parseTargetId(target), flags, abiVersion });
}

/** Offsets of bytes that differ, or that only the second has. */
function differences(before: Uint8Array, after: Uint8Array): number[] {
  return Array.from(after, (byte, at) => (byte === before[at] ? -1 : at)).filter((at) => at >= 0);
}

describe('a code object with another target', () => {
  const original = fixture('gfx1100-v5.hsaco');

  it('changes e_flags and one digit where the name is as long', () => {
    const { bytes, ranges } = edit(original, 'gfx1101', GFX1101, 3);
    expect(parseCodeObject(bytes)).toMatchObject({
      target: { processor: 'gfx1101' },
      metadata: { target: 'amdgcn-amd-amdhsa--gfx1101' },
    });
    expect(differences(original, bytes)).toHaveLength(2);
    expect(ranges.map(({ what }) => what)).toEqual(['e_flags', 'amdhsa.target']);
    expect(bytes.length).toBe(original.length);
  });

  it('has its notes at the end where the name is longer, and everything else where it was', () => {
    const { bytes, ranges } = edit(original, 'gfx11-generic', GFX11_GENERIC, ABI_VERSION_6);
    const [before, after] = [parseCodeObject(original), parseCodeObject(bytes)];
    expect(after.target).toMatchObject({ processor: 'gfx11-generic', genericVersion: 1 });
    expect(after.metadata).toEqual({ ...before.metadata, target: 'amdgcn-amd-amdhsa--gfx11-generic' });
    expect(after.elf.programHeaders.length).toBe(before.elf.programHeaders.length);
    const note = after.elf.sections.find(({ name }) => name === '.note');
    // Not in memory: no SHF_ALLOC, no address.
    expect(note).toMatchObject({ flags: 0n, vaddr: 0n });
    expect(Number(note?.fileOffset)).toBeGreaterThanOrEqual(original.length);
    const others = (elf: typeof after.elf): unknown[] => elf.sections.filter(({ name }) => name !== '.note');
    expect(others(after.elf)).toEqual(others(before.elf));
    const declared = (at: number): boolean => ranges.some(({ offset, length }) => offset <= at && at < offset + length);
    expect(differences(original, bytes).filter((at) => !declared(at))).toEqual([]);
  });

  it('needs no section headers', () => {
    const stripped = original.slice();
    const view = new DataView(stripped.buffer);
    view.setBigUint64(40, 0n, true); // e_shoff
    view.setUint16(60, 0, true); // e_shnum
    view.setUint16(62, 0, true); // e_shstrndx
    const { bytes } = edit(stripped, 'gfx11-generic', GFX11_GENERIC, ABI_VERSION_6);
    expect(parseCodeObject(bytes).metadata?.target).toBe('amdgcn-amd-amdhsa--gfx11-generic');
  });

  it('is the original again when its name is changed back', () => {
    const { bytes } = edit(edit(original, 'gfx1101', GFX1101, 3).bytes, 'gfx1100', parseCodeObject(original).elf.header.flags, 3);
    expect(bytes).toEqual(original);
  });

  it('keeps metadata of which it does not know every key', () => {
    const { bytes } = edit(fixture('gfx11-generic-v6.hsaco'), 'gfx1100', 0x41, ABI_VERSION_6);
    const description = (file: Uint8Array): string =>
      Buffer.from(parseCodeObject(file).elf.notes[0]?.description ?? new Uint8Array())
        .toString('latin1')
        // The head and the letters of the string.
        .replace('\xd9\x20amdgcn-amd-amdhsa--gfx11-generic', 'T')
        .replace('\xbaamdgcn-amd-amdhsa--gfx1100', 'T');
    expect(description(bytes)).toBe(description(fixture('gfx11-generic-v6.hsaco')));
  });
});
