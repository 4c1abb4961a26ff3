import type { InstructionTable } from '../table/instruction-table.js';
import type { Format } from '../instruction.js';
import type { OperandDescription } from '../table/packed-table.js';

/** Bits of the signed immediates by class; the others are unsigned. */
const SIGNED_BITS: Readonly<Record<string, number>> = {
  s16imm: 16,
  soppbrtarget: 16,
};
/** Bits of a signed FLAT-family offset (LLVM AMDGPU::getNumFlatOffsetBits). */
const FLAT_OFFSET_BITS: Readonly<Record<string, number>> = { gfx9: 13, gfx10: 12, gfx11: 13, gfx12: 24, gfx1250: 24 };
/** Bits of a signed scalar memory offset. */
const SMEM_OFFSET_BITS: Readonly<Record<string, number>> = { gfx9: 21, gfx10: 21, gfx11: 21, gfx12: 24, gfx1250: 24 };

/** Width of an immediate that is signed; 0 for the others. FLAT itself has unsigned offsets before gfx12. */
export function signedBits(table: InstructionTable, operand: OperandDescription, format: Format): number {
  switch (operand.c) {
    case 'flat_offset':
      return format === 'FLAT' && !table.family.startsWith('gfx12') ? 0 : (FLAT_OFFSET_BITS[table.family] ?? 0);
    case 'smemoffset':
    case 'smemoffsetmod':
    case 'optsmemoffsetmod':
      return SMEM_OFFSET_BITS[table.family] ?? 0;
    default:
      return SIGNED_BITS[operand.c ?? ''] ?? 0;
  }
}

/** The value of a field, sign-extended from `bits` unless that is 0. */
export function signExtend(field: number, bits: number): number {
  return bits === 0 ? field : (field << (32 - bits)) >> (32 - bits);
}
