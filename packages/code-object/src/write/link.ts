import {
  DYNAMIC_BYTES,
  DT_GNU_HASH,
  DT_HASH,
  DT_NULL,
  DT_RELA,
  DT_RELACOUNT,
  DT_RELAENT,
  DT_RELASZ,
  DT_STRSZ,
  DT_STRTAB,
  DT_SYMENT,
  DT_SYMTAB,
  ELFOSABI_AMDGPU_HSA,
  ET_DYN,
  RELA_BYTES,
  SHF_ALLOC,
  SHF_WRITE,
  SHT_DYNAMIC,
  SHT_DYNSYM,
  SHT_GNU_HASH,
  SHT_HASH,
  SHT_NOBITS,
  SHT_PROGBITS,
  SHT_RELA,
  SHT_STRTAB,
  SHT_SYMTAB,
  STB_LOCAL,
  STV_HIDDEN,
  STV_INTERNAL,
  SYMBOL_BYTES,
} from '../elf/elf-constants.js';
import { type Addresses, applyRelocation } from './apply-relocations.js';
import { ByteWriter } from './byte-writer.js';
import { writeElfHeader, writeProgramHeader, writeRela, writeSectionHeader } from './elf-structs.js';
import {
  type LinkInput,
  type LinkProblem,
  type LinkResult,
  type LinkSection,
  type LinkSymbol,
  RELOCATION_TYPES,
} from './link-types.js';
import { collectSections, isDropped, makeOutputSection, type OutputSection, sortSections } from './output-sections.js';
import { type DynamicRelocation, scanRelocations } from './scan-relocations.js';
import { layOut } from './segments.js';
import { StringTable } from './string-table.js';
import { sortForGnuHash, writeGnuHash, writeSysvHash } from './symbol-hash.js';
import { SymbolPlaces, writeSymbols } from './symbol-tables.js';

const GOT_ENTRY_BYTES = 8;

/**
 * Links one object file into a shared object, byte for byte in LLD's layout for `-shared --no-undefined`; only what is not
 * loaded (`.comment`, the order of names) differs.
 */
export function linkSharedObject(input: LinkInput): LinkResult {
  const scan = scanRelocations(input);
  if (scan.problems.length > 0) return { ok: false, problems: scan.problems };
  return new Linker(input, scan.dynamic, scan.got).link();
}

class Linker {
  readonly #input: LinkInput;
  readonly #dynamicRelocations: readonly DynamicRelocation[];
  readonly #got: readonly LinkSymbol[];
  /** In the order of `.dynsym`, behind its null symbol. */
  readonly #dynamicSymbols: readonly LinkSymbol[];
  readonly #undefinedCount: number;
  readonly #dynamicNames = new StringTable();
  readonly #names = new StringTable();
  readonly #sectionNames = new StringTable();
  readonly #sections: readonly OutputSection[];
  readonly #made: MadeSections;
  readonly #places: SymbolPlaces;

  constructor(input: LinkInput, dynamicRelocations: readonly DynamicRelocation[], got: readonly LinkSymbol[]) {
    this.#input = input;
    this.#dynamicRelocations = dynamicRelocations;
    this.#got = got;
    const exported = input.symbols.filter(isExported);
    for (const { name } of exported) this.#dynamicNames.add(name);
    this.#dynamicSymbols = sortForGnuHash(
      exported.map((symbol) => ({ symbol, name: symbol.name, isUndefined: symbol.place.kind === 'undefined' })),
    ).map(({ symbol }) => symbol);
    this.#undefinedCount = exported.filter(({ place }) => place.kind === 'undefined').length;
    this.#made = makeSections();
    this.#sections = this.#orderSections();
    this.#places = new SymbolPlaces(this.#sections, this.#made.dynamic);
  }

  link(): LinkResult {
    const { made } = this.#sized();
    const layout = layOut(this.#sections);
    const problems: LinkProblem[] = [];
    const contents = this.#contents(problems);
    if (problems.length > 0) return { ok: false, problems };
    const out = new ByteWriter();
    writeElfHeader(out, {
      osAbi: ELFOSABI_AMDGPU_HSA,
      abiVersion: this.#input.abiVersion,
      type: ET_DYN,
      flags: this.#input.flags,
      programHeaders: layout.programHeaders.length,
      sectionHeaderOffset: layout.sectionHeaderOffset,
      sections: this.#sections.length + 1,
      nameSection: made.sectionNames.index,
    });
    for (const header of layout.programHeaders) writeProgramHeader(out, header);
    for (const section of this.#sections) {
      const bytes = contents.get(section);
      if (bytes) out.padTo(section.fileOffset).bytes(bytes);
    }
    out.padTo(layout.sectionHeaderOffset).zeros(64);
    for (const section of this.#sections) {
      writeSectionHeader(out, { ...section, ...this.#links(section), name: this.#sectionNames.add(section.name) });
    }
    return { ok: true, bytes: out.finish() };
  }

  #orderSections(): OutputSection[] {
    const { made } = { made: this.#made };
    const before = [made.dynamicSymbols, made.gnuHash, made.sysvHash, made.dynamicNames];
    if (this.#dynamicRelocations.length > 0) before.push(made.relocations);
    const relro = this.#got.length > 0 ? [made.dynamic, made.got] : [made.dynamic];
    const allocated = [...before, ...collectSections(this.#input.sections), ...relro, made.relroPadding];
    const sections = [...sortSections(allocated), made.symbols, made.sectionNames, made.names];
    for (const [index, section] of sections.entries()) section.index = index + 1;
    return sections;
  }

  /** Gives the sections that the linker makes their sizes. */
  #sized(): { readonly made: MadeSections } {
    const made = this.#made;
    const names = this.#dynamicSymbols.map(({ name }) => name);
    made.dynamicSymbols.sizeBytes = SYMBOL_BYTES * (names.length + 1);
    made.gnuHash.sizeBytes = writeGnuHash(names, this.#undefinedCount).length;
    made.sysvHash.sizeBytes = writeSysvHash(names).length;
    made.dynamicNames.sizeBytes = this.#dynamicNames.finish().length;
    made.relocations.sizeBytes = RELA_BYTES * this.#dynamicRelocations.length;
    made.dynamic.sizeBytes = DYNAMIC_BYTES * this.#dynamicTags().length;
    made.got.sizeBytes = GOT_ENTRY_BYTES * this.#got.length;
    const symbols = this.#places.symbolTable(this.#input.symbols, this.#names);
    made.symbols.sizeBytes = SYMBOL_BYTES * (symbols.length + 1);
    made.names.sizeBytes = this.#names.finish().length;
    for (const { name } of this.#sections) this.#sectionNames.add(name);
    made.sectionNames.sizeBytes = this.#sectionNames.finish().length;
    return { made };
  }

  #contents(problems: LinkProblem[]): ReadonlyMap<OutputSection, Uint8Array> {
    const made = this.#made;
    const names = this.#dynamicSymbols.map(({ name }) => name);
    const dynamicSymbols = this.#dynamicSymbols.map((symbol) => this.#places.describe(symbol));
    const dynamic = new ByteWriter();
    for (const [tag, value] of this.#dynamicTags()) dynamic.u64(tag).u64(value);
    const contents = new Map<OutputSection, Uint8Array>([
      [made.dynamicSymbols, writeSymbols(dynamicSymbols, this.#dynamicNames)],
      [made.gnuHash, writeGnuHash(names, this.#undefinedCount)],
      [made.sysvHash, writeSysvHash(names)],
      [made.dynamicNames, this.#dynamicNames.finish()],
      [made.relocations, this.#relocations()],
      [made.dynamic, dynamic.finish()],
      [made.got, this.#gotContent()],
      [made.symbols, writeSymbols(this.#places.symbolTable(this.#input.symbols, this.#names), this.#names)],
      [made.sectionNames, this.#sectionNames.finish()],
      [made.names, this.#names.finish()],
    ]);
    for (const section of this.#sections) {
      if (section.parts.length > 0 && section.type !== SHT_NOBITS) contents.set(section, this.#inputContent(section, problems));
    }
    return contents;
  }

  #inputContent(output: OutputSection, problems: LinkProblem[]): Uint8Array {
    const bytes = new Uint8Array(output.sizeBytes);
    const made = this.#made;
    const addresses: Addresses = {
      symbol: (symbol) => this.#places.address(symbol),
      gotEntry: (symbol) => BigInt(made.got.vaddr + GOT_ENTRY_BYTES * this.#got.indexOf(symbol)),
    };
    for (const { section, offset } of output.parts) {
      bytes.set(section.bytes, offset);
      const target = { vaddr: output.vaddr + offset, flags: output.flags, bytes: bytes.subarray(offset) };
      for (const relocation of section.relocations) {
        const problem = applyRelocation(relocation, target, addresses);
        if (problem) problems.push(problem);
      }
    }
    return bytes;
  }

  /** `.rela.dyn`: relative ones first, then by symbol, then by address (LLD, -z combreloc). */
  #relocations(): Uint8Array {
    const rows = this.#dynamicRelocations.map(({ place, symbol, addend, isRelative }) => ({
      vaddr: 'gotEntry' in place ? this.#made.got.vaddr + GOT_ENTRY_BYTES * place.gotEntry : this.#vaddrOf(place),
      type: isRelative ? RELOCATION_TYPES.RELATIVE64 : RELOCATION_TYPES.ABS64,
      symbolIndex: isRelative ? 0 : this.#dynamicSymbols.indexOf(symbol) + 1,
      addend: isRelative ? this.#places.address(symbol) + addend : addend,
    }));
    rows.sort((a, b) => a.symbolIndex - b.symbolIndex || a.vaddr - b.vaddr);
    const out = new ByteWriter();
    for (const row of rows) writeRela(out, row);
    return out.finish();
  }

  #vaddrOf({ section, offset }: { readonly section: LinkSection; readonly offset: number }): number {
    return this.#places.sectionVaddr(section) + offset;
  }

  /** Absolute symbols are known now; the others are relocated. */
  #gotContent(): Uint8Array {
    const out = new ByteWriter();
    for (const { place } of this.#got) out.u64(place.kind === 'absolute' ? place.value : 0n);
    return out.finish();
  }

  #dynamicTags(): readonly (readonly [bigint, number])[] {
    const { relocations, dynamicSymbols, dynamicNames, gnuHash, sysvHash } = this.#made;
    const relative = this.#dynamicRelocations.filter(({ isRelative }) => isRelative).length;
    const rela: readonly (readonly [bigint, number])[] = [
      [DT_RELA, relocations.vaddr],
      [DT_RELASZ, relocations.sizeBytes],
      [DT_RELAENT, RELA_BYTES],
      ...(relative > 0 ? [[DT_RELACOUNT, relative] as const] : []),
    ];
    return [
      ...(this.#dynamicRelocations.length > 0 ? rela : []),
      [DT_SYMTAB, dynamicSymbols.vaddr],
      [DT_SYMENT, SYMBOL_BYTES],
      [DT_STRTAB, dynamicNames.vaddr],
      [DT_STRSZ, dynamicNames.sizeBytes],
      [DT_GNU_HASH, gnuHash.vaddr],
      [DT_HASH, sysvHash.vaddr],
      [DT_NULL, 0],
    ];
  }

  /** sh_link and sh_info. */
  #links(section: OutputSection): { readonly link: number; readonly info: number } {
    const made = this.#made;
    switch (section) {
      case made.dynamicSymbols:
        return { link: made.dynamicNames.index, info: 1 };
      case made.gnuHash:
      case made.sysvHash:
      case made.relocations:
        return { link: made.dynamicSymbols.index, info: 0 };
      case made.dynamic:
        return { link: made.dynamicNames.index, info: 0 };
      case made.symbols:
        return { link: made.names.index, info: this.#places.localCount(this.#input.symbols) + 1 };
      default:
        return { link: 0, info: 0 };
    }
  }
}

function isExported({ binding, visibility, isTemporary, place }: LinkSymbol): boolean {
  if (place.kind === 'section' && isDropped(place.section)) return false;
  return binding !== STB_LOCAL && visibility !== STV_HIDDEN && visibility !== STV_INTERNAL && !isTemporary;
}

type MadeSections = ReturnType<typeof makeSections>;

/** The sections that the linker makes. */
function makeSections(): {
  readonly [K in
    | 'dynamicSymbols'
    | 'gnuHash'
    | 'sysvHash'
    | 'dynamicNames'
    | 'relocations'
    | 'dynamic'
    | 'got'
    | 'relroPadding'
    | 'symbols'
    | 'sectionNames'
    | 'names']: OutputSection;
} {
  const readOnly = SHF_ALLOC;
  const writable = SHF_ALLOC | SHF_WRITE;
  return {
    dynamicSymbols: makeOutputSection('.dynsym', { type: SHT_DYNSYM, flags: readOnly, align: 8, entryBytes: SYMBOL_BYTES }),
    gnuHash: makeOutputSection('.gnu.hash', { type: SHT_GNU_HASH, flags: readOnly, align: 8 }),
    sysvHash: makeOutputSection('.hash', { type: SHT_HASH, flags: readOnly, align: 4, entryBytes: 4 }),
    dynamicNames: makeOutputSection('.dynstr', { type: SHT_STRTAB, flags: readOnly, align: 1 }),
    relocations: makeOutputSection('.rela.dyn', { type: SHT_RELA, flags: readOnly, align: 8, entryBytes: RELA_BYTES }),
    dynamic: makeOutputSection('.dynamic', { type: SHT_DYNAMIC, flags: writable, align: 8, entryBytes: DYNAMIC_BYTES }),
    got: makeOutputSection('.got', { type: SHT_PROGBITS, flags: writable, align: 8 }),
    relroPadding: makeOutputSection('.relro_padding', { type: SHT_NOBITS, flags: writable, align: 1 }),
    symbols: makeOutputSection('.symtab', { type: SHT_SYMTAB, flags: 0, align: 8, entryBytes: SYMBOL_BYTES }),
    sectionNames: makeOutputSection('.shstrtab', { type: SHT_STRTAB, flags: 0, align: 1 }),
    names: makeOutputSection('.strtab', { type: SHT_STRTAB, flags: 0, align: 1 }),
  };
}
