import {
  SHF_ALLOC,
  SHF_EXECINSTR,
  SHF_WRITE,
  SHT_FINI_ARRAY,
  SHT_INIT_ARRAY,
  SHT_NOBITS,
  SHT_NOTE,
  SHT_PREINIT_ARRAY,
  SHT_PROGBITS,
} from '../elf/elf-constants.js';
import { alignUp } from '../internal/align-up.js';
import type { LinkSection } from './link-types.js';

/** A section of the linked file: input sections one behind the other, or content that the linker makes. */
export interface OutputSection {
  readonly name: string;
  type: number;
  flags: number;
  align: number;
  entryBytes: number;
  sizeBytes: number;
  /** Its input sections, with their offsets. */
  readonly parts: { readonly section: LinkSection; readonly offset: number }[];
  vaddr: number;
  fileOffset: number;
  /** In the section header table. */
  index: number;
}

/** Prefixes whose sections LLD puts together: `.rodata.x` into `.rodata`; longer ones first. */
const COLLECTED = ['.data.rel.ro', '.bss.rel.ro', '.text', '.data', '.rodata', '.bss', '.init_array', '.fini_array'];
const DROPPED: ReadonlySet<string> = new Set(['.note.GNU-stack']);
const SHF_EXCLUDE = 0x8000_0000;
/** Written once, before anything runs (LLD, isRelroSection). */
const RELRO_TYPES: readonly number[] = [SHT_INIT_ARRAY, SHT_FINI_ARRAY, SHT_PREINIT_ARRAY];
const RELRO_NAMES: ReadonlySet<string> = new Set([
  '.data.rel.ro',
  '.bss.rel.ro',
  '.ctors',
  '.dtors',
  '.jcr',
  '.eh_frame',
  '.fini_array',
  '.init_array',
  '.preinit_array',
  '.dynamic',
  '.got',
  '.relro_padding',
]);

/** A section that the linker fills itself. */
export function makeOutputSection(
  name: string,
  fields: { readonly type: number; readonly flags: number; readonly align: number; readonly entryBytes?: number },
): OutputSection {
  const { type, flags, align, entryBytes = 0 } = fields;
  return { name, type, flags, align, entryBytes, sizeBytes: 0, parts: [], vaddr: 0, fileOffset: 0, index: 0 };
}

/** Whether a section is for the linker alone, and left out of what it makes. */
export function isDropped({ name, flags }: LinkSection): boolean {
  return DROPPED.has(name) || (flags & SHF_EXCLUDE) !== 0;
}

/** Puts input sections together by name, in their order. */
export function collectSections(inputs: readonly LinkSection[]): OutputSection[] {
  const outputs = new Map<string, OutputSection>();
  for (const input of inputs) {
    if (isDropped(input)) continue;
    const name = outputName(input);
    let output = outputs.get(name);
    if (!output) {
      output = makeOutputSection(name, { ...input, align: 1 });
      outputs.set(name, output);
    }
    const offset = alignUp(output.sizeBytes, input.align);
    output.parts.push({ section: input, offset });
    output.sizeBytes = offset + input.sizeBytes;
    output.align = Math.max(output.align, input.align);
    output.flags |= input.flags;
    // Sections with and without content together have content.
    if (output.type === SHT_NOBITS && input.type !== SHT_NOBITS) output.type = input.type;
    if (output.entryBytes !== input.entryBytes) output.entryBytes = 0;
  }
  return [...outputs.values()];
}

function outputName({ name, flags }: LinkSection): string {
  if ((flags & SHF_ALLOC) === 0) return name;
  return COLLECTED.find((prefix) => name === prefix || name.startsWith(`${prefix}.`)) ?? name;
}

/** Whether the dynamic linker may make the section read-only once relocations are applied. */
export function isRelro(section: OutputSection): boolean {
  const wanted = SHF_ALLOC | SHF_WRITE;
  return (section.flags & wanted) === wanted && (RELRO_TYPES.includes(section.type) || RELRO_NAMES.has(section.name));
}

/** LLD's order: notes, read-only, code, writable code, relocated read-only data, data; what has no content last in each. */
export function sortSections(sections: readonly OutputSection[]): OutputSection[] {
  return [...sections].sort((a, b) => rank(a) - rank(b));
}

function rank(section: OutputSection): number {
  const { flags, type } = section;
  if ((flags & SHF_ALLOC) === 0) return 100;
  if (type === SHT_NOTE) return 0;
  const withoutContent = type === SHT_NOBITS ? 1 : 0;
  if ((flags & SHF_EXECINSTR) !== 0) return ((flags & SHF_WRITE) !== 0 ? 8 : 6) + withoutContent;
  if ((flags & SHF_WRITE) === 0) return (type === SHT_PROGBITS ? 4 : 2) + withoutContent;
  return (isRelro(section) ? 10 : 12) + withoutContent;
}
