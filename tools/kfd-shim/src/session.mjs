/** One client process: it has an emulated device of its own, as a Linux process has its own context in the driver. */
import { encodeAnswer, decodeIoctl } from './wire.mjs';

/** linux/kfd_ioctl.h */
const KFD_TYPE = 'K'.charCodeAt(0);
const NR = { waitEvents: 0x0c, allocMemory: 0x16, freeMemory: 0x17 };
const ALLOC = { handle: 16, mmapOffset: 24 };
/** sys/mman.h PROT_… */
const PROT = { read: 1, write: 2 };
const NOWHERE = 0xffff_ffff_ffff_ffffn;

export class Session {
  #device;
  #memoryFile;
  /** Mappings of the client, by file and offset: to the driver they last until the buffer is freed. */
  #mappings = new Map();
  #mmapOffsets = new Map();

  constructor({ device, memoryFile }) {
    this.#device = device;
    this.#memoryFile = memoryFile;
  }

  get device() {
    return this.#device;
  }

  async dispose() {
    await this.#device[Symbol.asyncDispose]();
  }

  /** Where the memory file is. */
  hello() {
    const answer = Buffer.alloc(8);
    answer.writeUInt32LE(process.pid, 0);
    answer.writeUInt32LE(this.#memoryFile, 4);
    return encodeAnswer(0, answer);
  }

  open(body) {
    return encodeAnswer(this.#device.openRenderNode(body.readUInt32LE(0)));
  }

  /** The place in the memory file of what an mmap of a device file shows. */
  mmap(body) {
    const file = body.readInt32LE(0);
    const offset = body.readBigUInt64LE(8);
    const sizeBytes = Number(body.readBigUInt64LE(16));
    const access = body.readUInt32LE(4);
    const protection = { read: (access & PROT.read) !== 0, write: (access & PROT.write) !== 0 };
    const key = `${protection.read}:${protection.write}:${file}:${offset}`;
    let mapping = this.#mappings.get(key);
    if (mapping === undefined || mapping.sizeBytes < sizeBytes) {
      const fresh = this.#device.mmap({ file: file < 0 ? 'kfd' : file, offset, sizeBytes, protection });
      if (typeof fresh === 'number') return encodeAnswer(fresh);
      if (mapping !== undefined) this.#device.munmap(mapping);
      mapping = fresh;
      this.#mappings.set(key, mapping);
    }
    const answer = Buffer.alloc(8);
    answer.writeBigUInt64LE(BigInt(mapping.bytes.byteOffset), 0);
    return encodeAnswer(0, answer);
  }

  async ioctl(body) {
    const { file, request, arg, segments } = decodeIoctl(body);
    const isKfd = file < 0;
    const number = isKfd && ((request >>> 8) & 0xff) === KFD_TYPE ? request & 0xff : -1;
    const view = new DataView(arg.buffer);
    const buffers = segments.map(({ at, bytes }) => {
      const buffer = this.#device.hostBuffer(bytes.length);
      buffer.bytes.set(bytes);
      view.setBigUint64(at, buffer.address, true);
      return buffer;
    });
    if (number === NR.freeMemory) this.#forget(view.getBigUint64(0, true));
    const status = await this.#run({ file, isKfd, number, request, arg });
    const tail = Buffer.alloc(8);
    tail.writeBigUInt64LE(NOWHERE, 0);
    if (number === NR.allocMemory && status === 0) {
      const handle = view.getBigUint64(ALLOC.handle, true);
      this.#mmapOffsets.set(handle, view.getBigUint64(ALLOC.mmapOffset, true));
      tail.writeBigUInt64LE(BigInt(this.#device.placeOf(handle)), 0);
    }
    const answer = encodeAnswer(status, arg, ...buffers.map((buffer) => buffer.bytes), tail);
    for (const buffer of buffers) buffer[Symbol.dispose]();
    return answer;
  }

  #run({ file, isKfd, number, request, arg }) {
    if (!isKfd) return this.#device.drmIoctl(file, request, arg);
    return number === NR.waitEvents ? this.#device.waitIoctl(request, arg) : this.#device.ioctl(request, arg);
  }

  /** The driver forgets the mappings of a buffer that is to be freed. */
  #forget(handle) {
    const offset = this.#mmapOffsets.get(handle);
    if (offset === undefined) return;
    for (const [key, mapping] of this.#mappings) {
      if (!key.endsWith(`:${offset}`) || key.endsWith(`:-1:${offset}`)) continue;
      this.#device.munmap(mapping);
      this.#mappings.delete(key);
    }
  }
}
