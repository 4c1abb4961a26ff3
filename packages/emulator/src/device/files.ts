/** Descriptors of the process: render nodes and dma-bufs, numbered as open(2) does. */
import type { Buffer, MemoryObject } from './buffers.js';

/** A render node that is open: its own GEM handles, as DRM counts them (from 1). */
export interface RenderFile {
  readonly kind: 'render';
  readonly minor: number;
  readonly handles: Map<number, GemObject>;
}

/** Memory under a GEM handle, and what AMDGPU_GEM_VA mapped of it: by address, as a buffer that is mapped on the file's GPU. */
export interface GemObject {
  readonly memory: MemoryObject;
  readonly mappings: Map<bigint, Buffer>;
}

export interface DmabufOpenFile {
  readonly kind: 'dmabuf';
  readonly memory: MemoryObject;
}

export type OpenFile = RenderFile | DmabufOpenFile;

export class FileTable {
  readonly #files = new Map<number, OpenFile>();

  /** The lowest free descriptor. */
  open(file: OpenFile): number {
    let descriptor = 0;
    while (this.#files.has(descriptor)) descriptor += 1;
    this.#files.set(descriptor, file);
    return descriptor;
  }

  get(descriptor: number): OpenFile | undefined {
    return this.#files.get(descriptor);
  }

  render(descriptor: number): RenderFile | undefined {
    const file = this.#files.get(descriptor);
    return file?.kind === 'render' ? file : undefined;
  }

  dmabuf(descriptor: number): DmabufOpenFile | undefined {
    const file = this.#files.get(descriptor);
    return file?.kind === 'dmabuf' ? file : undefined;
  }

  /** The file that is closed now; undefined when there was none. */
  close(descriptor: number): OpenFile | undefined {
    const file = this.#files.get(descriptor);
    this.#files.delete(descriptor);
    return file;
  }
}
