import { findProcessor, HsaError } from '@doorbell/abi/core';
import { type BundleCompression, COMPRESSED_MAGIC, unpackBundle } from './compressed-bundle.js';
import { badCodeObject, ByteReader } from './internal/byte-reader.js';
import type { CodeObjectTarget } from './target/compatibility.js';
import { parseTargetId } from './target/target-id.js';

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

/** A bundle of clang's offload bundler. */
export interface OffloadBundle {
  readonly entries: readonly BundleEntry[];
  /** Bytes that it takes, with the last entry; others may follow. */
  readonly sizeBytes: number;
  /** How it is compressed; its entries are then no views of the file. */
  readonly compression?: BundleCompression;
}

/** Magic of clang's bundles (ClangOffloadBundler, "Bundled Binary File Layout"). */
const BUNDLE_MAGIC = '__CLANG_OFFLOAD_BUNDLE__';
const MAX_ENTRIES = 4096;
const MAX_ID_BYTES = 1024;

/** Whether the bytes begin like an offload bundle, plain or compressed. */
export function isOffloadBundle(bytes: Uint8Array): boolean {
  return beginsWith(bytes, BUNDLE_MAGIC) || beginsWith(bytes, COMPRESSED_MAGIC);
}

/**
 * Reads the offload bundle that begins at `bytes`: after the magic the number of entries, then offset, size and id of each. The
 * entries are views of `bytes`, or of what a compressed bundle unpacks to.
 *
 * @throws {HsaError} ERR_CODE_OBJECT
 */
export function parseOffloadBundle(bytes: Uint8Array): OffloadBundle {
  if (beginsWith(bytes, COMPRESSED_MAGIC)) {
    const { bytes: unpacked, usedBytes, compression } = unpackBundle(bytes);
    if (beginsWith(unpacked, COMPRESSED_MAGIC)) throw badCodeObject('the compressed bundle holds another compressed bundle');
    return { entries: parseOffloadBundle(unpacked).entries, sizeBytes: usedBytes, compression };
  }
  if (!beginsWith(bytes, BUNDLE_MAGIC)) throw badCodeObject(`not an offload bundle: it does not begin with ${BUNDLE_MAGIC}`);
  const reader = new ByteReader(bytes);
  const count = reader.u64(BUNDLE_MAGIC.length, 'bundle entry count');
  if (count > BigInt(MAX_ENTRIES)) throw badCodeObject(`the bundle claims ${count} entries; at most ${MAX_ENTRIES} are read`);
  const entries: BundleEntry[] = [];
  let at = BUNDLE_MAGIC.length + 8;
  let end = at;
  for (let index = 0; index < Number(count); index++) {
    const what = `bundle entry ${index}`;
    const range = reader.range(reader.u64(at, what), reader.u64(at + 8, what), what);
    const idBytes = reader.u64(at + 16, what);
    if (idBytes > BigInt(MAX_ID_BYTES)) throw badCodeObject(`${what} has an id of ${idBytes} bytes`);
    const id = reader.text(at + 24, Number(idBytes), what);
    at += 24 + Number(idBytes);
    end = Math.max(end, at, range.start + range.sizeBytes);
    entries.push(makeEntry(id, reader.slice(range.start, range.sizeBytes, what)));
  }
  return { entries, sizeBytes: end };
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

function beginsWith(bytes: Uint8Array, magic: string): boolean {
  if (bytes.byteLength < magic.length) return false;
  for (let index = 0; index < magic.length; index++) {
    if (bytes[index] !== magic.charCodeAt(index)) return false;
  }
  return true;
}
