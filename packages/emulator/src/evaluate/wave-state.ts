/** What the reference interpreter works on: the registers of a wave, and memory as an interface. */
import type { DwordPair } from '../ir/atomic-functions.js';
import type { ClockNode, MemorySpace } from '../ir/block.js';
import type { AtomicOp } from '../ir/ops.js';

/** Registers of one wave. */
export interface WaveState {
  readonly waveSize: 32 | 64;
  /** By hardware operand number: 0…127. */
  readonly sgprs: Uint32Array;
  /** Register by register, one dword per lane. */
  readonly vgprs: Uint32Array;
  scc: number;
}

export function createWaveState(waveSize: 32 | 64, vgprCount: number = 256): WaveState {
  return { waveSize, sgprs: new Uint32Array(128), vgprs: new Uint32Array(vgprCount * waveSize), scc: 0 };
}

/** An access failed; {@link EvaluatorMemory.lastFault} says why. */
export const FAULT = -1;

/** A 64-bit address in dwords, both unsigned. In `lds` and `scratch` `high` is 0. */
export interface Position {
  low: number;
  high: number;
}

/** Why an access failed. */
export interface AccessFault {
  readonly failure: 'not-present' | 'read-only' | 'no-execute' | 'aperture' | 'unaligned';
}

export interface AtomicAccess {
  readonly space: MemorySpace;
  readonly position: Readonly<Position>;
  readonly op: AtomicOp;
  readonly bits: 32 | 64;
  readonly data: Readonly<DwordPair>;
  readonly compare: Readonly<DwordPair>;
  readonly lane: number;
}

/**
 * Memory as a wave sees it. `flat` addresses come as they are: the implementation looks at the apertures (ir/apertures.ts).
 * Out of range LDS reads are 0 and writes are dropped (semantics.md §10); that is the implementation's part as well.
 */
export interface EvaluatorMemory {
  /** The value, zero-extended, or {@link FAULT}. */
  load(space: MemorySpace, position: Readonly<Position>, bits: 8 | 16 | 32, lane: number): number;
  /** 0 or {@link FAULT}; only the low `bits` of the value count. */
  store(space: MemorySpace, position: Readonly<Position>, bits: 8 | 16 | 32, value: number, lane: number): number;
  /** The value before, or {@link FAULT}. */
  atomic(access: AtomicAccess): Readonly<DwordPair> | typeof FAULT;
  clock(counter: ClockNode['counter']): bigint;
  /** Of the last access that failed. */
  readonly lastFault: AccessFault;
}
