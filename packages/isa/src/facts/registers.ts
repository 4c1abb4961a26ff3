import type { Operand } from '../instruction.js';
import type { RegisterFile, RegisterRange } from './instruction-facts.js';

const DWORD_BITS = 32;

/** File and first register of the special registers that hold state; sources that are constants of the wave are left out. */
const SPECIALS: Readonly<Record<string, readonly [RegisterFile, number]>> = {
  vcc: ['vcc', 0],
  vcc_lo: ['vcc', 0],
  vcc_hi: ['vcc', 1],
  exec: ['exec', 0],
  exec_lo: ['exec', 0],
  exec_hi: ['exec', 1],
  flat_scratch: ['flat_scratch', 0],
  flat_scratch_lo: ['flat_scratch', 0],
  flat_scratch_hi: ['flat_scratch', 1],
  xnack_mask: ['xnack_mask', 0],
  xnack_mask_lo: ['xnack_mask', 0],
  xnack_mask_hi: ['xnack_mask', 1],
  src_flat_scratch_base: ['flat_scratch', 0],
  src_flat_scratch_base_lo: ['flat_scratch', 0],
  src_flat_scratch_base_hi: ['flat_scratch', 1],
  m0: ['m0', 0],
  src_scc: ['scc', 0],
};

/** Sources that are derived from a wave mask, whose width is the wave's. */
const DERIVED: Readonly<Record<string, RegisterFile>> = { src_vccz: 'vcc', src_execz: 'exec' };
/** The direct LDS source takes its address from M0 (AMD ISA documents, "LDS_DIRECT"). */
const LDS_DIRECT = new Set(['src_lds_direct', 'lds_direct']);

/** Names of the tables' implicit lists. */
const IMPLICIT: Readonly<Record<string, RegisterFile>> = {
  exec: 'exec',
  vcc: 'vcc',
  scc: 'scc',
  m0: 'm0',
  mode: 'mode',
  flat_scr: 'flat_scratch',
};

/** Registers that hold one bit per lane. */
function maskRegisters(waveSize: 32 | 64): number {
  return waveSize / DWORD_BITS;
}

/** The registers of an operand; undefined for constants, fields and NULL. */
export function operandRange(operand: Operand, waveSize: 32 | 64): RegisterRange | undefined {
  const count = Math.max(1, Math.ceil(operand.bits / DWORD_BITS));
  switch (operand.kind) {
    case 'sgpr':
    case 'vgpr':
    case 'agpr':
    case 'ttmp':
      return { file: operand.kind, first: operand.index, count };
    case 'special': {
      const place = SPECIALS[operand.special];
      if (place) {
        const [file, first] = place;
        return { file, first, count: file === 'm0' || file === 'scc' ? 1 : Math.min(count, 2 - first) };
      }
      const derived = DERIVED[operand.special];
      if (derived) return { file: derived, first: 0, count: maskRegisters(waveSize) };
      return LDS_DIRECT.has(operand.special) ? { file: 'm0', first: 0, count: 1 } : undefined;
    }
    case 'inline':
    case 'literal':
    case 'immediate':
      return undefined;
    default:
      operand.kind satisfies never;
      return undefined;
  }
}

/** The registers that a name of the tables' implicit lists stands for; undefined for counters. */
export function implicitRange(name: string, waveSize: 32 | 64): RegisterRange | undefined {
  const file = IMPLICIT[name];
  if (file === undefined) return undefined;
  if (file === 'exec' || file === 'vcc') return { file, first: 0, count: maskRegisters(waveSize) };
  return { file, first: 0, count: file === 'flat_scratch' ? 2 : 1 };
}
