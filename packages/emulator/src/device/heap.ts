/** An address-ordered first-fit allocator over one range of the machine's memory. */
import { alignUp } from './address.js';

interface FreeRange {
  offset: number;
  sizeBytes: number;
}

/** Hands out ranges; neighbours that are free are always one range. */
export class Heap {
  readonly #free: FreeRange[];
  readonly #start: number;
  readonly #end: number;

  constructor(offset: number, sizeBytes: number) {
    this.#start = offset;
    this.#end = offset + sizeBytes;
    this.#free = [{ offset, sizeBytes }];
  }

  /** Whether the whole range belongs to this heap, free or not. */
  contains(offset: number, sizeBytes: number): boolean {
    return offset >= this.#start && offset + sizeBytes <= this.#end;
  }

  /** The lowest free range of this size and alignment (a power of two), or undefined. */
  allocate(sizeBytes: number, alignBytes: number): number | undefined {
    for (const range of this.#free) {
      const offset = alignUp(range.offset, alignBytes);
      if (offset + sizeBytes > range.offset + range.sizeBytes) continue;
      this.#take(range, offset, sizeBytes);
      return offset;
    }
    return undefined;
  }

  /** Takes exactly this range; false when some of it is taken. */
  allocateAt(offset: number, sizeBytes: number): boolean {
    const range = this.#free.find((r) => offset >= r.offset && offset + sizeBytes <= r.offset + r.sizeBytes);
    if (range === undefined) return false;
    this.#take(range, offset, sizeBytes);
    return true;
  }

  /** Gives a range back that {@link allocate} or {@link allocateAt} gave out. */
  free(offset: number, sizeBytes: number): void {
    let index = this.#free.findIndex((range) => range.offset > offset);
    if (index < 0) index = this.#free.length;
    this.#free.splice(index, 0, { offset, sizeBytes });
    this.#joinWithNext(index);
    if (index > 0) this.#joinWithNext(index - 1);
  }

  #take(range: FreeRange, offset: number, sizeBytes: number): void {
    const index = this.#free.indexOf(range);
    const before = offset - range.offset;
    const after = range.sizeBytes - before - sizeBytes;
    const rest: FreeRange[] = [];
    if (before > 0) rest.push({ offset: range.offset, sizeBytes: before });
    if (after > 0) rest.push({ offset: offset + sizeBytes, sizeBytes: after });
    this.#free.splice(index, 1, ...rest);
  }

  #joinWithNext(index: number): void {
    const range = this.#free[index];
    const next = this.#free[index + 1];
    if (range === undefined || next === undefined || range.offset + range.sizeBytes !== next.offset) return;
    range.sizeBytes += next.sizeBytes;
    this.#free.splice(index + 1, 1);
  }
}
