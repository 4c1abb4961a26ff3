import {
  SHF_ALLOC,
  SHF_EXECINSTR,
  SHF_MERGE,
  SHF_STRINGS,
  SHF_WRITE,
  SHT_FINI_ARRAY,
  SHT_INIT_ARRAY,
  SHT_NOBITS,
  SHT_NOTE,
  SHT_PREINIT_ARRAY,
  SHT_PROGBITS,
} from '../elf/elf-constants.js';
import type { Expression } from '@doorbell/isa';
import { ByteWriter } from '../write/byte-writer.js';
import type { SourcePlace } from '../write/link-types.js';
import { FatalSourceError, SourceError } from './problems.js';

/** A field that is filled when every symbol is known. */
export interface DeferredField {
  /** `branch`: 16 bits, in dwords from the end of the instruction; `literal`: of an instruction; `data`: of a directive. */
  readonly kind: 'branch' | 'literal' | 'data';
  readonly offset: number;
  readonly sizeBytes: 1 | 2 | 4 | 8;
  readonly expression: Expression;
  readonly origin: SourcePlace;
}

/** One section of the object file while it is filled. */
export interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly entryBytes: number;
  align: number;
  /** Content, or nothing for SHT_NOBITS. */
  readonly content: ByteWriter;
  sizeBytes: number;
  readonly deferred: DeferredField[];
}

interface SectionAttributes {
  readonly type: number;
  readonly flags: number;
  readonly entryBytes?: number;
}

/** More than this in all sections together is a mistake of the source. */
const MAX_BYTES = 256 * 2 ** 20;
/** Section indices of ELF end at SHN_LORESERVE (0xff00); nobody writes so many. */
const MAX_SECTIONS = 10_000;
/** s_nop 0 of every generation. */
const NOP = Uint8Array.of(0x00, 0x00, 0x80, 0xbf);

/** What sections are without being told (LLVM, ELFAsmParser: by name and by name with a suffix). */
const KNOWN: readonly (readonly [name: string, attributes: SectionAttributes])[] = [
  ['.text', { type: SHT_PROGBITS, flags: SHF_ALLOC | SHF_EXECINSTR }],
  ['.init', { type: SHT_PROGBITS, flags: SHF_ALLOC | SHF_EXECINSTR }],
  ['.fini', { type: SHT_PROGBITS, flags: SHF_ALLOC | SHF_EXECINSTR }],
  ['.data', { type: SHT_PROGBITS, flags: SHF_ALLOC | SHF_WRITE }],
  ['.data1', { type: SHT_PROGBITS, flags: SHF_ALLOC | SHF_WRITE }],
  ['.bss', { type: SHT_NOBITS, flags: SHF_ALLOC | SHF_WRITE }],
  ['.rodata', { type: SHT_PROGBITS, flags: SHF_ALLOC }],
  ['.rodata1', { type: SHT_PROGBITS, flags: SHF_ALLOC }],
  ['.init_array', { type: SHT_INIT_ARRAY, flags: SHF_ALLOC | SHF_WRITE }],
  ['.fini_array', { type: SHT_FINI_ARRAY, flags: SHF_ALLOC | SHF_WRITE }],
  ['.preinit_array', { type: SHT_PREINIT_ARRAY, flags: SHF_ALLOC | SHF_WRITE }],
  ['.note', { type: SHT_NOTE, flags: 0 }],
];

const FLAG_LETTERS: Readonly<Record<string, number>> = {
  a: SHF_ALLOC,
  w: SHF_WRITE,
  x: SHF_EXECINSTR,
  M: SHF_MERGE,
  S: SHF_STRINGS,
  e: 0x8000_0000,
  R: 0x20_0000,
};

/** Bits of section flags as text: `"aw"`. */
export function parseSectionFlags(text: string, column: number): number {
  let flags = 0;
  for (const [index, letter] of [...text].entries()) {
    const flag = Object.hasOwn(FLAG_LETTERS, letter) ? FLAG_LETTERS[letter] : undefined;
    if (flag === undefined) {
      throw new SourceError(`'${letter}' is no section flag`, {
        column: column + index,
        expected: Object.keys(FLAG_LETTERS).map((known) => `'${known}'`),
      });
    }
    flags |= flag;
  }
  return flags >>> 0;
}

export const SECTION_TYPES: Readonly<Record<string, number>> = {
  progbits: SHT_PROGBITS,
  nobits: SHT_NOBITS,
  note: SHT_NOTE,
  init_array: SHT_INIT_ARRAY,
  fini_array: SHT_FINI_ARRAY,
  preinit_array: SHT_PREINIT_ARRAY,
};

/** Type and flags of a section that is named without them. */
function knownAttributes(name: string): SectionAttributes {
  const match = KNOWN.find(([known]) => name === known || name.startsWith(`${known}.`));
  return match?.[1] ?? { type: SHT_PROGBITS, flags: 0 };
}

/** The sections of one object file, in the order they were first named, and the one that is written to. */
export class Sections {
  readonly #sections = new Map<string, Section>();
  #current: Section;
  #previous: Section | undefined;
  readonly #stack: { readonly current: Section; readonly previous: Section | undefined }[] = [];
  #totalBytes = 0;

  constructor() {
    this.#current = this.#get('.text', undefined, undefined);
    // Instructions are dwords.
    this.#current.align = 4;
  }

  get current(): Section {
    return this.#current;
  }

  get all(): readonly Section[] {
    return [...this.#sections.values()];
  }

  find(name: string): Section | undefined {
    return this.#sections.get(name);
  }

  /** Goes on in this section; what is undefined is as before, or as the name says. */
  switchTo(
    name: string,
    attributes: { readonly type?: number | undefined; readonly flags?: number | undefined; readonly entryBytes?: number } = {},
  ): Section {
    const section = this.#get(name, attributes.type, attributes.flags, attributes.entryBytes);
    this.#previous = this.#current;
    this.#current = section;
    return section;
  }

  push(): void {
    if (this.#stack.length > 1000) throw new SourceError('.pushsection nests deeper than 1000 levels');
    this.#stack.push({ current: this.#current, previous: this.#previous });
  }

  pop(): void {
    const saved = this.#stack.pop();
    if (!saved) throw new SourceError('.popsection without .pushsection');
    this.#current = saved.current;
    this.#previous = saved.previous;
  }

  previous(): void {
    if (!this.#previous) throw new SourceError('.previous without a section before this one');
    [this.#current, this.#previous] = [this.#previous, this.#current];
  }

  /** Adds bytes to the current section. */
  write(bytes: Uint8Array): void {
    const section = this.#current;
    this.#count(bytes.length);
    if (section.type === SHT_NOBITS) {
      if (bytes.some((byte) => byte !== 0))
        throw new SourceError(`${section.name} has no content in the file; only zeros can stand in it`);
    } else {
      section.content.bytes(bytes);
    }
    section.sizeBytes += bytes.length;
  }

  /** Adds `count` times the bytes of `unit`. */
  fill(count: number, unit: Uint8Array): void {
    const total = count * unit.length;
    this.#count(total);
    const bytes = new Uint8Array(total);
    if (unit.some((byte) => byte !== 0)) for (let at = 0; at < total; at += unit.length) bytes.set(unit, at);
    this.#totalBytes -= total;
    this.write(bytes);
  }

  /** Aligns the current section's end; code is padded with s_nop unless a unit is given, which is repeated. */
  alignTo(alignBytes: number, unit: Uint8Array | undefined, limitBytes: number): void {
    const section = this.#current;
    // The file is padded to the alignment, too.
    if (alignBytes > MAX_BYTES)
      throw new FatalSourceError(`an alignment of ${alignBytes} bytes; at most ${MAX_BYTES} are written`);
    section.align = Math.max(section.align, alignBytes);
    const padding = (alignBytes - (section.sizeBytes % alignBytes)) % alignBytes;
    if (padding === 0 || (limitBytes > 0 && padding > limitBytes)) return;
    const isCode = (section.flags & SHF_EXECINSTR) !== 0;
    const repeated = unit ?? (isCode ? NOP : Uint8Array.of(0));
    if (padding % repeated.length !== 0) {
      if (unit) throw new SourceError(`${padding} bytes of padding are no multiple of the fill value's ${unit.length}`);
      this.fill(padding % repeated.length, Uint8Array.of(0));
    }
    this.fill(Math.floor(padding / repeated.length), repeated);
  }

  #count(bytes: number): void {
    this.#totalBytes += bytes;
    if (!(this.#totalBytes <= MAX_BYTES)) throw new FatalSourceError(`the sections grow beyond ${MAX_BYTES} bytes`);
  }

  #get(name: string, type: number | undefined, flags: number | undefined, entryBytes = 0): Section {
    const found = this.#sections.get(name);
    if (found) {
      if ((type ?? found.type) !== found.type || (flags ?? found.flags) !== found.flags) {
        throw new SourceError(`${name} was begun with another type or other flags`);
      }
      return found;
    }
    if (this.#sections.size >= MAX_SECTIONS) throw new FatalSourceError(`more than ${MAX_SECTIONS} sections`);
    const known = knownAttributes(name);
    const section: Section = {
      name,
      type: type ?? known.type,
      flags: flags ?? known.flags,
      entryBytes,
      align: 1,
      content: new ByteWriter(),
      sizeBytes: 0,
      deferred: [],
    };
    this.#sections.set(name, section);
    return section;
  }
}
