import type { Instruction } from '../instruction.js';
import type { BranchCondition } from '../facts/instruction-facts.js';

export interface FlowOptions {
  /** `gfx1100`, … */
  readonly processor: string;
  /** Default: the processor's, as for a decoder. */
  readonly waveSize?: 32 | 64;
  /** Offsets at which waves start: kernels. */
  readonly entries: readonly number[];
  /** Offsets of functions with the compiler's calling convention that are called from elsewhere; they return through s[30:31]. */
  readonly functions?: readonly number[];
  /** Address of offset 0; default 0. */
  readonly baseAddress?: bigint;
  /**
   * What calls leave in registers when addresses are followed: by default what the compiler's calling convention has functions
   * preserve; `nothing` for code that does not keep it, which leaves more transfers unknown.
   */
  readonly callsPreserve?: 'convention' | 'nothing';
}

/** An instruction and its byte offset. */
export interface FlowInstruction {
  readonly offset: number;
  readonly instruction: Instruction;
}

/**
 * Why control goes from one block to another: `fall` into the next, `jump`, `taken` and `not-taken` of a conditional branch, `return`
 * from the call at the end of the first.
 */
export type EdgeKind = 'fall' | 'jump' | 'taken' | 'not-taken' | 'return';

export interface FlowEdge {
  /** Indices of blocks. */
  readonly from: number;
  readonly to: number;
  readonly kind: EdgeKind;
  /** Leads to a block that dominates where it comes from. */
  readonly isBack: boolean;
}

/**
 * How a block ends.
 * - `fall`: the next block begins. `jump`, `branch`, `call`: as the edges and `call` of the block say.
 * - `return`: to the caller. `indirect`: to a place that is not known. `end`: the wave ends.
 * - `illegal`: no instruction follows; `outside`: control leaves the bytes, `target` says where to.
 */
export type BlockExit =
  | { readonly kind: 'fall' | 'jump' | 'call' | 'return' | 'indirect' | 'end' }
  | { readonly kind: 'branch'; readonly condition: BranchCondition }
  | { readonly kind: 'illegal'; readonly reason: string }
  | { readonly kind: 'outside'; readonly target: number };

export interface FlowBlock {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly instructions: readonly FlowInstruction[];
  readonly exit: BlockExit;
  readonly successors: readonly FlowEdge[];
  readonly predecessors: readonly FlowEdge[];
  /** Index of the function called at the end of the block; -1: not known or outside; undefined: no call. */
  readonly callee: number | undefined;
  /** Index of the function that the block belongs to: the first, where several share it. */
  readonly functionIndex: number;
  /** The closest block that every way here from a function's beginning passes; -1 for beginnings. */
  readonly dominator: number;
  /** Index of the innermost loop; -1: none. */
  readonly loop: number;
}

export interface FlowFunction {
  readonly index: number;
  /** Offset of its first instruction. */
  readonly entry: number;
  readonly isKernel: boolean;
  /** Indices of its blocks, by offset. Blocks that an earlier function has are not repeated. */
  readonly blocks: readonly number[];
  /** Blocks that call it. */
  readonly callers: readonly number[];
  /** Functions that it jumps into. */
  readonly tailCalls: readonly number[];
}

export interface FlowLoop {
  readonly index: number;
  /** The block that loops go back to. */
  readonly header: number;
  /** The loop around it; -1: none. */
  readonly parent: number;
  readonly depth: number;
  /** Indices of its blocks, inner loops' too. */
  readonly blocks: readonly number[];
  /** Can be entered by another block than the header. */
  readonly isIrreducible: boolean;
}

/** A transfer whose target is not known. */
export interface UnknownTransfer {
  readonly offset: number;
  readonly kind: 'call' | 'jump';
}

/** Bytes that no entry reaches. */
export interface FlowGap {
  readonly start: number;
  readonly end: number;
  /** `padding`: s_code_end, s_nop or zeros; `code`: everything decodes; `data`: something does not. */
  readonly kind: 'padding' | 'code' | 'data';
}

export interface ControlFlow {
  readonly processor: string;
  readonly waveSize: 32 | 64;
  /** By offset. */
  readonly blocks: readonly FlowBlock[];
  /** Kernels first, in the order of the entries, then functions by offset. */
  readonly functions: readonly FlowFunction[];
  /** Outer loops before inner ones. */
  readonly loops: readonly FlowLoop[];
  readonly unknownTransfers: readonly UnknownTransfer[];
  /** In order; with the blocks they make up all bytes. */
  readonly gaps: readonly FlowGap[];
  /** Entries and functions of the options that are not offsets of dwords in the bytes. */
  readonly badEntries: readonly number[];
  /** The block that has an instruction beginning at this offset. */
  blockAt(offset: number): FlowBlock | undefined;
}
