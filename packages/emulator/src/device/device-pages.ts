/**
 * Pages of the driver that user space maps from /dev/kfd: doorbells and event slots. They are placed when they are first
 * needed; until user space has mapped them they may still move to the address it wants.
 */
import type { AddressSpace } from './address-space.js';
import type { HostAccess, PageTable } from './page-table.js';
import type { MemoryViews } from './shared-state.js';

export interface DevicePagesOptions {
  readonly sizeBytes: number;
  readonly addressSpace: AddressSpace;
  readonly pageTable: PageTable;
  readonly views: MemoryViews;
  /** What the GPU may do with the pages without user space mapping them there. */
  readonly gpuAccess: number;
  /** Hears where the pages lie, at first and after a move. */
  readonly onPlaced: (offset: number) => void;
}

export class DevicePages {
  readonly sizeBytes: number;
  readonly #options: DevicePagesOptions;
  #offset: number | undefined;
  #mappings = 0;

  constructor(options: DevicePagesOptions) {
    this.#options = options;
    this.sizeBytes = options.sizeBytes;
  }

  /** Where the pages lie; undefined when they were never needed. */
  get offset(): number | undefined {
    return this.#offset;
  }

  /** Places the pages where the driver likes, if they are not placed yet; undefined when there is no room. */
  place(): number | undefined {
    if (this.#offset !== undefined) return this.#offset;
    const offset = this.#options.addressSpace.reserve('device', this.sizeBytes, this.sizeBytes);
    return offset === undefined ? undefined : this.#settle(offset);
  }

  /** Places or moves the pages to `offset`; false when they are mapped elsewhere already, or the range is not free. */
  placeAt(offset: number): boolean {
    if (this.#offset === offset) return true;
    if (this.#mappings > 0) return false;
    if (!this.#options.addressSpace.use(offset, this.sizeBytes)) return false;
    this.#settle(offset);
    return true;
  }

  map(access: HostAccess): void {
    if (this.#offset === undefined) return;
    this.#mappings += 1;
    this.#options.pageTable.setHost(this.#offset, this.sizeBytes, access);
  }

  /** Takes a mapping back; the driver itself still uses the pages, so that they stay accessible. */
  unmap(): void {
    this.#mappings -= 1;
  }

  #settle(offset: number): number {
    const { pageTable, views } = this.#options;
    const before = this.#offset;
    pageTable.setHost(offset, this.sizeBytes, 'write');
    if (this.#options.gpuAccess !== 0) pageTable.setGpu(offset, this.sizeBytes, this.#options.gpuAccess);
    if (before !== undefined) views.bytes.copyWithin(offset, before, before + this.sizeBytes);
    this.#offset = offset;
    this.#options.onPlaced(offset);
    return offset;
  }
}
