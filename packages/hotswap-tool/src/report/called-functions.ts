import { controlFlow, type FlowFunction } from '@doorbell/isa';
import type { CodeRegion } from '../retarget/code-extents.js';

/** Offsets of a region at which the functions begin that code from an entry can get into, itself among them; undefined: any. */
export type CallClosure = (entry: number) => ReadonlySet<number> | undefined;

/** Follows the calls of the code of a region, for waves of one size. */
export function calledFunctions(
  region: CodeRegion,
  { processor, waveSize }: { readonly processor: string; readonly waveSize: 32 | 64 },
): CallClosure {
  const entries = region.extents.filter((extent) => extent.waveSize === waveSize).map(({ start }) => start);
  const functions = region.extents.filter((extent) => extent.waveSize === undefined).map(({ start }) => start);
  const flow = controlFlow(region.bytes, { processor, waveSize, entries, functions, baseAddress: region.vaddr });
  const unknown = new Set(flow.unknownTransfers.map(({ offset }) => flow.blockAt(offset)?.functionIndex));
  const next = (one: FlowFunction): readonly number[] => {
    const callees = one.blocks.map((block) => flow.blocks[block]?.callee);
    // A call that is not known, or out of the region.
    return [...callees.filter((callee) => callee !== undefined), ...one.tailCalls];
  };
  return (entry) => {
    const first = flow.functions.find((one) => one.entry === entry);
    if (first === undefined) return undefined;
    const seen = new Set([first.index]);
    const starts = new Set<number>();
    for (const index of seen) {
      const one = flow.functions[index];
      if (one === undefined || unknown.has(index)) return undefined;
      starts.add(one.entry);
      for (const callee of next(one)) seen.add(callee);
    }
    return starts;
  };
}
