import { badCodeObject, ByteReader, hex } from '../internal/byte-reader.js';
import { decodeHuffman, type HuffmanTable, readHuffmanTable } from './huffman-table.js';
import { type FrameState, tooLong, unpackSequences } from './zstd-sequences.js';

/** What was unpacked, and how many bytes of the input it took. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  readonly usedBytes: number;
}

const FRAME_MAGIC = 0xfd2fb528;
/** 0x184d2a50 … 0x184d2a5f: a frame to step over. */
const SKIPPED_MAGIC = 0x184d2a5;
/** No block unpacks to more (RFC 8878, 3.1.1.2.4 "Block_Maximum_Size"). */
const MAX_BLOCK_BYTES = 1 << 17;
/** Bytes of the content size, by its flag; and of the dictionary id. */
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;

/**
 * Unpacks frames of Zstandard (RFC 8878) until there are `sizeBytes` bytes. Writes no byte more, and takes time in proportion to
 * input and output, whatever the input is. Checksums are not compared. Our own, since fzstd 0.1.1 fills up a frame that is too short
 * with zeros, cuts one that is too long, allocates 1.9 GB for a frame of 9 bytes, and does not say where a frame ends.
 *
 * @throws {HsaError} ERR_CODE_OBJECT for data that is damaged, needs a dictionary, or unpacks to another size.
 */
export function unpackZstd(input: Uint8Array, sizeBytes: number): Unpacked {
  const reader = new ByteReader(input);
  const bytes = new Uint8Array(sizeBytes);
  const literals = new Uint8Array(MAX_BLOCK_BYTES);
  let at = 0;
  let written = 0;
  do {
    const magic = reader.u32(at, 'zstd frame');
    if (magic >>> 4 === SKIPPED_MAGIC) {
      at += 8 + reader.u32(at + 4, 'zstd frame');
      continue;
    }
    if (magic !== FRAME_MAGIC) throw badCodeObject(`the zstd data has a frame that begins with ${hex(magic)}`);
    const frame = unpackFrame(reader, at, { bytes, written, literals });
    ({ at, written } = frame);
  } while (written < sizeBytes);
  return { bytes, usedBytes: at };
}

interface Output {
  readonly bytes: Uint8Array;
  readonly written: number;
  /** Scratch for the literals of a block. */
  readonly literals: Uint8Array;
}

/** RFC 8878, 3.1.1 "Zstandard Frames". */
function unpackFrame(
  reader: ByteReader,
  start: number,
  { bytes, written, literals }: Output,
): { readonly at: number; readonly written: number } {
  const descriptor = reader.u8(start + 4, 'zstd frame header');
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 4) !== 0;
  const dictionaryBytes = DICTIONARY_BYTES[descriptor & 3] ?? 0;
  if ((descriptor & 8) !== 0) throw damaged('a reserved bit of a frame header is set');
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : (CONTENT_SIZE_BYTES[sizeFlag] ?? 0);
  let at = start + 5 + (isSingleSegment ? 0 : 1);
  if (reader.slice(at, dictionaryBytes, 'zstd dictionary id').some((byte) => byte !== 0)) {
    throw badCodeObject('the zstd data needs a dictionary');
  }
  at += dictionaryBytes + sizeBytes;
  const state: FrameState = { out: bytes, start: written, at: written, offsets: [1, 4, 8] };
  const blocks = new Blocks(literals, state);
  let isLast = false;
  while (!isLast) {
    const head = reader.u16(at, 'zstd block') | (reader.u8(at + 2, 'zstd block') << 16);
    isLast = (head & 1) !== 0;
    const blockBytes = head >> 3;
    at += 3;
    if (blockBytes > MAX_BLOCK_BYTES) throw damaged(`a block claims ${blockBytes} bytes`);
    const kind = (head >> 1) & 3;
    if (kind === 3) throw damaged('a block is of the reserved kind');
    if (kind === 1) {
      blocks.repeat(reader.u8(at, 'zstd block'), blockBytes);
      at += 1;
      continue;
    }
    const block = reader.slice(at, blockBytes, 'zstd block');
    if (kind === 0) blocks.copy(block);
    else blocks.unpack(block);
    at += blockBytes;
  }
  return { at: at + (hasChecksum ? 4 : 0), written: state.at };
}

/** The blocks of one frame (RFC 8878, 3.1.1.2, 3.1.1.3). */
class Blocks {
  readonly #scratch: Uint8Array;
  readonly #state: FrameState;
  #tree: HuffmanTable | undefined;

  constructor(scratch: Uint8Array, state: FrameState) {
    this.#scratch = scratch;
    this.#state = state;
  }

  copy(block: Uint8Array): void {
    this.#state.out.set(block, this.#advance(block.length));
  }

  repeat(byte: number, sizeBytes: number): void {
    const start = this.#advance(sizeBytes);
    this.#state.out.fill(byte, start, start + sizeBytes);
  }

  unpack(block: Uint8Array): void {
    const { at } = this.#state;
    const { literals, end } = this.#literals(block);
    unpackSequences(block, end, literals, this.#state);
    if (this.#state.at - at > MAX_BLOCK_BYTES) throw damaged(`a block unpacks to ${this.#state.at - at} bytes`);
  }

  /** RFC 8878, 3.1.1.3.1 "Literals Section". */
  #literals(block: Uint8Array): { readonly literals: Uint8Array; readonly end: number } {
    const reader = new ByteReader(block);
    const what = 'zstd literals';
    const first = reader.u8(0, what);
    const kind = first & 3;
    const form = (first >> 2) & 3;
    if (kind < 2) {
      // Raw, or one byte that is repeated.
      const [sizeBytes, head] =
        form === 1
          ? [reader.u16(0, what) >> 4, 2]
          : form === 3
            ? [(reader.u16(0, what) >> 4) | (reader.u8(2, what) << 12), 3]
            : [first >> 3, 1];
      const literals = this.#take(sizeBytes);
      if (kind === 1) literals.fill(reader.u8(head, what));
      else literals.set(reader.slice(head, sizeBytes, what));
      return { literals, end: head + (kind === 1 ? 1 : sizeBytes) };
    }
    const head = form < 2 ? 3 : form + 2;
    // Both sizes have as many bits: what is left of the header behind its four flag bits.
    const sizeBits = (head * 8 - 4) / 2;
    let packed = 0;
    for (let i = head - 1; i >= 0; i--) packed = packed * 256 + reader.u8(i, what);
    packed = Math.floor(packed / 16);
    const literals = this.#take(packed % 2 ** sizeBits);
    const end = head + Math.floor(packed / 2 ** sizeBits);
    let data = reader.slice(head, end - head, what);
    if (kind === 2) {
      const { table, end: treeEnd } = readHuffmanTable(data, 0);
      this.#tree = table;
      data = data.subarray(treeEnd);
    }
    if (this.#tree === undefined) throw damaged('the first block repeats a Huffman tree');
    if (form === 0) decodeHuffman(data, literals, this.#tree);
    else decodeStreams(data, literals, this.#tree);
    return { literals, end };
  }

  #take(sizeBytes: number): Uint8Array {
    if (sizeBytes > this.#scratch.length) throw damaged(`a block claims ${sizeBytes} literals`);
    return this.#scratch.subarray(0, sizeBytes);
  }

  /** Room for so many bytes; gives where it begins. */
  #advance(sizeBytes: number): number {
    const { at, out } = this.#state;
    if (at + sizeBytes > out.length) throw tooLong(out);
    this.#state.at = at + sizeBytes;
    return at;
  }
}

/** Four streams behind a table of the first three sizes (RFC 8878, 3.1.1.3.1.6 "Jump Table"). */
function decodeStreams(data: Uint8Array, literals: Uint8Array, tree: HuffmanTable): void {
  const reader = new ByteReader(data);
  const quarter = (literals.length + 3) >> 2;
  let at = 6;
  for (let stream = 0; stream < 4; stream++) {
    const sizeBytes = stream < 3 ? reader.u16(stream * 2, 'zstd jump table') : data.length - at;
    if (sizeBytes < 0) throw damaged('a jump table reaches beyond its block');
    const part = literals.subarray(stream * quarter, stream < 3 ? (stream + 1) * quarter : literals.length);
    decodeHuffman(reader.slice(at, sizeBytes, 'zstd literals'), part, tree);
    at += sizeBytes;
  }
}

function damaged(problem: string): Error {
  return badCodeObject(`the zstd data is damaged: ${problem}`);
}
