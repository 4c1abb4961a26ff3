import { HsaError } from '@doorbell/abi/core';
import type { InstructionTable } from './instruction-table.js';

/**
 * The wave size that is asked for, or the processor's default.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT the processor does not have it.
 */
export function chooseWaveSize(table: InstructionTable, processor: string, wanted: 32 | 64 | undefined): 32 | 64 {
  const sizes = waveSizes(table);
  const waveSize = wanted ?? sizes[0];
  if (waveSize === undefined || !sizes.includes(waveSize)) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${processor} has no waves of ${waveSize} lanes`,
      hint: `Use ${sizes.join(' or ')}.`,
      details: { processor, waveSize },
    });
  }
  return waveSize;
}

/** Wave sizes of a generation, default first. */
function waveSizes(table: InstructionTable): readonly (32 | 64)[] {
  if (table.family === 'gfx9') return [64];
  return table.family === 'gfx1250' ? [32] : [32, 64];
}
