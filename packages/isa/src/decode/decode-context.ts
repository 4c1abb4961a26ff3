import type { OperandReaders } from './operand-reader.js';
import type { InstructionTable } from '../table/instruction-table.js';

/** What an instruction was decoded for; printing depends on it too. */
export interface DecodeContext {
  readonly table: InstructionTable;
  readonly processor: string;
  readonly waveSize: 32 | 64;
  readonly readers: OperandReaders;
}
