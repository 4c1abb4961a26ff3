/**
 * A program: the code that one entry reaches, with the facts about its registers at every block, brought to a fixed point. Segments
 * are generated from it (segment.ts).
 */
import { InternalError } from '@doorbell/abi';
import type { Value } from '../ir/block.js';
import { SGPR_EXEC } from '../ir/block.js';
import { I32, I64, OP } from '../wasm/opcodes.js';
import type { Cfg, CfgBlock } from './cfg.js';
import { isExecMask, isUnderExec } from './exec-mask.js';
import { Dag } from './dag.js';
import { impliedByFullExec } from './full-exec-facts.js';
import { constantFact, meetScalar, meetVector, sameFact, widen, type Fact } from './facts.js';
import { guessedVec, guessesHold } from './lane-guesses.js';
import { Lanes } from './lanes.js';
import type { KernelStart } from './initial-registers.js';
import type { Liveness } from './liveness.js';
import type { LaneMemory } from './lane-moves.js';
import { Lowering, type RegisterSource } from './lowering.js';
import { MemoryAccess } from './memory-access.js';
import { FIRST_VGPR, SCC, isVgpr } from './registers.js';
import type { Shapes } from './shapes.js';
import { laneMaskOf } from './uniform-values.js';
import type { Mask, Pair, Uniform, Vec } from './values.js';

export interface Program {
  readonly cfg: Cfg;
  readonly liveness: Liveness;
  readonly shapes: Shapes;
  /** By block: the facts of the registers that matter at its entry. */
  readonly facts: readonly (readonly (Fact | undefined)[])[];
  /** Blocks that are reached at all, by the facts. */
  readonly isReached: readonly boolean[];
  /** Absent: entered with any register state. */
  readonly start: KernelStart | undefined;
}

/** Rounds after which known bits are given up. */
const PATIENCE = 3;

/** The meaning of a register's fact as a value of the block: nodes come from `node`. */
export abstract class FactSource implements RegisterSource {
  readonly #facts: readonly (Fact | undefined)[];
  readonly #block: CfgBlock;
  protected readonly lanes: Lanes;

  constructor(lanes: Lanes, block: CfgBlock, facts: readonly (Fact | undefined)[]) {
    this.lanes = lanes;
    this.#block = block;
    this.#facts = facts;
  }

  protected abstract scalarNode(register: number, zeros: number): number;
  protected abstract maskNodes(register: number): readonly number[];
  protected abstract vectorNodes(register: number, isOffset: boolean): readonly number[];
  protected abstract baseNode(register: number, index: number, zeros: number, isOffset: boolean): number;
  protected abstract sumNode(register: number): number;

  sgpr(index: number): Uniform {
    const fact = this.#fact(index);
    switch (fact.kind) {
      case 'constant':
        return { node: this.lanes.dag.i32(fact.value), mask: undefined };
      case 'scalar':
        return { node: this.scalarNode(index, fact.zeros), mask: undefined };
      case 'mask':
        return { node: -1, mask: this.lanes.mask(this.maskNodes(index)) };
      default:
        throw new InternalError(`s${index} is held as ${fact.kind}`);
    }
  }

  scc(): number {
    const fact = this.#fact(SCC);
    return fact.kind === 'constant' ? this.lanes.dag.i32(fact.value) : this.scalarNode(SCC, ~1);
  }

  vgpr(index: number): Vec {
    const register = FIRST_VGPR + index;
    const fact = this.#fact(register);
    if (fact.kind !== 'pair') return this.#vec(register, fact, false);
    const low = this.#readOf(index - 1);
    const offset = this.#vec(register, fact.offset, true);
    const pair: Pair = { base: this.sumNode(register), offset, multiplier: fact.multiplier, low };
    return { ...this.lanes.vector([]), groups: undefined, pair };
  }

  #fact(register: number): Fact {
    const fact = this.#facts[register];
    // A register that no predecessor wrote: its value is not specified.
    return fact ?? constantFact(0);
  }

  #vec(register: number, fact: Fact, isOffset: boolean): Vec {
    const { lanes } = this;
    switch (fact.kind) {
      case 'constant':
        return lanes.uniform(lanes.dag.i32(fact.value));
      case 'lanes':
        return lanes.constantLanes(fact.pattern);
      case 'shaped': {
        const bases = fact.partition.first.map((_, index) => this.baseNode(register, index, fact.zeros, isOffset));
        return lanes.shaped(fact.partition, bases, fact.pattern);
      }
      case 'vector':
        return lanes.vector(this.vectorNodes(register, isOffset), fact.zeros);
      default:
        throw new InternalError(`v${register - FIRST_VGPR} is held as ${fact.kind}`);
    }
  }

  /** The node that reads a VGPR at block entry; one of our own if the block has none. */
  #readOf(index: number): Value {
    const found = this.#block.ir.nodes.find((node) => node.kind === 'read' && node.file === 'vgpr' && node.index === index);
    return found ?? { kind: 'read', id: -1, type: 'i32', uniform: false, file: 'vgpr', index };
  }
}

class AnalysisSource extends FactSource {
  protected scalarNode(_register: number, zeros: number): number {
    return this.lanes.dag.fresh(I32, zeros);
  }
  protected maskNodes(): readonly number[] {
    return [];
  }
  protected vectorNodes(): readonly number[] {
    return [];
  }
  protected baseNode(_register: number, _index: number, zeros: number): number {
    return this.lanes.dag.fresh(I32, zeros);
  }
  protected sumNode(): number {
    return this.lanes.dag.fresh(I64);
  }
}

/** What a register holds at the end of a block. */
export type Final = { readonly kind: 'scalar'; readonly value: Uniform } | { readonly kind: 'vector'; readonly value: Vec };

/** The registers of a block after its writes. */
export class BlockResult {
  readonly #lowering: Lowering;
  readonly #source: RegisterSource;
  readonly #block: CfgBlock;
  readonly #liveness: Liveness;
  readonly #written = new Map<number, Value>();
  /** Values asked for before: both successors of a branch ask for most. */
  readonly #uniforms = new Map<number, Uniform>();
  readonly #vectors = new Map<number, Vec>();
  #implied: ReadonlyMap<number, 0 | -1> | undefined;

  constructor(block: CfgBlock, liveness: Liveness, lowering: Lowering, source: RegisterSource) {
    this.#block = block;
    this.#liveness = liveness;
    this.#lowering = lowering;
    this.#source = source;
    for (const { file, index, value } of block.ir.writes) {
      const register = file === 'scc' ? SCC : file === 'sgpr' ? index : FIRST_VGPR + index;
      if (file === 'vgpr' && !isNeeded(liveness, block, register, value)) continue;
      this.#written.set(register, value);
    }
  }

  /** 0 or -1: what SGPRs hold on the way to a successor because EXEC turned out to be full; undefined: nothing is known by that. */
  implied(target: number): ReadonlyMap<number, 0 | -1> | undefined {
    if (!this.#block.hasGuard || target !== this.#block.successors[0]) return undefined;
    return (this.#implied ??= impliedByFullExec(this.#block.ir));
  }

  /** The VGPRs on the way to a successor to which the block's guesses lead: in the form that they say, if they had none. */
  guessed(target: number): ReadonlyMap<number, Vec> | undefined {
    const { guesses, successors } = this.#block;
    if (guesses === undefined || target !== successors[0]) return undefined;
    const vectors = new Map<number, Vec>();
    for (const guess of guesses) {
      const register = FIRST_VGPR + guess.register;
      const vec = guessedVec(this.#lowering.lanes, this.vector(register), guess);
      if (vec !== undefined) vectors.set(register, vec);
    }
    return vectors;
  }

  isWritten(register: number): boolean {
    return this.#written.has(register);
  }

  uniform(register: number): Uniform {
    const found = this.#uniforms.get(register);
    if (found !== undefined) return found;
    const value = this.#makeUniform(register);
    this.#uniforms.set(register, value);
    return value;
  }

  #makeUniform(register: number): Uniform {
    const value = this.#written.get(register);
    if (register === SCC) {
      return { node: value === undefined ? this.#source.scc() : this.#lowering.condition(value), mask: undefined };
    }
    return value === undefined ? this.#source.sgpr(register) : this.#lowering.uniform(value);
  }

  /** A VGPR; as the high half of a sum only if the register before it is the low half. */
  vector(register: number): Vec {
    const found = this.#vectors.get(register);
    if (found !== undefined) return found;
    const value = this.#makeVector(register);
    this.#vectors.set(register, value);
    return value;
  }

  #makeVector(register: number): Vec {
    const lowering = this.#lowering;
    const index = register - FIRST_VGPR;
    const value = this.#written.get(register);
    let vec: Vec;
    if (value === undefined) vec = this.#source.vgpr(index);
    else if (value.kind !== 'blend') vec = lowering.vec(value);
    else if (this.#needsOld(register, value)) {
      vec = lowering.lanes.select(lowering.mask(value.mask), lowering.forced(value.value), lowering.forced(value.old));
    } else vec = lowering.vec(value.value);
    if (vec.pair === undefined) return vec;
    return this.#isLowHalf(register - 1, vec.pair.low) ? vec : lowering.force(vec);
  }

  #needsOld(register: number, value: Value & { readonly kind: 'blend' }): boolean {
    if (!isExecMask(value.mask)) return true;
    return this.#liveness.inactiveAtEnd.has(this.#block.index, register);
  }

  #isLowHalf(register: number, low: Value): boolean {
    if (!isVgpr(register)) return false;
    const written = this.#written.get(register);
    if (written === undefined) {
      // Also a write that was left out must not be taken for the old value.
      const isTouched = this.#block.ir.writes.some((w) => w.file === 'vgpr' && w.index === register - FIRST_VGPR);
      return !isTouched && low.kind === 'read' && low.file === 'vgpr' && low.index === register - FIRST_VGPR;
    }
    const value = written.kind === 'blend' ? written.value : written;
    if (written.kind === 'blend' && this.#needsOld(register, written)) return false;
    return isLowHalfOf(value, low);
  }
}

/** Whether a VGPR must be given the value: where only inactive lanes will be read, a write under EXEC changes nothing that matters. */
function isNeeded(liveness: Liveness, block: CfgBlock, register: number, value: Value): boolean {
  if (liveness.liveAtEnd.has(block.index, register)) return true;
  return liveness.inactiveAtEnd.has(block.index, register) && !keepsInactive(value, register - FIRST_VGPR);
}

/** Whether inactive lanes of v[index] are what they were at the block's entry: not so behind v_writelane. */
function keepsInactive(value: Value, index: number): boolean {
  if (value.kind === 'blend') return isUnderExec(value.mask) && keepsInactive(value.old, index);
  return value.kind === 'read' && value.file === 'vgpr' && value.index === index;
}

/** Whether `value` is the low half of `whole` (or the value itself). */
function isLowHalfOf(value: Value, whole: Value): boolean {
  if (value === whole) return true;
  if (value.kind === 'op' && value.op === 'low64') return value.args[0] === whole;
  if (whole.kind === 'const') return value.kind === 'const' && value.low === whole.low;
  if (whole.kind !== 'op') return false;
  const [a, b] = whole.args;
  if (a === undefined || b === undefined) return false;
  if (whole.op === 'pack64') return value === a;
  if (value.kind !== 'op') return false;
  const [x, y] = value.args;
  if (x === undefined || y === undefined) return false;
  if (whole.op === 'add64') {
    if (value.op !== 'add32') return false;
    return (isLowHalfOf(x, a) && isLowHalfOf(y, b)) || (isLowHalfOf(x, b) && isLowHalfOf(y, a));
  }
  return whole.op === 'mulWideU32' && value.op === 'mul32' && ((x === a && y === b) || (x === b && y === a));
}

/** The fact of a VGPR's value. */
function factOfVec(lanes: Lanes, v: Vec): Fact {
  if (v.pair !== undefined) return { kind: 'pair', multiplier: v.pair.multiplier, offset: factOfVec(lanes, v.pair.offset) };
  if (v.partition === undefined) return { kind: 'vector', zeros: v.zeros | 0 };
  const constant = lanes.constantOf(v);
  if (constant !== undefined) return constantFact(constant);
  const pattern = lanes.patternOf(v);
  if (pattern !== undefined) return { kind: 'lanes', pattern };
  const { dag, shapes } = lanes;
  let zeros = -1;
  for (const [index, base] of v.bases.entries()) {
    zeros &= dag.zeros(dag.binary(OP.i32Add, base, dag.i32(shapes.anchor(v.partition, v.pattern, index))));
  }
  return { kind: 'shaped', partition: v.partition, pattern: shapes.canonical(v.partition, v.pattern), zeros };
}

function factOfUniform(lanes: Lanes, value: Uniform): Fact {
  if (value.mask !== undefined) {
    if (value.mask.known !== undefined) return constantFact(-value.mask.known);
    if (value.mask.condition >= 0) return { kind: 'scalar', zeros: 0 };
    return { kind: 'mask' };
  }
  const constant = lanes.dag.constant(value.node);
  return constant === undefined ? { kind: 'scalar', zeros: lanes.dag.zeros(value.node) | 0 } : constantFact(constant);
}

/** Facts of every block from the way the program is entered. */
export function analyseProgram(cfg: Cfg, liveness: Liveness, shapes: Shapes, start: KernelStart | undefined): Program {
  const facts = cfg.blocks.map(() => new Array<Fact | undefined>(liveness.registerCount).fill(undefined));
  const entry = facts[0];
  if (entry === undefined) throw new InternalError('a program without a block');
  for (const register of liveness.carried[0] ?? []) entry[register] = startFact(register, start, shapes);
  const isReached = new FactFlow(cfg, liveness, shapes, facts).solve();
  return { cfg, liveness, shapes, facts, isReached, start };
}

export function isCarried(liveness: Liveness, block: number, register: number): boolean {
  return liveness.live.has(block, register) || liveness.inactive.has(block, register);
}

function startFact(register: number, start: KernelStart | undefined, shapes: Shapes): Fact {
  const isExec = register === SGPR_EXEC || (register === SGPR_EXEC + 1 && shapes.waveSize === 64);
  if (start === undefined) {
    if (isVgpr(register)) return { kind: 'vector', zeros: 0 };
    return isExec ? { kind: 'mask' } : { kind: 'scalar', zeros: register === SCC ? ~1 : 0 };
  }
  if (isExec) return start.fullWaves ? constantFact(-1) : { kind: 'mask' };
  const items = start.items[register - FIRST_VGPR];
  if (items !== undefined) {
    const { pattern, mask, zeros } = items;
    if (pattern === undefined) return { kind: 'vector', zeros: 0xc000_0000 | ~mask };
    return { kind: 'shaped', partition: shapes.one, pattern, zeros };
  }
  return start.sgprs.has(register) ? { kind: 'scalar', zeros: 0 } : constantFact(0);
}

/** What holds at the end of a block. */
interface BlockEnd {
  readonly result: BlockResult;
  readonly lanes: Lanes;
  /** At its entry. */
  readonly facts: readonly (Fact | undefined)[];
  /** Worked out from its values: of registers that it writes, of halves, and of those without a fact at its entry. */
  readonly computed: Map<number, Fact>;
}

class FactFlow {
  readonly #cfg: Cfg;
  readonly #liveness: Liveness;
  readonly #shapes: Shapes;
  readonly #facts: (Fact | undefined)[][];
  readonly #visits: number[];
  readonly #dag = new Dag();

  constructor(cfg: Cfg, liveness: Liveness, shapes: Shapes, facts: (Fact | undefined)[][]) {
    this.#cfg = cfg;
    this.#liveness = liveness;
    this.#shapes = shapes;
    this.#facts = facts;
    this.#visits = cfg.blocks.map(() => 0);
  }

  /** Whether each block is reached. */
  solve(): boolean[] {
    const order = reversePostorder(this.#cfg);
    const position = new Map(order.map((block, i) => [block, i]));
    const pending = new Set<number>([0]);
    while (pending.size > 0) {
      let next = -1;
      for (const block of pending) if (next < 0 || (position.get(block) ?? 0) < (position.get(next) ?? 0)) next = block;
      pending.delete(next);
      for (const changed of this.#visit(next)) pending.add(changed);
    }
    return this.#visits.map((visits, block) => block === 0 || visits > 0);
  }

  /** Follows one block; returns the successors whose facts changed. */
  #visit(index: number): number[] {
    const block = this.#cfg.blocks[index];
    const facts = this.#facts[index];
    if (block === undefined || facts === undefined) return [];
    this.#dag.reset();
    const lanes = new Lanes({
      dag: this.#dag,
      shapes: this.#shapes,
      emitting: false,
      relaxed: true,
      exactNan: false,
      imported: () => 0,
    });
    const source = new AnalysisSource(lanes, block, facts);
    const lowering = new Lowering(lanes, source, analysisMemory(lanes));
    const { effects, effectPcs } = block.ir;
    if (effects.length > 0) new MemoryAccess(lowering, undefined).run(effects, effectPcs, () => true);
    const result = new BlockResult(block, this.#liveness, lowering, source);
    const successors = block.continuation >= 0 ? [block.continuation] : feasible(block, lowering, result);
    const end: BlockEnd = { result, lanes, facts, computed: new Map() };
    return successors.filter((successor) => this.#flow(successor, end));
  }

  /** Brings what holds at a block's end to a successor, whose facts then change or not. */
  #flow(target: number, { result, lanes, facts: before, computed }: BlockEnd): boolean {
    const facts = this.#facts[target];
    const block = this.#cfg.blocks[target];
    if (facts === undefined || block === undefined) return false;
    const visits = (this.#visits[target] = (this.#visits[target] ?? 0) + 1);
    const [implied, guessed] = [result.implied(target), result.guessed(target)];
    let changed = visits === 1;
    for (const register of this.#liveness.carried[target] ?? []) {
      const old = facts[register];
      let fact = before[register];
      // What the block does not write keeps its fact, unless it is a half of something.
      if (fact === undefined || fact.kind === 'pair' || result.isWritten(register)) fact = computed.get(register);
      const value = implied?.get(register);
      if (value !== undefined) fact = constantFact(value);
      if (block.isFull && isExecRegister(register, this.#shapes)) fact = constantFact(-1);
      const guess = guessed?.get(register);
      if (guess !== undefined) fact = factOfVec(lanes, guess);
      if (fact === undefined) {
        fact = isVgpr(register) ? factOfVec(lanes, result.vector(register)) : factOfUniform(lanes, result.uniform(register));
        computed.set(register, fact);
      }
      if (fact === old) continue;
      if (old === undefined) {
        facts[register] = fact;
        changed = true;
        continue;
      }
      let met = isVgpr(register) ? meetVector(this.#shapes, old, fact) : meetScalar(old, fact);
      if (sameFact(met, old)) continue;
      if (visits > PATIENCE) met = widen(met);
      if (sameFact(met, old)) continue;
      facts[register] = met;
      changed = true;
    }
    return changed;
  }
}

export function isExecRegister(register: number, shapes: Shapes): boolean {
  return register === SGPR_EXEC || (register === SGPR_EXEC + 1 && shapes.waveSize === 64);
}

/** EXEC at the end of a block as a lane mask. */
function finalExec(lowering: Lowering, result: BlockResult): Mask {
  const { lanes } = lowering;
  const low = laneMaskOf(lowering.lanes, result.uniform(SGPR_EXEC));
  if (lanes.shapes.waveSize === 32) return low;
  const high = laneMaskOf(lowering.lanes, result.uniform(SGPR_EXEC + 1));
  if (low.known !== undefined && low.known === high.known) return low;
  const mask = lanes.mask(lanes.emitting ? [...lanes.maskGroups(low, 8), ...lanes.maskGroups(high, 8)] : []);
  if (low.every === undefined || high.every === undefined) return mask;
  return { ...mask, every: lanes.dag.binary(OP.i32And, low.every, high.every) };
}

/** i32 node that chooses between two successors: 1 the first; undefined: there is one. */
export function decision(block: CfgBlock, lowering: Lowering, result: BlockResult): number | undefined {
  if (block.guesses !== undefined) {
    return guessesHold(lowering.lanes, block.guesses, (register) => result.vector(FIRST_VGPR + register));
  }
  if (block.hasGuard) return lowering.lanes.surelyAll(finalExec(lowering, result));
  const { exit } = block.ir;
  return exit.kind === 'branch' ? lowering.condition(exit.condition) : undefined;
}

/** The successors that the facts leave. */
function feasible(block: CfgBlock, lowering: Lowering, result: BlockResult): readonly number[] {
  const node = decision(block, lowering, result);
  const known = node === undefined ? undefined : lowering.dag.constant(node);
  return known === undefined ? block.successors : block.successors.slice(known !== 0 ? 0 : 1, known !== 0 ? 1 : 2);
}

function analysisMemory(lanes: Lanes): LaneMemory {
  return {
    readLane: () => lanes.dag.fresh(I32),
    shuffle: () => [],
  };
}

/** Blocks in reverse postorder over all edges. */
function reversePostorder(cfg: Cfg): number[] {
  const seen = new Uint8Array(cfg.blocks.length);
  const order: number[] = [];
  const stack: { block: number; next: number }[] = [{ block: 0, next: 0 }];
  seen[0] = 1;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const block = cfg.blocks[top.block];
    const successors = block === undefined ? [] : block.continuation >= 0 ? [block.continuation] : block.successors;
    const successor = successors[top.next++];
    if (successor === undefined) {
      order.push(top.block);
      stack.pop();
    } else if (seen[successor] === 0) {
      seen[successor] = 1;
      stack.push({ block: successor, next: 0 });
    }
  }
  return order.reverse();
}
