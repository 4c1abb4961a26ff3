/**
 * What a shared library says of itself in its dynamic section: name, versions, build id, needed libraries, exported symbols.
 * System V ABI gABI chapters 4 and 5; GNU extensions: LSB 5.0 «Symbol Versioning», binutils' `DT_GNU_HASH`.
 * Only program headers are used, as the dynamic loader does: sections may be stripped.
 */
import { ByteReader } from './byte-reader.js';

/** A symbol that a library defines for others. */
export interface ExportedSymbol {
  readonly name: string;
  /** Version node, `HSAKMT_1`; absent in libraries without versions. */
  readonly version?: string;
  readonly kind: 'function' | 'object' | 'other';
}

/** The facts of a shared library. */
export interface ElfLibrary {
  readonly machine: number;
  readonly soname: string | undefined;
  /** Libraries that the dynamic loader loads with it. */
  readonly needed: readonly string[];
  readonly runPath: string | undefined;
  /** Names of the version nodes that it defines, without its own name. */
  readonly versions: readonly string[];
  /** NT_GNU_BUILD_ID, hexadecimal. */
  readonly buildId: string | undefined;
  readonly exports: ReadonlyMap<string, ExportedSymbol>;
}

/** A library that was read, or why it could not be. */
export type ElfResult = { readonly ok: true; readonly library: ElfLibrary } | { readonly ok: false; readonly reason: string };

/** ELF machine numbers by the name that Node gives the architecture; gABI chapter 4 `e_machine`. */
export const ELF_MACHINES: Readonly<Record<string, number>> = { x64: 62, arm64: 183, ppc64: 21, riscv64: 243, loong64: 258 };

const PT = { LOAD: 1, DYNAMIC: 2, NOTE: 4 } as const;
const DT = {
  NULL: 0,
  NEEDED: 1,
  HASH: 4,
  STRTAB: 5,
  SYMTAB: 6,
  STRSZ: 10,
  SONAME: 14,
  RPATH: 15,
  RUNPATH: 29,
  GNU_HASH: 0x6fff_fef5,
  VERSYM: 0x6fff_fff0,
  VERDEF: 0x6fff_fffc,
  VERDEFNUM: 0x6fff_fffd,
} as const;
const ELF_HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;
const SYMBOL_BYTES = 24;
const NT_GNU_BUILD_ID = 3;
/** Bounds against hostile files: the largest library of ROCm has 40,000 dynamic symbols. */
const MAX_SYMBOLS = 1 << 20;
const MAX_DYNAMIC = 4096;
const MAX_VERSIONS = 4096;
const MAX_BUILD_ID_BYTES = 64;

/** Reads the dynamic section of a 64-bit little-endian shared library. Never throws: what is wrong is the answer. */
export function parseElfLibrary(bytes: Uint8Array): ElfResult {
  const file = new ByteReader(bytes);
  const bad = checkHeader(file);
  if (bad !== undefined) return { ok: false, reason: bad };
  const headers = readProgramHeaders(file);
  if (typeof headers === 'string') return { ok: false, reason: headers };
  const image = new Image(file, headers);
  const dynamic = image.readDynamic();
  if (typeof dynamic === 'string') return { ok: false, reason: dynamic };
  const versions = readVersions(image, dynamic);
  const exports = readExports(image, { dynamic, versions });
  if (typeof exports === 'string') return { ok: false, reason: exports };
  const soname = dynamic.soname === undefined ? undefined : image.string(dynamic, dynamic.soname);
  const runPath = dynamic.runPath === undefined ? undefined : image.string(dynamic, dynamic.runPath);
  return {
    ok: true,
    library: {
      machine: file.u16(18) ?? 0,
      soname,
      needed: dynamic.needed.flatMap((at) => image.string(dynamic, at) ?? []),
      runPath,
      versions: [...versions].flatMap(([index, name]) => (index > 1 ? [name] : [])),
      buildId: readBuildId(file, headers),
      exports,
    },
  };
}

/** Whether the file holds this ASCII text with a zero byte after it, as the strings of a program are. */
export function holdsString(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(`${text}\0`, 0, 'latin1');
}

function checkHeader(file: ByteReader): string | undefined {
  if (file.sizeBytes < ELF_HEADER_BYTES) return `it has ${file.sizeBytes} bytes, too few for an ELF file`;
  if (file.u32(0) !== 0x464c_457f) return isLinkerScript(file) ? 'it is a linker script, not a library' : 'it is not an ELF file';
  if (file.u8(4) !== 2) return 'it is a 32-bit library, and this process has 64 bits';
  if (file.u8(5) !== 1) return 'its byte order is big-endian';
  const type = file.u16(16);
  if (type !== 3) return `its ELF type is ${type ?? 0}, not 3 (shared object)`;
  return undefined;
}

/** Text files named `lib….so` are input of the linker: `GROUP ( … )`, `INPUT(…)`. */
function isLinkerScript(file: ByteReader): boolean {
  const start = new TextDecoder().decode(file.slice(0, Math.min(file.sizeBytes, 512)));
  return /\b(GROUP|INPUT|OUTPUT_FORMAT)\s*\(/.test(start);
}

interface ProgramHeader {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly fileBytes: number;
}

function readProgramHeaders(file: ByteReader): readonly ProgramHeader[] | string {
  const start = file.u64(32);
  const size = file.u16(54);
  const count = file.u16(56) ?? 0;
  if (start === undefined || size !== PROGRAM_HEADER_BYTES || count === 0) return 'it has no program headers';
  const headers: ProgramHeader[] = [];
  for (let i = 0; i < count; i++) {
    const at = start + i * PROGRAM_HEADER_BYTES;
    const type = file.u32(at);
    const offset = file.u64(at + 8);
    const address = file.u64(at + 16);
    const fileBytes = file.u64(at + 32);
    if (type === undefined || offset === undefined || address === undefined || fileBytes === undefined) {
      return `program header ${i} of ${count} lies outside the file: it is truncated or damaged`;
    }
    headers.push({ type, offset, address, fileBytes });
  }
  return headers;
}

interface Dynamic {
  needed: number[];
  soname?: number;
  runPath?: number;
  strings: number;
  stringsBytes: number;
  symbols: number;
  hash?: number;
  gnuHash?: number;
  versionSymbols?: number;
  versionDefinitions?: number;
  versionDefinitionsCount: number;
}

/** The file as it is mapped: addresses in the dynamic section become offsets in the file. */
class Image {
  readonly file: ByteReader;
  readonly #headers: readonly ProgramHeader[];

  constructor(file: ByteReader, headers: readonly ProgramHeader[]) {
    this.file = file;
    this.#headers = headers;
  }

  offsetOf(address: number | undefined): number | undefined {
    if (address === undefined) return undefined;
    const segment = this.#headers.find(
      ({ type, address: start, fileBytes }) => type === PT.LOAD && address >= start && address - start < fileBytes,
    );
    return segment === undefined ? undefined : address - segment.address + segment.offset;
  }

  string(dynamic: Dynamic, at: number): string | undefined {
    if (at >= dynamic.stringsBytes) return undefined;
    return this.file.cString(dynamic.strings + at, dynamic.strings + dynamic.stringsBytes);
  }

  readDynamic(): Dynamic | string {
    const header = this.#headers.find(({ type }) => type === PT.DYNAMIC);
    if (header === undefined) return 'it has no dynamic section: it is not a shared library';
    const values = new Map<number, number>();
    const needed: number[] = [];
    const count = Math.min(Math.floor(header.fileBytes / 16), MAX_DYNAMIC);
    for (let i = 0; i < count; i++) {
      const tag = this.file.u64(header.offset + i * 16);
      const value = this.file.u64(header.offset + i * 16 + 8);
      if (!this.file.holds(header.offset + i * 16, 16)) return 'its dynamic section lies outside the file: it is truncated';
      if (tag === DT.NULL) break;
      if (tag === undefined || value === undefined) continue;
      if (tag === DT.NEEDED) needed.push(value);
      else values.set(tag, value);
    }
    const strings = this.offsetOf(values.get(DT.STRTAB));
    const symbols = this.offsetOf(values.get(DT.SYMTAB));
    if (strings === undefined || symbols === undefined) return 'its dynamic section names no symbol or string table in the file';
    const optional = {
      soname: values.get(DT.SONAME),
      runPath: values.get(DT.RUNPATH) ?? values.get(DT.RPATH),
      hash: this.offsetOf(values.get(DT.HASH)),
      gnuHash: this.offsetOf(values.get(DT.GNU_HASH)),
      versionSymbols: this.offsetOf(values.get(DT.VERSYM)),
      versionDefinitions: this.offsetOf(values.get(DT.VERDEF)),
    };
    return {
      needed,
      strings,
      symbols,
      stringsBytes: values.get(DT.STRSZ) ?? 0,
      versionDefinitionsCount: values.get(DT.VERDEFNUM) ?? 0,
      ...dropUndefined(optional),
    };
  }
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function dropUndefined<T extends object>(value: T): Present<T> {
  // Safe: only the undefined properties go.
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Present<T>;
}

/** Names of the version definitions by index; index 1 is the library itself. */
function readVersions(image: Image, dynamic: Dynamic): ReadonlyMap<number, string> {
  const { file } = image;
  const names = new Map<number, string>();
  let at = dynamic.versionDefinitions;
  const count = Math.min(dynamic.versionDefinitionsCount, MAX_VERSIONS);
  for (let i = 0; i < count && at !== undefined; i++) {
    const index = file.u16(at + 4);
    const auxiliary = file.u32(at + 12);
    const next = file.u32(at + 16);
    if (index === undefined || auxiliary === undefined || next === undefined) break;
    const name = file.u32(at + auxiliary);
    const text = name === undefined ? undefined : image.string(dynamic, name);
    if (text !== undefined) names.set(index & 0x7fff, text);
    if (next === 0) break;
    at += next;
  }
  return names;
}

/** Symbols in the table: the System V hash table says it, the GNU one where its longest chain ends. */
function countSymbols(image: Image, dynamic: Dynamic): number | undefined {
  const { file } = image;
  if (dynamic.hash !== undefined) return file.u32(dynamic.hash + 4);
  const { gnuHash } = dynamic;
  if (gnuHash === undefined) return undefined;
  const buckets = file.u32(gnuHash);
  const first = file.u32(gnuHash + 4);
  const bloomWords = file.u32(gnuHash + 8);
  if (buckets === undefined || first === undefined || bloomWords === undefined) return undefined;
  const bucketsAt = gnuHash + 16 + bloomWords * 8;
  if (!file.holds(bucketsAt, buckets * 4)) return undefined;
  let last = 0;
  for (let i = 0; i < buckets; i++) last = Math.max(last, file.u32(bucketsAt + i * 4) ?? 0);
  if (last < first) return first;
  const chainsAt = bucketsAt + buckets * 4;
  for (; last < MAX_SYMBOLS; last++) {
    const hash = file.u32(chainsAt + (last - first) * 4);
    if (hash === undefined) return undefined;
    // The lowest bit marks the end of a chain.
    if ((hash & 1) !== 0) return last + 1;
  }
  return undefined;
}

function readExports(
  image: Image,
  { dynamic, versions }: { readonly dynamic: Dynamic; readonly versions: ReadonlyMap<number, string> },
): ReadonlyMap<string, ExportedSymbol> | string {
  const { file } = image;
  const count = countSymbols(image, dynamic);
  if (count === undefined) return 'its symbol table cannot be counted: the hash table is missing or damaged';
  if (count > MAX_SYMBOLS || !file.holds(dynamic.symbols, count * SYMBOL_BYTES)) {
    return `its symbol table of ${count} symbols lies outside the file: it is truncated or damaged`;
  }
  const exports = new Map<string, ExportedSymbol>();
  for (let i = 1; i < count; i++) {
    const at = dynamic.symbols + i * SYMBOL_BYTES;
    const info = file.u8(at + 4) ?? 0;
    if (!isExported(info, file.u8(at + 5) ?? 0, file.u16(at + 6) ?? 0)) continue;
    const name = image.string(dynamic, file.u32(at) ?? 0);
    if (name === undefined || name === '') continue;
    const versionIndex = dynamic.versionSymbols === undefined ? undefined : file.u16(dynamic.versionSymbols + i * 2);
    const version = versionIndex === undefined ? undefined : versions.get(versionIndex & 0x7fff);
    // Bit 15 hides a symbol from lookups without version: an older version kept for old programs.
    if (versionIndex !== undefined && (versionIndex & 0x8000) !== 0 && exports.has(name)) continue;
    const isVersioned = version !== undefined && (versionIndex ?? 0) > 1;
    exports.set(name, { name, kind: kindOf(info & 15), ...(isVersioned ? { version } : {}) });
  }
  return exports;
}

/** Section of the symbols that name version nodes: they have a value of their own (SHN_ABS). */
const ABSOLUTE = 0xfff1;

/** Defined here, bound globally or weakly, and visible. */
function isExported(info: number, other: number, section: number): boolean {
  const binding = info >> 4;
  const visibility = other & 3;
  return (
    section !== 0 &&
    section !== ABSOLUTE &&
    (binding === 1 || binding === 2 || binding === 10) &&
    (visibility === 0 || visibility === 3)
  );
}

function kindOf(type: number): ExportedSymbol['kind'] {
  return type === 2 || type === 10 ? 'function' : type === 1 ? 'object' : 'other';
}

function readBuildId(file: ByteReader, headers: readonly ProgramHeader[]): string | undefined {
  for (const { type, offset, fileBytes } of headers) {
    if (type !== PT.NOTE) continue;
    for (let at = offset; at + 12 <= offset + fileBytes; ) {
      const nameBytes = file.u32(at);
      const valueBytes = file.u32(at + 4);
      const kind = file.u32(at + 8);
      if (nameBytes === undefined || valueBytes === undefined) break;
      const valueAt = at + 12 + align4(nameBytes);
      if (kind === NT_GNU_BUILD_ID && nameBytes === 4 && file.u32(at + 12) === 0x0055_4e47 && valueBytes <= MAX_BUILD_ID_BYTES) {
        const value = file.slice(valueAt, valueBytes);
        return value === undefined ? undefined : [...value].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      }
      at = valueAt + align4(valueBytes);
    }
  }
  return undefined;
}

function align4(size: number): number {
  return Math.ceil(size / 4) * 4;
}
