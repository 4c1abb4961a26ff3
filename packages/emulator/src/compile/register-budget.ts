/**
 * What an inner loop holds in v128 locals, against the 15 vector registers that the engine has. Where they do not suffice, the engine
 * spills what was defined first, of values that are used equally soon. It must not be one that the loop changes: that puts a store
 * and a load into the loop's longest chain, 3 times slower. So on the way into such a loop, the values that it changes go through
 * memory: they are then defined last, and what the loop only reads is spilled. On the way out likewise: a value that the engine merges
 * with one that was spilled before the loop is spilled in the loop as well.
 */
import type { Program } from './program.js';
import { FIRST_VGPR } from './registers.js';
import type { Structure } from './structure.js';

/** Vector registers beside one for intermediate values. */
export const VECTOR_BUDGET = 14;

/** By block of an inner loop that is over budget: the VGPRs that it changes. */
export function findTightLoops(program: Program, structure: Structure): ReadonlyMap<number, ReadonlySet<number>> {
  const result = new Map<number, ReadonlySet<number>>();
  const headers = structure.order.filter((block) => structure.isLoopHeader(block));
  for (const header of headers) {
    const blocks = structure.loopBlocks(header);
    if (headers.some((other) => other !== header && blocks.has(other))) continue;
    const { vectors, changed } = vectorsOfLoop(program, header, blocks);
    const { groups } = program.shapes;
    if (changed.length === 0 || vectors.length * groups <= VECTOR_BUDGET || changed.length * groups > VECTOR_BUDGET) continue;
    const locals = new Set(changed);
    for (const block of blocks) result.set(block, locals);
  }
  return result;
}

/** The VGPRs that a loop carries as vectors and uses, and which of them it changes. */
export function vectorsOfLoop(
  program: Program,
  header: number,
  blocks: ReadonlySet<number>,
): { readonly vectors: readonly number[]; readonly changed: readonly number[] } {
  const read = new Set<number>();
  const written = new Set<number>();
  for (const index of blocks) {
    const ir = program.cfg.blocks[index]?.ir;
    for (const node of ir?.nodes ?? []) if (node.kind === 'read' && node.file === 'vgpr') read.add(FIRST_VGPR + node.index);
    for (const write of ir?.writes ?? []) if (write.file === 'vgpr') written.add(FIRST_VGPR + write.index);
  }
  const vectors = (program.liveness.carried[header] ?? []).filter(
    (register) => program.facts[header]?.[register]?.kind === 'vector' && (written.has(register) || read.has(register)),
  );
  return { vectors, changed: vectors.filter((register) => written.has(register)) };
}
