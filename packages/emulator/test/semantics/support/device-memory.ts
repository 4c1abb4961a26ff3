/** Plain memory for the reference interpreter: one window of global memory, LDS, scratch by lane. */
import type { DwordPair } from '../../../src/ir/atomic-functions.js';
import { applyAtomic } from '../../../src/ir/atomic-functions.js';
import type { MemorySpace } from '../../../src/ir/block.js';
import type { AccessFault, AtomicAccess, EvaluatorMemory, Position } from '../../../src/evaluate/index.js';
import { FAULT } from '../../../src/evaluate/index.js';

export const MEMORY_BASE_HIGH = 0x42;

export class DeviceMemory implements EvaluatorMemory {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  lds: DataView;
  readonly scratch: DataView[];
  readonly lastFault: AccessFault = { failure: 'not-present' };
  #time = 0n;

  constructor(sizeBytes: number, ldsBytes: number = 0x10000, scratchBytes: number = 0) {
    this.bytes = new Uint8Array(sizeBytes);
    this.view = new DataView(this.bytes.buffer);
    this.lds = new DataView(new ArrayBuffer(ldsBytes));
    this.scratch = Array.from({ length: 64 }, () => new DataView(new ArrayBuffer(scratchBytes)));
  }

  load(space: MemorySpace, position: Readonly<Position>, bits: 8 | 16 | 32, lane: number): number {
    const view = this.#find(space, position, lane);
    if (view === undefined) return FAULT;
    if (position.low + bits / 8 > view.byteLength) return space === 'lds' ? 0 : FAULT;
    if (bits === 8) return view.getUint8(position.low);
    return bits === 16 ? view.getUint16(position.low, true) : view.getUint32(position.low, true);
  }

  store(space: MemorySpace, position: Readonly<Position>, bits: 8 | 16 | 32, value: number, lane: number): number {
    const view = this.#find(space, position, lane);
    if (view === undefined) return FAULT;
    if (position.low + bits / 8 > view.byteLength) return space === 'lds' ? 0 : FAULT;
    if (bits === 8) view.setUint8(position.low, value);
    else if (bits === 16) view.setUint16(position.low, value, true);
    else view.setUint32(position.low, value, true);
    return 0;
  }

  atomic({ space, position, op, bits, data, compare, lane }: AtomicAccess): DwordPair | typeof FAULT {
    const next = { low: position.low + 4, high: position.high };
    const low = this.load(space, position, 32, lane);
    const high = bits === 64 ? this.load(space, next, 32, lane) : 0;
    if (low === FAULT || high === FAULT) return FAULT;
    const old = { low, high };
    const value = applyAtomic(op, bits, old, data, compare);
    this.store(space, position, 32, value.low, lane);
    if (bits === 64) this.store(space, next, 32, value.high, lane);
    return old;
  }

  clock(): bigint {
    return (this.#time += 100n);
  }

  #find(space: MemorySpace, position: Readonly<Position>, lane: number): DataView | undefined {
    if (space === 'lds' || (space === 'flat' && position.high === 0x10000)) return this.lds;
    if (space === 'scratch' || (space === 'flat' && position.high === 0x20000)) return this.scratch[lane];
    return position.high === MEMORY_BASE_HIGH ? this.view : undefined;
  }
}
