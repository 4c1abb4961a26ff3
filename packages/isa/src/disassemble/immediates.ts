/** Immediate fields that llvm-mc prints in words (LLVM AMDGPUInstPrinter, AMDGPUBaseInfo). */
import type { DecodeContext } from '../decode/decode-context.js';
import type { FieldSlice, NamedNumber } from '../table/packed-table.js';
import { hex } from './values.js';

/** The name of a number, if this processor has it. */
export function findName(rows: readonly NamedNumber[], number: number, processor: string): string | undefined {
  return rows.find(([id, , processors]) => id === number && (processors === undefined || processors.includes(processor)))?.[1];
}

function bitsOf(value: number, first: number, last: number): number {
  return (value >>> first) & ((1 << (last - first + 1)) - 1);
}

/** `vmcnt(0) lgkmcnt(3)`: the counters that do not have their highest value, or all when none has less. */
export function formatWaitcnt(value: number, { table }: DecodeContext): string {
  const counters = ['vmcnt', 'expcnt', 'lgkmcnt'].map((name) => {
    const slices = table.facts.waitCounters[name] ?? [];
    return { name, value: readCounter(value, slices), highest: readCounter(0xffff, slices) };
  });
  const waiting = counters.filter((counter) => counter.value !== counter.highest);
  return (waiting.length > 0 ? waiting : counters).map((counter) => `${counter.name}(${counter.value})`).join(' ');
}

function readCounter(value: number, slices: readonly FieldSlice[]): number {
  return slices.reduce((sum, [first, last, target]) => sum | (bitsOf(value, first, last) << target), 0);
}

/** Fields of s_waitcnt_depctr in the order they are printed; their highest value means "do not wait". */
const DEPCTR_FIELDS: readonly (readonly [name: string, first: number, last: number])[] = [
  ['depctr_hold_cnt', 7, 7],
  ['depctr_sa_sdst', 0, 0],
  ['depctr_va_vdst', 12, 15],
  ['depctr_va_sdst', 9, 11],
  ['depctr_va_ssrc', 8, 8],
  ['depctr_va_vcc', 1, 1],
  ['depctr_vm_vsrc', 2, 4],
];

/** Processors without the first field. */
const WITHOUT_HOLD_COUNT = /^gfx10(?:1\d|-1-generic)/;

/** The fields that a processor has. */
export function depctrFields(processor: string): typeof DEPCTR_FIELDS {
  return WITHOUT_HOLD_COUNT.test(processor) ? DEPCTR_FIELDS.slice(1) : DEPCTR_FIELDS;
}

/** Fields that wait, or all when none does; a number when bits outside the fields are not their default. */
export function formatDepctr(value: number, { processor }: DecodeContext): string {
  const known = depctrFields(processor);
  let unused = 0xffff;
  for (const [, first, last] of known) unused &= ~(((1 << (last - first + 1)) - 1) << first);
  if ((value & unused) !== 0) return hex(value);
  const fields = known.map(([name, first, last]) => ({
    text: `${name}(${bitsOf(value, first, last)})`,
    isDefault: bitsOf(value, first, last) === (1 << (last - first + 1)) - 1,
  }));
  const waiting = fields.filter((field) => !field.isDefault);
  return (waiting.length > 0 ? waiting : fields).map((field) => field.text).join(' ');
}

export const DELAY_IDS: readonly string[] = [
  'NO_DEP',
  'VALU_DEP_1',
  'VALU_DEP_2',
  'VALU_DEP_3',
  'VALU_DEP_4',
  'TRANS32_DEP_1',
  'TRANS32_DEP_2',
  'TRANS32_DEP_3',
  'FMA_ACCUM_CYCLE_1',
  'SALU_CYCLE_1',
  'SALU_CYCLE_2',
  'SALU_CYCLE_3',
];
export const DELAY_SKIPS: readonly string[] = ['SAME', 'NEXT', 'SKIP_1', 'SKIP_2', 'SKIP_3', 'SKIP_4'];

/** `instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)`; parts that are 0 are left out. */
export function formatDelayAlu(value: number): string {
  const id = (number: number): string => DELAY_IDS[number] ?? '/* invalid instid value */';
  const first = bitsOf(value, 0, 3);
  const skip = bitsOf(value, 4, 6);
  const second = bitsOf(value, 7, 10);
  const parts: string[] = [];
  if (first !== 0) parts.push(`instid0(${id(first)})`);
  if (skip !== 0) parts.push(`instskip(${DELAY_SKIPS[skip] ?? '/* invalid instskip value */'})`);
  if (second !== 0) parts.push(`instid1(${id(second)})`);
  return parts.length > 0 ? parts.join(' | ') : '0';
}

/** `hwreg(HW_REG_MODE, 0, 4)`; offset and size are left out when they mean the whole register. */
export function formatHwreg(value: number, { table, processor }: DecodeContext): string {
  const id = bitsOf(value, 0, 5);
  const offset = bitsOf(value, 6, 10);
  const size = bitsOf(value, 11, 15) + 1;
  const name = findName(table.facts.hwRegisters, id, processor) ?? String(id);
  return offset === 0 && size === 32 ? `hwreg(${name})` : `hwreg(${name}, ${offset}, ${size})`;
}

export const VERSIONS: Readonly<Record<number, string>> = { 0: 'GFX7', 4: 'GFX10', 6: 'GFX11', 9: 'GFX12' };
export const VERSION_FLAGS: readonly (readonly [bit: number, name: string])[] = [
  [13, 'W64'],
  [14, 'W32'],
  [15, 'MDP'],
];

/** `UC_VERSION_GFX11|UC_VERSION_W32_BIT`. */
export function formatVersion(value: number): string {
  if ((value & 0x1f00) !== 0) return hex(value);
  const version = VERSIONS[value & 0xff];
  let text = version === undefined ? String(value & 0xff) : `UC_VERSION_${version}`;
  let isJoined = false;
  for (const [bit, name] of VERSION_FLAGS) {
    if (((value >>> bit) & 1) === 0) continue;
    text = `${isJoined ? `(${text})` : text}|UC_VERSION_${name}_BIT`;
    isJoined = true;
  }
  return text;
}

const LANE_MASK = 0x1f;

/** ` offset:swizzle(…)` of ds_swizzle_b32; '' for 0. */
export function formatSwizzle(value: number): string {
  if (value === 0) return '';
  const mode = swizzleMode(value);
  return ` offset:${mode === undefined ? value : `swizzle(${mode})`}`;
}

function swizzleMode(value: number): string | undefined {
  if (value >= 0xe000) return `FFT,${value & 0x1f}`;
  if (value >= 0xc000) return `ROTATE,${bitsOf(value, 10, 10)},${bitsOf(value, 5, 9)}`;
  if ((value & 0xff00) === 0x8000) return `QUAD_PERM,${[0, 2, 4, 6].map((bit) => bitsOf(value, bit, bit + 1)).join(',')}`;
  if (value >= 0x8000) return undefined;
  const and = bitsOf(value, 0, 4);
  const or = bitsOf(value, 5, 9);
  const xor = bitsOf(value, 10, 14);
  if (and === LANE_MASK && or === 0 && xor !== 0) {
    if ((xor & (xor - 1)) === 0) return `SWAP,${xor}`;
    if ((xor & (xor + 1)) === 0) return `REVERSE,${xor + 1}`;
  }
  const group = LANE_MASK - and + 1;
  if (group > 1 && (group & (group - 1)) === 0 && or < group && xor === 0) return `BROADCAST,${group},${or}`;
  // What becomes of a lane number of all zeros and of one of all ones says it for each bit.
  const fromZeros = or ^ xor;
  const fromOnes = (and | or) ^ xor;
  const letters = [16, 8, 4, 2, 1].map((bit) => {
    if ((fromZeros & bit) === (fromOnes & bit)) return (fromZeros & bit) === 0 ? '0' : '1';
    return (fromZeros & bit) === 0 ? 'p' : 'i';
  });
  return `BITMASK_PERM,"${letters.join('')}"`;
}

/** `dpp8:[7,6,5,4,3,2,1,0]` */
export function formatDpp8(value: number): string {
  return `dpp8:[${[0, 3, 6, 9, 12, 15, 18, 21].map((bit) => bitsOf(value, bit, bit + 2)).join(',')}]`;
}

const IMAGE_DIMENSIONS = ['1D', '2D', '3D', 'CUBE', '1D_ARRAY', '2D_ARRAY', '2D_MSAA', '2D_MSAA_ARRAY'];

export function formatImageDimension(value: number): string {
  return `dim:SQ_RSRC_IMG_${IMAGE_DIMENSIONS[value] ?? value}`;
}

/** Targets of exp (LLVM AMDGPU::Exp): null and parameters until gfx10, a fifth position and primitives from gfx10 on. */
export function formatExportTarget(value: number, { table: { family } }: DecodeContext): string {
  if (value <= 7) return `mrt${value}`;
  if (value === 8) return 'mrtz';
  const isOld = family === 'gfx9' || family === 'gfx10';
  if (value === 9 && isOld) return 'null';
  if (value >= 12 && value <= (family === 'gfx9' ? 15 : 16)) return `pos${value - 12}`;
  if (value === 20 && family !== 'gfx9') return 'prim';
  if ((value === 21 || value === 22) && !isOld) return `dual_src_blend${value - 21}`;
  return value >= 32 && isOld ? `param${value - 32}` : `invalid_target_${value}`;
}

/** Operands that s_set_gpr_idx_mode indexes, by bit. */
export const GPR_INDEX_MODES = ['SRC0', 'SRC1', 'SRC2', 'DST'] as const;

/** `gpr_idx(SRC0,DST)`; a number when other bits are set. */
export function formatGprIndexMode(value: number): string {
  if (value >= 1 << GPR_INDEX_MODES.length) return hex(value);
  return `gpr_idx(${GPR_INDEX_MODES.filter((_, bit) => ((value >>> bit) & 1) === 1).join(',')})`;
}

const INTERPOLATION_SLOTS = ['p10', 'p20', 'p0'];

/** Which of the three values of an attribute v_interp_mov reads. */
export function formatInterpolationSlot(value: number): string {
  return INTERPOLATION_SLOTS[value] ?? `invalid_param_${value}`;
}
