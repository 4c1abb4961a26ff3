import { describe, expect, it } from 'vitest';
import type { CfgBlock } from '../../src/compile/cfg.js';
import { findCycles, type Cycle } from '../../src/compile/cycles.js';

/** Blocks of a graph that is given as successors by block. */
function graph(successors: readonly (readonly number[])[]): CfgBlock[] {
  return successors.map((list, index) => ({
    index,
    ir: { start: 0, end: 0, nodes: [], effects: [], writes: [], exit: { kind: 'end' }, effectPcs: [] },
    instructionCount: 1,
    mode: {} as CfgBlock['mode'],
    successors: [...list],
    continuation: -1,
    predecessors: [],
    isFull: false,
    hasGuard: false,
  }));
}

function shapeOf({ blocks, header, inner }: Cycle): unknown {
  return { blocks: [...blocks].sort((a, b) => a - b), header, inner: inner.map(shapeOf) };
}

describe('cycles of a control-flow graph', () => {
  it('are none without a way back', () => {
    expect(findCycles(graph([[1, 2], [3], [3], []]))).toEqual([]);
  });

  it('nest, each with the block that it is entered at', () => {
    const found = findCycles(graph([[1], [2], [3, 2], [1, 4], []]));
    expect(found.map(shapeOf)).toEqual([{ blocks: [1, 2, 3], header: 1, inner: [{ blocks: [2], header: 2, inner: [] }] }]);
  });

  it('have no header where a jump leads into the middle', () => {
    expect(findCycles(graph([[1, 2], [2], [1, 3], []])).map(shapeOf)).toEqual([{ blocks: [1, 2], header: undefined, inner: [] }]);
  });

  it('may begin at the entry', () => {
    expect(findCycles(graph([[1], [0, 2], []])).map(shapeOf)).toEqual([{ blocks: [0, 1], header: 0, inner: [] }]);
  });
});
