import { describe, expect, it } from 'vitest';
import { controlFlow, liveness } from '../../src/index.js';

const SIZE = 1 << 13;
const ENTRIES = 100;

function createRandom(seed: number): () => number {
  let state = (seed * 0x9e37_79b1 + 1) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

/** Scalar branches and moves of gfx11, and transfers through registers: many edges, few failures. */
function branchyWord(random: () => number): number {
  const near = random() & 0x3f;
  switch (random() % 6) {
    case 0:
      return (0xbfa0_0000 | (random() % 7 << 16) | (near < 0x20 ? near : 0xffc0 | near)) >>> 0;
    case 1:
      return [0xbe82_4700, 0x8002_ff02, 0x8203_8003, 0xbe9e_4902, 0xbe80_481e, 0xba1e_0000 | near][random() % 6]! >>> 0;
    default:
      return (0xbe80_0080 | (near << 16) | (random() & 0x3f)) >>> 0;
  }
}

describe.each(['gfx900', 'gfx90a', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'])('random bytes for %s', (processor) => {
  it.each(['noise', 'branches'])('give a graph that accounts for every byte: %s', { timeout: 60_000 }, (kind) => {
    const random = createRandom(processor.length + processor.charCodeAt(4) + kind.length);
    const words = Uint32Array.from({ length: SIZE / 4 }, () => (kind === 'noise' ? random() : branchyWord(random)));
    const bytes = new Uint8Array(words.buffer).subarray(0, SIZE - (random() % 4));
    const entries = Array.from({ length: ENTRIES }, () => (random() % (SIZE / 4)) * 4);
    const flow = controlFlow(bytes, { processor, entries: [...entries, 1, -4, SIZE * 2], functions: [0, 64] });

    const isCovered = new Uint8Array(bytes.length);
    let instructions = 0;
    for (const block of flow.blocks) {
      instructions += block.instructions.length;
      isCovered.fill(1, block.start, block.end);
      expect(block.instructions.at(-1)?.offset ?? block.start).toBeLessThanOrEqual(block.end);
      expect(block.dominator).toBeLessThan(flow.blocks.length);
      for (const { from, to } of block.successors) {
        expect(from).toBe(block.index);
        expect(flow.blocks[to]?.predecessors.some((edge) => edge.from === from)).toBe(true);
      }
    }
    expect(instructions).toBeLessThanOrEqual(SIZE / 4);
    for (const { start, end } of flow.gaps) {
      expect(isCovered.subarray(start, end).includes(1)).toBe(false);
      isCovered.fill(1, start, end);
    }
    expect(isCovered.indexOf(0)).toBe(-1);
    expect(liveness(flow).liveIn(0).ranges()).toBeDefined();
  });
});
