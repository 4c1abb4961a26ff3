/** Messages of s_sendmsg as llvm-mc prints them (LLVM AMDGPUInstPrinter, printSendMsg; AMDGPU::SendMsg). */
import type { DecodeContext } from '../decode/decode-context.js';
import { findName } from './immediates.js';

/** Operations of the geometry messages, which gfx11 no longer has. */
export const GEOMETRY_OPERATIONS = ['GS_OP_NOP', 'GS_OP_CUT', 'GS_OP_EMIT', 'GS_OP_EMIT_CUT'] as const;
/** Operations of MSG_SYSMSG from gfx9 on by number. */
export const SYSTEM_OPERATIONS: Readonly<Record<number, string>> = {
  1: 'SYSMSG_OP_ECC_ERR_INTERRUPT',
  2: 'SYSMSG_OP_REG_RD',
  4: 'SYSMSG_OP_TTRACE_PC',
};

const MESSAGE_BITS = 15;
const LONG_MESSAGE_BITS = 255;
const OPERATION_SHIFT = 4;
const OPERATION_BITS = 7;
const STREAM_SHIFT = 8;
const STREAM_BITS = 3;

/** `sendmsg(MSG_GS, GS_OP_EMIT, 1)`; numbers for what the generation does not have. */
export function formatSendmsg(value: number, context: DecodeContext): string {
  const { table, processor } = context;
  const hasShortId = table.family === 'gfx9' || table.family === 'gfx10';
  const id = value & (hasShortId ? MESSAGE_BITS : LONG_MESSAGE_BITS);
  const operation = hasShortId ? (value >>> OPERATION_SHIFT) & OPERATION_BITS : 0;
  const stream = hasShortId ? (value >>> STREAM_SHIFT) & STREAM_BITS : 0;
  const name = findName(table.facts.messages, id, processor);
  const tail = name === undefined ? undefined : formatOperation(name, operation, stream);
  if (tail !== undefined) return `sendmsg(${name}${tail})`;
  const isWhole = (id | (operation << OPERATION_SHIFT) | (stream << STREAM_SHIFT)) === value;
  return isWhole ? `sendmsg(${id}, ${operation}, ${stream})` : String(value);
}

/** What follows the name of a message; undefined where it has no such operation or stream. */
function formatOperation(name: string, operation: number, stream: number): string | undefined {
  if (name === 'MSG_SYSMSG') {
    const text = SYSTEM_OPERATIONS[operation];
    return text === undefined || stream !== 0 ? undefined : `, ${text}`;
  }
  if (name !== 'MSG_GS' && name !== 'MSG_GS_DONE') return operation === 0 && stream === 0 ? '' : undefined;
  const text = GEOMETRY_OPERATIONS[operation];
  if (text === undefined) return undefined;
  if (operation !== 0) return `, ${text}, ${stream}`;
  return name === 'MSG_GS_DONE' && stream === 0 ? `, ${text}` : undefined;
}
