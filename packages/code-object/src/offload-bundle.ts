import { findProcessor, HsaError } from '@doorbell/abi/core';
import { type CodeObject, parseCodeObject } from './code-object.js';
import { badCodeObject, ByteReader, hex } from './internal/byte-reader.js';
import { type CodeObjectTarget, isaMismatch, targetsCompatible } from './target/compatibility.js';
import { parseTargetId, type TargetId } from './target/target-id.js';

/** One entry of an offload bundle. */
export interface BundleEntry {
  /** As stored: `hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-`, `host-x86_64-unknown-linux-gnu-`. */
  readonly id: string;
  /** `host`, `hip`, `hipv4`, `openmp`, … */
  readonly kind: string;
  /** What an AMD GPU entry was made for; undefined for the host, other devices and processors that are not known. */
  readonly target?: CodeObjectTarget;
  readonly bytes: Uint8Array;
}

/** An uncompressed bundle of clang's offload bundler. */
export interface OffloadBundle {
  readonly entries: readonly BundleEntry[];
}

/** Magic of clang's bundles (ClangOffloadBundler, "Bundled Binary File Layout"), and of other containers that are told apart. */
const BUNDLE_MAGIC = '__CLANG_OFFLOAD_BUNDLE__';
const COMPRESSED_MAGIC = 'CCOB';
const OFFLOAD_BINARY_MAGIC = 0xad10ff10;
const MAX_ENTRIES = 4096;
const MAX_ID_BYTES = 1024;

/** Whether the bytes begin like an offload bundle, plain or compressed. */
export function isOffloadBundle(bytes: Uint8Array): boolean {
  return beginsWith(bytes, BUNDLE_MAGIC) || beginsWith(bytes, COMPRESSED_MAGIC);
}

/**
 * Reads an offload bundle: after the magic the number of entries, then offset, size and id of each. The entries are views of
 * `bytes`.
 *
 * @throws {HsaError} ERR_CODE_OBJECT; ERR_NOT_SUPPORTED for a compressed bundle.
 */
export function parseOffloadBundle(bytes: Uint8Array): OffloadBundle {
  if (beginsWith(bytes, COMPRESSED_MAGIC)) throw compressedBundle(bytes);
  if (!beginsWith(bytes, BUNDLE_MAGIC)) throw badCodeObject(`not an offload bundle: it does not begin with ${BUNDLE_MAGIC}`);
  const reader = new ByteReader(bytes);
  const count = reader.u64(BUNDLE_MAGIC.length, 'bundle entry count');
  if (count > BigInt(MAX_ENTRIES)) throw badCodeObject(`the bundle claims ${count} entries; at most ${MAX_ENTRIES} are read`);
  const entries: BundleEntry[] = [];
  let at = BUNDLE_MAGIC.length + 8;
  for (let index = 0; index < Number(count); index++) {
    const what = `bundle entry ${index}`;
    const range = reader.range(reader.u64(at, what), reader.u64(at + 8, what), what);
    const idBytes = reader.u64(at + 16, what);
    if (idBytes > BigInt(MAX_ID_BYTES)) throw badCodeObject(`${what} has an id of ${idBytes} bytes`);
    const id = reader.text(at + 24, Number(idBytes), what);
    at += 24 + Number(idBytes);
    entries.push(makeEntry(id, reader.slice(range.start, range.sizeBytes, what)));
  }
  return { entries };
}

/**
 * The entry for an agent: of its own processor before a generic one, with fixed features before indifferent ones.
 *
 * @throws {HsaError} ERR_ISA_MISMATCH that lists the targets in the bundle.
 */
export function pickBundleEntry(bundle: OffloadBundle, agent: TargetId): BundleEntry {
  let best: BundleEntry | undefined;
  let bestRank = 0;
  for (const entry of bundle.entries) {
    const { target } = entry;
    if (!target || !targetsCompatible(target, agent).compatible) continue;
    const fixed = [target.sramecc, target.xnack].filter((setting) => setting === 'on' || setting === 'off').length;
    const rank = (target.processor === agent.processor ? 10 : 1) + fixed;
    if (rank > bestRank) [best, bestRank] = [entry, rank];
  }
  if (best) return best;
  throw isaMismatch(
    bundle.entries.flatMap((entry) => entry.target ?? []),
    agent,
  );
}

/**
 * The code object for an agent in `bytes`, which are an ELF code object or an offload bundle; parsed and checked to be
 * compatible.
 *
 * @throws {HsaError} ERR_ISA_MISMATCH, and what parsing throws.
 */
export function parseCodeObjectFor(bytes: Uint8Array, agent: TargetId): CodeObject {
  if (bytes.byteLength >= 4 && new ByteReader(bytes).u32(0, 'magic') === OFFLOAD_BINARY_MAGIC) {
    throw new HsaError('ERR_NOT_SUPPORTED', {
      message: 'the file is an LLVM offload binary (magic 0x10ff10ad), which is not read',
      hint: 'Extract the image: llvm-offload-binary FILE --image=file=out.hsaco,triple=amdgcn-amd-amdhsa,arch=…',
    });
  }
  const isBundle = isOffloadBundle(bytes);
  const codeObject = parseCodeObject(isBundle ? pickBundleEntry(parseOffloadBundle(bytes), agent).bytes : bytes);
  if (!targetsCompatible(codeObject.target, agent).compatible) throw isaMismatch([codeObject.target], agent);
  return codeObject;
}

/** `<kind>-<triple>-<target id>`; the triple's fourth part may be empty or missing. */
function makeEntry(id: string, bytes: Uint8Array): BundleEntry {
  const kind = id.split('-', 1)[0] ?? '';
  const targetText = /^[^-]+-amdgcn-amd-amdhsa-(?:[^-]*-)?(gfx.*)$/.exec(id)?.[1];
  const target = targetText === undefined ? undefined : entryTarget(targetText, bytes);
  return { id, kind, ...(target ? { target } : {}), bytes };
}

function entryTarget(text: string, bytes: Uint8Array): CodeObjectTarget | undefined {
  const processor = text.split(':', 1)[0] ?? '';
  // A bundle of a newer compiler may hold processors beyond our table: they are no reason to refuse the others.
  if (!findProcessor(processor)) return undefined;
  try {
    return { ...parseTargetId(text), genericVersion: genericVersionOf(bytes) };
  } catch (error) {
    throw new HsaError('ERR_CODE_OBJECT', { message: `the bundle entry for ${text} has an unreadable target`, cause: error });
  }
}

/** Bits 24–31 of e_flags, for version 6 objects (EI_ABIVERSION 4). */
function genericVersionOf(bytes: Uint8Array): number {
  return bytes.byteLength >= 52 && bytes[8] === 4 ? new ByteReader(bytes).u8(51, 'e_flags') : 0;
}

/** Compressed bundle header: magic, u16 version, u16 method (0 zlib, 1 zstd). */
function compressedBundle(bytes: Uint8Array): HsaError {
  const reader = new ByteReader(bytes);
  const version = reader.u16(4, 'compressed bundle header');
  const method = reader.u16(6, 'compressed bundle header');
  const name = method === 0 ? 'zlib' : method === 1 ? 'zstd' : `method ${hex(method)}`;
  return new HsaError('ERR_NOT_SUPPORTED', {
    message: `the file is a compressed offload bundle (${COMPRESSED_MAGIC} version ${version}, ${name}), which is not supported yet`,
    hint: 'Compile with --no-offload-compress.',
    details: { version, method },
  });
}

function beginsWith(bytes: Uint8Array, magic: string): boolean {
  if (bytes.byteLength < magic.length) return false;
  for (let index = 0; index < magic.length; index++) {
    if (bytes[index] !== magic.charCodeAt(index)) return false;
  }
  return true;
}
