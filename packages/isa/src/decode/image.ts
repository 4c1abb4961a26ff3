import type { InstructionTable } from '../table/instruction-table.js';
import { readField } from './operand-plan.js';

/** Widths that depend on fields of an image instruction. */
export interface ImageWidths {
  readonly dataBits: number;
  readonly addressBits: number;
}

/** Data: one dword per dmask bit (four for gather4), halved by d16, one more for tfe. */
export function imageWidths(table: InstructionTable, entry: number, words: readonly number[]): ImageWidths {
  const layout = table.layout(entry);
  const field = (name: string): number => {
    const slices = layout.get(name);
    return slices === undefined ? 0 : readField(slices, words);
  };
  const properties = table.image(entry) ?? {};
  const dmask = field('dmask');
  let components = 0;
  for (let rest = dmask; rest !== 0; rest &= rest - 1) components++;
  let dwords = properties['Gather4'] ? 4 : Math.max(components, 1);
  if (field('d16') === 1) dwords = (dwords + 1) >> 1;
  if (field('tfe') === 1) dwords++;
  return { dataBits: dwords * 32, addressBits: 32 };
}
