/** dma-buf files: memory of the driver as descriptors (interface version 1.12). */
import type { KfdDevice } from '@doorbell/abi';
import { HsaError, kfd } from '@doorbell/abi';
import { EBADF, EINVAL, EPERM, systemCallError } from '../errno.js';
import type { DmabufFile, DmabufInfo, ThunkMemory } from '../thunk.js';
import { SINCE_MINOR } from '../driver-constants.js';
import { callKfd } from './ioctl.js';
import type { KfdProcess } from './process.js';
import { requireMinor } from './process.js';

const EXPORT_DMABUF = {
  name: 'EXPORT_DMABUF',
  request: kfd.AMDKFD_IOC_EXPORT_DMABUF,
  layout: kfd.kfd_ioctl_export_dmabuf_args,
};
const GET_DMABUF_INFO = {
  name: 'GET_DMABUF_INFO',
  request: kfd.AMDKFD_IOC_GET_DMABUF_INFO,
  layout: kfd.kfd_ioctl_get_dmabuf_info_args,
};

/** asm-generic/fcntl.h O_CLOEXEC, O_RDWR: how dma_buf_fd opens the file, and that it may be mapped for writing. */
const OPEN_FLAGS = 0o2000002;

/** Descriptors that one thunk handed out. */
export class KfdFiles {
  readonly #device: KfdDevice;
  readonly #process: KfdProcess;
  readonly #open = new Set<number>();

  constructor(device: KfdDevice, process: KfdProcess) {
    this.#device = device;
    this.#process = process;
  }

  get open(): readonly number[] {
    return [...this.#open];
  }

  exportDmabuf(memory: ThunkMemory): DmabufFile {
    requireMinor(this.#device, this.#process, SINCE_MINOR.EXPORT_DMABUF, 'EXPORT_DMABUF');
    const { dmabuf_fd: file } = callKfd(this.#device, EXPORT_DMABUF, {
      args: { handle: memory.handle, flags: OPEN_FLAGS },
      purpose: {
        doing: `exporting ${memory.sizeBytes} bytes of ${memory.kind} at 0x${memory.address.toString(16)}`,
        errnos: {
          [EINVAL]: { meaning: 'only vram and gtt can be exported' },
          [EPERM]: { meaning: 'memory of the caller cannot be exported' },
        },
      },
    });
    this.#open.add(file);
    return Object.freeze({ file, offsetBytes: 0 });
  }

  close(file: number): void {
    if (!this.#open.delete(file)) {
      throw new HsaError('ERR_INVALID_ARGUMENT', {
        message: `descriptor ${file} is not one that this thunk handed out`,
        details: { file },
      });
    }
    const result = this.#device.closeFile(file);
    if (result >= 0) return;
    throw systemCallError({
      code: 'ERR_DEVICE_FILE',
      call: 'close',
      path: this.#device.path,
      errno: -result,
      doing: `closing descriptor ${file}`,
    });
  }
}

/** What a dma-buf holds: asked first without metadata, then with room for it. */
export function readDmabufInfo(device: KfdDevice, file: number): DmabufInfo {
  const purpose = {
    doing: `asking what dma-buf ${file} holds`,
    errnos: {
      [EBADF]: { meaning: 'the descriptor is not open' },
      [EINVAL]: { meaning: 'it is no dma-buf of an AMD GPU' },
    },
  };
  const facts = callKfd(device, GET_DMABUF_INFO, { args: { dmabuf_fd: file }, purpose });
  const metadata = new Uint8Array(facts.metadata_size);
  if (facts.metadata_size > 0) {
    using buffer = device.hostBuffer(facts.metadata_size);
    const args = { dmabuf_fd: file, metadata_ptr: buffer.address, metadata_size: facts.metadata_size };
    callKfd(device, GET_DMABUF_INFO, { args, purpose });
    metadata.set(buffer.bytes);
  }
  return {
    sizeBytes: Number(facts.size),
    gpuId: facts.gpu_id,
    kind: (facts.flags & kfd.KFD_IOC_ALLOC_MEM_FLAGS_VRAM) === 0 ? 'gtt' : 'vram',
    metadata,
  };
}
