/** What a table entry says of all its instructions; worked out when the entry is first asked for. */
import type { InstructionTable } from '../table/instruction-table.js';
import type { OperandDescription } from '../table/packed-table.js';
import type { WaitPlan } from './counters.js';
import { entryCounters, planWaits } from './counters.js';
import type { MemoryFacts, RegisterFile, RegisterRead, RegisterWrite, Remainder, WaitCounter } from './instruction-facts.js';
import { entryMemory } from './memory.js';
import { implicitRange } from './registers.js';

/** What becomes of a result operand, beside what the fields of an instruction add. */
interface ResultRule {
  readonly keeps: readonly Remainder[];
  /** The old value is an input: accumulators, swaps, data of atomics. */
  readonly isRead: boolean;
}

export interface EntryFacts {
  readonly implicitReads: readonly RegisterRead[];
  readonly implicitWrites: readonly RegisterWrite[];
  /** By field name; results only. */
  readonly results: ReadonlyMap<string, ResultRule>;
  /** Operands whose register M0 moves. */
  readonly relativeOperands: ReadonlySet<string>;
  readonly relativeReads: readonly RegisterFile[];
  readonly relativeWrites: readonly RegisterFile[];
  readonly memory: MemoryFacts | undefined;
  readonly counters: readonly WaitCounter[];
  readonly waits: WaitPlan;
  /** DPP16, DPP8 and SDWA fields decide what a write keeps. */
  readonly hasLaneSelect: boolean;
  readonly hasByteSelect: boolean;
  /** op_sel[3] picks the half of a result that the entry describes as a whole register. */
  readonly selectsResultHalf: boolean;
  /** s_getreg, s_setreg: which register, a field says. */
  readonly hardwareRegister: 'read' | 'write' | undefined;
  readonly changesMode: boolean;
  readonly changesVgprMsb: boolean;
  readonly changesGprIndexing: boolean;
}

/** DS instructions with a base or a size in M0 (AMD ISA documents, "LDS instructions"); GDS accesses have it as well. */
const DS_USES_M0 = /^ds_(?:gws_|ordered_count|append|consume|(?:add|sub)_gs_reg|\w*addtid|bpermute_fi|bvh_stack)/;
const TYPE_16 = /^(?:b?f|[iub])16$/;
/** Matrix operations work on all lanes whatever EXEC is. */
const WHOLE_WAVE = /^v_(?:s?mfma|smfmac|swmmac|wmma)/;
/** Results of which the named part is replaced: conversions to 8 bits and less, and to one of two halves. */
const BYTE_RESULT = /^v_cvt_(?:sr_(?:pk_)?(?:bf8|fp8)|scalef32)/;
const HALF_RESULT = /^v_(?:(?:fma|mad)_mix(?:lo|hi)|cvt_pk_(?:bf8|fp8)_)/;
const HALF_LOAD = /^(?:ds|flat|global|scratch|buffer|tbuffer)_(?:load|read)_.*(?:_d16|d16_)/;

/** Operands that are moved by M0, and the files where they may end up (AMD ISA documents, "Relative addressing"). */
const RELATIVE: Readonly<Record<string, { readonly file: RegisterFile; readonly reads: string; readonly writes: string }>> = {
  v_movrels_b32: { file: 'vgpr', reads: 'src0', writes: '' },
  v_movreld_b32: { file: 'vgpr', reads: '', writes: 'vdst' },
  v_movrelsd_b32: { file: 'vgpr', reads: 'src0', writes: 'vdst' },
  v_movrelsd_2_b32: { file: 'vgpr', reads: 'src0', writes: 'vdst' },
  s_movrels_b32: { file: 'sgpr', reads: 'src0', writes: '' },
  s_movrels_b64: { file: 'sgpr', reads: 'src0', writes: '' },
  s_movreld_b32: { file: 'sgpr', reads: '', writes: 'sdst' },
  s_movreld_b64: { file: 'sgpr', reads: '', writes: 'sdst' },
  s_movrelsd_2_b32: { file: 'sgpr', reads: 'src0', writes: 'sdst' },
};
/** v_swaprel moves both of its operands. */
const SWAP_RELATIVE = 'v_swaprel_b32';

export function describeEntry(table: InstructionTable, entry: number, waveSize: 32 | 64): EntryFacts {
  const name = table.name(entry);
  const extension = table.extension(entry);
  const memory = entryMemory(table, entry);
  const relative = RELATIVE[name];
  const isSwap = name === SWAP_RELATIVE;
  const results = planResults(table, entry);
  return {
    ...implicitRegisters(table, entry, waveSize, results),
    results,
    relativeOperands: isSwap
      ? new Set(['src0', 'vdst', 'src1', 'vdst1'])
      : new Set([relative?.reads, relative?.writes].filter(isNamed)),
    relativeReads: isSwap ? ['vgpr'] : relative?.reads ? [relative.file] : [],
    relativeWrites: isSwap ? ['vgpr'] : relative?.writes ? [relative.file] : [],
    memory,
    counters: entryCounters(table, entry, memory),
    waits: planWaits(table, entry),
    hasLaneSelect: extension === 'DPP16' || extension === 'DPP8',
    hasByteSelect: extension === 'SDWA',
    selectsResultHalf: table.family === 'gfx9' && table.format(entry) === 'VOP3',
    hardwareRegister: name.startsWith('s_getreg') ? 'read' : name.startsWith('s_setreg') ? 'write' : undefined,
    changesMode: table.implicitWrites(entry).includes('mode') && name !== 's_set_vgpr_msb',
    changesVgprMsb: name === 's_set_vgpr_msb',
    changesGprIndexing: name.startsWith('s_set_gpr_idx'),
  };
}

function isNamed(name: string | undefined): name is string {
  return name !== undefined && name !== '';
}

function implicitRegisters(
  table: InstructionTable,
  entry: number,
  waveSize: 32 | 64,
  results: ReadonlyMap<string, ResultRule>,
): Pick<EntryFacts, 'implicitReads' | 'implicitWrites'> {
  const name = table.name(entry);
  // The tables have the debugger's and the assembler's view of some: v_cmpx writes no VCC from gfx10 on, relative moves obey EXEC.
  const isHwreg = /^s_[gs]etreg/.test(name);
  const reads = new Set(isHwreg ? [] : table.implicitReads(entry));
  const writes = new Set(isHwreg ? [] : table.implicitWrites(entry));
  if (name.startsWith('v_cmpx_') && table.family !== 'gfx9') writes.delete('vcc');
  // The tables have a second entry of DS instructions with the M0 that limited LDS before gfx9.
  if (table.format(entry) === 'DS' && !DS_USES_M0.test(name)) reads.delete('m0');
  for (const { keeps } of results.values()) if (keeps.includes('inactive-lanes')) reads.add('exec');
  const implicitReads: RegisterRead[] = [];
  // Scalar operations on EXEC have the width of their name, whatever the wave's.
  const scalarWidth = /_(?:save|wr)exec_b(32|64)$/.exec(name)?.[1];
  const execSize = scalarWidth === undefined ? waveSize : scalarWidth === '32' ? 32 : 64;
  for (const read of reads) {
    const range = implicitRange(read, execSize);
    if (range) implicitReads.push({ ...range, operand: '', half: undefined });
  }
  const implicitWrites: RegisterWrite[] = [];
  for (const write of writes) {
    const range = implicitRange(write, execSize);
    const keeps: readonly Remainder[] = write === 'mode' || write === 'm0' ? ['other-bits'] : [];
    if (range) implicitWrites.push({ ...range, operand: '', keeps });
  }
  return { implicitReads, implicitWrites };
}

function planResults(table: InstructionTable, entry: number): ReadonlyMap<string, ResultRule> {
  const set = table.operandSet(entry);
  const byName = new Map(set.map((operand) => [operand.n, operand]));
  const results = new Map<string, ResultRule>();
  for (const operand of set) {
    if (operand.enc === 0) continue;
    const partner = operand.tied === undefined ? byName.get(`${operand.n}_in`) : byName.get(operand.tied);
    if (operand.a !== 'w' && partner?.a !== 'w') continue;
    results.set(operand.n, planResult(table, entry, operand, partner));
  }
  return results;
}

function planResult(
  table: InstructionTable,
  entry: number,
  operand: OperandDescription,
  partner: OperandDescription | undefined,
): ResultRule {
  const name = table.name(entry);
  const keeps: Remainder[] = [];
  const isVector = /^(?:vgpr|agpr|av)/.test(operand.k);
  if (name === 'v_writelane_b32') return { keeps: ['other-lanes'], isRead: false };
  if (name.startsWith('s_cmov')) return { keeps: ['all'], isRead: false };
  if (isVector && !WHOLE_WAVE.test(name)) keeps.push('inactive-lanes');
  // v_pk_fmac's accumulator is not tied in the tables.
  let isRead = (partner !== undefined && partner.n !== 'old') || name === 'v_pk_fmac_f16';
  if (/^v_permlanex?16_(?:var_)?b32$/.test(name)) {
    keeps.push('other-lanes');
    isRead = false;
  } else if (isVector && keepsHalf(table, entry, operand, name)) {
    keeps.push('other-half');
    isRead &&= !isOldValue(partner);
  } else if (partner !== undefined && BYTE_RESULT.test(name)) {
    keeps.push('other-bytes');
    isRead = false;
  }
  return { keeps, isRead };
}

/** The tables tie a result of which a part is kept to a source of its own. */
function isOldValue(partner: OperandDescription | undefined): boolean {
  return partner !== undefined && /^(?:old|\w+_in)$/.test(partner.n);
}

/** Whether a result has only 16 of the register's bits, and the others stay (semantics of 16-bit results by generation). */
function keepsHalf(table: InstructionTable, entry: number, operand: OperandDescription, name: string): boolean {
  // gfx11 has one 16-bit element of D in each register, later ones two.
  if (table.family === 'gfx11' && /^v_wmma_b?f16_/.test(name)) return true;
  if (HALF_RESULT.test(name) || HALF_LOAD.test(name)) return operand.w === 32 || operand.w === 16;
  if (operand.t16 === 1 && operand.w === 16) return true;
  if (!table.flags(entry).has('VALU') || !TYPE_16.test(operand.t ?? '') || operand.w !== 32) return false;
  if (table.family === 'gfx9') return /^v_(?:mac_f16|fmac_f16|mad[am]k_f16|fma[am]k_f16)/.test(name);
  return true;
}
