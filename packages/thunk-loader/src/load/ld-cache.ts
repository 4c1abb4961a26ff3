/**
 * The dynamic loader's index of libraries, `/etc/ld.so.cache`; glibc sysdeps/generic/dl-cache.h `cache_file_new`, and
 * `cache_file` of the format before it, which may come first in the file.
 */
import { ByteReader } from './byte-reader.js';

/** One library of the index. */
interface LdCacheEntry {
  readonly name: string;
  readonly path: string;
  /** Whether it is meant only for processors with certain features; the loader prefers it where they are there. */
  readonly needsFeatures: boolean;
}

/** The index, or why it cannot be read. */
export type LdCacheResult =
  | { readonly ok: true; readonly entries: readonly LdCacheEntry[] }
  | { readonly ok: false; readonly reason: string };

const NEW_MAGIC = 'glibc-ld.so.cache1.1';
const OLD_MAGIC = 'ld.so-1.7.0';
const NEW_HEADER_BYTES = 48;
const NEW_ENTRY_BYTES = 24;
const OLD_HEADER_BYTES = 16;
const OLD_ENTRY_BYTES = 12;
/** More libraries than any machine has: a bound against hostile files. */
const MAX_ENTRIES = 1 << 18;

/** Values of `flags` for libraries of a 64-bit process, by Node's architecture; glibc sysdeps/generic/ldconfig.h. */
const FLAGS: Readonly<Record<string, number>> = { x64: 0x0303, arm64: 0x0a03, ppc64: 0x0503, riscv64: 0x1003, loong64: 0x1203 };

/** Reads the index: the libraries that a process of `arch` can use, in its order. Never throws. */
export function parseLdCache(bytes: Uint8Array, arch: string): LdCacheResult {
  const file = new ByteReader(bytes);
  const start = findNewFormat(file);
  if (start === undefined) return { ok: false, reason: 'it has no header of a format that is known (glibc-ld.so.cache1.1)' };
  const count = file.u32(start + NEW_MAGIC.length);
  if (count === undefined || count > MAX_ENTRIES || !file.holds(start + NEW_HEADER_BYTES, count * NEW_ENTRY_BYTES)) {
    return { ok: false, reason: `its ${count ?? 0} entries lie outside the file: it is truncated or damaged` };
  }
  const wanted = FLAGS[arch];
  const entries: LdCacheEntry[] = [];
  for (let i = 0; i < count; i++) {
    const at = start + NEW_HEADER_BYTES + i * NEW_ENTRY_BYTES;
    if (wanted !== undefined && file.u32(at) !== wanted) continue;
    // Strings count from the start of this format's header.
    const name = file.cString(start + (file.u32(at + 4) ?? 0));
    const path = file.cString(start + (file.u32(at + 8) ?? 0));
    if (name === undefined || path === undefined || !path.startsWith('/')) continue;
    entries.push({ name, path, needsFeatures: file.u32(at + 16) !== 0 || file.u32(at + 20) !== 0 });
  }
  return { ok: true, entries };
}

function findNewFormat(file: ByteReader): number | undefined {
  if (startsWith(file, 0, NEW_MAGIC)) return 0;
  if (!startsWith(file, 0, OLD_MAGIC)) return undefined;
  const count = file.u32(OLD_MAGIC.length + 1) ?? 0;
  const start = Math.ceil((OLD_HEADER_BYTES + count * OLD_ENTRY_BYTES) / 8) * 8;
  return startsWith(file, start, NEW_MAGIC) ? start : undefined;
}

function startsWith(file: ByteReader, offset: number, text: string): boolean {
  const bytes = file.slice(offset, text.length);
  return bytes !== undefined && new TextDecoder('latin1').decode(bytes) === text;
}
