/** The loops of a control-flow graph, as nested strongly connected components. */
import type { CfgBlock } from './cfg.js';

/** Blocks that reach each other. */
export interface Cycle {
  readonly blocks: readonly number[];
  /** The one block that is entered from outside; undefined: there are several. */
  readonly header: number | undefined;
  /** The cycles that are left without the edges to the header. */
  readonly inner: readonly Cycle[];
}

/** The outermost cycles of a graph; control goes on behind barriers. */
export function findCycles(blocks: readonly CfgBlock[]): Cycle[] {
  const successors = blocks.map((block) => (block.continuation >= 0 ? [block.continuation] : block.successors));
  const entered = blocks.map((_, index) => index === 0);
  return cyclesIn(
    blocks.map((_, index) => index),
    successors,
    entered,
  );
}

/** Among the blocks `members`; edges to others are left out. `isEntry`: blocks that are entered without an edge. */
function cyclesIn(members: readonly number[], successors: readonly (readonly number[])[], isEntry: readonly boolean[]): Cycle[] {
  const component = new Int32Array(successors.length).fill(-1);
  const found = components(members, successors);
  for (const [number, blocks] of found.entries()) for (const block of blocks) component[block] = number;
  const entered = found.map((blocks) => new Set(blocks.filter((block) => isEntry[block] === true)));
  for (const block of members) {
    for (const next of successors[block] ?? []) {
      const into = component[next] ?? -1;
      if (into >= 0 && into !== component[block]) entered[into]?.add(next);
    }
  }
  const cycles: Cycle[] = [];
  for (const [number, blocks] of found.entries()) {
    const [first] = blocks;
    const isCycle = blocks.length > 1 || (first !== undefined && (successors[first] ?? []).includes(first));
    if (!isCycle) continue;
    const entries = [...(entered[number] ?? [])];
    const header = entries.length === 1 ? entries[0] : undefined;
    const within = new Set(blocks);
    const inside = successors.map((list, block) =>
      within.has(block) ? list.filter((next) => within.has(next) && next !== header) : [],
    );
    const inner =
      header === undefined
        ? []
        : cyclesIn(
            blocks,
            inside,
            successors.map((_, block) => block === header),
          );
    cycles.push({ blocks, header, inner });
  }
  return cycles;
}

/** Strongly connected components (Tarjan), without recursion. */
function components(members: readonly number[], successors: readonly (readonly number[])[]): number[][] {
  const order = new Int32Array(successors.length).fill(-1);
  const low = new Int32Array(successors.length);
  const onStack = new Uint8Array(successors.length);
  const stack: number[] = [];
  const result: number[][] = [];
  let count = 0;
  for (const root of members) {
    if ((order[root] ?? 0) >= 0) continue;
    const calls: { block: number; position: number }[] = [{ block: root, position: 0 }];
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { block } = call;
      if (call.position === 0) {
        order[block] = low[block] = count++;
        stack.push(block);
        onStack[block] = 1;
      }
      const successor = successors[block]?.[call.position++];
      if (successor !== undefined) {
        if ((order[successor] ?? 0) < 0) calls.push({ block: successor, position: 0 });
        else if (onStack[successor] === 1) low[block] = Math.min(low[block] ?? 0, order[successor] ?? 0);
        continue;
      }
      calls.pop();
      const parent = calls.at(-1);
      if (parent !== undefined) low[parent.block] = Math.min(low[parent.block] ?? 0, low[block] ?? 0);
      if (low[block] !== order[block]) continue;
      const component: number[] = [];
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        onStack[member] = 0;
        component.push(member);
        if (member === block) break;
      }
      result.push(component);
    }
  }
  return result;
}
