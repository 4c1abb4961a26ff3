/**
 * What the semantics of one or more instructions become: values in SSA form, memory effects in order, register results, and how
 * control goes on. One instruction, or a straight run of them, is one block.
 */
import type { MatrixOp } from '../matrix/matrix-op.js';
import type { FloatMode } from './float-mode.js';
import type { AtomicOp, OpName, ValueType } from './ops.js';

/** Registers as the IR knows them. Wave masks (VCC, EXEC, SGPR pairs) are SGPRs: in wave32 one register, in wave64 two. */
export type RegisterFile = 'sgpr' | 'vgpr' | 'scc';

/**
 * SGPR numbers are hardware operand numbers: 0…105 the file (gfx9: 0…101, then FLAT_SCRATCH and XNACK_MASK), 106/107 VCC, 108…123
 * TTMP, 125 M0 (on every generation), 126/127 EXEC. NULL never appears: reads are the constant 0, writes are dropped by the builder.
 */
export const SGPR_FLAT_SCRATCH = 102;
export const SGPR_XNACK_MASK = 104;
export const SGPR_VCC = 106;
export const SGPR_TTMP = 108;
export const SGPR_M0 = 125;
export const SGPR_EXEC = 126;
/** In the file of vector registers the accumulation registers a0, a1, … of CDNA come after v255. */
export const FIRST_AGPR = 256;

/** Address space of a memory access. */
export type MemorySpace = 'global' | 'flat' | 'lds' | 'scratch';

/**
 * An address in the parts that the compiler can keep apart: base (uniform i64 or absent) + offset (i32, zero-extended, or absent)
 * + vector (i64 per lane, or absent) + a constant. For `lds` only offset and constant, 32-bit wrap.
 */
export interface Address {
  readonly base?: Value;
  readonly offset?: Value;
  readonly vector?: Value;
  readonly constant: number;
}

interface NodeBase {
  /** Index in its block; arguments come before users. */
  readonly id: number;
  readonly type: ValueType;
  readonly uniform: boolean;
}

/** A node of the graph. `Value` and node are the same thing. */
export type Value = ConstNode | ReadNode | OpNode | BlendNode | LoadNode | AtomicNode | ClockNode | MatrixNode | MatrixPart;

interface ConstNode extends NodeBase {
  readonly kind: 'const';
  /** i32: unsigned number; bool: 0 or 1; i64: low dword, with {@link high}. */
  readonly low: number;
  readonly high: number;
}
/** The register's value at block entry. vgpr: per lane i32; sgpr: uniform i32; scc: uniform bool. */
export interface ReadNode extends NodeBase {
  readonly kind: 'read';
  readonly file: RegisterFile;
  readonly index: number;
}
export interface OpNode extends NodeBase {
  readonly kind: 'op';
  readonly op: OpName;
  readonly args: readonly Value[];
}
/**
 * A VGPR write under EXEC: `value` in lanes where `mask` holds, else `old`. Means the same as select32, but tells the compiler that
 * the old value matters only if an inactive lane's content is read later (lazy blends).
 */
interface BlendNode extends NodeBase {
  readonly kind: 'blend';
  readonly mask: Value;
  readonly value: Value;
  readonly old: Value;
}
/**
 * A load of one value of 8, 16, 32 or 64 bits; wider loads are several nodes with one `group`, which fault as one access.
 * 8 and 16 bits are zero-extended. Inactive lanes access nothing and have an unspecified value.
 */
export interface LoadNode extends NodeBase {
  readonly kind: 'load';
  readonly space: MemorySpace;
  readonly address: Address;
  readonly bits: 8 | 16 | 32 | 64;
  /** Lanes that access memory; absent for a uniform load (SMEM), which is done once for the wave. */
  readonly mask?: Value;
  readonly group: number;
}
/** Returns the value before the operation; `compare` only for cmpswap, mask for mskor. Unused results are fine. */
export interface AtomicNode extends NodeBase {
  readonly kind: 'atomic';
  readonly space: MemorySpace;
  readonly op: AtomicOp;
  readonly address: Address;
  readonly bits: 32 | 64;
  readonly data: Value;
  readonly compare?: Value;
  readonly mask: Value;
}
/** A monotonic 64-bit counter: `realtime` 100 MHz, `cycles` any. */
export interface ClockNode extends NodeBase {
  readonly kind: 'clock';
  readonly counter: 'realtime' | 'cycles';
}
/**
 * A matrix instruction: takes and gives whole registers, in all lanes whatever EXEC is; the results are its parts. Touches no memory,
 * but is done in the order of the effects.
 */
export interface MatrixNode extends NodeBase {
  readonly kind: 'matrix';
  readonly op: MatrixOp;
  /** One value a register: those of A, B, C, index, scales of A, of B. */
  readonly args: readonly Value[];
}
/** One register of a matrix instruction's result. */
export interface MatrixPart extends NodeBase {
  readonly kind: 'part';
  readonly of: MatrixNode;
  readonly register: number;
}
export interface StoreEffect {
  readonly kind: 'store';
  readonly space: MemorySpace;
  readonly address: Address;
  readonly bits: 8 | 16 | 32 | 64;
  readonly data: Value;
  readonly mask: Value;
  readonly group: number;
}

/** Effects in program order. Loads are effects too: they may fault and see earlier stores. */
export type Effect = LoadNode | AtomicNode | ClockNode | MatrixNode | StoreEffect;

/** One register result of the block: the last value written to it. */
export interface RegisterWrite {
  readonly file: RegisterFile;
  readonly index: number;
  readonly value: Value;
}

/**
 * s_setpc, s_swappc: a 64-bit address in a register; `mode` is MODE from there on, as the register's bits. A write to MODE of what is
 * not known before is such a jump to the next instruction.
 */
export interface IndirectExit {
  readonly kind: 'indirect';
  readonly target: Value;
  readonly mode: Value;
}

/** How control goes on after the block. Addresses are byte offsets from the start of the code that was handed in. */
export type Exit =
  | { readonly kind: 'fall'; readonly to: number }
  | { readonly kind: 'branch'; readonly condition: Value; readonly taken: number; readonly fall: number }
  | { readonly kind: 'jump'; readonly to: number }
  | IndirectExit
  | { readonly kind: 'barrier'; readonly to: number }
  /** The wave lets others run (s_sleep and the like), then goes on. */
  | { readonly kind: 'yield'; readonly to: number }
  /**
   * The executor does what the 64 bits of `request` ask for (ir/wave-request.ts), to the wave's scalar registers too, and the wave goes
   * on, perhaps later. Registers that it may change are written with what no one knows before.
   */
  | { readonly kind: 'request'; readonly request: Value; readonly to: number }
  | { readonly kind: 'end' }
  /** s_trap. */
  | { readonly kind: 'trap'; readonly id: number; readonly to: number }
  /** Not executable: raises an illegal-instruction exception that carries `reason`. */
  | { readonly kind: 'illegal'; readonly reason: string };

export interface Block {
  /** Byte offset of the first instruction, and after the last; with an `illegal` exit `end` is the offset of that instruction. */
  readonly start: number;
  readonly end: number;
  /** All nodes in an order in which arguments precede users. */
  readonly nodes: readonly Value[];
  readonly effects: readonly Effect[];
  readonly writes: readonly RegisterWrite[];
  readonly exit: Exit;
  /** For each effect, the byte offset of its instruction (fault reports). */
  readonly effectPcs: readonly number[];
  /** MODE after the block, where the block changes it. */
  readonly modeAfter?: FloatMode;
}
