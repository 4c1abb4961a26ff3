/** What client/transport.c and client/ioctl.c put on the wire. Little-endian. */

export const Op = { hello: 1, ioctl: 2, open: 3, mmap: 4, refresh: 5 };

const FRAME_BYTES = 8;
const IOCTL_HEAD_BYTES = 16;
const SEGMENT_BYTES = 8;

/** Cuts what arrives on a connection into requests. */
export class RequestReader {
  #rest = Buffer.alloc(0);

  /** The requests that are complete with these bytes. */
  *take(bytes) {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= FRAME_BYTES) {
      const end = FRAME_BYTES + this.#rest.readUInt32LE(0);
      if (this.#rest.length < end) return;
      yield { op: this.#rest.readInt32LE(4), body: this.#rest.subarray(FRAME_BYTES, end) };
      this.#rest = this.#rest.subarray(end);
    }
  }
}

/** An answer: its status, then its bytes. */
export function encodeAnswer(status, ...parts) {
  const head = Buffer.alloc(FRAME_BYTES);
  head.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, 0),
    0,
  );
  head.writeInt32LE(status, 4);
  return Buffer.concat([head, ...parts]);
}

/** An ioctl: the argument, and the bytes behind each of its pointers, which lie at `at` in the argument. */
export function decodeIoctl(body) {
  const sizeBytes = body.readUInt32LE(8);
  const arg = Uint8Array.from(body.subarray(IOCTL_HEAD_BYTES, IOCTL_HEAD_BYTES + sizeBytes));
  const segments = [];
  let at = IOCTL_HEAD_BYTES + sizeBytes;
  for (let left = body.readUInt32LE(12); left > 0; left -= 1) {
    const end = at + SEGMENT_BYTES + body.readUInt32LE(at + 4);
    segments.push({ at: body.readUInt32LE(at), bytes: body.subarray(at + SEGMENT_BYTES, end) });
    at = end;
  }
  return { file: body.readInt32LE(0), request: body.readUInt32LE(4), arg, segments };
}
