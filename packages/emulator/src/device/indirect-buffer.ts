/**
 * AMD's PM4-IB packet: commands for the command processor in a buffer of their own. ROCr uses it to write caches back and to invalidate
 * them after it loaded code. Every access here sees memory as it is, so that such commands have nothing to do; others are refused.
 */
import { PM4_IB_PACKET } from '@doorbell/abi';
import { PAGE_BYTES, PAGE_READ } from '../memory-map.js';
import type { MemoryViews } from './shared-state.js';
import { isMapped } from './signals.js';

/** PM4 type 3 opcodes (Linux amdgpu soc15d.h, nvd.h PACKET3_…). */
const INDIRECT_BUFFER = 0x3f;
const HARMLESS: ReadonlySet<number> = new Set([0x10 /* NOP */, 0x58 /* ACQUIRE_MEM */]);
/** INDIRECT_BUFFER: dwords of the buffer in the last word, its address in the two before. */
const SIZE_MASK = 0xf_ffff;
const ADDRESS_LOW_MASK = ~3;
const ADDRESS_HIGH_MASK = 0xffff;
/** A header alone; PM4 type 2. */
const FILLER = 0x8000_0000;

const JUMP = PM4_IB_PACKET.offsetOf('pm4');

/** Why the commands of a packet cannot be executed; undefined when all have been. */
export function runIndirectBuffer(views: MemoryViews, packet: number): string | undefined {
  const { words, addresses } = views;
  const [header = 0, low = 0, high = 0, size = 0] = words.subarray((packet + JUMP) / 4, (packet + JUMP) / 4 + 4);
  if (opcodeOf(header) !== INDIRECT_BUFFER) return `the PM4 packet 0x${hex(header)} is no INDIRECT_BUFFER`;
  const dwords = size & SIZE_MASK;
  const start = addresses.find(low & ADDRESS_LOW_MASK, high & ADDRESS_HIGH_MASK, dwords * 4);
  if (start < 0 || !isReadable(views, start, dwords * 4)) return 'the indirect buffer is not in memory of this GPU';
  for (let at = 0; at < dwords; at += 1) {
    const command = words[start / 4 + at] ?? 0;
    if (command >>> 0 === FILLER) continue;
    const opcode = opcodeOf(command);
    if (opcode === undefined) return `dword ${at} of the indirect buffer, 0x${hex(command)}, is no PM4 packet of type 3`;
    if (!HARMLESS.has(opcode)) return `PM4 opcode 0x${opcode.toString(16)} in an indirect buffer cannot be executed`;
    // The count is of the dwords behind the header, less one.
    at += ((command >>> 16) & 0x3fff) + 1;
  }
  return undefined;
}

function isReadable(views: MemoryViews, start: number, bytes: number): boolean {
  for (let page = start - (start % PAGE_BYTES); page < start + bytes; page += PAGE_BYTES) {
    if (!isMapped(views, page, PAGE_READ)) return false;
  }
  return true;
}

function opcodeOf(header: number): number | undefined {
  return header >>> 30 === 3 ? (header >>> 8) & 0xff : undefined;
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
