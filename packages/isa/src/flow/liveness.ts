import { factsOf } from '../facts/facts-of.js';
import type { InstructionFacts, RegisterRange, RegisterWrite } from '../facts/instruction-facts.js';
import type { Instruction } from '../instruction.js';
import type { ControlFlow, FlowBlock, FlowInstruction } from './control-flow-types.js';
import { findMoved, movesOperands } from './moved-operands.js';
import { joinWords } from './known-values.js';
import { addRange, HIGH_VGPRS, RegisterSet, registerSetWords, removeRange, wholeFile } from './register-set.js';

export interface LivenessOptions {
  /**
   * Whose values count.
   * - `active` (default): of the lanes that are active where the register is written, as compilers see a program: a VGPR write
   *   under EXEC ends the life of the old value. Where EXEC is narrowed without a branch the old value of the other lanes is
   *   forgotten.
   * - `whole-wave`: of every lane. A VGPR write under EXEC ends no life; to keep or move registers this is the view to use.
   */
  readonly lanes?: 'active' | 'whole-wave';
}

export interface Liveness {
  /** Registers whose value can still matter when the block begins. */
  liveIn(block: number): RegisterSet;
  liveOut(block: number): RegisterSet;
  /** Registers that matter before the instruction at this offset; undefined: no instruction begins there. */
  liveBefore(offset: number): RegisterSet | undefined;
  /** Registers that matter after it, for a call before the callee does anything. */
  liveAfter(offset: number): RegisterSet | undefined;
}

/**
 * Which registers are live where. Calls count with what the callee reads and surely overwrites; where a callee, a caller or a jump
 * is not known, every register is live. Blocks that end outside the code have everything live, those that end the wave nothing.
 */
export function liveness(flow: ControlFlow, options: LivenessOptions = {}): Liveness {
  return new LivenessAnalysis(flow, options.lanes ?? 'active').run();
}

type Words = Uint32Array;

class LivenessAnalysis implements Liveness {
  readonly #flow: ControlFlow;
  readonly #isWholeWave: boolean;
  readonly #words: number;
  readonly #all: Words;
  readonly #none: Words;
  /** By block: whether VGPR operands may mean other registers. */
  readonly #moved: Uint8Array;
  readonly #isMsbTarget: boolean;
  /** By block: registers read before they are written, and those written in full. */
  readonly #gen: readonly Words[];
  readonly #kill: readonly Words[];
  /** Live-in of every block if nothing, and if everything, is live where functions return. */
  readonly #needs: readonly Words[];
  readonly #passes: readonly Words[];
  /** The result. */
  readonly #in: readonly Words[];
  readonly #out: readonly Words[];
  /** By function: what its callers need when it returns. */
  readonly #returns: readonly Words[];
  /** For one step. */
  readonly #scratch: Words;

  constructor(flow: ControlFlow, lanes: 'active' | 'whole-wave') {
    this.#flow = flow;
    this.#isWholeWave = lanes === 'whole-wave';
    this.#isMsbTarget = flow.processor.startsWith('gfx125');
    this.#words = registerSetWords(this.#isMsbTarget ? HIGH_VGPRS : 0);
    this.#all = new Uint32Array(this.#words).fill(0xffffffff);
    this.#none = new Uint32Array(this.#words);
    this.#moved = findMoved(flow);
    const perBlock = (): readonly Words[] => makeSets(flow.blocks.length, this.#words);
    this.#gen = perBlock();
    this.#kill = perBlock();
    this.#needs = perBlock();
    this.#passes = perBlock();
    this.#in = perBlock();
    this.#out = perBlock();
    this.#returns = makeSets(flow.functions.length, this.#words);
    this.#scratch = new Uint32Array(this.#words);
    for (const block of flow.blocks) this.#summarize(block);
  }

  run(): this {
    this.#solveFunctions();
    this.#solveContexts();
    return this;
  }

  liveIn(block: number): RegisterSet {
    return new RegisterSet(this.#in[block] ?? this.#none);
  }

  liveOut(block: number): RegisterSet {
    return new RegisterSet(this.#out[block] ?? this.#none);
  }

  liveBefore(offset: number): RegisterSet | undefined {
    return this.#within(offset, true);
  }

  liveAfter(offset: number): RegisterSet | undefined {
    return this.#within(offset, false);
  }

  #within(offset: number, isBefore: boolean): RegisterSet | undefined {
    const block = this.#flow.blockAt(offset);
    if (block === undefined) return undefined;
    const live = (this.#out[block.index] ?? this.#none).slice();
    this.#throughCallee(block, live, this.#needs, this.#passes);
    const states = this.#movedStates(block);
    for (let index = block.instructions.length - 1; index >= 0; index--) {
      const item = block.instructions[index];
      if (item === undefined || (item.offset === offset && !isBefore)) break;
      this.#stepBack(item.instruction, states[index] === 1, live, live, undefined);
      if (item.offset === offset) break;
    }
    return new RegisterSet(live);
  }

  /** Reads and full writes of a block as a whole. */
  #summarize(block: FlowBlock): void {
    const gen = this.#gen[block.index];
    const kill = this.#kill[block.index];
    if (!gen || !kill) return;
    const states = this.#movedStates(block);
    for (let index = block.instructions.length - 1; index >= 0; index--) {
      const item = block.instructions[index];
      if (item) this.#stepBack(item.instruction, states[index] === 1, gen, gen, kill);
    }
  }

  /** By instruction of the block: whether its VGPR operands may be moved. */
  #movedStates(block: FlowBlock): Uint8Array {
    const states = new Uint8Array(block.instructions.length);
    let isMoved = this.#moved[block.index] === 1;
    const mark = ({ instruction }: FlowInstruction, index: number): void => {
      states[index] = isMoved ? 1 : 0;
      isMoved = movesOperands(instruction, isMoved);
    };
    block.instructions.forEach(mark);
    return states;
  }

  /** From after an instruction to before it: what it overwrites leaves `killed` and joins `kill`, what it reads joins `read`. */
  #stepBack(instruction: Instruction, isMoved: boolean, killed: Words, read: Words, kill: Words | undefined): void {
    const facts = factsOf(instruction);
    for (const write of facts.writes) {
      if (!this.#replaces(write, isMoved)) continue;
      removeRange(killed, write);
      if (kill) addRange(kill, write);
    }
    for (const range of this.#readRanges(facts, isMoved)) addRange(read, range);
  }

  #replaces({ file, keeps }: RegisterWrite, isMoved: boolean): boolean {
    if (isMoved && file === 'vgpr') return false;
    return keeps.length === 0 || (!this.#isWholeWave && keeps.length === 1 && keeps[0] === 'inactive-lanes');
  }

  #readRanges(facts: InstructionFacts, isMoved: boolean): readonly RegisterRange[] {
    const { reads, relativeReads } = facts;
    if (relativeReads.length === 0 && !isMoved) return reads;
    const ranges: RegisterRange[] = [...reads, ...relativeReads.map((file) => wholeFile(file))];
    if (!isMoved) return ranges;
    for (const { file, first, count } of reads) {
      if (file !== 'vgpr') continue;
      if (!this.#isMsbTarget) ranges.push(wholeFile('vgpr'));
      else for (let bank = 1; bank < 4; bank++) ranges.push({ file, first: first + bank * 256, count });
    }
    return ranges;
  }

  /** What functions need and let through, whoever calls them. */
  #solveFunctions(): void {
    const { blocks, functions } = this.#flow;
    const callers = functions.map((item) => item.callers);
    this.#iterate((index, enqueue) => {
      const block = blocks[index];
      if (!block) return;
      const isNew = this.#update(block, this.#needs, this.#none);
      const isWider = this.#update(block, this.#passes, this.#all);
      if (!isNew && !isWider) return;
      for (const { from } of block.predecessors) enqueue(from);
      const owner = functions[block.functionIndex];
      if (owner?.entry === block.start) callers[owner.index]?.forEach(enqueue);
    });
  }

  /** Live sets with what the callers of each function need. */
  #solveContexts(): void {
    const { blocks, functions, unknownTransfers } = this.#flow;
    const returning = functions.map(({ blocks: list }) => list.filter((index) => blocks[index]?.exit.kind === 'return'));
    // Somebody unknown calls what has no caller here.
    for (const { index, callers, isKernel } of functions) {
      if (!isKernel && callers.length === 0) this.#returns[index]?.set(this.#all);
    }
    const hasUnknownCalls = unknownTransfers.length > 0;
    if (hasUnknownCalls) for (const { index, isKernel } of functions) if (!isKernel) this.#returns[index]?.set(this.#all);
    this.#iterate((index, enqueue) => {
      const block = blocks[index];
      if (!block) return;
      const out = this.#out[index] ?? this.#none;
      this.#joinSuccessors(block, this.#in, out, this.#returns[block.functionIndex] ?? this.#none);
      if (block.callee !== undefined && block.callee >= 0) this.#giveReturns(block.callee, out, returning, enqueue);
      if (block.exit.kind !== 'call') this.#giveTails(block, returning, enqueue);
      const live = this.#scratch;
      live.set(out);
      this.#throughCallee(block, live, this.#needs, this.#passes);
      if (this.#store(block, live, this.#in)) for (const { from } of block.predecessors) enqueue(from);
    });
  }

  /** What is live after a call is live where the callee returns, and where functions do into which it jumps. */
  #giveReturns(callee: number, live: Words, returning: readonly number[][], enqueue: (block: number) => void): void {
    const todo: [number, Words][] = [[callee, live]];
    for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
      const [index, needed] = item;
      const returns = this.#returns[index];
      if (!returns || !joinWords(returns, needed)) continue;
      returning[index]?.forEach(enqueue);
      for (const other of this.#flow.functions[index]?.tailCalls ?? []) todo.push([other, returns]);
    }
  }

  /** A function that another one jumps into returns to that one's callers. */
  #giveTails(block: FlowBlock, returning: readonly number[][], enqueue: (block: number) => void): void {
    const returns = this.#returns[block.functionIndex];
    if (!returns) return;
    for (const { to } of block.successors) {
      const other = this.#flow.blocks[to]?.functionIndex ?? block.functionIndex;
      if (other !== block.functionIndex) this.#giveReturns(other, returns, returning, enqueue);
    }
  }

  /** Runs blocks until none changes, last ones first. */
  #iterate(visit: (block: number, enqueue: (block: number) => void) => void): void {
    const { length } = this.#flow.blocks;
    const queue = Array.from({ length }, (_, index) => length - 1 - index);
    const isQueued = new Uint8Array(length).fill(1);
    const enqueue = (block: number): void => {
      if (isQueued[block] === 1) return;
      isQueued[block] = 1;
      queue.push(block);
    };
    for (let head = 0; head < queue.length; head++) {
      const block = queue[head] ?? 0;
      isQueued[block] = 0;
      visit(block, enqueue);
    }
  }

  #update(block: FlowBlock, sets: readonly Words[], returns: Words): boolean {
    const live = this.#scratch.fill(0);
    this.#joinSuccessors(block, sets, live, returns);
    this.#throughCallee(block, live, this.#needs, this.#passes);
    return this.#store(block, live, sets);
  }

  #joinSuccessors(block: FlowBlock, sets: readonly Words[], out: Words, returns: Words): void {
    const { exit, successors } = block;
    for (const { to } of successors) joinWords(out, sets[to] ?? this.#none);
    if (exit.kind === 'return') joinWords(out, returns);
    const leaves =
      exit.kind === 'indirect' ||
      exit.kind === 'outside' ||
      (exit.kind === 'branch' && successors.length < 2) ||
      (exit.kind === 'call' && successors.length === 0);
    if (leaves) joinWords(out, this.#all);
  }

  /** From after a call to before its callee. */
  #throughCallee(block: FlowBlock, live: Words, needs: readonly Words[], passes: readonly Words[]): void {
    if (block.callee === undefined) return;
    const callee = this.#flow.functions[block.callee];
    const entry = callee === undefined ? undefined : this.#flow.blockAt(callee.entry);
    if (entry === undefined) {
      live.set(this.#all);
      return;
    }
    const [need, pass] = [needs[entry.index] ?? this.#none, passes[entry.index] ?? this.#none];
    for (let word = 0; word < live.length; word++) live[word] = (need[word] ?? 0) | ((live[word] ?? 0) & (pass[word] ?? 0));
  }

  /** Stores the live-in that belongs to this live-out; whether it grew. */
  #store(block: FlowBlock, out: Words, sets: readonly Words[]): boolean {
    const [gen, kill, result] = [this.#gen[block.index], this.#kill[block.index], sets[block.index]];
    if (!gen || !kill || !result) return false;
    let isNew = false;
    for (let word = 0; word < result.length; word++) {
      const before = result[word] ?? 0;
      const after = (before | (gen[word] ?? 0) | ((out[word] ?? 0) & ~(kill[word] ?? 0))) >>> 0;
      if (after === before) continue;
      result[word] = after;
      isNew = true;
    }
    return isNew;
  }
}

/** Empty sets that share one buffer. */
function makeSets(count: number, words: number): readonly Words[] {
  const buffer = new Uint32Array(count * words);
  return Array.from({ length: count }, (_, index) => buffer.subarray(index * words, (index + 1) * words));
}
