/** Dual instructions: two operations that both read the registers as they were before (semantics.md §18). */
import type { Instruction, VopdHalf } from '@doorbell/isa';
import type { Operation } from './operation.js';
import type { Meanings } from './table.js';

export function buildDual(
  o: Operation,
  instruction: Instruction,
  halves: readonly [VopdHalf, VopdHalf],
  semantics: Meanings,
): void {
  const { b } = o;
  const [first, second] = halves;
  const target = (half: VopdHalf): number => half.operands.find((operand) => operand.isResult)?.index ?? -1;
  const run = (half: VopdHalf): void => {
    const semantic = semantics.get(half.name);
    if (semantic === undefined) o.unsupported(`${half.name} in a dual instruction`);
    o.reset(half.name, half.operands, instruction);
    semantic(o);
  };
  // Both write one VGPR and nothing else: the first result is put back while the second operation reads.
  const index = target(first);
  const before = b.vgprAllLanes(index);
  run(first);
  const result = b.vgprAllLanes(index);
  b.setVgprAllLanes(index, before);
  run(second);
  b.setVgprAllLanes(index, result);
}
