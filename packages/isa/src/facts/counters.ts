/**
 * Wait counters: what instructions count up and wait for (AMD RDNA3, RDNA4 and CDNA3 ISA documents, "Data dependency resolution";
 * LLVM AMDGPUUsage, "Memory model", and SIInsertWaitcnts for which of gfx12's counters an instruction uses).
 */
import type { InstructionTable } from '../table/instruction-table.js';
import type { Operand } from '../instruction.js';
import type { CounterWait, MemoryFacts, WaitCounter } from './instruction-facts.js';

/** Scalar instructions that send a message or ask for a state, whose answer is counted with scalar memory. */
const MESSAGES = /^s_(?:sendmsg|get_barrier_state|barrier_leave$|barrier_signal_isfirst)/;

/** Counters that an entry counts up; `memory` is what it does to memory. */
export function entryCounters(table: InstructionTable, entry: number, memory: MemoryFacts | undefined): readonly WaitCounter[] {
  const { family } = table;
  const flags = table.flags(entry);
  const name = table.name(entry);
  const isSplit = family.startsWith('gfx12');
  const scalar: WaitCounter = isSplit ? 'kmcnt' : 'lgkmcnt';
  if (MESSAGES.test(name)) return [scalar];
  const counters = memoryCounters(table, entry, memory, isSplit);
  // Translations of addresses are counted on gfx1250 alone.
  const hasTranslation = memory !== undefined && !NO_TRANSLATION.has(memory.space) && memory.access !== 'maintenance';
  if (family === 'gfx1250' && hasTranslation) counters.push('xcnt');
  if (counters.length === 0 && flags.has('LGKM_CNT'))
    counters.push(table.format(entry) === 'SMEM' || !isSplit ? scalar : 'dscnt');
  return counters;
}

const NO_TRANSLATION = new Set(['lds', 'gds', 'lds-parameter', 'export']);

function memoryCounters(
  table: InstructionTable,
  entry: number,
  memory: MemoryFacts | undefined,
  isSplit: boolean,
): WaitCounter[] {
  const reads = table.implicitReads(entry);
  if (reads.includes('asynccnt')) return ['asynccnt'];
  if (reads.includes('tensorcnt')) return ['tensorcnt'];
  if (memory === undefined) return [];
  const name = table.name(entry);
  const shared: WaitCounter = isSplit ? 'dscnt' : 'lgkmcnt';
  switch (memory.space) {
    case 'scalar':
    case 'scalar-buffer':
    case 'scalar-scratch':
      return table.flags(entry).has('LGKM_CNT') ? [isSplit ? 'kmcnt' : 'lgkmcnt'] : [];
    case 'lds':
      return table.format(entry) === 'LDSDIR' ? ['expcnt'] : [shared];
    case 'gds':
      return [shared, 'expcnt'];
    case 'lds-parameter':
      return table.format(entry) === 'LDSDIR' ? ['expcnt'] : [];
    case 'export':
      return ['expcnt'];
    case 'cache': {
      const flags = table.flags(entry);
      if (flags.has('LGKM_CNT')) return [isSplit ? 'kmcnt' : 'lgkmcnt'];
      if (!flags.has('VM_CNT')) return [];
      return [isSplit ? (name.includes('wb') ? 'storecnt' : 'loadcnt') : 'vmcnt'];
    }
    case 'image':
      if (isSplit && name.includes('bvh')) return ['bvhcnt'];
      if (isSplit && table.format(entry) === 'VSAMPLE') return ['samplecnt'];
      return [vectorCounter(table, memory, isSplit)];
    case 'flat':
    case 'global':
    case 'scratch':
    case 'buffer':
    case 'tensor': {
      if (memory.access === 'prefetch') return [];
      const counter = vectorCounter(table, memory, isSplit);
      return memory.space === 'flat' ? [counter, shared] : [counter];
    }
    default:
      memory.space satisfies never;
      return [];
  }
}

/** Stores, and atomics that return nothing, have their own counter from gfx10 on. */
function vectorCounter(table: InstructionTable, memory: MemoryFacts, isSplit: boolean): WaitCounter {
  const isStore = memory.access === 'store' || (memory.access === 'atomic' && !memory.returnsOld);
  if (isSplit) return isStore ? 'storecnt' : 'loadcnt';
  return isStore && table.family !== 'gfx9' ? 'vscnt' : 'vmcnt';
}

/** Bits of the counters that instructions of their own wait for; a field of all ones waits for nothing. */
const COUNTER_BITS: Readonly<Partial<Record<WaitCounter, number>>> = {
  vmcnt: 6,
  lgkmcnt: 6,
  expcnt: 3,
  vscnt: 6,
  loadcnt: 6,
  storecnt: 6,
  samplecnt: 6,
  bvhcnt: 3,
  dscnt: 6,
  kmcnt: 5,
  asynccnt: 6,
  tensorcnt: 6,
  xcnt: 6,
};

type WaitField = readonly [counter: WaitCounter, shift: number, bits: number];

const single = (counter: WaitCounter): readonly WaitField[] => [[counter, 0, COUNTER_BITS[counter] ?? 0]];

/** Fields of simm16 by instruction; s_waitcnt's differ by generation and are in the tables. */
const WAIT_FIELDS: Readonly<Record<string, readonly WaitField[]>> = {
  s_waitcnt_vmcnt: single('vmcnt'),
  s_waitcnt_lgkmcnt: single('lgkmcnt'),
  s_waitcnt_expcnt: single('expcnt'),
  s_waitcnt_vscnt: single('vscnt'),
  s_wait_loadcnt: single('loadcnt'),
  s_wait_storecnt: single('storecnt'),
  s_wait_samplecnt: single('samplecnt'),
  s_wait_bvhcnt: single('bvhcnt'),
  s_wait_expcnt: single('expcnt'),
  s_wait_dscnt: single('dscnt'),
  s_wait_kmcnt: single('kmcnt'),
  s_wait_asynccnt: single('asynccnt'),
  s_wait_tensorcnt: single('tensorcnt'),
  s_wait_xcnt: single('xcnt'),
  s_wait_loadcnt_dscnt: [
    ['loadcnt', 8, 6],
    ['dscnt', 0, 6],
  ],
  s_wait_storecnt_dscnt: [
    ['storecnt', 8, 6],
    ['dscnt', 0, 6],
  ],
};

/** s_waitcnt_depctr, s_wait_alu (LLVM AMDGPU::DepCtr); hold_cnt is left out where the generation lacks it. */
const ALU_FIELDS: readonly WaitField[] = [
  ['va_vdst', 12, 4],
  ['va_sdst', 9, 3],
  ['va_ssrc', 8, 1],
  ['hold_cnt', 7, 1],
  ['vm_vsrc', 2, 3],
  ['va_vcc', 1, 1],
  ['sa_sdst', 0, 1],
];

/** Waits in a field of instructions that do something else too: operand name, counter, value that waits for nothing. */
const FIELD_WAITS: Readonly<Record<string, readonly [WaitCounter, number]>> = {
  waitexp: ['expcnt', 7],
  waitvdst: ['va_vdst', 15],
  waitvsrc: ['vm_vsrc', 1],
};

const IDLE_COUNTERS: Readonly<Record<string, readonly WaitCounter[]>> = {
  gfx10: ['vmcnt', 'lgkmcnt', 'expcnt', 'vscnt'],
  gfx11: ['vmcnt', 'lgkmcnt', 'expcnt', 'vscnt'],
  gfx12: ['loadcnt', 'storecnt', 'samplecnt', 'bvhcnt', 'dscnt', 'kmcnt', 'expcnt'],
  gfx1250: ['loadcnt', 'storecnt', 'dscnt', 'kmcnt', 'expcnt', 'asynccnt', 'tensorcnt', 'xcnt'],
};

/** How an entry waits. */
export type WaitPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'all'; readonly waits: readonly CounterWait[] }
  /** Fields of simm16; `needsNull`: only where sdst is NULL, else a register has a part in it. */
  | { readonly kind: 'simm16'; readonly fields: readonly WaitField[]; readonly needsNull: boolean }
  | { readonly kind: 'table' }
  | { readonly kind: 'fields' };

const NO_WAIT: WaitPlan = { kind: 'none' };

export function planWaits(table: InstructionTable, entry: number): WaitPlan {
  const name = table.name(entry);
  if (name === 's_waitcnt') return { kind: 'table' };
  if (name === 's_wait_idle') {
    return { kind: 'all', waits: (IDLE_COUNTERS[table.family] ?? []).map((counter) => ({ counter, value: 0 })) };
  }
  if (name === 's_waitcnt_depctr' || name === 's_wait_alu') return { kind: 'simm16', fields: ALU_FIELDS, needsNull: false };
  const fields = WAIT_FIELDS[name];
  if (fields) return { kind: 'simm16', fields, needsNull: table.format(entry) === 'SOPK' };
  return table.operandSet(entry).some(({ n }) => FIELD_WAITS[n] !== undefined) ? { kind: 'fields' } : NO_WAIT;
}

/** The waits of an instruction with these operands. */
export function readWaits(plan: WaitPlan, table: InstructionTable, operands: readonly Operand[]): readonly CounterWait[] {
  switch (plan.kind) {
    case 'none':
      return [];
    case 'all':
      return plan.waits;
    case 'fields':
      return operands.flatMap(({ name, value }) => {
        const wait = FIELD_WAITS[name];
        return wait && value < wait[1] ? [{ counter: wait[0], value }] : [];
      });
    case 'simm16': {
      const sdst = operands.find(({ name }) => name === 'sdst');
      if (plan.needsNull && sdst?.special !== 'null') return [];
      const value = immediate(operands);
      return plan.fields.flatMap(([counter, shift, bits]) => {
        const most = (1 << bits) - 1;
        const count = (value >>> shift) & most;
        return count < most ? [{ counter, value: count }] : [];
      });
    }
    case 'table':
      return readWaitcnt(table, immediate(operands));
    default:
      plan satisfies never;
      return [];
  }
}

function immediate(operands: readonly Operand[]): number {
  return (operands.find(({ name }) => name === 'simm16')?.value ?? 0) & 0xffff;
}

/** s_waitcnt; fields of the tables are `[first bit, last bit, counter bit]`. */
function readWaitcnt(table: InstructionTable, value: number): readonly CounterWait[] {
  const waits: CounterWait[] = [];
  for (const counter of ['vmcnt', 'expcnt', 'lgkmcnt'] as const) {
    let count = 0;
    let most = 0;
    for (const [first, last, target] of table.facts.waitCounters[counter] ?? []) {
      const mask = (1 << (last - first + 1)) - 1;
      count |= ((value >>> first) & mask) << target;
      most |= mask << target;
    }
    if (count < most) waits.push({ counter, value: count });
  }
  return waits;
}
