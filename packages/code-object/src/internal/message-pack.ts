import { HsaError } from '@doorbell/abi/core';
import { decode } from '@msgpack/msgpack';

/** Metadata nests four levels deep. */
const MAX_DEPTH = 32;

/** The metadata is not what it should be. */
export function badMetadata(message: string, cause?: unknown): HsaError {
  return new HsaError('ERR_METADATA', cause === undefined ? { message } : { message, cause });
}

/**
 * Decodes one MessagePack value that must fill `bytes` exactly. The structure is checked first, so that counts that
 * promise more than the bytes hold cannot make the decoder allocate.
 *
 * @throws {HsaError} ERR_METADATA
 */
export function decodeMessagePack(bytes: Uint8Array): unknown {
  checkStructure(bytes);
  try {
    return decode(bytes);
  } catch (error) {
    throw badMetadata(`the metadata note cannot be decoded: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

/** Walks the value: every container's elements must fit into the bytes that are left, counting those still owed outside it. */
function checkStructure(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** Elements still to come, one entry for each open container. */
  const open: number[] = [];
  let owed = 1;
  let at = 0;
  while (owed > 0) {
    const head = at < bytes.length ? view.getUint8(at) : undefined;
    if (head === undefined) throw badMetadata('the metadata note ends inside a value');
    const shape = shapeOf(view, at, head);
    at += shape.headBytes + shape.bodyBytes;
    owed += shape.elements - 1;
    if (at + owed > bytes.length) {
      throw badMetadata(`the metadata note promises more than its ${bytes.length} bytes hold (at offset ${at})`);
    }
    closeElement(open);
    if (shape.elements > 0) open.push(shape.elements);
    if (open.length > MAX_DEPTH) throw badMetadata(`the metadata note nests deeper than ${MAX_DEPTH} levels`);
  }
  if (bytes.subarray(at).some((byte) => byte !== 0)) {
    throw badMetadata(`the metadata note has ${bytes.length - at} bytes behind its value`);
  }
}

/** Where a value lies: its bytes from `start` to `end`, which is the first byte behind it. */
export interface ValuePlace {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the values of `key` lie in a map; more than one only where the map is malformed.
 *
 * @param bytes one MessagePack value, as {@link decodeMessagePack} takes it.
 * @throws {HsaError} ERR_METADATA
 */
export function findMapValues(bytes: Uint8Array, key: string): readonly ValuePlace[] {
  checkStructure(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = view.getUint8(0);
  const isMap = (head >= 0x80 && head <= 0x8f) || head === 0xde || head === 0xdf;
  if (!isMap) throw badMetadata('the metadata is not a map');
  const root = shapeOf(view, 0, head);
  const places: ValuePlace[] = [];
  let at = root.headBytes;
  for (let left = root.elements; left > 0; left -= 2) {
    const start = valueEnd(view, at);
    const end = valueEnd(view, start);
    if (decode(bytes.subarray(at, start)) === key) places.push({ start, end });
    at = end;
  }
  return places;
}

/** The first byte behind the value at `at`, whose structure was checked. */
function valueEnd(view: DataView, at: number): number {
  let end = at;
  for (let owed = 1; owed > 0; owed--) {
    const shape = shapeOf(view, end, view.getUint8(end));
    end += shape.headBytes + shape.bodyBytes;
    owed += shape.elements;
  }
  return end;
}

/** Counts one element of the innermost container; containers that are complete are themselves elements already counted. */
function closeElement(open: number[]): void {
  while (open.length > 0) {
    const top = open.length - 1;
    const left = open[top] ?? 0;
    if (left > 0) {
      open[top] = left - 1;
      return;
    }
    open.pop();
  }
}

interface Shape {
  readonly headBytes: number;
  readonly bodyBytes: number;
  /** Values that follow as elements: maps count keys and values. */
  readonly elements: number;
}

/** The MessagePack specification, "Formats". */
function shapeOf(view: DataView, at: number, head: number): Shape {
  const leaf = (headBytes: number, bodyBytes: number): Shape => ({ headBytes, bodyBytes, elements: 0 });
  const count = (bytes: 1 | 2 | 4): number => {
    if (at + 1 + bytes > view.byteLength) throw badMetadata('the metadata note ends inside a length');
    return bytes === 1 ? view.getUint8(at + 1) : bytes === 2 ? view.getUint16(at + 1) : view.getUint32(at + 1);
  };
  if (head <= 0x7f || head >= 0xe0) return leaf(1, 0);
  if (head <= 0x8f) return { headBytes: 1, bodyBytes: 0, elements: (head & 15) * 2 };
  if (head <= 0x9f) return { headBytes: 1, bodyBytes: 0, elements: head & 15 };
  if (head <= 0xbf) return leaf(1, head & 31);
  switch (head) {
    case 0xc4:
    case 0xd9:
      return leaf(2, count(1));
    case 0xc5:
    case 0xda:
      return leaf(3, count(2));
    case 0xc6:
    case 0xdb:
      return leaf(5, count(4));
    case 0xc7:
      return leaf(3, count(1));
    case 0xc8:
      return leaf(4, count(2));
    case 0xc9:
      return leaf(6, count(4));
    case 0xca:
    case 0xce:
    case 0xd2:
      return leaf(5, 0);
    case 0xcb:
    case 0xcf:
    case 0xd3:
      return leaf(9, 0);
    case 0xcc:
    case 0xd0:
      return leaf(2, 0);
    case 0xcd:
    case 0xd1:
      return leaf(3, 0);
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
      return leaf(2, 1 << (head - 0xd4));
    case 0xdc:
      return { headBytes: 3, bodyBytes: 0, elements: count(2) };
    case 0xdd:
      return { headBytes: 5, bodyBytes: 0, elements: count(4) };
    case 0xde:
      return { headBytes: 3, bodyBytes: 0, elements: count(2) * 2 };
    case 0xdf:
      return { headBytes: 5, bodyBytes: 0, elements: count(4) * 2 };
    default:
      return leaf(1, 0); // nil, false, true; 0xc1 is refused by the decoder
  }
}
