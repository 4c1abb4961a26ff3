/** DPP16 controls as llvm-mc prints them (LLVM AMDGPUInstPrinter, printDPPCtrl; AMDGPU::DPP). */
import type { DecodeContext } from '../decode/decode-context.js';

/** Controls that only gfx9 has: number, name, how far. */
const OLD_CONTROLS: readonly (readonly [control: number, name: string, distance: number])[] = [
  [0x130, 'wave_shl', 1],
  [0x134, 'wave_rol', 1],
  [0x138, 'wave_shr', 1],
  [0x13c, 'wave_ror', 1],
  [0x142, 'row_bcast', 15],
  [0x143, 'row_bcast', 31],
];

const ROW_BITS = 0x1f0;
/** Named row_newbcast on gfx90a and later. */
const ROW_SHARE = 0x150;

/**
 * `quad_perm:[0,1,2,3]`, `row_shl:1`, …, or the comment for what the generation does not have.
 *
 * @param isDouble whether it is an operation of double precision, which can share one lane of a row, or nothing (LLVM AMDGPU::isDPALU_DPP)
 */
export function formatDppControl(value: number, isDouble: boolean, { table }: DecodeContext): string {
  const isGfx9 = table.family === 'gfx9';
  if (isDouble && (value & ROW_BITS) !== ROW_SHARE) {
    return ` /* DP ALU dpp only supports ${isGfx9 ? 'row_newbcast' : 'row_share'} */`;
  }
  if (value <= 0xff) return `quad_perm:[${[0, 2, 4, 6].map((bit) => (value >>> bit) & 3).join()}]`;
  const number = value & 15;
  const row = value & ROW_BITS;
  if (number !== 0 && (row === 0x100 || row === 0x110 || row === 0x120)) {
    return `${row === 0x100 ? 'row_shl' : row === 0x110 ? 'row_shr' : 'row_ror'}:${number}`;
  }
  const old = OLD_CONTROLS.find(([control]) => control === value);
  if (old !== undefined) return isGfx9 ? `${old[1]}:${old[2]}` : `/* ${old[1]} is not supported starting from GFX10 */`;
  if (value === 0x140) return 'row_mirror';
  if (value === 0x141) return 'row_half_mirror';
  if (row === ROW_SHARE) {
    if (!isGfx9) return `row_share:${number}`;
    if (table.generation !== 'gfx9') return `row_newbcast:${number}`;
    return ' /* row_newbcast/row_share is not supported on ASICs earlier than GFX90A/GFX10 */';
  }
  if (row === 0x160) return isGfx9 ? '/* row_xmask is not supported on ASICs earlier than GFX10 */' : `row_xmask:${number}`;
  return '/* Invalid dpp_ctrl value */';
}
