/** Machine code as far as it is looked at: instructions decoded once, where blocks begin, and blocks of IR. */
import { controlOf, type ControlKind, type Decoder, type Instruction } from '@doorbell/isa';
import type { Block } from '../ir/block.js';
import { SGPR_EXEC } from '../ir/block.js';
import type { FloatMode } from '../ir/float-mode.js';
import { buildBlock, encodeMode, generationOf, problemOfMode, type PlacedInstruction } from '../semantics/index.js';
import { isUnderExec } from './exec-mask.js';

export interface CodeOptions {
  readonly decoder: Decoder;
  readonly code: Uint8Array;
  readonly codeBase: bigint;
  /** VGPRs that the wave has. */
  readonly vgprCount: number;
}

/** Where a block begins, and the mode that it is built for. */
export interface CodePlace {
  /** Byte offset of its first instruction. */
  readonly start: number;
  readonly mode: FloatMode;
}

/** Code bytes as [first, end) offsets, in order. */
export type CodeRanges = readonly (readonly [number, number])[];

/** What is reached from an entry. */
export interface Scan {
  /** Where blocks begin: the entry, branch targets, and what follows a branch. */
  readonly leaders: ReadonlySet<number>;
  /** Offsets of the instructions. */
  readonly offsets: ReadonlySet<number>;
}

export interface BuiltBlock {
  readonly ir: Block;
  readonly instructionCount: number;
}

/** More instructions than this do not go into one block: recursion over values stays shallow. */
export const MAX_BLOCK = 96;

/** After these control does not simply go on. What comes after a call is found when its callee's return is compiled. */
const ENDS_RUN: ReadonlySet<ControlKind> = new Set<ControlKind>(['jump', 'branch', 'call', 'indirect', 'end']);

interface Decoded {
  readonly instruction: Instruction | undefined;
  readonly sizeBytes: number;
  /** Why there is no instruction. */
  readonly reason: string;
}

export class CodeReader {
  readonly #options: CodeOptions;
  readonly #decoded = new Map<number, Decoded>();

  constructor(options: CodeOptions) {
    this.#options = options;
  }

  /** Follows control from an entry, for about so many instructions: first straight on, then the branches in their order. */
  scan(entry: number, most: number): Scan {
    const leaders = new Set([entry]);
    const offsets = new Set<number>();
    for (const start of leaders) {
      for (let offset = start; offsets.size < most && !offsets.has(offset); ) {
        offsets.add(offset);
        const { instruction, sizeBytes } = this.#decode(offset);
        if (instruction === undefined) break;
        const next = offset + sizeBytes;
        const control = controlOf(instruction);
        if (control.kind === 'branch') leaders.add(next);
        if ('target' in control && control.target !== undefined) leaders.add(offset + control.target);
        if (ENDS_RUN.has(control.kind)) break;
        offset = next;
      }
    }
    return { leaders, offsets };
  }

  /** The block from a place to the next leader or the end of what can be one block, of at most so many instructions. */
  block({ start, mode }: CodePlace, leaders: ReadonlySet<number>, most: number = MAX_BLOCK): BuiltBlock {
    const problem = problemOfMode(encodeMode(mode), generationOf(this.#options.decoder.processor));
    if (problem !== undefined) return { ir: illegalBlock(start, problem), instructionCount: 0 };
    const run: PlacedInstruction[] = [];
    let reason = '';
    for (let offset = start; run.length < most; ) {
      const { instruction, sizeBytes, reason: failure } = this.#decode(offset);
      if (instruction === undefined) {
        reason = failure;
        break;
      }
      run.push({ offset, instruction });
      offset += sizeBytes;
      if (leaders.has(offset) || writesExec(instruction) || ENDS_RUN.has(controlOf(instruction).kind)) break;
    }
    if (run.length === 0) return { ir: illegalBlock(start, reason), instructionCount: 0 };
    let ir = this.#build(run, mode);
    // EXEC must be the same for everything in a block: where an instruction changed it unnoticed, the block is cut.
    for (let length = run.length - 1; length > 0 && hasSeveralMasks(ir); length--) ir = this.#build(run.slice(0, length), mode);
    return { ir, instructionCount: run.filter((item) => item.offset < ir.end).length };
  }

  /** Lets go of the instructions: they are decoded again when they are looked at. */
  forget(): void {
    this.#decoded.clear();
  }

  /** The bytes of all that control can come to from an entry. */
  reached(entry: number): CodeRanges {
    return this.ranges(this.scan(entry, Infinity).offsets);
  }

  /** The bytes of instructions, by default of all that were looked at. */
  ranges(of: Iterable<number> = this.#decoded.keys()): CodeRanges {
    const offsets = [...of].sort((a, b) => a - b);
    const ranges: [number, number][] = [];
    for (const offset of offsets) {
      const end = offset + this.#decode(offset).sizeBytes;
      const last = ranges.at(-1);
      if (last !== undefined && offset <= last[1]) last[1] = Math.max(last[1], end);
      else ranges.push([offset, end]);
    }
    return ranges;
  }

  #decode(offset: number): Decoded {
    const found = this.#decoded.get(offset);
    if (found !== undefined) return found;
    const { decoder, code } = this.#options;
    let result: Decoded;
    if (offset < 0 || offset >= code.length) {
      result = { instruction: undefined, sizeBytes: 0, reason: 'code ends' };
    } else {
      const decoded = decoder.decode(code, offset);
      result = decoded.ok
        ? { instruction: decoded.instruction, sizeBytes: decoded.instruction.sizeBytes, reason: '' }
        : { instruction: undefined, sizeBytes: decoded.failure.sizeBytes, reason: decoded.failure.message };
    }
    this.#decoded.set(offset, result);
    return result;
  }

  #build(run: readonly PlacedInstruction[], mode: FloatMode): Block {
    const { decoder, codeBase, vgprCount } = this.#options;
    return buildBlock(run, { waveSize: decoder.waveSize, mode, processor: decoder.processor, codeBase, vgprCount });
  }
}

function writesExec(instruction: Instruction): boolean {
  if (instruction.implicitWrites.some((name) => name.toLowerCase().startsWith('exec'))) return true;
  return instruction.operands.some((operand) => operand.isResult && operand.special.startsWith('exec'));
}

function illegalBlock(offset: number, reason: string): Block {
  return { start: offset, end: offset, nodes: [], effects: [], writes: [], exit: { kind: 'illegal', reason }, effectPcs: [] };
}

/** Whether a memory access or a register write of the block happens under a changed EXEC. */
function hasSeveralMasks(ir: Block): boolean {
  if (!ir.writes.some((write) => write.file === 'sgpr' && write.index >= SGPR_EXEC)) return false;
  return ir.effects.some((effect) => 'mask' in effect && effect.mask !== undefined && !isUnderExec(effect.mask));
}
