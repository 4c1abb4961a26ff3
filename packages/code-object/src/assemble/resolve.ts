import { STB_GLOBAL, STB_LOCAL, STB_WEAK } from '../elf/elf-constants.js';
import type { LinkRelocation, LinkSection, LinkSymbol, RelocationName, SourcePlace, SymbolPlace } from '../write/link-types.js';
import { linearValue, type LinearValue } from './linear.js';
import { type Problems, SourceError } from './problems.js';
import type { DeferredField, Section, Sections } from './sections.js';
import { type AsmSymbol, shownName, type SymbolTable } from './symbols.js';

/** Relocations by the name behind the symbol, `x@rel32@lo`. */
const MODIFIERS: Readonly<Record<string, RelocationName>> = {
  'rel32@lo': 'REL32_LO',
  'rel32@hi': 'REL32_HI',
  gotpcrel: 'GOTPCREL',
  'gotpcrel32@lo': 'GOTPCREL32_LO',
  'gotpcrel32@hi': 'GOTPCREL32_HI',
  'abs32@lo': 'ABS32_LO',
  'abs32@hi': 'ABS32_HI',
  abs64: 'ABS64',
  rel64: 'REL64',
};

/** The object file that the linker takes. */
export interface ResolvedObject {
  readonly sections: readonly LinkSection[];
  readonly symbols: readonly LinkSymbol[];
}

/** Fills the deferred fields, now that every symbol is known, and makes relocations of what only the linker knows. */
export function resolveObject(sections: Sections, symbols: SymbolTable, problems: Problems): ResolvedObject {
  return new Resolver(sections, symbols, problems).resolve();
}

class Resolver {
  readonly #sections: Sections;
  readonly #symbols: SymbolTable;
  readonly #problems: Problems;
  readonly #linkSections = new Map<Section, LinkSection & { readonly relocations: LinkRelocation[] }>();
  readonly #linkSymbols = new Map<AsmSymbol, LinkSymbol>();

  constructor(sections: Sections, symbols: SymbolTable, problems: Problems) {
    this.#sections = sections;
    this.#symbols = symbols;
    this.#problems = problems;
  }

  resolve(): ResolvedObject {
    const relocations: { readonly section: Section; readonly field: DeferredField; readonly value: LinearValue }[] = [];
    for (const section of this.#sections.all) {
      for (const field of section.deferred) {
        this.#guard(field.origin, () => {
          const value = linearValue(field.expression, this.#symbols);
          if (!writeNow(section, field, value)) relocations.push({ section, field, value });
        });
      }
    }
    for (const section of this.#sections.all) this.#makeSection(section);
    for (const { section, field, value } of relocations) {
      this.#guard(field.origin, () => {
        this.#linkSections.get(section)?.relocations.push(this.#relocation(section, field, value));
      });
    }
    for (const symbol of this.#symbols.all) this.#guard(symbol.origin ?? { line: 1, column: 1 }, () => this.#linkSymbol(symbol));
    const order = [...this.#symbols.all].map((symbol) => this.#linkSymbols.get(symbol));
    return {
      sections: [...this.#linkSections.values()],
      symbols: order.filter((symbol) => symbol !== undefined).filter(isShown),
    };
  }

  #guard(origin: SourcePlace, work: () => void): void {
    if (this.#problems.isFull) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const { message, expected, hint } = error;
      this.#problems.add({ message, expected, ...(hint === undefined ? {} : { hint }) }, origin);
    }
  }

  #makeSection(section: Section): void {
    const { name, type, flags, align, entryBytes, sizeBytes } = section;
    const bytes = section.content.finish();
    this.#linkSections.set(section, { name, type, flags, align, entryBytes, bytes, sizeBytes, relocations: [] });
  }

  #relocation(section: Section, field: DeferredField, { added, taken, constant }: LinearValue): LinkRelocation {
    if (added === undefined) throw new SourceError('the negative of an address cannot be relocated');
    let addend = constant;
    const isRelative = taken !== undefined;
    if (taken !== undefined) {
      // A − B with B in this section: the distance from the field itself, corrected.
      const definition = taken.symbol.definition;
      if (definition?.kind !== 'label' || definition.section !== section || taken.modifier !== '') {
        throw new SourceError(`the distance from ${shownName(taken.symbol)} is not known, since it is not in ${section.name}`);
      }
      addend += BigInt(field.offset - definition.offset);
    }
    added.symbol.isUsed = true;
    added.symbol.origin ??= field.origin;
    const { offset, origin } = field;
    const type = relocationType(field, added.modifier, isRelative);
    return { offset, type, symbol: this.#linkSymbol(added.symbol), addend, origin };
  }

  #linkSymbol(symbol: AsmSymbol): LinkSymbol {
    const known = this.#linkSymbols.get(symbol);
    if (known) return known;
    const { name, type, visibility, isTemporary, size } = symbol;
    const place = this.#placeOf(symbol);
    const isLost = isTemporary && place.kind === 'undefined' && symbol.isUsed;
    if (isLost) throw new SourceError(`undefined symbol: ${shownName(symbol)}`);
    const sizeValue = size === undefined ? undefined : linearValue(size.expression, this.#symbols);
    if (sizeValue?.added !== undefined || sizeValue?.taken !== undefined) {
      throw new SourceError(`the size of ${name} is no number`);
    }
    // What is used and not defined comes from elsewhere.
    const binding = place.kind === 'undefined' && !symbol.hasBinding ? STB_GLOBAL : symbol.binding;
    const made = { name, binding, type, visibility, sizeBytes: sizeValue?.constant ?? 0n, isTemporary, place };
    this.#linkSymbols.set(symbol, made);
    return made;
  }

  #placeOf({ name, definition }: AsmSymbol): SymbolPlace {
    if (!definition) return { kind: 'undefined' };
    if (definition.kind === 'label') return this.#sectionPlace(definition.section, definition.offset);
    const value = linearValue(definition.expression, this.#symbols);
    if (value.added === undefined && value.taken === undefined) return { kind: 'absolute', value: value.constant };
    const target = value.added?.symbol.definition;
    if (target?.kind !== 'label' || value.taken !== undefined || value.added?.modifier !== '') {
      const problem = value.added?.symbol.definition === undefined ? `undefined symbol: ${value.added?.symbol.name ?? name}` : '';
      throw new SourceError(problem || `${name} is neither a number nor a place in a section`);
    }
    return this.#sectionPlace(target.section, target.offset + Number(value.constant));
  }

  #sectionPlace(section: Section, offset: number): SymbolPlace {
    const linked = this.#linkSections.get(section);
    if (!linked) throw new SourceError(`there is no section ${section.name}`);
    return { kind: 'section', section: linked, offset };
  }
}

/** Undefined symbols that nothing uses are left out. */
function isShown(symbol: LinkSymbol): boolean {
  return symbol.place.kind !== 'undefined' || symbol.binding === STB_WEAK;
}

/** Fills the field if its value needs no linker. */
function writeNow(section: Section, field: DeferredField, { added, taken, constant }: LinearValue): boolean {
  if (added === undefined && taken === undefined) {
    if (field.kind === 'branch') throw new SourceError('the target of a branch is a label, not a number');
    section.content.patch(field.offset, numberBytes(constant, field.sizeBytes));
    return true;
  }
  if (field.kind !== 'branch' || taken !== undefined || added?.modifier !== '') return false;
  const definition = added.symbol.definition;
  if (definition?.kind !== 'label' || definition.section !== section || added.symbol.binding !== STB_LOCAL) return false;
  const distance = BigInt(definition.offset - field.offset - 4) + constant;
  if (distance % 4n !== 0n) throw new SourceError(`the branch to ${shownName(added.symbol)} is no whole number of dwords`);
  const dwords = distance / 4n;
  if (dwords < -0x8000n || dwords > 0x7fffn) {
    throw new SourceError(`the branch to ${shownName(added.symbol)} reaches ${dwords} dwords; at most 32767 fit`);
  }
  section.content.patch(field.offset, numberBytes(dwords & 0xffffn, 2));
  return true;
}

/** A number in so many bytes, little-endian. @throws {SourceError} it has no room, neither signed nor unsigned. */
export function numberBytes(value: bigint, sizeBytes: 1 | 2 | 4 | 8): Uint8Array {
  const bits = 8 * sizeBytes;
  if (sizeBytes < 8 && BigInt.asIntN(bits, value) !== value && BigInt.asUintN(bits, value) !== value) {
    throw new SourceError(`${value} has no room in ${sizeBytes === 1 ? 'a byte' : `${sizeBytes} bytes`}`);
  }
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
  return bytes.subarray(0, sizeBytes);
}

function relocationType(field: DeferredField, modifier: string, isRelative: boolean): RelocationName {
  if (field.kind === 'branch') {
    if (modifier !== '' || isRelative) throw new SourceError('the target of a branch is a label plus a number');
    return 'REL16';
  }
  if (field.sizeBytes < 4) throw new SourceError('an address has no room in fewer than 4 bytes');
  const is64 = field.sizeBytes === 8;
  if (modifier !== '') {
    const named = Object.hasOwn(MODIFIERS, modifier) ? MODIFIERS[modifier] : undefined;
    if (named === undefined) {
      throw new SourceError(`'@${modifier}' is no relocation`, {
        expected: Object.keys(MODIFIERS).map((known) => `'@${known}'`),
      });
    }
    if ((named === 'ABS64' || named === 'REL64') && !is64)
      throw new SourceError(`'@${modifier}' does not fit ${field.sizeBytes} bytes`);
    return named;
  }
  // LLVM makes a symbol of an instruction relative to the place unless it says @abs32 (AMDGPUMCCodeEmitter).
  if (isRelative || field.kind === 'literal') return is64 ? 'REL64' : 'REL32';
  return is64 ? 'ABS64' : 'ABS32';
}
