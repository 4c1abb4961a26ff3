import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { parseElf } from '../../src/index.js';
import { CODE_OBJECTS, errorOf, fixture, patched } from '../support/fixtures.js';
import { readobj } from '../support/llvm.js';

const missing = skipReason('llvm-readobj-22');

describe.skipIf(missing !== '')(`parseElf agrees with llvm-readobj${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  for (const file of [...CODE_OBJECTS, 'unlinked.o']) {
    it(`on ${file}`, () => {
      const elf = parseElf(fixture(file));
      const expected = readobj(file);
      expect({
        osAbi: elf.header.osAbi,
        abiVersion: elf.header.abiVersion,
        machine: elf.header.machine,
        entry: elf.header.entry,
        flags: elf.header.flags,
      }).toEqual({
        osAbi: expected.ElfHeader.Ident['OS/ABI'].Value,
        abiVersion: expected.ElfHeader.Ident.ABIVersion,
        machine: expected.ElfHeader.Machine.Value,
        entry: BigInt(expected.ElfHeader.Entry),
        flags: expected.ElfHeader.Flags.Value,
      });
      expect(elf.programHeaders).toEqual(
        expected.ProgramHeaders.map(({ ProgramHeader: header }) => ({
          type: header.Type.Value,
          flags: header.Flags.Value,
          fileOffset: BigInt(header.Offset),
          vaddr: BigInt(header.VirtualAddress),
          fileBytes: BigInt(header.FileSize),
          memBytes: BigInt(header.MemSize),
          align: BigInt(header.Alignment),
        })),
      );
      expect(elf.sections).toEqual(
        expected.Sections.map(({ Section: section }) => ({
          name: section.Name.Name,
          type: section.Type.Value,
          flags: BigInt(section.Flags.Value),
          vaddr: BigInt(section.Address),
          fileOffset: BigInt(section.Offset),
          sizeBytes: BigInt(section.Size),
          link: section.Link,
          info: section.Info,
          align: BigInt(section.AddressAlignment),
          entryBytes: BigInt(section.EntrySize),
        })),
      );
      const symbols = (list: typeof expected.Symbols): unknown[] =>
        list.map(({ Symbol: symbol }) => ({
          // Section symbols have no name of their own; llvm-readobj prints the section's.
          name: symbol.Type.Value === 3 ? '' : symbol.Name.Name,
          value: BigInt(symbol.Value),
          sizeBytes: BigInt(symbol.Size),
          binding: symbol.Binding.Value,
          type: symbol.Type.Value,
          sectionIndex: symbol.Section.Value,
        }));
      const ours = (list: typeof elf.symtab): unknown[] => list.map(({ visibility: _, ...symbol }) => symbol);
      expect(ours(elf.symtab)).toEqual(symbols(expected.Symbols));
      expect(ours(elf.dynsym)).toEqual(symbols(expected.DynamicSymbols));
      // An unlinked object's relocations are the linker's: they stay unread.
      const relocations = file.endsWith('.o') ? [] : expected.Relocations.flatMap((section) => section.Relocs);
      expect(
        elf.relocations.map((relocation) => ({
          vaddr: relocation.vaddr,
          type: relocation.type,
          name: relocation.symbol?.name ?? '',
          addend: relocation.addend,
        })),
      ).toEqual(
        relocations.map(({ Relocation: relocation }) => ({
          vaddr: BigInt(relocation.Offset),
          type: relocation.Type.Value,
          name: relocation.Symbol.Name === '-' ? '' : relocation.Symbol.Name,
          addend: BigInt(relocation.Addend),
        })),
      );
    });
  }
});

describe('parseElf', () => {
  const bytes = fixture('calls-gfx1100.hsaco');

  it('reads symbols and relocations through the dynamic section when the section headers are stripped', () => {
    const whole = parseElf(bytes);
    // e_shoff, e_shnum and e_shstrndx to 0.
    const stripped = parseElf(patched(patched(bytes, 40, 8, 0), 60, 4, 0));
    expect(stripped.sections).toEqual([]);
    expect(stripped.dynsym).toEqual(whole.dynsym);
    expect(stripped.relocations).toEqual(whole.relocations);
    expect(stripped.relocations.length).toBe(11);
  });

  it('reads section counts from section 0 when the header has no room for them', () => {
    const whole = parseElf(bytes);
    const sectionOffset = Number(new DataView(bytes.buffer).getBigUint64(40, true));
    const nameIndex = new DataView(bytes.buffer).getUint16(62, true);
    let extended = patched(patched(bytes, 60, 2, 0), 62, 2, 0xffff);
    extended = patched(patched(extended, sectionOffset + 32, 8, whole.sections.length), sectionOffset + 40, 4, nameIndex);
    expect(parseElf(extended).sections.slice(1)).toEqual(whole.sections.slice(1));
  });

  it('names the table that lies outside the file', () => {
    expect(errorOf(() => parseElf(patched(bytes, 40, 8, 2n ** 64n - 1n)))).toMatchObject({
      code: 'ERR_CODE_OBJECT',
      message: expect.stringContaining('section header table') as string,
    });
  });

  it.each([
    ['an empty file', new Uint8Array(0), /not an ELF file: it begins with nothing/],
    ['text', new TextEncoder().encode('#!/bin/sh'), /not an ELF file: it begins with 23 21 2f 62/],
    ['a 32-bit file', patched(bytes, 4, 1, 1), /EI_CLASS 1/],
    ['a big-endian file', patched(bytes, 5, 1, 2), /EI_DATA 2/],
    ['headers of a wrong size', patched(bytes, 54, 2, 32), /e_phentsize is 32/],
  ])('refuses %s', (_, input, message) => {
    expect(errorOf(() => parseElf(input))).toMatchObject({
      code: 'ERR_CODE_OBJECT',
      message: expect.stringMatching(message) as string,
    });
  });

  it('refuses packed relative relocations, which no AMDGPU loader applies', () => {
    const whole = parseElf(bytes);
    const index = whole.sections.findIndex((section) => section.name === '.rela.dyn');
    const sectionOffset = Number(new DataView(bytes.buffer).getBigUint64(40, true));
    expect(errorOf(() => parseElf(patched(bytes, sectionOffset + index * 64 + 4, 4, 19)))).toMatchObject({
      code: 'ERR_CODE_OBJECT',
      message: expect.stringContaining('RELR') as string,
    });
  });
});
