/**
 * Two versions of code where it pays: where EXEC changes, a test whether all lanes are active leads to a copy of the code in which
 * EXEC is known to be full. The copies go on until EXEC changes again. Loops in which EXEC changes have no copy.
 */
import type { Block } from '../ir/block.js';
import { SGPR_EXEC } from '../ir/block.js';
import type { Cfg, CfgBlock } from './cfg.js';

/** The graph with copies added behind its blocks. */
export function splitFullExec(cfg: Cfg): Cfg {
  const { blocks } = cfg;
  const changes = blocks.map((block) => writesExec(block.ir));
  const hasCopy = blocksWithCopy(blocks, changes);
  const result: CfgBlock[] = blocks.map((block) => ({ ...block, successors: [...block.successors], predecessors: [] }));
  const copies = new Map<number, number>();
  // Blocks that the loop adds behind the list are handled by it as well.
  const sources = blocks.map((block) => block.index);
  const copyOf = (index: number): number => {
    const found = copies.get(index);
    if (found !== undefined) return found;
    const block = blocks[index];
    const copy = result.length;
    copies.set(index, copy);
    sources.push(index);
    if (block !== undefined) result.push({ ...block, index: copy, successors: [], predecessors: [], isFull: true });
    return copy;
  };
  for (let index = 0; index < result.length; index++) {
    const block = result[index];
    const source = sources[index];
    if (block === undefined || source === undefined) continue;
    const original = blocks[source]?.successors ?? [];
    const [only] = original;
    if (changes[source] === true) {
      if (original.length === 1 && only !== undefined && hasCopy[only] === true) {
        block.successors.splice(0, 1, copyOf(only), only);
        block.hasGuard = true;
      } else if (block.isFull) block.successors.push(...original);
    } else if (block.isFull) {
      block.successors.push(...original.map((target) => (hasCopy[target] === true ? copyOf(target) : target)));
    }
  }
  for (const block of result) for (const successor of block.successors) result[successor]?.predecessors.push(block.index);
  return { ...cfg, blocks: result };
}

function writesExec(ir: Block): boolean {
  return ir.writes.some((write) => write.file === 'sgpr' && write.index >= SGPR_EXEC);
}

/** Blocks outside of every cycle in which EXEC changes. */
function blocksWithCopy(blocks: readonly CfgBlock[], changes: readonly boolean[]): boolean[] {
  const result = blocks.map(() => true);
  for (const component of components(blocks)) {
    const [first] = component;
    const isCycle = component.length > 1 || (first !== undefined && next(blocks[first]).includes(first));
    if (isCycle && component.some((index) => changes[index] === true)) for (const index of component) result[index] = false;
  }
  return result;
}

function next(block: CfgBlock | undefined): readonly number[] {
  if (block === undefined) return [];
  return block.continuation >= 0 ? [block.continuation] : block.successors;
}

/** Strongly connected components (Tarjan), without recursion. */
function components(blocks: readonly CfgBlock[]): number[][] {
  const order = new Int32Array(blocks.length).fill(-1);
  const low = new Int32Array(blocks.length);
  const onStack = new Uint8Array(blocks.length);
  const stack: number[] = [];
  const result: number[][] = [];
  let count = 0;
  for (let root = 0; root < blocks.length; root++) {
    if ((order[root] ?? 0) >= 0) continue;
    const calls: { block: number; position: number }[] = [{ block: root, position: 0 }];
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { block } = call;
      if (call.position === 0) {
        order[block] = low[block] = count++;
        stack.push(block);
        onStack[block] = 1;
      }
      const successor = next(blocks[block])[call.position++];
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
