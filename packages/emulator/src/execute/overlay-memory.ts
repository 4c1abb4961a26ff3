/** Memory for a replay: reads what is there, keeps stores to itself. */
import type { ClockSource } from '../compile/compiler.js';
import {
  FAULT,
  type AccessFault,
  type AtomicAccess,
  type BlockFault,
  type EvaluatorMemory,
  type Position,
} from '../evaluate/index.js';
import { PRIVATE_BASE_HIGH, PRIVATE_LANES_HIGH, PRIVATE_LANES_SHIFT, SHARED_BASE_HIGH } from '../ir/apertures.js';
import { applyAtomic } from '../ir/atomic-functions.js';
import type { DwordPair } from '../ir/atomic-functions.js';
import type { MemorySpace } from '../ir/block.js';
import { PAGE_READ, PAGE_WRITE } from '../memory-map.js';
import type { MemoryView } from './memory-view.js';

export interface LocalMemory {
  readonly lds: number;
  readonly ldsBytes: number;
  readonly privateBase: number;
  readonly privateBytes: number;
  readonly waveSize: number;
}

/** An access without a place: out of range of LDS, which is no fault. */
const NOWHERE = -2;

export class OverlayMemory implements EvaluatorMemory {
  readonly #view: MemoryView;
  readonly #clock: ClockSource;
  readonly #local: LocalMemory;
  readonly #stored = new Map<number, number>();
  #fault: AccessFault = { failure: 'not-present' };

  constructor(view: MemoryView, clock: ClockSource, local: LocalMemory) {
    this.#view = view;
    this.#clock = clock;
    this.#local = local;
  }

  get lastFault(): AccessFault {
    return this.#fault;
  }

  /** Bytes stored so far, by memory offset. */
  stores(): ReadonlyMap<number, number> {
    return this.#stored;
  }

  load(space: MemorySpace, position: Readonly<Position>, bits: 8 | 16 | 32, lane: number): number {
    const place = this.#place(space, position, bits / 8, lane, PAGE_READ);
    if (place === FAULT) return FAULT;
    return place === NOWHERE ? 0 : this.#read(place, 0, bits / 8, this.#rowOf(space, position));
  }

  store(space: MemorySpace, position: Readonly<Position>, bits: 8 | 16 | 32, value: number, lane: number): number {
    const place = this.#place(space, position, bits / 8, lane, PAGE_WRITE);
    if (place === FAULT) return FAULT;
    if (place !== NOWHERE) this.#write(place, 0, bits / 8, value, this.#rowOf(space, position));
    return 0;
  }

  atomic(access: AtomicAccess): Readonly<DwordPair> | typeof FAULT {
    const bytes = access.bits / 8;
    const place = this.#place(access.space, access.position, bytes, access.lane, PAGE_READ | PAGE_WRITE);
    if (place === FAULT) return FAULT;
    if (place === NOWHERE) return { low: 0, high: 0 };
    if (access.position.low % bytes !== 0) {
      this.#fault = { failure: 'unaligned' };
      return FAULT;
    }
    const row = this.#rowOf(access.space, access.position);
    const old = { low: this.#read(place, 0, 4, row), high: bytes === 8 ? this.#read(place, 4, 4, row) : 0 };
    const next = applyAtomic(access.op, access.bits, old, access.data, access.compare);
    this.#write(place, 0, 4, next.low, row);
    if (bytes === 8) this.#write(place, 4, 4, next.high, row);
    return old;
  }

  /** Why an access fails; undefined if it does not. */
  check(
    space: MemorySpace,
    position: Readonly<Position>,
    bytes: number,
    lane: number,
    access: BlockFault['access'],
  ): AccessFault | undefined {
    const needed = access === 'read' ? PAGE_READ : access === 'write' ? PAGE_WRITE : PAGE_READ | PAGE_WRITE;
    if (this.#place(space, position, bytes, lane, needed) === FAULT) return this.#fault;
    return access === 'atomic' && position.low % bytes !== 0 ? { failure: 'unaligned' } : undefined;
  }

  clock(counter: 'realtime' | 'cycles'): bigint {
    return this.#clock(counter);
  }

  #place(space: MemorySpace, position: Readonly<Position>, bytes: number, lane: number, access: number): number {
    const { lds, ldsBytes } = this.#local;
    const isShared = space === 'lds' || (space === 'flat' && position.high === SHARED_BASE_HIGH);
    if (isShared) return position.low + bytes <= ldsBytes ? lds + position.low : NOWHERE;
    if (isPrivate(space, position)) return this.#privatePlace(position.low, bytes, lane);
    const address = (BigInt(position.high) << 32n) | BigInt(position.low);
    const offset = this.#view.offsetOf(address, bytes);
    if (offset < 0 || this.#view.pageFlags(offset) === 0) {
      this.#fault = { failure: 'not-present' };
      return FAULT;
    }
    if (!this.#view.allows(offset, bytes, access)) {
      this.#fault = { failure: this.#view.allows(offset, bytes, PAGE_READ) ? 'read-only' : 'not-present' };
      return FAULT;
    }
    return offset;
  }

  #privatePlace(offset: number, bytes: number, lane: number): number {
    const { privateBase, privateBytes, waveSize } = this.#local;
    if (offset + bytes > privateBytes) {
      this.#fault = { failure: 'aperture' };
      return FAULT;
    }
    return privateBase + (offset & ~3) * waveSize + lane * 4 + (offset & 3);
  }

  /** Bytes from a lane's dword to its next one where dwords are interleaved over the lanes, else 4. */
  #rowOf(space: MemorySpace, position: Readonly<Position>): number {
    return isPrivate(space, position) ? this.#local.waveSize * 4 : 4;
  }

  /** `bytes` bytes from `first` on, of an access that begins at `place`. */
  #read(place: number, first: number, bytes: number, row: number): number {
    let value = 0;
    for (let i = first + bytes - 1; i >= first; i--) {
      const at = byteOf(place, i, row);
      value = value * 256 + (this.#stored.get(at) ?? this.#view.bytes[at] ?? 0);
    }
    return value;
  }

  #write(place: number, first: number, bytes: number, value: number, row: number): void {
    for (let i = 0; i < bytes; i++) this.#stored.set(byteOf(place, first + i, row), (value >>> (8 * i)) & 0xff);
  }
}

function isPrivate(space: MemorySpace, position: Readonly<Position>): boolean {
  if (space !== 'flat') return space === 'scratch';
  const isOfLane = (position.high ^ PRIVATE_LANES_HIGH) >>> (PRIVATE_LANES_SHIFT - 32) === 0;
  return isOfLane || position.high === PRIVATE_BASE_HIGH;
}

/** Where byte `index` of an access at `place` lies. */
function byteOf(place: number, index: number, row: number): number {
  const inDword = (place & 3) + index;
  return place - (place & 3) + (inDword >> 2) * row + (inDword & 3);
}
