/** A worker's slice of the state: the control block, then blocks of memory for workgroups in progress. */
import { HsaError } from '@doorbell/abi';
import { MAX_WORKERS, WORKER_SLICE_BYTES, WORKER_SLICES } from '../memory-map.js';
import { CONTROL_BYTES } from '../compile/wave-state.js';

/** What one workgroup needs while it is in progress. */
export interface GroupLayout {
  readonly ldsBytes: number;
  readonly privateBytes: number;
  readonly waveSize: number;
  readonly waves: number;
  readonly slotBytes: number;
}

export interface GroupBlock {
  /** Memory offsets. */
  readonly lds: number;
  readonly private: number;
  readonly slots: number;
  readonly start: number;
  readonly sizeBytes: number;
}

const align = (value: number): number => Math.ceil(value / 64) * 64;

/** Blocks of one slice, address-ordered first fit. */
export class GroupMemory {
  readonly control: number;
  readonly #end: number;
  /** In use, by start. */
  readonly #blocks: GroupBlock[] = [];

  /** The slice of one of `workers` workers: all of them share what there is. */
  constructor(worker: number, workers: number) {
    const sliceBytes = Math.floor(MAX_WORKERS / workers) * WORKER_SLICE_BYTES;
    this.control = WORKER_SLICES + worker * sliceBytes;
    this.#end = this.control + sliceBytes;
  }

  /** A block, or undefined while too many workgroups are in progress. */
  allocate(layout: GroupLayout): GroupBlock | undefined {
    const lds = align(layout.ldsBytes);
    const privateBytes = align(layout.privateBytes * layout.waveSize * layout.waves);
    const sizeBytes = lds + privateBytes + align(layout.slotBytes * layout.waves);
    const first = this.control + CONTROL_BYTES;
    if (first + sizeBytes > this.#end) {
      throw new HsaError('ERR_OUT_OF_MEMORY', {
        message: `A workgroup needs ${sizeBytes} bytes of LDS, private memory and registers; a worker has ${this.#end - first}.`,
      });
    }
    let start = first;
    let index = 0;
    for (; index < this.#blocks.length; index++) {
      const block = this.#blocks[index];
      if (block === undefined || start + sizeBytes <= block.start) break;
      start = block.start + block.sizeBytes;
    }
    if (start + sizeBytes > this.#end) return undefined;
    const block = { lds: start, private: start + lds, slots: start + lds + privateBytes, start, sizeBytes };
    this.#blocks.splice(index, 0, block);
    return block;
  }

  release(block: GroupBlock): void {
    const index = this.#blocks.indexOf(block);
    if (index >= 0) this.#blocks.splice(index, 1);
  }
}
