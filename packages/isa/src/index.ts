export type {
  Decoded,
  DecodeFailure,
  Decoder,
  Extension,
  Format,
  Instruction,
  Operand,
  OperandKind,
  VopdHalf,
} from './instruction.js';
export { createDecoder } from './decode/decoder.js';
export type { DecoderOptions } from './decode/decoder.js';
export { hasTable, listProcessors } from './table/processors.js';
export type { Processor } from './table/processors.js';
export { formatInstruction } from './disassemble/format-instruction.js';
export type { FormatOptions } from './disassemble/format-instruction.js';
export { disassemble } from './disassemble/disassemble.js';
export type { DisassembledLine, DisassembleOptions } from './disassemble/disassemble.js';
