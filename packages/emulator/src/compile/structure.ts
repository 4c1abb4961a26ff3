/** The shape of a segment's control flow: order, dominators, loops, and whether it is reducible. */
import type { Cfg } from './cfg.js';

export interface Structure {
  /** Blocks of the segment in reverse postorder; the entry first. */
  readonly order: readonly number[];
  readonly position: ReadonlyMap<number, number>;
  readonly isLoopHeader: (block: number) => boolean;
  /** Reached by several forward edges. */
  readonly isMerge: (block: number) => boolean;
  /** Blocks immediately dominated. */
  readonly children: (block: number) => readonly number[];
  readonly isReducible: boolean;
  /** Blocks of the loop of a header. */
  readonly loopBlocks: (header: number) => ReadonlySet<number>;
  /** Instructions of the innermost loop of a header: what a round costs. */
  readonly loopCost: (header: number) => number;
}

export function structureOf(whole: Cfg, isReached: readonly boolean[], entry: number): Structure {
  const cfg = reachedPart(whole, isReached);
  const order = postorder(cfg, entry).reverse();
  const position = new Map(order.map((block, i) => [block, i]));
  const at = (block: number): number => position.get(block) ?? -1;
  const predecessors = new Map<number, number[]>(order.map((block) => [block, []]));
  for (const block of order) for (const s of cfg.blocks[block]?.successors ?? []) predecessors.get(s)?.push(block);
  const idom = dominators(order, predecessors, at);
  const dominates = (a: number, b: number): boolean => {
    let block = b;
    while (at(block) > at(a)) block = idom.get(block) ?? entry;
    return block === a;
  };
  const headers = new Map<number, number[]>();
  const merges = new Set<number>();
  let isReducible = true;
  for (const block of order) {
    let forward = 0;
    for (const predecessor of new Set(predecessors.get(block))) {
      if (at(predecessor) < at(block)) forward++;
      else {
        headers.set(block, [...(headers.get(block) ?? []), predecessor]);
        if (!dominates(block, predecessor)) isReducible = false;
      }
    }
    // A branch whose both edges lead here counts twice.
    const edges = (predecessors.get(block) ?? []).filter((p) => at(p) < at(block)).length;
    if (forward > 1 || edges > 1) merges.add(block);
  }
  const children = new Map<number, number[]>(order.map((block) => [block, []]));
  for (const block of order) if (block !== entry) children.get(idom.get(block) ?? entry)?.push(block);
  return {
    order,
    position,
    isLoopHeader: (block) => headers.has(block),
    isMerge: (block) => merges.has(block),
    children: (block) => children.get(block) ?? [],
    isReducible,
    loopBlocks: (header) => loopBlocks(header, headers.get(header) ?? [], predecessors),
    loopCost: (header) => {
      let cost = 0;
      for (const block of loopBlocks(header, headers.get(header) ?? [], predecessors)) {
        cost += cfg.blocks[block]?.instructionCount ?? 0;
      }
      return Math.max(1, cost);
    },
  };
}

/** The graph without the blocks that facts show to be out of reach. */
function reachedPart(cfg: Cfg, isReached: readonly boolean[]): Cfg {
  return {
    ...cfg,
    blocks: cfg.blocks.map((block) => ({ ...block, successors: block.successors.filter((successor) => isReached[successor]) })),
  };
}

function postorder(cfg: Cfg, entry: number): number[] {
  const seen = new Set([entry]);
  const order: number[] = [];
  const stack = [{ block: entry, next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const successor = cfg.blocks[top.block]?.successors[top.next++];
    if (successor === undefined) {
      order.push(top.block);
      stack.pop();
    } else if (!seen.has(successor)) {
      seen.add(successor);
      stack.push({ block: successor, next: 0 });
    }
  }
  return order;
}

/** Immediate dominators (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm). */
function dominators(
  order: readonly number[],
  predecessors: ReadonlyMap<number, readonly number[]>,
  at: (block: number) => number,
): Map<number, number> {
  const [entry] = order;
  const idom = new Map<number, number>();
  if (entry === undefined) return idom;
  idom.set(entry, entry);
  const meet = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      while (at(x) > at(y)) x = idom.get(x) ?? entry;
      while (at(y) > at(x)) y = idom.get(y) ?? entry;
    }
    return x;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of order) {
      if (block === entry) continue;
      let next: number | undefined;
      for (const predecessor of predecessors.get(block) ?? []) {
        if (!idom.has(predecessor)) continue;
        next = next === undefined ? predecessor : meet(next, predecessor);
      }
      if (next !== undefined && idom.get(block) !== next) {
        idom.set(block, next);
        changed = true;
      }
    }
  }
  return idom;
}

function loopBlocks(
  header: number,
  latches: readonly number[],
  predecessors: ReadonlyMap<number, readonly number[]>,
): ReadonlySet<number> {
  const body = new Set([header]);
  const todo = [...latches];
  for (let block = todo.pop(); block !== undefined; block = todo.pop()) {
    if (body.has(block)) continue;
    body.add(block);
    todo.push(...(predecessors.get(block) ?? []));
  }
  return body;
}
