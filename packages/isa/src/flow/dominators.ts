/**
 * Dominators by Lengauer and Tarjan ("A fast algorithm for finding dominators in a flowgraph", 1979), the simple version:
 * O(n log n), without recursion.
 */

/** A graph in compressed rows: the neighbours of node n are `targets[offsets[n]] … targets[offsets[n + 1] - 1]`. */
export interface Adjacency {
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
}

/** Rows from an edge list. */
export function buildAdjacency(count: number, from: ArrayLike<number>, to: ArrayLike<number>): Adjacency {
  const offsets = new Int32Array(count + 1);
  for (let edge = 0; edge < from.length; edge++) {
    const node = (from[edge] ?? 0) + 1;
    offsets[node] = (offsets[node] ?? 0) + 1;
  }
  for (let node = 0; node < count; node++) offsets[node + 1] = (offsets[node + 1] ?? 0) + (offsets[node] ?? 0);
  const next = offsets.slice();
  const targets = new Int32Array(from.length);
  for (let edge = 0; edge < from.length; edge++) {
    const node = from[edge] ?? 0;
    const slot = next[node] ?? 0;
    targets[slot] = to[edge] ?? 0;
    next[node] = slot + 1;
  }
  return { offsets, targets };
}

/** Depth-first numbering from node 0. */
export interface DepthFirst {
  /** Number of a node in order of discovery; -1: not reached. */
  readonly numbers: Int32Array;
  /** Nodes by number. */
  readonly order: Int32Array;
  /** Parent in the tree, by node; -1 for the root. */
  readonly parents: Int32Array;
  /** Highest number below a node, by node. */
  readonly last: Int32Array;
  readonly reached: number;
}

export function depthFirst(count: number, { offsets, targets }: Adjacency): DepthFirst {
  const numbers = new Int32Array(count).fill(-1);
  const order = new Int32Array(count);
  const parents = new Int32Array(count).fill(-1);
  const last = new Int32Array(count);
  const cursor = offsets.slice(0, count);
  const stack = new Int32Array(count);
  let depth = 0;
  let reached = 0;
  if (count > 0) {
    numbers[0] = reached;
    order[reached++] = 0;
    stack[depth++] = 0;
  }
  while (depth > 0) {
    const node = stack[depth - 1] ?? 0;
    const slot = cursor[node] ?? 0;
    if (slot < (offsets[node + 1] ?? 0)) {
      cursor[node] = slot + 1;
      const target = targets[slot] ?? 0;
      if (numbers[target] !== -1) continue;
      numbers[target] = reached;
      order[reached++] = target;
      parents[target] = node;
      stack[depth++] = target;
    } else {
      last[node] = reached - 1;
      depth--;
    }
  }
  return { numbers, order, parents, last, reached };
}

/** Immediate dominator of each node; -1 for the root (node 0) and for nodes that are not reached. */
export function immediateDominators(count: number, predecessors: Adjacency, tree: DepthFirst): Int32Array {
  const { numbers, order, parents, reached } = tree;
  // All of these are by depth-first number.
  const semi = Int32Array.from({ length: reached }, (_, number) => number);
  const label = semi.slice();
  const ancestor = new Int32Array(reached).fill(-1);
  const dominator = new Int32Array(reached);
  const bucketHead = new Int32Array(reached).fill(-1);
  const bucketNext = new Int32Array(reached).fill(-1);
  const path = new Int32Array(reached);

  const evaluate = (node: number): number => {
    if (ancestor[node] === -1) return node;
    let length = 0;
    let top = node;
    while ((ancestor[ancestor[top] ?? -1] ?? -1) !== -1) {
      path[length++] = top;
      top = ancestor[top] ?? 0;
    }
    // From the root end down: labels and ancestors are those of the whole way.
    while (length > 0) {
      const at = path[--length] ?? 0;
      const above = ancestor[at] ?? 0;
      if ((semi[label[above] ?? 0] ?? 0) < (semi[label[at] ?? 0] ?? 0)) label[at] = label[above] ?? 0;
      ancestor[at] = ancestor[above] ?? 0;
    }
    return label[node] ?? 0;
  };

  for (let number = reached - 1; number > 0; number--) {
    const node = order[number] ?? 0;
    for (let slot = predecessors.offsets[node] ?? 0; slot < (predecessors.offsets[node + 1] ?? 0); slot++) {
      const from = numbers[predecessors.targets[slot] ?? 0] ?? -1;
      if (from === -1) continue;
      const best = semi[evaluate(from)] ?? 0;
      if (best < (semi[number] ?? 0)) semi[number] = best;
    }
    const bucket = semi[number] ?? 0;
    bucketNext[number] = bucketHead[bucket] ?? -1;
    bucketHead[bucket] = number;
    const parent = numbers[parents[node] ?? 0] ?? 0;
    ancestor[number] = parent;
    for (let item = bucketHead[parent] ?? -1; item !== -1; item = bucketNext[item] ?? -1) {
      const best = evaluate(item);
      dominator[item] = (semi[best] ?? 0) < (semi[item] ?? 0) ? best : parent;
    }
    bucketHead[parent] = -1;
  }
  const result = new Int32Array(count).fill(-1);
  for (let number = 1; number < reached; number++) {
    if (dominator[number] !== semi[number]) dominator[number] = dominator[dominator[number] ?? 0] ?? 0;
    result[order[number] ?? 0] = order[dominator[number] ?? 0] ?? 0;
  }
  return result;
}
