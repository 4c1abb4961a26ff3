import { createDecoder } from '../decode/decoder.js';
import { factsOf } from '../facts/facts-of.js';
import { CodeMap, DWORD_BYTES, MARK } from './code-map.js';
import type {
  BlockExit,
  ControlFlow,
  EdgeKind,
  FlowBlock,
  FlowEdge,
  FlowFunction,
  FlowInstruction,
  FlowLoop,
  FlowOptions,
  UnknownTransfer,
} from './control-flow-types.js';
import { buildAdjacency, depthFirst, immediateDominators } from './dominators.js';
import type { Target } from './explore.js';
import { endsBlock, Explorer } from './explore.js';
import { findGaps } from './gaps.js';
import { findLoops } from './loops.js';

/**
 * The control-flow graph of code: blocks, edges, functions, loops, and what cannot be reached or is not known. It never throws on
 * any bytes, and takes time in proportion to them. Targets in registers count where they follow from s_getpc and constants;
 * functions return where the return address that the call left is still in a register.
 *
 * @throws {HsaError} as {@link createDecoder} does: for a processor or wave size, never for bytes or entries.
 * @example
 * const flow = controlFlow(text, { processor: 'gfx1100', entries: [0] });
 * for (const block of flow.blocks) console.log(block.start, block.exit.kind, block.successors.map((edge) => edge.to));
 */
export function controlFlow(bytes: Uint8Array, options: FlowOptions): ControlFlow {
  const { processor, waveSize, entries, functions = [], baseAddress = 0n, callsPreserve = 'convention' } = options;
  const decoder = createDecoder(processor, waveSize === undefined ? {} : { waveSize });
  const code = new CodeMap(bytes, decoder);
  const isGood = (offset: number): boolean => code.contains(offset);
  const kernels = [...new Set(entries.filter(isGood))];
  const explorer = new Explorer(code, {
    kernels,
    functions: [...new Set(functions.filter(isGood))],
    baseAddress,
    callsPreserve,
  });
  explorer.run();
  const blocks = cutBlocks(code, explorer.targets);
  const graph = new GraphBuilder(code, blocks, kernels).build();
  return {
    processor,
    waveSize: decoder.waveSize,
    ...graph,
    unknownTransfers: findUnknown(blocks, explorer.targets),
    gaps: findGaps(code),
    badEntries: [...entries, ...functions].filter((offset) => !isGood(offset)),
  };
}

/** A block before it is part of the graph. */
interface CutBlock {
  readonly start: number;
  readonly end: number;
  readonly instructions: readonly FlowInstruction[];
  readonly exit: BlockExit;
  /** Offsets of the blocks after it. */
  readonly next: readonly (readonly [offset: number, kind: EdgeKind])[];
  /** Offset of the function it calls; undefined: no call, or nobody knows (`exit` tells). */
  readonly callee: number | undefined;
}

function cutBlocks(code: CodeMap, targets: ReadonlyMap<number, Target>): readonly CutBlock[] {
  const blocks: CutBlock[] = [];
  for (let offset = 0; offset < code.sizeBytes; offset += DWORD_BYTES) {
    if (code.has(offset, MARK.leader)) blocks.push(cutBlock(code, offset, targets));
  }
  return blocks;
}

function cutBlock(code: CodeMap, start: number, targets: ReadonlyMap<number, Target>): CutBlock {
  const instructions: FlowInstruction[] = [];
  const finish = (end: number, exit: BlockExit, next: CutBlock['next'] = [], callee?: number): CutBlock => ({
    start,
    end,
    instructions,
    exit,
    next,
    callee,
  });
  for (let offset = start; ; ) {
    if (!code.contains(offset)) return finish(offset, { kind: 'outside', target: offset });
    const instruction = code.at(offset);
    if (instruction === undefined) return finish(offset, { kind: 'illegal', reason: failure(code, offset) });
    instructions.push({ offset, instruction });
    const next = offset + instruction.sizeBytes;
    for (let at = offset; at < next; at += DWORD_BYTES) code.mark(at, MARK.covered);
    const { control } = factsOf(instruction);
    if (!endsBlock(control)) {
      if (code.contains(next) && code.has(next, MARK.leader)) return finish(next, { kind: 'fall' }, [[next, 'fall']]);
      offset = next;
      continue;
    }
    const inside = (edges: CutBlock['next']): CutBlock['next'] => edges.filter(([target]) => code.contains(target));
    switch (control.kind) {
      case 'jump': {
        const target = offset + control.target;
        return code.contains(target)
          ? finish(next, { kind: 'jump' }, [[target, 'jump']])
          : finish(next, { kind: 'outside', target });
      }
      case 'branch':
        return finish(
          next,
          { kind: 'branch', condition: control.condition },
          inside([
            [offset + control.target, 'taken'],
            [next, 'not-taken'],
          ]),
        );
      case 'call': {
        const target = control.target === undefined ? targets.get(offset) : offset + control.target;
        const callee = typeof target === 'number' && code.contains(target) ? target : undefined;
        return finish(next, { kind: 'call' }, inside([[next, 'return']]), callee);
      }
      case 'indirect': {
        const target = targets.get(offset) ?? 'unknown';
        if (target === 'return') return finish(next, { kind: 'return' });
        return target === 'unknown' ? finish(next, { kind: 'indirect' }) : finish(next, { kind: 'jump' }, [[target, 'jump']]);
      }
      case 'illegal':
        return finish(next, { kind: 'illegal', reason: `${instruction.mnemonic} is not to be executed` });
      default:
        return finish(next, { kind: 'end' });
    }
  }
}

function failure(code: CodeMap, offset: number): string {
  const decoded = code.decoder.decode(code.bytes, offset);
  return decoded.ok ? '' : decoded.failure.message;
}

function findUnknown(blocks: readonly CutBlock[], targets: ReadonlyMap<number, Target>): readonly UnknownTransfer[] {
  const unknown: UnknownTransfer[] = [];
  for (const { exit, instructions } of blocks) {
    const offset = instructions.at(-1)?.offset ?? 0;
    if (exit.kind === 'indirect') unknown.push({ offset, kind: 'jump' });
    else if (exit.kind === 'call' && targets.get(offset) === 'unknown') unknown.push({ offset, kind: 'call' });
  }
  return unknown;
}

/** Node 0 stands for all callers; block n is node n + 1. */
const ROOT = 0;

class GraphBuilder {
  readonly #code: CodeMap;
  readonly #cuts: readonly CutBlock[];
  readonly #kernels: readonly number[];
  /** Index of the block at a leader. */
  readonly #indices = new Map<number, number>();

  constructor(code: CodeMap, cuts: readonly CutBlock[], kernels: readonly number[]) {
    this.#code = code;
    this.#cuts = cuts;
    this.#kernels = kernels;
    for (const [index, { start }] of cuts.entries()) this.#indices.set(start, index);
  }

  build(): Pick<ControlFlow, 'blocks' | 'functions' | 'loops' | 'blockAt'> {
    const cuts = this.#cuts;
    const count = cuts.length;
    const functionEntries = this.#functionEntries();
    const from: number[] = [];
    const to: number[] = [];
    for (const entry of functionEntries) {
      from.push(ROOT);
      to.push(this.#block(entry) + 1);
    }
    for (const [index, { next }] of cuts.entries()) {
      for (const [target] of next) {
        from.push(index + 1);
        to.push(this.#block(target) + 1);
      }
    }
    const tree = depthFirst(count + 1, buildAdjacency(count + 1, from, to));
    const predecessors = buildAdjacency(count + 1, to, from);
    const dominators = immediateDominators(count + 1, predecessors, tree);
    const nest = findLoops(count + 1, predecessors, tree);
    const loops = listLoops(count, nest, tree.order.subarray(0, tree.reached));
    const owners = this.#assignOwners(functionEntries);
    const functionOf = new Map(functionEntries.map((entry, index) => [entry, index]));

    const edges = this.#edges(dominatorIntervals(dominators, count + 1));
    const blocks: FlowBlock[] = cuts.map((cut, index) => ({
      index,
      start: cut.start,
      end: cut.end,
      instructions: cut.instructions,
      exit: cut.exit,
      successors: edges.successors[index] ?? [],
      predecessors: edges.predecessors[index] ?? [],
      callee: cut.exit.kind === 'call' ? (functionOf.get(cut.callee ?? -1) ?? -1) : undefined,
      functionIndex: owners[index] ?? 0,
      dominator: (dominators[index + 1] ?? 0) - 1,
      loop: loops.innermost[index] ?? -1,
    }));
    return {
      blocks,
      functions: describeFunctions(functionEntries, this.#kernels.length, blocks),
      loops: loops.list,
      blockAt: (offset) => findBlock(blocks, offset),
    };
  }

  #block(offset: number): number {
    return this.#indices.get(offset) ?? 0;
  }

  #functionEntries(): readonly number[] {
    const others: number[] = [];
    const kernels = new Set(this.#kernels);
    for (const { start } of this.#cuts) {
      if (this.#code.has(start, MARK.entry) && !kernels.has(start)) others.push(start);
    }
    const entries = [...this.#kernels, ...others];
    // Where a target turned out to be unknown after all, the code that was found through it is a function of its own.
    const isReached = new Uint8Array(this.#cuts.length);
    for (const entry of entries) this.#reach(this.#block(entry), isReached);
    for (const [index, { start }] of this.#cuts.entries()) {
      if (isReached[index] === 1) continue;
      entries.push(start);
      this.#reach(index, isReached);
    }
    return entries;
  }

  #reach(first: number, isReached: Uint8Array): void {
    const todo = [first];
    for (let block = todo.pop(); block !== undefined; block = todo.pop()) {
      if (isReached[block] === 1) continue;
      isReached[block] = 1;
      for (const [target] of this.#cuts[block]?.next ?? []) todo.push(this.#block(target));
    }
  }

  /** Function of each block: the first that reaches it without passing the beginning of another one. */
  #assignOwners(entries: readonly number[]): Int32Array {
    const owners = new Int32Array(this.#cuts.length).fill(-1);
    for (const [index, entry] of entries.entries()) owners[this.#block(entry)] = index;
    for (const [index, entry] of entries.entries()) {
      const todo = [this.#block(entry)];
      for (let block = todo.pop(); block !== undefined; block = todo.pop()) {
        for (const [target] of this.#cuts[block]?.next ?? []) {
          const next = this.#block(target);
          if (owners[next] !== -1) continue;
          owners[next] = index;
          todo.push(next);
        }
      }
    }
    return owners;
  }

  #edges(intervals: DominatorIntervals): { successors: FlowEdge[][]; predecessors: FlowEdge[][] } {
    const successors: FlowEdge[][] = this.#cuts.map(() => []);
    const predecessors: FlowEdge[][] = this.#cuts.map(() => []);
    for (const [index, { next }] of this.#cuts.entries()) {
      for (const [target, kind] of next) {
        const other = this.#block(target);
        const edge: FlowEdge = { from: index, to: other, kind, isBack: intervals.dominates(other + 1, index + 1) };
        successors[index]?.push(edge);
        predecessors[other]?.push(edge);
      }
    }
    return { successors, predecessors };
  }
}

interface DominatorIntervals {
  dominates(a: number, b: number): boolean;
}

/** Numbers the dominator tree so that dominance is a comparison. */
function dominatorIntervals(dominators: Int32Array, count: number): DominatorIntervals {
  const children: number[] = [];
  const parents: number[] = [];
  for (let node = 1; node < count; node++) {
    if ((dominators[node] ?? -1) < 0) continue;
    parents.push(dominators[node] ?? 0);
    children.push(node);
  }
  const { numbers, last } = depthFirst(count, buildAdjacency(count, parents, children));
  return {
    dominates: (a, b) => (numbers[b] ?? -1) >= (numbers[a] ?? 0) && (numbers[b] ?? -1) <= (last[a] ?? -1),
  };
}

function listLoops(
  count: number,
  nest: ReturnType<typeof findLoops>,
  order: Int32Array,
): { list: readonly FlowLoop[]; innermost: Int32Array } {
  const indexOf = new Map<number, number>();
  const list: { index: number; header: number; parent: number; depth: number; blocks: number[]; isIrreducible: boolean }[] = [];
  const innermost = new Int32Array(count).fill(-1);
  // A header comes before what it is around in depth-first order.
  for (const node of order) {
    if (node === ROOT) continue;
    const outer = indexOf.get(nest.around[node] ?? -1) ?? -1;
    let loop = outer;
    if (nest.isHeader[node] === 1) {
      loop = list.length;
      indexOf.set(node, loop);
      const depth = (list[outer]?.depth ?? 0) + 1;
      list.push({
        index: loop,
        header: node - 1,
        parent: outer,
        depth,
        blocks: [],
        isIrreducible: nest.isIrreducible[node] === 1,
      });
    }
    innermost[node - 1] = loop;
  }
  collectLoopBlocks(list, innermost);
  return { list, innermost };
}

/** Deep nests would make the lists longer than the code: beyond this depth outer loops list only their own blocks. */
const MOST_LISTED_DEPTH = 64;

function collectLoopBlocks(list: readonly { parent: number; blocks: number[] }[], innermost: Int32Array): void {
  for (const [block, first] of innermost.entries()) {
    let steps = 0;
    for (let loop = first; loop >= 0 && steps < MOST_LISTED_DEPTH; steps++) {
      list[loop]?.blocks.push(block);
      loop = list[loop]?.parent ?? -1;
    }
  }
}

function describeFunctions(
  entries: readonly number[],
  kernelCount: number,
  blocks: readonly FlowBlock[],
): readonly FlowFunction[] {
  const functions = entries.map((entry, index) => ({
    index,
    entry,
    isKernel: index < kernelCount,
    blocks: [] as number[],
    callers: [] as number[],
    tailCalls: new Set<number>(),
  }));
  for (const block of blocks) {
    functions[block.functionIndex]?.blocks.push(block.index);
    if (block.callee !== undefined) functions[block.callee]?.callers.push(block.index);
    for (const { to } of block.successors) {
      const other = blocks[to]?.functionIndex ?? block.functionIndex;
      if (other !== block.functionIndex) functions[block.functionIndex]?.tailCalls.add(other);
    }
  }
  return functions.map(({ tailCalls, ...rest }) => ({ ...rest, tailCalls: [...tailCalls].sort((a, b) => a - b) }));
}

/** The last block that begins at or before the offset and has an instruction there; blocks may overlap in odd code. */
function findBlock(blocks: readonly FlowBlock[], offset: number): FlowBlock | undefined {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((blocks[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  for (let index = low - 1; index >= 0; index--) {
    const block = blocks[index];
    if (block?.instructions.some((item) => item.offset === offset) === true) return block;
    // Only odd code overlaps, and that by no more than an instruction.
    if (index < low - 8) return undefined;
  }
  return undefined;
}
