/**
 * The boundary between the command processor's side (who runs what, when) and the execution engine (what a workgroup does).
 * One executor lives in each compute worker; it compiles kernels (cached by content) and runs ranges of workgroups.
 */

/** A dispatch as the command processor decoded it from the AQL packet and the kernel descriptor. Sizes in work-items and bytes. */
export interface Dispatch {
  /** `gfx1100`, …: the agent's processor. */
  readonly processor: string;
  readonly workgroup: readonly [number, number, number];
  readonly grid: readonly [number, number, number];
  /** Workgroups in each dimension: ceil(grid / workgroup). */
  readonly groups: readonly [number, number, number];
  /** Packet's group segment size: static + dynamic LDS. */
  readonly ldsBytes: number;
  readonly privateBytes: number;
  /** 64-bit GPU addresses. */
  readonly descriptorAddress: bigint;
  readonly kernargAddress: bigint;
  readonly packetAddress: bigint;
  readonly queueAddress: bigint;
  readonly dispatchId: bigint;
  /** The kernel descriptor's fields (AMDHSAKernelDescriptor.h). */
  readonly entryAddress: bigint;
  readonly rsrc1: number;
  readonly rsrc2: number;
  readonly rsrc3: number;
  readonly properties: number;
  readonly kernargPreload: number;
}

/** What stopped a run of workgroups. */
export type RunOutcome =
  /** The whole range is finished. */
  | { readonly kind: 'done' }
  /** The budget ran out or every wave waits for others: call {@link Executor.resume} later. */
  | { readonly kind: 'yield' }
  | { readonly kind: 'fault'; readonly fault: WaveFault };

export type WaveFaultKind = 'memory' | 'aperture' | 'illegal-instruction' | 'trap' | 'code-fetch';

/** Everything a fault report says; also crosses threads as a plain object. */
export interface WaveFault {
  readonly kind: WaveFaultKind;
  readonly message: string;
  /** GPU address of the instruction, and its text and bytes. */
  readonly pc: bigint;
  readonly disassembly: string;
  readonly bytes: string;
  /** memory faults: the address, what was tried, why it failed. */
  readonly address?: bigint;
  readonly access?: 'read' | 'write' | 'execute' | 'atomic';
  readonly failure?: 'not-present' | 'read-only' | 'no-execute';
  readonly workgroup: readonly [number, number, number];
  /** Wave in the workgroup, lane in the wave. */
  readonly wave: number;
  readonly lane?: number;
  readonly trapId?: number;
}

/** A kernel made ready: decoded, compiled. Opaque to the command processor's side. */
export interface PreparedKernel {
  readonly descriptorAddress: bigint;
}

/** A range of workgroups in progress. */
export interface GroupRun {
  readonly finishedGroups: number;
  /** It has no place for a workgroup that is to begin; others must end first. */
  readonly isStarved: boolean;
}

export interface Executor {
  /** How long making code that was needed at once has taken, in all. */
  readonly makingMs: number;
  /** Decodes and compiles (or finds in its cache) the kernel of `dispatch`. Throws an `HsaError` or returns a fault if the code cannot even be fetched. */
  prepare(dispatch: Dispatch): PreparedKernel | WaveFault;
  /** Begins workgroups `first` … `first + count - 1` (linear ids, x fastest) and runs them for about `budgetUs`. */
  start(kernel: PreparedKernel, dispatch: Dispatch, first: number, count: number): GroupRun;
  /** Goes on with a run: returns after about `budgetMs` (default 1), or when it is finished. */
  resume(run: GroupRun, budgetMs?: number): RunOutcome;
  /** Gives up a run that will not be resumed: its memory is free again. Not called after `done` or `fault`. */
  drop(run: GroupRun): void;
  /** Makes a little optimised code that is never run, so that a kernel finds a compiler that the engine knows; false: that is done. */
  warmUp(processor: string): boolean;
  /** Makes a part of optimised code that some worker asked for, if it is not large. What it began must be ended. */
  makeCode(): MadeCode;
}

/** `whole`: what was asked for is there; `part`: of it is; `none`: nothing is asked for. */
export type MadeCode = 'whole' | 'part' | 'none';

/**
 * Why optimised code is asked for: `wanted`: it would be faster; `large`: as well, and it takes long to make; `certain`: the dispatch is so
 * vast that it is taken to be worth its making before its pace is known; `urgent`: waves cannot go on without it.
 */
export type CodeNeed = 'wanted' | 'large' | 'certain' | 'urgent';
