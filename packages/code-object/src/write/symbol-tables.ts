import { InternalError } from '@doorbell/abi/core';
import { SHN_ABS, SHN_UNDEF, STB_LOCAL, STT_NOTYPE, STV_HIDDEN, STV_INTERNAL } from '../elf/elf-constants.js';
import { ByteWriter } from './byte-writer.js';
import { type SymbolFields, writeSymbol } from './elf-structs.js';
import type { LinkSection, LinkSymbol } from './link-types.js';
import type { OutputSection } from './output-sections.js';
import type { StringTable } from './string-table.js';

/** A symbol of the linked file. */
export type PlacedSymbol = Omit<SymbolFields, 'name'> & { readonly name: string };

/** Where the symbols of the object file come to lie. */
export class SymbolPlaces {
  readonly #places = new Map<LinkSection, { readonly output: OutputSection; readonly offset: number }>();
  readonly #dynamic: OutputSection;

  constructor(sections: readonly OutputSection[], dynamic: OutputSection) {
    this.#dynamic = dynamic;
    for (const output of sections) {
      for (const { section, offset } of output.parts) this.#places.set(section, { output, offset });
    }
  }

  sectionVaddr(section: LinkSection): number {
    const { output, offset } = this.#place(section);
    return output.vaddr + offset;
  }

  /** The symbol's address, or its value if it is absolute; 0 for undefined weak symbols. */
  address({ place }: LinkSymbol): bigint {
    switch (place.kind) {
      case 'undefined':
        return 0n;
      case 'absolute':
        return place.value;
      case 'section':
        return BigInt(this.sectionVaddr(place.section) + place.offset);
    }
  }

  describe(symbol: LinkSymbol): PlacedSymbol {
    const { name, type, visibility, sizeBytes, place } = symbol;
    const sectionIndex =
      place.kind === 'section' ? this.#place(place.section).output.index : place.kind === 'absolute' ? SHN_ABS : SHN_UNDEF;
    return { name, binding: outputBinding(symbol), type, visibility, sizeBytes, sectionIndex, value: this.address(symbol) };
  }

  /** `.symtab` behind its null symbol, local symbols first; the names are added to `names`. */
  symbolTable(symbols: readonly LinkSymbol[], names: StringTable): PlacedSymbol[] {
    const kept = symbols.filter((symbol) => !symbol.isTemporary && !this.#isDropped(symbol));
    // As in an object file: hidden symbols are not local there, and come after those that are.
    const ordered = [
      ...kept.filter(({ binding }) => binding === STB_LOCAL),
      ...kept.filter(({ binding }) => binding !== STB_LOCAL),
    ];
    const shown = ordered.map((symbol) => this.describe(symbol));
    const dynamic: PlacedSymbol = {
      name: '_DYNAMIC',
      binding: STB_LOCAL,
      type: STT_NOTYPE,
      visibility: STV_HIDDEN,
      sectionIndex: this.#dynamic.index,
      value: BigInt(this.#dynamic.vaddr),
      sizeBytes: 0n,
    };
    const isLocal = ({ binding }: PlacedSymbol): boolean => binding === STB_LOCAL;
    const table = [...shown.filter(isLocal), dynamic, ...shown.filter((symbol) => !isLocal(symbol))];
    for (const { name } of table) names.add(name);
    return table;
  }

  /** Local symbols of `.symtab`, the null symbol not counted. */
  localCount(symbols: readonly LinkSymbol[]): number {
    const isLocal = (symbol: LinkSymbol): boolean => outputBinding(symbol) === STB_LOCAL && !symbol.isTemporary;
    return 1 + symbols.filter((symbol) => isLocal(symbol) && !this.#isDropped(symbol)).length;
  }

  #isDropped({ place }: LinkSymbol): boolean {
    return place.kind === 'section' && !this.#places.has(place.section);
  }

  #place(section: LinkSection): { readonly output: OutputSection; readonly offset: number } {
    const place = this.#places.get(section);
    if (!place) throw new InternalError(`section ${section.name} has no place in the linked file`);
    return place;
  }
}

/** Hidden symbols are local in a linked file. */
function outputBinding({ binding, visibility }: LinkSymbol): number {
  return visibility === STV_HIDDEN || visibility === STV_INTERNAL ? STB_LOCAL : binding;
}

/** A symbol table with its null symbol. */
export function writeSymbols(symbols: readonly PlacedSymbol[], names: StringTable): Uint8Array {
  const out = new ByteWriter().zeros(24);
  for (const symbol of symbols) writeSymbol(out, { ...symbol, name: names.add(symbol.name) });
  return out.finish();
}
