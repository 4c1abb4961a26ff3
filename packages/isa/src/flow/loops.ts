/**
 * Nesting of loops by Havlak ("Nesting of reducible and irreducible loops", 1997): almost linear by union-find over the
 * depth-first tree.
 */
import type { Adjacency, DepthFirst } from './dominators.js';

export interface LoopNest {
  /** Innermost loop header around each node, not counting itself; -1: none. */
  readonly around: Int32Array;
  readonly isHeader: Uint8Array;
  readonly isIrreducible: Uint8Array;
}

/** How many steps edges into the middle of loops may cost, per node and edge. */
const EXTRA_STEPS = 8;

export function findLoops(count: number, predecessors: Adjacency, tree: DepthFirst): LoopNest {
  const { numbers, order, last, reached } = tree;
  const around = new Int32Array(count).fill(-1);
  const isHeader = new Uint8Array(count);
  const isIrreducible = new Uint8Array(count);
  const union = Int32Array.from({ length: count }, (_, node) => node);
  /** The node of whose list a node is a member, while that list is made. */
  const member = new Int32Array(count).fill(-1);
  // Edges into a loop beside its header count for the loop around it; in odd graphs they are only followed so far.
  const extra: (number[] | undefined)[] = [];
  let budget = EXTRA_STEPS * (count + predecessors.targets.length);

  const find = (node: number): number => {
    let root = node;
    while (union[root] !== root) root = union[root] ?? root;
    for (let at = node; at !== root; ) {
      const next = union[at] ?? root;
      union[at] = root;
      at = next;
    }
    return root;
  };
  const isBelow = (node: number, top: number): boolean => {
    const [number, first] = [numbers[node] ?? -1, numbers[top] ?? -1];
    return number >= first && number <= (last[top] ?? -1);
  };

  for (let number = reached - 1; number >= 0; number--) {
    const header = order[number] ?? 0;
    const body: number[] = [];
    const add = (node: number): void => {
      if (node === header || member[node] === header) return;
      member[node] = header;
      body.push(node);
    };
    const rows = (node: number): Int32Array =>
      predecessors.targets.subarray(predecessors.offsets[node] ?? 0, predecessors.offsets[node + 1] ?? 0);
    for (const from of rows(header)) {
      if (numbers[from] === -1 || !isBelow(from, header)) continue;
      isHeader[header] = 1;
      add(find(from));
    }
    for (let head = 0; head < body.length; head++) {
      const node = body[head] ?? 0;
      for (const list of [rows(node), extra[node] ?? []]) {
        for (const from of list) {
          // Its own back edges lead from below.
          if (numbers[from] === -1 || (list !== extra[node] && isBelow(from, node))) continue;
          const top = find(from);
          if (isBelow(top, header)) add(top);
          else {
            isIrreducible[header] = 1;
            if (budget-- > 0) (extra[header] ??= []).push(top);
          }
        }
      }
    }
    for (const node of body) {
      around[node] = header;
      union[node] = header;
    }
  }
  return { around, isHeader, isIrreducible };
}
