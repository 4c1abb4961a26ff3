/** Formats of typed buffer operations as llvm-mc prints them (LLVM AMDGPUInstPrinter, printSymbolicFormat; AMDGPU::MTBUFFormat). */
import type { DecodeContext } from '../decode/decode-context.js';

/** Data formats of gfx9 by number: bits 0…3 of the field. */
const DATA_FORMATS = [
  'BUF_DATA_FORMAT_INVALID',
  'BUF_DATA_FORMAT_8',
  'BUF_DATA_FORMAT_16',
  'BUF_DATA_FORMAT_8_8',
  'BUF_DATA_FORMAT_32',
  'BUF_DATA_FORMAT_16_16',
  'BUF_DATA_FORMAT_10_11_11',
  'BUF_DATA_FORMAT_11_11_10',
  'BUF_DATA_FORMAT_10_10_10_2',
  'BUF_DATA_FORMAT_2_10_10_10',
  'BUF_DATA_FORMAT_8_8_8_8',
  'BUF_DATA_FORMAT_32_32',
  'BUF_DATA_FORMAT_16_16_16_16',
  'BUF_DATA_FORMAT_32_32_32',
  'BUF_DATA_FORMAT_32_32_32_32',
  'BUF_DATA_FORMAT_RESERVED_15',
] as const;
/** Number formats of gfx9 by number: bits 4…6 of the field. */
const NUMBER_FORMATS = [
  'BUF_NUM_FORMAT_UNORM',
  'BUF_NUM_FORMAT_SNORM',
  'BUF_NUM_FORMAT_USCALED',
  'BUF_NUM_FORMAT_SSCALED',
  'BUF_NUM_FORMAT_UINT',
  'BUF_NUM_FORMAT_SINT',
  'BUF_NUM_FORMAT_RESERVED_6',
  'BUF_NUM_FORMAT_FLOAT',
] as const;

/** BUF_DATA_FORMAT_8 with BUF_NUM_FORMAT_UNORM, or BUF_FMT_8_UNORM from gfx10 on: not printed. */
const DEFAULT_FORMAT = 1;
const NUMBER_FORMAT_SHIFT = 4;

/** ` format:[…]`; '' for the default. */
export function formatBufferFormat(value: number, { table }: DecodeContext): string {
  if (value === DEFAULT_FORMAT) return '';
  if (table.family !== 'gfx9') {
    const name = table.facts.bufferFormats[value];
    return name === undefined ? ` format:${value}` : ` format:[${name}]`;
  }
  const data = value & ((1 << NUMBER_FORMAT_SHIFT) - 1);
  const number = value >>> NUMBER_FORMAT_SHIFT;
  const names: (string | undefined)[] = [];
  if (data !== DEFAULT_FORMAT) names.push(DATA_FORMATS[data]);
  if (number !== 0) names.push(NUMBER_FORMATS[number]);
  return ` format:[${names.join()}]`;
}
