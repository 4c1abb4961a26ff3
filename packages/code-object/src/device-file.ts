import { HsaError, isHsaError } from '@doorbell/abi/core';
import type { BundleCompression } from './compressed-bundle.js';
import { EM_AMDGPU, SHT_NOBITS } from './elf/elf-constants.js';
import { readElfHeader, readElfSections } from './elf/parse-elf.js';
import { badCodeObject, ByteReader, hex } from './internal/byte-reader.js';
import { type BundleEntry, isOffloadBundle, parseOffloadBundle } from './offload-bundle.js';
import { readHeaderTarget } from './target/header-target.js';
import { formatTargetId } from './target/target-id.js';

/** A code object itself; one offload bundle or several; a program or library of the host with bundles in it. */
export type DeviceFileFormat = 'code-object' | 'offload-bundle' | 'host-file';

/** Where an entry lies. */
export interface EntryPlace {
  /** Offset in the file: of the entry, or of the compressed bundle that holds it. */
  readonly fileOffset: number;
  /** Which bundle of the file, from 0. */
  readonly bundle?: number;
  /** Section of a host file. */
  readonly section?: string;
  readonly compression?: BundleCompression;
}

/** A code object of a file, or what else its bundles hold. */
export interface DeviceFileEntry extends BundleEntry {
  readonly place: EntryPlace;
}

/** Something of the file that cannot be read, and hides nothing else. */
export interface DeviceFileProblem {
  readonly fileOffset: number;
  readonly message: string;
}

/** A file with code for AMD GPUs. */
export interface DeviceFile {
  readonly format: DeviceFileFormat;
  readonly entries: readonly DeviceFileEntry[];
  readonly problems: readonly DeviceFileProblem[];
}

/** Sections of host files that hold bundles: clang's name, and that with a suffix of its own for each compiled file. */
const BUNDLE_SECTION = /^\.hip_fatbin(?:\.|$)/;
/** Sections of objects that are not linked for their device yet (`-fgpu-rdc`): compiler's code, which no device takes. */
const UNLINKED_SECTION = /^(?:__CLANG_OFFLOAD_BUNDLE__|\.llvm\.offloading$)/;
/** Magic of LLVM's offload binaries (llvm-offload-binary). */
const OFFLOAD_BINARY_MAGIC = 0xad10ff10;
/** First bytes of the two kinds of bundles. */
const UNDERSCORE = 0x5f;
const CAPITAL_C = 0x43;
/** All that is unpacked of one file. */
const MAX_UNPACKED_BYTES = 2 ** 32;

/**
 * Finds the code in what people have: a code object (linked or not), an offload bundle (also compressed, also several one after
 * the other), a program, library or object file of the host with bundles in `.hip_fatbin`. Entries that are not compressed are
 * views of `bytes`. A bundle that cannot be read becomes a problem where others can.
 *
 * @throws {HsaError} ERR_CODE_OBJECT for another file; ERR_NOT_SUPPORTED for LLVM's offload binaries and unlinked device code.
 */
export function parseDeviceFile(bytes: Uint8Array): DeviceFile {
  if (isOffloadBundle(bytes)) return { format: 'offload-bundle', ...new BundleScan(bytes).run({ start: 0, end: bytes.length }) };
  if (startsWith(bytes, OFFLOAD_BINARY_MAGIC)) throw offloadBinary('the file is');
  const header = readElfHeader(bytes);
  if (header.machine === EM_AMDGPU) return { format: 'code-object', entries: [codeObjectEntry(bytes)], problems: [] };
  return { format: 'host-file', ...hostEntries(bytes) };
}

type Found = Pick<DeviceFile, 'entries' | 'problems'>;

/** `.llvm.offloading` and the like are listed beside bundles, and are the error where nothing else is there. */
function hostEntries(bytes: Uint8Array): Found {
  const reader = new ByteReader(bytes);
  const sections = readElfSections(bytes).filter(({ type }) => type !== SHT_NOBITS);
  const scan = new BundleScan(bytes);
  const ranges = sections.flatMap(({ name, fileOffset, sizeBytes }) => {
    if (!BUNDLE_SECTION.test(name)) return [];
    const { start, sizeBytes: length } = reader.range(fileOffset, sizeBytes, `section ${name}`);
    return [{ start, end: start + length, section: name }];
  });
  const unlinked = sections.filter(({ name }) => UNLINKED_SECTION.test(name));
  if (ranges.length === 0) {
    const [first] = unlinked;
    if (first !== undefined) throw offloadBinary(`the file has no linked code for AMD GPUs; its section ${first.name} holds`);
    throw badCodeObject('the file is no code object, no offload bundle, and has no section .hip_fatbin');
  }
  const notes = unlinked.map(({ name, fileOffset }) => ({
    fileOffset: Number(fileOffset),
    message: `the section ${name} holds device code that is not linked yet`,
  }));
  const found = scan.run(...ranges);
  return { entries: found.entries, problems: [...found.problems, ...notes] };
}

function codeObjectEntry(bytes: Uint8Array): DeviceFileEntry {
  const { target, kind } = readHeaderTarget(bytes);
  return {
    id: formatTargetId(target),
    kind: kind === 'relocatable' ? kind : 'code-object',
    target,
    bytes,
    place: { fileOffset: 0 },
  };
}

interface ScanRange {
  readonly start: number;
  readonly end: number;
  readonly section?: string;
}

/** Bundles one after the other, as a linker puts them: each at an alignment, with zeros between (HIP: `CodeObjectAlign`, 4096). */
class BundleScan {
  readonly #bytes: Uint8Array;
  readonly #entries: DeviceFileEntry[] = [];
  readonly #problems: DeviceFileProblem[] = [];
  #bundles = 0;
  #unpackedBytes = 0;
  /** The first failure; the whole one where no bundle can be read. */
  #failure: HsaError | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  run(...ranges: readonly ScanRange[]): Found {
    for (const range of ranges) this.#scan(range);
    if (this.#bundles === 0 && this.#failure !== undefined) throw this.#failure;
    return { entries: this.#entries, problems: this.#problems };
  }

  #scan(range: ScanRange): void {
    const { end } = range;
    let at = range.start;
    let isLost = false;
    while (at < end) {
      const first = this.#bytes[at];
      if (first === 0) {
        at++;
        continue;
      }
      if (first === UNDERSCORE || first === CAPITAL_C) {
        const rest = this.#bytes.subarray(at, end);
        const sizeBytes = isOffloadBundle(rest) ? this.#read(rest, at, range) : 0;
        if (sizeBytes > 0) {
          at += sizeBytes;
          isLost = false;
          continue;
        }
      }
      if (!isLost) this.#noteStray(at, range);
      isLost = true;
      at++;
    }
  }

  /** Bytes of the bundle; 0 where it cannot be read. */
  #read(rest: Uint8Array, fileOffset: number, { section }: ScanRange): number {
    try {
      const { entries, sizeBytes, compression } = parseOffloadBundle(rest);
      if (compression !== undefined) this.#countUnpacked(entries);
      const bundle = this.#bundles++;
      for (const entry of entries) {
        const place = {
          fileOffset: compression === undefined ? entry.bytes.byteOffset - this.#bytes.byteOffset : fileOffset,
          bundle,
          ...(section === undefined ? {} : { section }),
          ...(compression === undefined ? {} : { compression }),
        };
        this.#entries.push({ ...entry, place });
      }
      return sizeBytes;
    } catch (error) {
      if (!isHsaError(error)) throw error;
      this.#failure ??= error;
      this.#problems.push({ fileOffset, message: error.message });
      return 0;
    }
  }

  #countUnpacked(entries: readonly BundleEntry[]): void {
    this.#unpackedBytes += entries.reduce((sum, entry) => Math.max(sum, entry.bytes.buffer.byteLength), 0);
    if (this.#unpackedBytes > MAX_UNPACKED_BYTES) {
      throw badCodeObject(`the compressed bundles of the file unpack to more than ${MAX_UNPACKED_BYTES} bytes`);
    }
  }

  /** Bytes between bundles that are none; those of a bundle that failed are told already. */
  #noteStray(fileOffset: number, { section }: ScanRange): void {
    if (this.#problems.at(-1)?.fileOffset === fileOffset) return;
    const message = `the bytes at ${hex(fileOffset)}${section === undefined ? '' : ` in ${section}`} are no offload bundle`;
    this.#failure ??= badCodeObject(message);
    this.#problems.push({ fileOffset, message });
  }
}

function startsWith(bytes: Uint8Array, magic: number): boolean {
  return bytes.byteLength >= 4 && new ByteReader(bytes).u32(0, 'magic') === magic;
}

function offloadBinary(what: string): HsaError {
  return new HsaError('ERR_NOT_SUPPORTED', {
    message: `${what} an LLVM offload binary or code for a later link, which is not read`,
    hint: 'Link it (clang --hip-link), or extract the image: llvm-offload-binary FILE --image=file=out.hsaco,triple=amdgcn-amd-amdhsa,arch=…',
  });
}
