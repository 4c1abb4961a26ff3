/** Formats of typed buffer operations as llvm-mc prints them (LLVM AMDGPUInstPrinter, printSymbolicFormat; AMDGPU::MTBUFFormat). */
import type { DecodeContext } from '../decode/decode-context.js';
import { DATA_FORMATS, NUMBER_FORMATS, NUMBER_FORMAT_SHIFT } from '../facts/buffer-access.js';

/** BUF_DATA_FORMAT_8 with BUF_NUM_FORMAT_UNORM, or BUF_FMT_8_UNORM from gfx10 on: not printed. */
const DEFAULT_FORMAT = 1;

/** ` format:[…]`; '' for the default. */
export function formatBufferFormat(value: number, { table }: DecodeContext): string {
  if (value === DEFAULT_FORMAT) return '';
  if (table.family !== 'gfx9') {
    const name = table.facts.bufferFormats[value];
    return name === undefined ? ` format:${value}` : ` format:[${name}]`;
  }
  const data = value & ((1 << NUMBER_FORMAT_SHIFT) - 1);
  const number = value >>> NUMBER_FORMAT_SHIFT;
  const names: string[] = [];
  if (data !== DEFAULT_FORMAT) names.push(`BUF_DATA_FORMAT_${DATA_FORMATS[data] ?? ''}`);
  if (number !== 0) names.push(`BUF_NUM_FORMAT_${NUMBER_FORMATS[number] ?? ''}`);
  return ` format:[${names.join()}]`;
}
