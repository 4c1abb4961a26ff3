import type { AtomicNode, Block, Value } from '../ir/block.js';

/** Which atomics' old values the block uses. */
export function readAtomics(ir: Block): (node: AtomicNode) => boolean {
  if (!ir.effects.some((effect) => effect.kind === 'atomic')) return () => true;
  const read = new Set<Value>();
  for (const node of ir.nodes) {
    if (node.kind === 'op' || node.kind === 'matrix') for (const arg of node.args) read.add(arg);
    else if (node.kind === 'blend') read.add(node.value).add(node.old);
    else if (node.kind === 'atomic') read.add(node.data).add(node.compare ?? node.data);
  }
  for (const effect of ir.effects) {
    if (effect.kind === 'clock' || effect.kind === 'matrix') continue;
    for (const part of [effect.address.base, effect.address.offset, effect.address.vector])
      if (part !== undefined) read.add(part);
    if (effect.kind === 'store') read.add(effect.data);
  }
  for (const write of ir.writes) read.add(write.value);
  return (node) => read.has(node);
}
