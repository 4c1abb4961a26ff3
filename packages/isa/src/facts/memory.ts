/** What an entry does to memory, from its format, flags and name. */
import type { Format } from '../instruction.js';
import type { InstructionTable } from '../table/instruction-table.js';
import type { MemoryAccess, MemoryFacts, MemorySpace } from './instruction-facts.js';

/** DS instructions that only move data between lanes, or do nothing. */
const NO_LDS = /^ds_(?:b?permute|swizzle|nop)/;
const GDS_ONLY = /^ds_(?:gws_|ordered_count|(?:add|sub)_gs_reg)/;
/** Scalar memory instructions that read a clock or an id. */
const NO_SCALAR_MEMORY = /^s_(?:memtime|memrealtime|get_waveid)/;
const TWO_ACCESSES = /^ds_(?:read2|write2|wrxchg2|(?:load|store|storexchg)_2addr)/;
const DS_STORE = /^ds_(?:store|write)(?!xchg)(?!_src2)/;

/** Fields that make an address, in the order in which they are reported. */
const ADDRESS_FIELD = /^(?:v?addr\d*|saddr|sbase|soffset|s?rsrc|s?samp|offset[01]?)$/;

/**
 * Memory facts of an entry; undefined where it touches none. DS instructions that can go to LDS and GDS are given as LDS: the gds
 * field of an instruction decides.
 */
export function entryMemory(table: InstructionTable, entry: number): MemoryFacts | undefined {
  const name = table.name(entry);
  const format = table.format(entry);
  const space = memorySpace(format, name);
  if (space === undefined) return undefined;
  const access = memoryAccess(table, entry, name, space);
  const flags = table.flags(entry);
  const isUnsized = access === 'maintenance' || access === 'prefetch' || UNSIZED_SPACES.has(space);
  return {
    space,
    access,
    bytes: isUnsized ? 0 : accessBytes(name),
    accesses: TWO_ACCESSES.test(name) ? 2 : 1,
    returnsOld: access === 'atomic' && (flags.has('IsAtomicRet') || isDsExchange(name)),
    usesLds: space === 'tensor' || (VECTOR_MEMORY.has(format) && flags.has('VALU')),
    address: table
      .operandSet(entry)
      .filter((operand) => operand.enc !== 0 && ADDRESS_FIELD.test(operand.n))
      .map((operand) => operand.n),
  };
}

const UNSIZED_SPACES: ReadonlySet<MemorySpace> = new Set<MemorySpace>(['image', 'tensor', 'export', 'lds-parameter']);
/** Forms of these that are VALU instructions as well write to LDS (or read from it). */
const VECTOR_MEMORY: ReadonlySet<Format> = new Set<Format>(['FLAT', 'GLOBAL', 'SCRATCH', 'MUBUF']);

function memorySpace(format: Format, name: string): MemorySpace | undefined {
  switch (format) {
    case 'FLAT':
      if (name.startsWith('tensor_')) return 'tensor';
      return name.startsWith('flat_') ? 'flat' : 'global';
    case 'GLOBAL':
      return /^global_(?:inv|wb|wbinv)$/.test(name) ? 'cache' : 'global';
    case 'SCRATCH':
      return 'scratch';
    case 'MUBUF':
    case 'MTBUF':
      return /^buffer_(?:gl[01]_inv|inv|wb)/.test(name) ? 'cache' : 'buffer';
    case 'MIMG':
    case 'VIMAGE':
    case 'VSAMPLE':
      return name.startsWith('tensor_') ? 'tensor' : 'image';
    case 'DS':
      if (NO_LDS.test(name)) return undefined;
      return GDS_ONLY.test(name) ? 'gds' : 'lds';
    case 'SMEM':
      if (NO_SCALAR_MEMORY.test(name)) return undefined;
      if (/^s_(?:dcache_(?:inv|wb)|gl1_inv)/.test(name)) return 'cache';
      if (name.startsWith('s_scratch_')) return 'scalar-scratch';
      return /^s_(?:buffer_|atc_probe_buffer)/.test(name) ? 'scalar-buffer' : 'scalar';
    case 'LDSDIR':
      return name.includes('param') ? 'lds-parameter' : 'lds';
    case 'VINTRP':
      return 'lds-parameter';
    case 'EXP':
      return 'export';
    default:
      return name === 's_icache_inv' ? 'cache' : undefined;
  }
}

function memoryAccess(table: InstructionTable, entry: number, name: string, space: MemorySpace): MemoryAccess {
  if (space === 'cache' || name.startsWith('s_dcache_discard')) return 'maintenance';
  if (name.includes('prefetch') || name.startsWith('s_atc_probe')) return 'prefetch';
  if (space === 'export') return 'store';
  if (space === 'lds-parameter') return 'load';
  if (DS_STORE.test(name)) return 'store';
  const flags = table.flags(entry);
  if (!flags.has('mayStore')) return 'load';
  if (!flags.has('mayLoad')) return 'store';
  if (name.includes('atomic') || space === 'lds' || space === 'gds') return 'atomic';
  // Between memory and LDS.
  return name.includes('store') ? 'store' : 'load';
}

function isDsExchange(name: string): boolean {
  return /^ds_(?:wrxchg|storexchg|append|consume|ordered_count|condxchg)/.test(name) || /^ds_\w+_rtn(?:_|$)/.test(name);
}

/** First part of a name that gives a size; in the order in which they are looked for. */
const SIZES: readonly (readonly [pattern: RegExp, bytes: number])[] = [
  [/_format_|_block$|_bvh_/, 0],
  [/_pk_/, 4],
  [/_(?:dwordx16|b512)/, 64],
  [/_(?:dwordx8|b256)/, 32],
  [/_(?:dwordx4|b128)/, 16],
  [/_(?:dwordx3|b96)/, 12],
  [/_(?:x2|dwordx2|[bfiu]64)/, 8],
  [/_(?:dword|[bfiu]32)/, 4],
  [/_(?:[us]?short|[biu]16)/, 2],
  [/_(?:[us]?byte|[biu]8)/, 1],
];

function accessBytes(name: string): number {
  if (name.startsWith('ds_atomic_')) return 8;
  return SIZES.find(([pattern]) => pattern.test(name))?.[1] ?? 4;
}
