import type { DecodeContext } from '../decode/decode-context.js';
import type { RegisterRange } from './instruction-facts.js';
import { implicitRange } from './registers.js';

const ID_MASK = 0x3f;

/**
 * State that is also a register of its own, behind a number of s_getreg and s_setreg. A read of STATUS sees SCC and whether VCC and
 * EXEC are zero; a program cannot write those through it.
 */
export function hardwareRegisterRange(
  { table, processor, waveSize }: DecodeContext,
  simm16: number,
  access: 'read' | 'write' | undefined,
): readonly RegisterRange[] {
  const id = simm16 & ID_MASK;
  const entry = table.facts.hwRegisters.find(
    ([number, , processors]) => number === id && (processors?.includes(processor) ?? true),
  );
  const name = entry?.[1].replace(/^HW_REG_(?:WAVE_)?/, '') ?? '';
  switch (name) {
    case 'MODE':
      return [{ file: 'mode', first: 0, count: 1 }];
    case 'FLAT_SCR_LO':
    case 'SCRATCH_BASE_LO':
      return [{ file: 'flat_scratch', first: 0, count: 1 }];
    case 'FLAT_SCR_HI':
    case 'SCRATCH_BASE_HI':
      return [{ file: 'flat_scratch', first: 1, count: 1 }];
    case 'XNACK_MASK':
      return [{ file: 'xnack_mask', first: 0, count: 1 }];
    case 'STATUS':
    case 'STATE_PRIV':
      if (access !== 'read') return [];
      return ['scc', 'vcc', 'exec'].flatMap((register) => implicitRange(register, waveSize) ?? []);
    default:
      return [];
  }
}
