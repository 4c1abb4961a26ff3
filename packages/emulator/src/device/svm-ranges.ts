/**
 * Shared virtual memory (amdkfd kfd_svm.c): attributes of address ranges of the process's own memory, and what of it GPUs reach.
 * Ranges never overlap; setting attributes splits those that lie half inside.
 */
import { PAGE_COARSE, PAGE_EXECUTE, PAGE_READ, PAGE_WRITE } from '../memory-map.js';
import { EADDRINUSE, EFAULT } from './errno.js';

/** KFD_IOCTL_SVM_LOCATION_UNDEFINED. */
export const LOCATION_UNDEFINED = 0xffff_ffff;
const FLAG_HOST_ACCESS = 0x1;
const FLAG_COHERENT = 0x2;
const FLAG_GPU_RO = 0x8;
const FLAG_GPU_EXEC = 0x10;
/** kfd_svm.c svm_range_set_default_attributes; the granularity is a power of two of pages: 2 MiB. */
const DEFAULT_GRANULARITY = 9;
const MAX_GRANULARITY = 0x3f;

export interface SvmAttributes {
  readonly preferredLocation: number;
  readonly prefetchLocation: number;
  readonly flags: number;
  readonly granularity: number;
  /** Ids of the GPUs that have access; of those with access in place, which exclude each other. */
  readonly access: ReadonlySet<number>;
  readonly accessInPlace: ReadonlySet<number>;
}

/** What SVM asks of a range; in the order given. */
export type SvmChange =
  | { readonly kind: 'preferred' | 'prefetch' | 'set-flags' | 'clear-flags' | 'granularity'; readonly value: number }
  | { readonly kind: 'access' | 'access-in-place' | 'no-access'; readonly value: number };

/** What a whole range has in common. */
export interface SvmSummary {
  readonly preferredLocation: number;
  readonly prefetchLocation: number;
  readonly flagsAnd: number;
  readonly flagsOr: number;
  readonly granularity: number;
  readonly access: ReadonlySet<number>;
  readonly accessInPlace: ReadonlySet<number>;
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly attributes: SvmAttributes;
}

export interface SvmRangesOptions {
  readonly gpuIds: readonly number[];
  /** Whether buffers of the driver lie in any of these bytes. */
  readonly hasBuffers: (offset: number, sizeBytes: number) => boolean;
  /** What GPUs may do with these bytes may have changed; see {@link SvmRanges.accessAt}. */
  readonly onChange: (offset: number, sizeBytes: number) => void;
}

export class SvmRanges {
  readonly #options: SvmRangesOptions;
  /** Sorted. */
  #ranges: Range[] = [];
  /** The process's own memory: start and end, sorted. */
  #areas: (readonly [number, number])[] = [];
  /** GPU page faults are recovered from: what nobody forbade is reachable. */
  #isXnackOn = false;

  constructor(options: SvmRangesOptions) {
    this.#options = options;
  }

  get isXnackOn(): boolean {
    return this.#isXnackOn;
  }

  setXnack(isOn: boolean): void {
    this.#isXnackOn = isOn;
    for (const [start, end] of this.#areas) this.#options.onChange(start, end - start);
  }

  /** The process has memory of its own here from now on. */
  addArea(offset: number, sizeBytes: number): void {
    this.#areas = [...this.#areas, [offset, offset + sizeBytes] as const].sort(([a], [b]) => a - b);
    this.#options.onChange(offset, sizeBytes);
  }

  /** The memory is unmapped: attributes go with it. */
  removeArea(offset: number, sizeBytes: number): void {
    const end = offset + sizeBytes;
    this.#areas = this.#areas.filter(([start]) => start !== offset);
    this.#ranges = this.#split(offset, end).filter((range) => range.start < offset || range.start >= end);
    this.#options.onChange(offset, sizeBytes);
  }

  /** 0, or a negative errno when the range is not all memory of the process (kfd_svm.c svm_range_is_valid). */
  check(offset: number, sizeBytes: number): number {
    const end = offset + sizeBytes;
    let covered = offset;
    for (const [from, to] of this.#areas) if (from <= covered && covered < to) covered = to;
    if (covered < end) return -EFAULT;
    return this.#options.hasBuffers(offset, sizeBytes) ? -EADDRINUSE : 0;
  }

  /** Applies changes in order to every part of the range; holes in it become ranges. */
  set(offset: number, sizeBytes: number, changes: readonly SvmChange[]): void {
    const end = offset + sizeBytes;
    const next: Range[] = [];
    let filled = offset;
    const fill = (upTo: number): void => {
      if (filled < upTo) next.push({ start: filled, end: upTo, attributes: applyAll(this.#defaults(), changes) });
    };
    for (const range of this.#split(offset, end)) {
      if (range.end <= offset || range.start >= end) {
        if (range.start >= end) fill(end);
        if (range.start >= end) filled = end;
        next.push(range);
        continue;
      }
      fill(range.start);
      next.push({ ...range, attributes: applyAll(range.attributes, changes) });
      filled = range.end;
    }
    fill(end);
    this.#ranges = next.sort((a, b) => a.start - b.start);
    this.#options.onChange(offset, sizeBytes);
  }

  /** What the ranges that meet [offset, offset + sizeBytes) have in common (kfd_svm.c svm_range_get_attr). */
  summarize(offset: number, sizeBytes: number): SvmSummary {
    const met = this.#ranges.filter(({ start, end }) => start < offset + sizeBytes && offset < end).map((r) => r.attributes);
    const all = met.length === 0 ? [this.#defaults()] : met;
    const common = (pick: (attributes: SvmAttributes) => number): number => {
      const [first = LOCATION_UNDEFINED, ...others] = all.map(pick);
      return others.every((value) => value === first) ? first : LOCATION_UNDEFINED;
    };
    return {
      preferredLocation: common((attributes) => attributes.preferredLocation),
      prefetchLocation: common((attributes) => attributes.prefetchLocation),
      flagsAnd: all.reduce((flags, attributes) => flags & attributes.flags, -1) >>> 0,
      flagsOr: all.reduce((flags, attributes) => flags | attributes.flags, 0) >>> 0,
      granularity: Math.min(...all.map((attributes) => attributes.granularity)),
      access: this.#gpusIn(all.map((attributes) => attributes.access)),
      accessInPlace: this.#gpusIn(all.map((attributes) => attributes.accessInPlace)),
    };
  }

  /** Whether memory of the process lies in any of these bytes. */
  hasArea(offset: number, sizeBytes: number): boolean {
    return this.#areas.some(([start, end]) => offset < end && start < offset + sizeBytes);
  }

  /** What GPUs may do with the page at `offset` by its attributes: PAGE_READ | …, or 0. */
  accessAt(offset: number): number {
    if (!this.hasArea(offset, 1)) return 0;
    const range = this.#ranges.find(({ start, end }) => offset >= start && offset < end);
    return pageAccess(range?.attributes ?? this.#defaults());
  }

  /** The ranges with no range across `start` or `end`. */
  #split(start: number, end: number): Range[] {
    return this.#ranges.flatMap((range) => {
      const cuts = [start, end].filter((cut) => cut > range.start && cut < range.end);
      const edges = [range.start, ...cuts, range.end];
      return edges.slice(1).map((to, i) => ({ ...range, start: edges[i] ?? range.start, end: to }));
    });
  }

  #gpusIn(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
    return new Set(this.#options.gpuIds.filter((gpuId) => sets.every((set) => set.has(gpuId))));
  }

  #defaults(): SvmAttributes {
    return {
      preferredLocation: LOCATION_UNDEFINED,
      prefetchLocation: LOCATION_UNDEFINED,
      flags: FLAG_HOST_ACCESS | FLAG_COHERENT,
      granularity: DEFAULT_GRANULARITY,
      access: new Set(this.#isXnackOn ? this.#options.gpuIds : []),
      accessInPlace: new Set(),
    };
  }
}

function applyAll(attributes: SvmAttributes, changes: readonly SvmChange[]): SvmAttributes {
  return changes.reduce(apply, attributes);
}

/** kfd_svm.c svm_range_apply_attrs. */
function apply(attributes: SvmAttributes, { kind, value }: SvmChange): SvmAttributes {
  switch (kind) {
    case 'preferred':
      return { ...attributes, preferredLocation: value };
    case 'prefetch':
      return { ...attributes, prefetchLocation: value };
    case 'set-flags':
      return { ...attributes, flags: (attributes.flags | value) >>> 0 };
    case 'clear-flags':
      return { ...attributes, flags: (attributes.flags & ~value) >>> 0 };
    case 'granularity':
      return { ...attributes, granularity: Math.min(value, MAX_GRANULARITY) };
    case 'access':
    case 'access-in-place':
    case 'no-access': {
      const access = new Set(attributes.access);
      const accessInPlace = new Set(attributes.accessInPlace);
      access.delete(value);
      accessInPlace.delete(value);
      if (kind === 'access') access.add(value);
      if (kind === 'access-in-place') accessInPlace.add(value);
      return { ...attributes, access, accessInPlace };
    }
  }
}

/** One page table serves all GPUs of a machine: what one may do, all may. */
function pageAccess({ access, accessInPlace, flags }: SvmAttributes): number {
  if (access.size === 0 && accessInPlace.size === 0) return 0;
  return (
    PAGE_READ |
    ((flags & FLAG_GPU_RO) === 0 ? PAGE_WRITE : 0) |
    ((flags & FLAG_GPU_EXEC) === 0 ? 0 : PAGE_EXECUTE) |
    ((flags & FLAG_COHERENT) === 0 ? PAGE_COARSE : 0)
  );
}
