/** Control-flow graph of machine code from one entry: blocks of IR in which EXEC does not change before the last instruction. */
import { factsOf, type ControlKind, type Decoder, type Instruction } from '@doorbell/isa';
import type { Block, Value } from '../ir/block.js';
import { SGPR_EXEC } from '../ir/block.js';
import type { FloatMode } from '../ir/float-mode.js';
import { buildBlock, encodeMode, generationOf, problemOfMode, type PlacedInstruction } from '../semantics/index.js';
import type { LaneGuess } from './lane-guesses.js';

export interface CodeOptions {
  readonly decoder: Decoder;
  readonly code: Uint8Array;
  readonly codeBase: bigint;
  /** Byte offset of the first instruction. */
  readonly entry: number;
  readonly mode: FloatMode;
  /** Waves begin at the entry with the registers of a start, so that a loop back to it has a block of its own. Default false. */
  readonly hasStart?: boolean;
  /** VGPRs that the wave has. */
  readonly vgprCount: number;
}

export interface CfgBlock {
  readonly index: number;
  readonly ir: Block;
  readonly instructionCount: number;
  readonly mode: FloatMode;
  /** Blocks that control goes to within a call of compiled code: for a branch the taken one first. */
  readonly successors: number[];
  /** The block after a barrier or yield. */
  continuation: number;
  readonly predecessors: number[];
  /** A copy in which EXEC is full at entry. */
  readonly isFull: boolean;
  /** The first successor is taken if EXEC is full after the block, else the second (full-exec.ts). */
  hasGuard: boolean;
  /** The first successor is taken if all of these hold, else the second (lane-guesses.ts). */
  readonly guesses?: readonly LaneGuess[];
}

export interface Cfg {
  /** The first is the entry. */
  readonly blocks: readonly CfgBlock[];
  /** Code bytes that were looked at, as [first, end) offsets, in order. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** More instructions than this do not go into one block: recursion over values stays shallow. */
const MAX_BLOCK = 96;
/** s_trap ids that stop the wave; 3 is llvm.debugtrap, which does nothing without a debugger (semantics.md §17). */
const TRAP_DEBUG = 3;

/** After these control does not simply go on. What comes after a call is found when its callee's return is compiled. */
const ENDS_RUN: ReadonlySet<ControlKind> = new Set<ControlKind>(['jump', 'branch', 'call', 'indirect', 'end']);

interface Decoded {
  readonly instruction: Instruction | undefined;
  readonly sizeBytes: number;
  /** Why there is no instruction. */
  readonly reason: string;
}

export function buildCfg(options: CodeOptions): Cfg {
  return new CfgBuilder(options).build();
}

class CfgBuilder {
  readonly #options: CodeOptions;
  readonly #decoded = new Map<number, Decoded>();
  readonly #leaders = new Set<number>();
  readonly #blocks: CfgBlock[] = [];
  readonly #byKey = new Map<string, number>();

  constructor(options: CodeOptions) {
    this.#options = options;
  }

  build(): Cfg {
    const { decoder, entry, mode, hasStart = false } = this.#options;
    this.#scan(entry);
    const problem = problemOfMode(encodeMode(mode), generationOf(decoder.processor));
    if (problem === undefined) this.#block(entry, mode);
    else this.#add(mode, illegalBlock(entry, problem), 0);
    if (hasStart) this.#byKey.clear();
    for (let index = 0; index < this.#blocks.length; index++) this.#connect(index);
    for (const block of this.#blocks) {
      for (const successor of block.successors) this.#blocks[successor]?.predecessors.push(block.index);
    }
    return { blocks: this.#blocks, ranges: this.#ranges() };
  }

  /** Finds where blocks begin: branch targets, and what follows a branch. */
  #scan(entry: number): void {
    const todo = [entry];
    for (let start = todo.pop(); start !== undefined; start = todo.pop()) {
      if (this.#leaders.has(start)) continue;
      this.#leaders.add(start);
      let offset = start;
      for (;;) {
        const { instruction, sizeBytes } = this.#decode(offset);
        if (instruction === undefined) break;
        const next = offset + sizeBytes;
        const { control } = factsOf(instruction);
        if (control.kind === 'branch') todo.push(next);
        if ('target' in control && control.target !== undefined) todo.push(offset + control.target);
        if (ENDS_RUN.has(control.kind)) break;
        if (this.#leaders.has(next)) break;
        offset = next;
      }
    }
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

  #block(start: number, mode: FloatMode): number {
    const key = `${start},${JSON.stringify(mode)}`;
    const found = this.#byKey.get(key);
    if (found !== undefined) return found;
    this.#byKey.set(key, this.#blocks.length);
    const { ir, count } = this.#build(start, mode);
    return this.#add(mode, ir, count);
  }

  #add(mode: FloatMode, ir: Block, instructionCount: number): number {
    const index = this.#blocks.length;
    this.#blocks.push({
      index,
      ir,
      instructionCount,
      mode,
      successors: [],
      continuation: -1,
      predecessors: [],
      isFull: false,
      hasGuard: false,
    });
    return index;
  }

  #build(start: number, mode: FloatMode): { ir: Block; count: number } {
    const run: PlacedInstruction[] = [];
    let reason = '';
    for (let offset = start; run.length < MAX_BLOCK; ) {
      const { instruction, sizeBytes, reason: failure } = this.#decode(offset);
      if (instruction === undefined) {
        reason = failure;
        break;
      }
      run.push({ offset, instruction });
      offset += sizeBytes;
      if (this.#leaders.has(offset) || writesExec(instruction)) break;
    }
    if (run.length === 0) return { ir: illegalBlock(start, reason), count: 0 };
    let ir = this.#buildIr(run, mode);
    // EXEC must be the same for everything in a block: where an instruction changed it unnoticed, the block is cut.
    for (let length = run.length - 1; length > 0 && hasSeveralMasks(ir); length--) ir = this.#buildIr(run.slice(0, length), mode);
    return { ir, count: run.filter((item) => item.offset < ir.end).length };
  }

  #buildIr(run: readonly PlacedInstruction[], mode: FloatMode): Block {
    const { decoder, codeBase, vgprCount } = this.#options;
    return buildBlock(run, { waveSize: decoder.waveSize, mode, processor: decoder.processor, codeBase, vgprCount });
  }

  #connect(index: number): void {
    const block = this.#blocks[index];
    if (block === undefined) return;
    const { exit } = block.ir;
    const mode = block.ir.modeAfter ?? block.mode;
    switch (exit.kind) {
      case 'fall':
      case 'jump':
        block.successors.push(this.#block(exit.to, mode));
        return;
      case 'branch':
        block.successors.push(this.#block(exit.taken, mode), this.#block(exit.fall, mode));
        return;
      case 'barrier':
      case 'yield':
      case 'request':
        block.continuation = this.#block(exit.to, mode);
        return;
      case 'trap':
        if (exit.id === TRAP_DEBUG) block.successors.push(this.#block(exit.to, mode));
        return;
      case 'end':
      case 'indirect':
      case 'illegal':
        return;
      default:
        exit satisfies never;
    }
  }

  #ranges(): (readonly [number, number])[] {
    const offsets = [...this.#decoded.keys()].sort((a, b) => a - b);
    const ranges: [number, number][] = [];
    for (const offset of offsets) {
      const end = offset + (this.#decoded.get(offset)?.sizeBytes ?? 0);
      const last = ranges.at(-1);
      if (last !== undefined && offset <= last[1]) last[1] = Math.max(last[1], end);
      else ranges.push([offset, end]);
    }
    return ranges;
  }
}

function writesExec(instruction: Instruction): boolean {
  if (instruction.implicitWrites.some((name) => name.toLowerCase().startsWith('exec'))) return true;
  return instruction.operands.some((operand) => operand.isResult && operand.special.startsWith('exec'));
}

function illegalBlock(offset: number, reason: string): Block {
  return { start: offset, end: offset, nodes: [], effects: [], writes: [], exit: { kind: 'illegal', reason }, effectPcs: [] };
}

/** EXEC at block entry, as one bool per lane. */
export function isExecMask(value: Value): boolean {
  if (value.kind !== 'op' || value.op !== 'inverseBallot') return false;
  const [whole] = value.args;
  if (whole?.kind !== 'op' || whole.op !== 'pack64') return false;
  const [low, high] = whole.args;
  const isRead = (part: Value | undefined, index: number): boolean =>
    part?.kind === 'read' && part.file === 'sgpr' && part.index === index;
  return isRead(low, SGPR_EXEC) && (isRead(high, SGPR_EXEC + 1) || high?.kind === 'const');
}

/** Whether a memory access or a register write of the block happens under a changed EXEC. */
function hasSeveralMasks(ir: Block): boolean {
  if (!ir.writes.some((write) => write.file === 'sgpr' && write.index >= SGPR_EXEC)) return false;
  return ir.effects.some((effect) => 'mask' in effect && effect.mask !== undefined && !isUnderExec(effect.mask));
}

/** The mask is EXEC at entry, or that and something else. */
export function isUnderExec(mask: Value): boolean {
  if (isExecMask(mask)) return true;
  return mask.kind === 'op' && mask.op === 'and' && mask.args.some((arg) => isUnderExec(arg));
}
