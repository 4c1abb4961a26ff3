/** Dual instructions: two operations that both read the registers as they were before (semantics.md §18). */
import type { Instruction, VopdHalf } from '@doorbell/isa';
import type { Operation, Semantic } from './operation.js';
import type { Meanings } from './table.js';

export function buildDual(
  o: Operation,
  instruction: Instruction,
  halves: readonly [VopdHalf, VopdHalf],
  semantics: Meanings,
): void {
  const { b } = o;
  const [first, second] = halves;
  const begin = (half: VopdHalf): Semantic => {
    const semantic = semantics.get(half.name);
    if (semantic === undefined) o.unsupported(`${half.name} in a dual instruction`);
    o.reset(half.name, half.operands, instruction);
    return semantic;
  };
  // Both write one VGPR and nothing else: the first result is put back while the second operation reads.
  const run = begin(first);
  const index = o.results[0]?.index ?? -1;
  const before = b.vgprAllLanes(index);
  run(o);
  const result = b.vgprAllLanes(index);
  b.setVgprAllLanes(index, before);
  begin(second)(o);
  b.setVgprAllLanes(index, result);
}
