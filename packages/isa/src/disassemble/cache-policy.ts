/** Cache policies as llvm-mc prints them: bits until gfx11, temporal hint and scope from gfx12 on (LLVM AMDGPUInstPrinter, CPol). */
import type { DecodeContext } from '../decode/decode-context.js';
import type { Instruction } from '../instruction.js';
import type { InstructionTable } from '../table/instruction-table.js';
import { hex } from './values.js';

/** Names of the bits before gfx12, '' for what a generation has not. */
const CACHE_BITS = ['glc', 'slc', 'dlc'] as const;
const GFX9_CACHE_BITS = ['glc', 'slc'];
const GFX90A_CACHE_BITS = ['glc', 'slc', '', '', 'scc'];
const GFX940_CACHE_BITS = ['sc0', 'nt', '', '', 'sc1'];
const GFX940_SCALAR_CACHE_BITS = ['glc', 'nt', '', '', 'sc1'];

/** Names of the bits of an instruction of this table before gfx12; '' where there is none. */
function cacheBits({ family, generation }: InstructionTable, isScalar: boolean): readonly string[] {
  if (family !== 'gfx9') return CACHE_BITS;
  if (generation === 'gfx9') return GFX9_CACHE_BITS;
  if (generation === 'gfx90a') return GFX90A_CACHE_BITS;
  return isScalar ? GFX940_SCALAR_CACHE_BITS : GFX940_CACHE_BITS;
}

const TH_BITS = 7;
const SCOPE_SHIFT = 3;
const SCOPE_BITS = 3;
const NON_VOLATILE = 1 << 5;
const SCALE_OFFSET = 1 << 11;

/** Scopes by number; the first is not printed. */
const SCOPES = ['SCOPE_CU', 'SCOPE_SE', 'SCOPE_DEV', 'SCOPE_SYS'] as const;
const SCOPE_DEV = 2;
const SCOPE_SYS = 3;

/** Temporal hints of loads and stores by number; 3 depends on the scope, 7 only stores have. */
const LOAD_HINTS = ['RT', 'NT', 'HT', 'LU', 'NT_RT', 'RT_NT', 'NT_HT'] as const;
const STORE_HINTS = ['RT', 'NT', 'HT', 'WB', 'NT_RT', 'RT_NT', 'NT_HT', 'NT_WB'] as const;
/** Hint 3 at system scope. */
const BYPASS_HINT = 3;

/** Bits of the hints of atomics. */
const ATOMIC_RETURN = 1;
const ATOMIC_NT = 2;
const ATOMIC_CASCADE = 4;

/** The policy of an instruction; each part begins with a space. */
export function formatCachePolicy(instruction: Instruction, { table }: DecodeContext): string {
  const value = instruction.operand('cpol')?.value ?? 0;
  if (!table.family.startsWith('gfx12')) {
    const names = cacheBits(table, instruction.format === 'SMEM');
    // Scalar atomics have no field for it: the bit that makes them return the old value is fixed.
    if (!instruction.operand('cpol') && instruction.hasFlag('IsAtomicRet')) return ` ${names[0] ?? ''}`;
    return names.map((name, bit) => (name !== '' && ((value >>> bit) & 1) === 1 ? ` ${name}` : '')).join('');
  }
  const hint = value & TH_BITS;
  const scope = (value >>> SCOPE_SHIFT) & SCOPE_BITS;
  let text = (value & SCALE_OFFSET) === 0 ? '' : ' scale_offset';
  if (hint !== 0) text += ` th:${hintName(instruction, hint, scope)}`;
  if (scope !== 0) text += ` scope:${SCOPES[scope] ?? ''}`;
  return (value & NON_VOLATILE) === 0 ? text : `${text} nv`;
}

/** Stores that read memory too: LDS. */
const STORES_FROM_LDS = /^(?:global_store_async_from_lds_|tensor_store_from_lds)/;

function hintName(instruction: Instruction, hint: number, scope: number): string {
  if (instruction.hasFlag('IsAtomicRet') || instruction.hasFlag('IsAtomicNoRet')) return `TH_ATOMIC_${atomicHint(hint, scope)}`;
  const isStore = instruction.hasFlag('mayStore') && (!instruction.hasFlag('mayLoad') || STORES_FROM_LDS.test(instruction.name));
  const name = hint === BYPASS_HINT && scope === SCOPE_SYS ? 'BYPASS' : (isStore ? STORE_HINTS : LOAD_HINTS)[hint];
  if (name === undefined) return hex(hint);
  return `${isStore ? 'TH_STORE' : 'TH_LOAD'}_${name}`;
}

function atomicHint(hint: number, scope: number): string {
  if ((hint & ATOMIC_CASCADE) !== 0) {
    if (scope < SCOPE_DEV) return hex(hint);
    return (hint & ATOMIC_NT) === 0 ? 'CASCADE_RT' : 'CASCADE_NT';
  }
  if ((hint & ATOMIC_NT) === 0) return 'RETURN';
  return (hint & ATOMIC_RETURN) === 0 ? 'NT' : 'NT_RETURN';
}
