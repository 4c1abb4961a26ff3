/** What passes over machine code need to know of one instruction. */

/**
 * Where a register lives. `vcc`, `exec`, `flat_scratch` and `xnack_mask` have the registers 0 (low) and 1 (high); `scc`, `m0` and
 * `mode` have register 0 only. `null` never appears: it reads as 0 and swallows writes.
 */
export type RegisterFile =
  | 'sgpr'
  | 'vgpr'
  | 'agpr'
  | 'ttmp'
  | 'vcc'
  | 'exec'
  | 'flat_scratch'
  | 'xnack_mask'
  | 'm0'
  | 'scc'
  | 'mode';

/** Registers next to each other in one file. */
export interface RegisterRange {
  readonly file: RegisterFile;
  readonly first: number;
  readonly count: number;
}

export interface RegisterRead extends RegisterRange {
  /** Field name of the operand; '' for a register that no operand names. */
  readonly operand: string;
  /** The half that is read; undefined: all bits. */
  readonly half: 'low' | 'high' | undefined;
}

/**
 * Which of the old value can be left after a write.
 * - `inactive-lanes`: lanes whose EXEC bit is 0. Compilers take this for a full write: only active lanes exist for them.
 * - `other-lanes`: all lanes but one (v_writelane), or lanes that DPP masks or finds no source lane for.
 * - `other-half`: the other 16 bits. `other-bytes`: SDWA preserve, byte selects.
 * - `other-bits`: part of a special register (s_setreg, s_round_mode, …).
 * - `all`: everything, when a condition says so (s_cmov).
 */
export type Remainder = 'inactive-lanes' | 'other-lanes' | 'other-half' | 'other-bytes' | 'other-bits' | 'all';

export interface RegisterWrite extends RegisterRange {
  /** Field name of the operand; '' for a register that no operand names. */
  readonly operand: string;
  /** What can stay of the old value; empty: the write replaces it. */
  readonly keeps: readonly Remainder[];
}

/**
 * Kind of memory. `scalar` is what SMEM reads through an address pair, `scalar-buffer` through a resource; `lds-parameter` what
 * LDSDIR and VINTRP read; `cache` stands for instructions that invalidate or write back without an address.
 */
export type MemorySpace =
  | 'flat'
  | 'global'
  | 'scratch'
  | 'buffer'
  | 'image'
  | 'scalar'
  | 'scalar-buffer'
  | 'scalar-scratch'
  | 'lds'
  | 'gds'
  | 'lds-parameter'
  | 'tensor'
  | 'export'
  | 'cache';

export type MemoryAccess = 'load' | 'store' | 'atomic' | 'prefetch' | 'maintenance';

export interface MemoryFacts {
  readonly space: MemorySpace;
  readonly access: MemoryAccess;
  /** Bytes of one access, of each active lane for vector memory; 0 where the resource or a register decides (formats, images, tensors). */
  readonly bytes: number;
  /** Accesses of each lane: 2 for ds_read2 and its like. */
  readonly accesses: 1 | 2;
  /** An atomic that gives back the old value. */
  readonly returnsOld: boolean;
  /** Data goes between memory and LDS without a register. */
  readonly usesLds: boolean;
  /** Field names of the operands that make the address: registers, resources and the offset field. */
  readonly address: readonly string[];
}

/** Condition of a conditional branch. `debug`: the debugger's flags; `fork`, `subvector`: the EXEC splitting of those instructions. */
export type BranchCondition = 'scc0' | 'scc1' | 'vccz' | 'vccnz' | 'execz' | 'execnz' | 'debug' | 'fork' | 'subvector';

/**
 * How control goes on. `target` counts bytes from the start of this instruction.
 * - `fall`: the next instruction.
 * - `jump`, `branch`: to `target`, for `branch` under a condition, else the next.
 * - `call`: to `target` (or to the address in `through`), leaving the next instruction's address in `link`.
 * - `indirect`: to the address in `through`; undefined for s_rfe and what takes it from elsewhere.
 * - `end`: the wave ends. `trap`: the trap handler, then the next instruction if it returns. `illegal`: no instruction to execute.
 * - `barrier`, `halt`, `sleep`: the wave may wait here, then the next instruction.
 */
export type ControlFacts =
  | { readonly kind: 'fall' }
  | { readonly kind: 'jump'; readonly target: number }
  | { readonly kind: 'branch'; readonly target: number; readonly condition: BranchCondition }
  | {
      readonly kind: 'call';
      readonly target: number | undefined;
      readonly through: RegisterRange | undefined;
      readonly link: RegisterRange | undefined;
    }
  | { readonly kind: 'indirect'; readonly through: RegisterRange | undefined }
  | { readonly kind: 'end' }
  | { readonly kind: 'illegal' }
  | { readonly kind: 'trap'; readonly id: number }
  | { readonly kind: 'barrier' }
  | { readonly kind: 'halt' }
  | { readonly kind: 'sleep' };

export type ControlKind = ControlFacts['kind'];

/** Counters of outstanding operations; gfx12 has other ones than its forerunners. The last group counts operations of the ALUs. */
export type WaitCounter =
  | 'vmcnt'
  | 'lgkmcnt'
  | 'expcnt'
  | 'vscnt'
  | 'loadcnt'
  | 'storecnt'
  | 'samplecnt'
  | 'bvhcnt'
  | 'dscnt'
  | 'kmcnt'
  | 'asynccnt'
  | 'tensorcnt'
  | 'xcnt'
  | 'va_vdst'
  | 'va_sdst'
  | 'va_ssrc'
  | 'va_vcc'
  | 'vm_vsrc'
  | 'sa_sdst'
  | 'hold_cnt';

/** The instruction waits until the counter is at most `value`. */
export interface CounterWait {
  readonly counter: WaitCounter;
  readonly value: number;
}

export interface InstructionFacts {
  /** Every register that the result depends on, but not those of which only the remainder of a write is kept. */
  readonly reads: readonly RegisterRead[];
  readonly writes: readonly RegisterWrite[];
  /** Files that the instruction also reads or writes at a place that M0 or a lane decides (v_movrels, s_movreld, …). */
  readonly relativeReads: readonly RegisterFile[];
  readonly relativeWrites: readonly RegisterFile[];
  /** undefined: touches no memory. */
  readonly memory: MemoryFacts | undefined;
  readonly control: ControlFacts;
  /** Counters that the instruction counts up, when it has anything to do. */
  readonly counters: readonly WaitCounter[];
  readonly waits: readonly CounterWait[];
  readonly changesExec: boolean;
  readonly changesMode: boolean;
  /** s_set_vgpr_msb: which VGPRs later instructions mean. */
  readonly changesVgprMsb: boolean;
  /** s_set_gpr_idx_on, _mode, _off: vector operands of later instructions become relative to M0, or no longer are. */
  readonly changesGprIndexing: boolean;
  /** Memory faults, traps and illegal instructions; not floating-point exceptions. */
  readonly mayTrap: boolean;
}
