import { badCodeObject, ByteReader, hex } from './internal/byte-reader.js';
import { unpackZlib } from './unpack/unpack-zlib.js';
import { unpackZstd } from './unpack/unpack-zstd.js';

/** How a bundle is compressed. */
export type BundleCompression = 'zlib' | 'zstd';

/** A bundle out of a compressed one. */
export interface UnpackedBundle {
  readonly bytes: Uint8Array;
  /** Bytes of the compressed bundle with its header. */
  readonly usedBytes: number;
  readonly compression: BundleCompression;
}

/** First bytes of a compressed bundle. */
export const COMPRESSED_MAGIC = 'CCOB';

/** Where a header has its sizes; version 1 does not say the file's (LLVM OffloadBundle.h, CompressedOffloadBundle; a hash follows). */
interface HeaderLayout {
  readonly fileBytes?: { readonly at: number; readonly width: 4 | 8 };
  readonly unpackedBytes: { readonly at: number; readonly width: 4 | 8 };
  readonly headBytes: number;
}

const LAYOUTS: Readonly<Record<number, HeaderLayout>> = {
  1: { unpackedBytes: { at: 8, width: 4 }, headBytes: 20 },
  2: { fileBytes: { at: 8, width: 4 }, unpackedBytes: { at: 12, width: 4 }, headBytes: 24 },
  3: { fileBytes: { at: 8, width: 8 }, unpackedBytes: { at: 16, width: 8 }, headBytes: 32 },
};

/** Method 0 is zlib, 1 zstd (llvm::compression::Format). A byte of input gives at most so many: RFC 1951, RFC 8878 (blocks of one byte). */
const METHODS = [
  { compression: 'zlib', unpack: unpackZlib, maxRatio: 1032 },
  { compression: 'zstd', unpack: unpackZstd, maxRatio: 1 << 17 },
] as const;

/** More than this is not unpacked: no host takes larger bundles, and byte arrays end there. */
const MAX_UNPACKED_BYTES = 2 ** 31;

/**
 * Unpacks a compressed bundle that begins at `bytes`; what follows it is left alone. What it may cost is known from its size
 * before anything is allocated.
 *
 * @throws {HsaError} ERR_CODE_OBJECT
 */
export function unpackBundle(bytes: Uint8Array): UnpackedBundle {
  const what = 'compressed bundle header';
  const reader = new ByteReader(bytes);
  const version = reader.u16(4, what);
  const method = reader.u16(6, what);
  const layout = LAYOUTS[version];
  if (layout === undefined) throw badCodeObject(`the compressed bundle has version ${version}; 1, 2 and 3 are known`);
  const known = METHODS[method];
  if (known === undefined)
    throw badCodeObject(`the compressed bundle has method ${hex(method)}; 0 (zlib) and 1 (zstd) are known`);
  const field = ({ at, width }: HeaderLayout['unpackedBytes']): bigint =>
    width === 4 ? BigInt(reader.u32(at, what)) : reader.u64(at, what);
  const { headBytes } = layout;
  const fileBytes = layout.fileBytes === undefined ? BigInt(bytes.length) : field(layout.fileBytes);
  const payloadBytes = reader.range(BigInt(headBytes), fileBytes - BigInt(headBytes), 'compressed bundle').sizeBytes;
  const claimed = field(layout.unpackedBytes);
  if (claimed > BigInt(MAX_UNPACKED_BYTES) || claimed > BigInt(payloadBytes * known.maxRatio)) {
    throw badCodeObject(`the compressed bundle claims to unpack to ${claimed} bytes, from ${payloadBytes}`, {
      claimed,
      payloadBytes,
    });
  }
  const payload = reader.slice(headBytes, payloadBytes, 'compressed bundle');
  const unpacked = known.unpack(payload, Number(claimed));
  return {
    bytes: unpacked.bytes,
    usedBytes: headBytes + (layout.fileBytes === undefined ? unpacked.usedBytes : payloadBytes),
    compression: known.compression,
  };
}
