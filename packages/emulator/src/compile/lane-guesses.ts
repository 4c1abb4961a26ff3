/**
 * Loops that take addresses from registers of which nothing is known, as when they come from a division: often they are the same in
 * all lanes all the same, or consecutive. A test on the way into the loop leads to a copy of it in which they are known to be so, if
 * they are; then its loads are scalar or wide instead of lane by lane.
 *
 * What is guessed: an address that moves on by less than a wave's access in each round is one for all lanes, as lanes side by side
 * would read each other's data again; any other is consecutive.
 */
import type { Effect, LoadNode, Value } from '../ir/block.js';
import { I32, OP } from '../wasm/opcodes.js';
import { allOf } from './access-parts.js';
import type { Cfg, CfgBlock } from './cfg.js';
import { findCycles, type Cycle } from './cycles.js';
import type { Lanes } from './lanes.js';
import type { Vec } from './values.js';

/** Each lane of a VGPR is the lane before it plus this. */
export interface LaneGuess {
  readonly register: number;
  readonly stride: number;
}

/** Longer loops have no copy. */
const MAX_LOOP = 200;

interface GuessedLoop {
  readonly header: number;
  readonly members: readonly number[];
  readonly guesses: readonly LaneGuess[];
}

/** The graph with copies of loops added behind its blocks, and before each the block that tests the guesses. */
export function copyByGuesses(cfg: Cfg, waveSize: number): Cfg {
  const loops = guessedLoops(cfg.blocks, waveSize);
  if (loops.length === 0) return cfg;
  const blocks: CfgBlock[] = cfg.blocks.map((block) => ({ ...block, successors: [...block.successors], predecessors: [] }));
  for (const loop of loops) copyLoop(blocks, loop);
  for (const block of blocks) {
    for (const successor of block.successors) blocks[successor]?.predecessors.push(block.index);
  }
  return { ...cfg, blocks };
}

/** A value in the form that a guess gives it; undefined: it has one already. */
export function guessedVec(lanes: Lanes, value: Vec, { stride }: LaneGuess): Vec | undefined {
  if (value.partition !== undefined || value.pair !== undefined) return undefined;
  const { dag, shapes } = lanes;
  const first = lanes.emitting ? dag.lane(OP.i32x4ExtractLane, 0, lanes.groups(value)[0] ?? 0) : dag.fresh(I32, value.zeros);
  return lanes.shaped(
    shapes.one,
    [first],
    shapes.map(`mul${stride}`, shapes.laneId, (lane) => lane * stride),
  );
}

/** i32 node: all guesses are right, and there is one that is of use. */
export function guessesHold(lanes: Lanes, guesses: readonly LaneGuess[], valueOf: (register: number) => Vec): number {
  const { dag } = lanes;
  const tests: number[] = [];
  for (const guess of guesses) {
    const value = valueOf(guess.register);
    const guessed = guessedVec(lanes, value, guess);
    if (guessed !== undefined) tests.push(lanes.all(lanes.compare('eq32', value, guessed)));
  }
  return tests.length === 0 ? dag.i32(0) : allOf(dag, tests);
}

function guessedLoops(blocks: readonly CfgBlock[], waveSize: number): readonly GuessedLoop[] {
  const fullCopies = new Set(blocks.filter((block) => block.isFull).map((block) => block.ir));
  return findCycles(blocks)
    .flatMap(innermost)
    .flatMap(({ header, blocks: members }) => {
      const first = blocks[header ?? 0];
      if (header === undefined || header === 0 || first === undefined) return [];
      // Where there is a copy with full EXEC, that is the one that matters.
      if (!first.isFull && fullCopies.has(first.ir)) return [];
      const loop = members.flatMap((index) => blocks[index] ?? []);
      if (loop.some((block) => block.continuation >= 0)) return [];
      if (loop.reduce((sum, block) => sum + block.instructionCount, 0) > MAX_LOOP) return [];
      const guesses = guessesOf(loop, waveSize);
      return guesses.length === 0 ? [] : [{ header, members, guesses }];
    });
}

function innermost(cycle: Cycle): readonly Cycle[] {
  if (cycle.header === undefined) return [];
  return cycle.inner.length === 0 ? [cycle] : cycle.inner.flatMap(innermost);
}

function copyLoop(blocks: CfgBlock[], { header, members, guesses }: GuessedLoop): void {
  const first = blocks[header];
  if (first === undefined) return;
  const inLoop = new Set(members);
  const test = blocks.length;
  const copies = new Map(members.map((block, i) => [block, test + 1 + i]));
  for (const block of blocks) {
    if (inLoop.has(block.index)) continue;
    for (const [i, successor] of block.successors.entries()) if (successor === header) block.successors[i] = test;
    if (block.continuation === header) block.continuation = test;
  }
  const { start } = first.ir;
  const ir = { start, end: start, nodes: [], effects: [], writes: [], exit: { kind: 'fall', to: start }, effectPcs: [] } as const;
  const successors = [copies.get(header) ?? 0, header];
  blocks.push({ ...first, index: test, ir, instructionCount: 0, hasGuard: false, successors, predecessors: [], guesses });
  for (const [source, index] of copies) {
    const block = blocks[source];
    if (block === undefined) continue;
    blocks.push({ ...block, index, successors: block.successors.map((next) => copies.get(next) ?? next), predecessors: [] });
  }
}

/** What is guessed of the registers that a loop's loads take addresses from. */
function guessesOf(loop: readonly CfgBlock[], waveSize: number): readonly LaneGuess[] {
  const guesses = new Map<number, LaneGuess>();
  for (const { ir } of loop) {
    for (const effect of ir.effects) {
      if (!isWaveLoad(effect)) continue;
      const bytes = accessBytes(effect, ir.effects);
      const terms = new Map<number, number>();
      for (const part of [effect.address.offset, effect.address.vector]) if (part !== undefined) addTerms(part, 1, terms);
      for (const [register, factor] of terms) {
        const step = stepOf(register, loop);
        if (step === undefined || guesses.has(register)) continue;
        const isShared = step !== 0 && step * factor < waveSize * bytes;
        if (isShared || bytes % factor === 0) guesses.set(register, { register, stride: isShared ? 0 : bytes / factor });
      }
    }
  }
  return [...guesses.values()];
}

function isWaveLoad(effect: Effect): effect is LoadNode {
  return effect.kind === 'load' && effect.mask !== undefined && (effect.space === 'global' || effect.space === 'flat');
}

/** Bytes that a lane reads by one instruction. */
function accessBytes(load: LoadNode, effects: readonly Effect[]): number {
  let bytes = 0;
  for (const effect of effects) if (effect.kind === 'load' && effect.group === load.group) bytes += effect.bits / 8;
  return bytes;
}

/** The VGPRs that an address is a sum of, with their factors; what is not of that form is left out. */
function addTerms(value: Value, factor: number, terms: Map<number, number>): void {
  if (value.uniform || factor > 0xffff) return;
  if (value.kind === 'read' && value.file === 'vgpr') terms.set(value.index, factor);
  if (value.kind === 'blend') addTerms(value.value, factor, terms);
  if (value.kind !== 'op') return;
  const [a, b] = value.args;
  if (a === undefined) return;
  switch (value.op) {
    case 'add32':
    case 'add64':
      for (const addend of value.args) addTerms(addend, factor, terms);
      return;
    case 'shl32':
    case 'shl64':
      if (b?.kind === 'const' && b.low < 16) addTerms(a, factor * 2 ** b.low, terms);
      return;
    case 'mul32':
    case 'mulWideU32':
      if (b?.kind === 'const' && b.low > 0) addTerms(a, factor * b.low, terms);
      return;
    case 'pack64':
    case 'low64':
      addTerms(a, factor, terms);
      return;
    default:
  }
}

/** What a loop adds to a VGPR in each round: 0 if it does not change it, infinity for a scalar; undefined: it does something else. */
function stepOf(register: number, loop: readonly CfgBlock[]): number | undefined {
  let step = 0;
  for (const { ir } of loop) {
    for (const write of ir.writes) {
      if (write.file !== 'vgpr' || write.index !== register) continue;
      const added = addedTo(register, write.value);
      if (added === undefined) return undefined;
      step += added;
    }
  }
  return step;
}

function addedTo(register: number, value: Value): number | undefined {
  if (value.kind === 'read' && value.file === 'vgpr' && value.index === register) return 0;
  if (value.kind === 'blend') return addedTo(register, value.value);
  if (value.kind !== 'op' || value.op !== 'add32') return undefined;
  const [a, b] = value.args;
  if (a === undefined || b === undefined) return undefined;
  const [addend, rest] = a.uniform ? [a, b] : [b, a];
  if (!addend.uniform) return undefined;
  const before = addedTo(register, rest);
  return before === undefined ? undefined : before + (addend.kind === 'const' ? Math.abs(addend.low | 0) : Infinity);
}
