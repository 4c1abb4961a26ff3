/** What follows the operands of an instruction, in the order llvm-mc prints it. Every text begins with a space or is empty. */
import type { DecodeContext } from '../decode/decode-context.js';
import { readField } from '../decode/operand-plan.js';
import { bufferFlag } from '../facts/buffer-access.js';
import type { Format, Instruction, Operand } from '../instruction.js';
import { formatCachePolicy } from './cache-policy.js';
import { formatBufferFormat } from './buffer-format.js';
import { formatDppControl } from './dpp-control.js';
import { formatDpp8, formatImageDimension, formatSwizzle } from './immediates.js';
import { formatMatrixModifiers } from './matrix-modifiers.js';
import { hex } from './values.js';

const OMOD = ['', ' mul:2', ' mul:4', ' div:2'];

/** Bit of the first word of DS by family; fixed in the encodings that only the global data share has. */
const DS_GDS: Readonly<Record<string, number>> = { gfx9: 1 << 16, gfx10: 1 << 17, gfx11: 1 << 17 };
/** Bit of the first word of FLAT until gfx10: the data goes to LDS. */
const FLAT_LDS = 1 << 13;
/** The only buffer operation that is always with LDS. */
export const STORE_FROM_LDS = 'buffer_store_lds_dword';
/** Operations on f16 and f32, whose op_sel_hi says which. */
export const MIXED: RegExp = /^v_(?:fma|mad)_mix/;

/** The modifiers of an instruction by its format. */
export function formatModifiers(instruction: Instruction, context: DecodeContext): string {
  const { format } = instruction;
  switch (format) {
    case 'DS':
      return dsModifiers(instruction, context);
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      return offset(instruction, String) + formatCachePolicy(instruction, context) + flatLds(instruction, context);
    case 'SMEM':
      return smemOffset(instruction, context) + formatCachePolicy(instruction, context);
    case 'MUBUF':
    case 'MTBUF':
      return bufferModifiers(instruction, context);
    case 'MIMG':
    case 'VIMAGE':
    case 'VSAMPLE':
      return imageModifiers(instruction, context);
    case 'EXP':
      return exportModifiers(instruction);
    case 'VOP3P_MAI':
      return packedModifiers(instruction) + formatMatrixModifiers(instruction);
    case 'LDSDIR':
      return ldsDirectModifiers(instruction);
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
    case 'VOP3':
    case 'VOP3SD':
    case 'VOP3P':
    case 'VOP3PX2':
    case 'VINTERP':
      return vectorModifiers(instruction, format, context);
    default:
      return '';
  }
}

function immediate(instruction: Instruction, name: string): number {
  return instruction.operand(name)?.value ?? 0;
}

function flag(instruction: Instruction, name: string): string {
  return immediate(instruction, name) === 0 ? '' : ` ${name}`;
}

function number(instruction: Instruction, name: string): string {
  const value = immediate(instruction, name);
  return value === 0 ? '' : ` ${name}:${value}`;
}

function offset(instruction: Instruction, print: (value: number) => string): string {
  const value = immediate(instruction, 'offset');
  return value === 0 ? '' : ` offset:${print(value)}`;
}

function dsModifiers(instruction: Instruction, { table }: DecodeContext): string {
  const pair = number(instruction, 'offset0') + number(instruction, 'offset1');
  const single =
    instruction.name === 'ds_swizzle_b32' ? formatSwizzle(immediate(instruction, 'offset')) : offset(instruction, String);
  const isGlobal = ((instruction.words[0] ?? 0) & (DS_GDS[table.family] ?? 0)) !== 0;
  // gfx90a and later have the global data share for synchronisation alone.
  const hasField = instruction.operand('gds') !== undefined && table.family === 'gfx9' && table.generation !== 'gfx9';
  return pair + single + (isGlobal && !hasField ? ' gds' : '');
}

/** gfx942 and later have operations of their own for it. */
function flatLds(instruction: Instruction, { table: { generation } }: DecodeContext): string {
  const hasFlag = generation === 'gfx9' || generation === 'gfx90a' || generation === 'gfx10';
  return hasFlag && ((instruction.words[0] ?? 0) & FLAT_LDS) !== 0 ? ' lds' : '';
}

/** The offset is an operand of its own unless it adds to a register offset. */
function smemOffset(instruction: Instruction, { table }: DecodeContext): string {
  const operand = instruction.operand('offset');
  if (!operand || operand.immediate === 'smemoffset') return '';
  // gfx11 prints no offset of 0; before there is a form without one, after there is not.
  if (table.family === 'gfx11') return offset(instruction, signedHex);
  return ` offset:${signedHex(immediate(instruction, 'offset'))}`;
}

export function signedHex(value: number): string {
  return value < 0 ? `-${hex(-value)}` : hex(value);
}

function ldsDirectModifiers(instruction: Instruction): string {
  const valu = immediate(instruction, 'waitvdst');
  const memory = instruction.operand('waitvsrc');
  return memory ? ` wait_va_vdst:${valu} wait_vm_vsrc:${memory.value}` : ` wait_vdst:${valu}`;
}

function bufferModifiers(instruction: Instruction, context: DecodeContext): string {
  const isTyped = instruction.format === 'MTBUF';
  const [idxen = '', offen = '', tfe = '', lds = ''] = (['idxen', 'offen', 'tfe', 'lds'] as const).map((name) =>
    bufferFlag(instruction, name, context.table) ? ` ${name}` : '',
  );
  const format = instruction.operand('format');
  let text = format === undefined ? '' : formatBufferFormat(format.value, context);
  text += idxen + offen + offset(instruction, String);
  const policy = formatCachePolicy(instruction, context);
  if (isTyped) return text + policy + tfe;
  return text + (instruction.name === STORE_FROM_LDS ? lds + policy : policy + tfe + lds);
}

function imageModifiers(instruction: Instruction, context: DecodeContext): string {
  const { table } = context;
  if (instruction.extension === 'TENSOR') return flag(instruction, 'r128') + formatCachePolicy(instruction, context);
  const properties = table.image(instruction.entry);
  if (properties?.['BVH']) return properties['A16'] ? ' a16' : '';
  const dmask = immediate(instruction, 'dmask');
  const dimension = instruction.operand('dim');
  let text = dmask === 0 ? '' : ` dmask:${hex(dmask)}`;
  if (dimension) text += ` ${formatImageDimension(dimension.value)}`;
  text += flag(instruction, 'unorm') + formatCachePolicy(instruction, context);
  if (immediate(instruction, 'r128') !== 0) text += table.family === 'gfx9' ? ' a16' : ' r128';
  for (const name of ['a16', 'tfe', 'lwe', 'da', 'd16']) text += flag(instruction, name);
  return text;
}

/** Bits of the first word. */
const EXPORT_DONE = 1 << 11;
const EXPORT_ROW = 1 << 13;

/** Until gfx10 with compression and valid mask, from gfx11 on with rows. */
function exportModifiers(instruction: Instruction): string {
  const word = instruction.words[0] ?? 0;
  const done = (word & EXPORT_DONE) === 0 ? '' : ' done';
  if (instruction.operand('vm')) return done + flag(instruction, 'compr') + flag(instruction, 'vm');
  return (word & EXPORT_ROW) === 0 ? done : `${done} row_en`;
}

function vectorModifiers(instruction: Instruction, format: Format, context: DecodeContext): string {
  const clamp = flag(instruction, 'clamp');
  const selects = instruction.operands.some((operand) => operand.selectsHalf && (format !== 'VINTERP' || operand.type === 'f16'));
  let text = '';
  if (format === 'VINTERP') text += clamp;
  text += formatBitop(instruction.operands);
  if (instruction.extension === 'MFMA') text += packedModifiers(instruction) + formatMatrixModifiers(instruction);
  else if (format === 'VOP3P' || format === 'VOP3PX2') text += formatMatrixModifiers(instruction) + packedModifiers(instruction);
  else if (instruction.operand('attr')) return interpolationModifiers(instruction, selects);
  else if (selects) text += opSel(instruction, context);
  text += number(instruction, 'byte_sel') + number(instruction, 'scale_sel');
  if (format === 'VINTERP') {
    const wait = instruction.operand('waitexp');
    text += wait ? ` wait_exp:${wait.value}` : '';
  } else {
    text += clamp;
  }
  text += OMOD[immediate(instruction, 'omod')] ?? '';
  return text + dpp(instruction, context) + sdwa(instruction);
}

/** Interpolation by a long encoding until gfx10: op_sel, which comes behind clamp, counts the attribute as a source. */
function interpolationModifiers(instruction: Instruction, selects: boolean): string {
  const [first, third] = sources(instruction).map((operand) => operand.opSel);
  const bits = [first ?? false, false, third ?? false, instruction.operand('vdst')?.opSel ?? false];
  const halves = selects && bits.includes(true) ? bitList('op_sel', bits) : '';
  return flag(instruction, 'high') + flag(instruction, 'clamp') + (OMOD[immediate(instruction, 'omod')] ?? '') + halves;
}

/** Higher ones are printed in hexadecimal. */
const LAST_DECIMAL_BITOP = 10;

/** The truth table of a bitwise operation: ` bitop3:0x78`; '' for 0 or none. */
export function formatBitop(operands: readonly Operand[]): string {
  const value = operands.find(({ name }) => name === 'bitop3')?.value ?? 0;
  return value === 0 ? '' : ` bitop3:${value <= LAST_DECIMAL_BITOP ? value : hex(value)}`;
}

/** Source operands of a vector instruction, without the immediates. */
function sources(instruction: Instruction): readonly Operand[] {
  return instruction.operands.filter((operand) => /^src\d$/.test(operand.name));
}

function bitList(name: string, bits: readonly boolean[]): string {
  return ` ${name}:[${bits.map((bit) => (bit ? 1 : 0)).join(',')}]`;
}

/** Bit of a source's modifiers. */
const OP_SEL = 4;

/** `op_sel:[…]`: sources, then the destination where there is one; nothing when all are 0. */
function opSel(instruction: Instruction, context: DecodeContext): string {
  const { name } = instruction;
  if (name === 'v_cndmask_b16' || (name === 'v_cvt_pk_bf16_f32' && context.table.family === 'gfx9')) return '';
  let bits = sources(instruction).map((operand) => operand.opSel);
  if (name.startsWith('v_permlane')) {
    // The bits of the first two sources are flags; there are no others.
    bits = bits.slice(0, 2);
  } else {
    // The accumulator of v_fmac is a source without a bit of its own; that of v_cvt_sr_fp8 has one.
    const accumulator = context.table.operandSet(instruction.entry).find((operand) => operand.n === 'src2' && operand.enc === 0);
    const modifiers = context.table.layout(instruction.entry).get('src2_modifiers') ?? [];
    if (accumulator) bits.push((readField(modifiers, instruction.words) & OP_SEL) !== 0);
    const result = instruction.operands.find((operand) => operand.isResult);
    if (result && (instruction.extension === '' || instruction.hasFlag('VOP3_OPSEL'))) bits.push(result.opSel);
  }
  return bits.includes(true) ? bitList('op_sel', bits) : '';
}

/** Packed operations: halves and their signs; mixed ones print their signs at the operands and have op_sel_hi off by default. */
function packedModifiers(instruction: Instruction): string {
  const operands = sources(instruction);
  const isMix = MIXED.test(instruction.name);
  const opSelBits = operands.map((operand) => operand.opSel);
  const opSelHiBits = operands.map((operand) => operand.opSelHi);
  const selects = operands.some((operand) => operand.selectsHalf);
  let text = selects && opSelBits.includes(true) ? bitList('op_sel', opSelBits) : '';
  if (selects && opSelHiBits.includes(isMix)) text += bitList('op_sel_hi', opSelHiBits);
  if (isMix) return text;
  const negLo = operands.map((operand) => operand.neg);
  const negHi = operands.map((operand) => operand.abs);
  if (negLo.includes(true)) text += bitList('neg_lo', negLo);
  if (negHi.includes(true)) text += bitList('neg_hi', negHi);
  return text;
}

function dpp(instruction: Instruction, context: DecodeContext): string {
  const fi = immediate(instruction, 'fi') !== 0;
  if (instruction.extension === 'DPP8') {
    return ` ${formatDpp8(immediate(instruction, 'dpp8'))}${immediate(instruction, 'fi') === FI_DPP8 ? ' fi:1' : ''}`;
  }
  // v_permlane16_swap has these flags without DPP.
  const flags = (immediate(instruction, 'bound_ctrl') === 0 ? '' : ' bound_ctrl:1') + (fi ? ' fi:1' : '');
  if (instruction.extension !== 'DPP16') return flags;
  const control = formatDppControl(immediate(instruction, 'dpp_ctrl'), hasDoublePrecisionDpp(instruction, context), context);
  const masks = ` row_mask:${hex(immediate(instruction, 'row_mask'))} bank_mask:${hex(immediate(instruction, 'bank_mask'))}`;
  const bound = immediate(instruction, 'bound_ctrl') === 0 ? '' : ' bound_ctrl:1';
  return ` ${control}${masks}${bound}${fi ? ' fi:1' : ''}`;
}

const SDWA_SELECTS = ['BYTE_0', 'BYTE_1', 'BYTE_2', 'BYTE_3', 'WORD_0', 'WORD_1', 'DWORD'];
const SDWA_UNUSED = ['UNUSED_PAD', 'UNUSED_SEXT', 'UNUSED_PRESERVE'];
const SDWA_FIELDS: readonly (readonly [string, readonly string[]])[] = [
  ['dst_sel', SDWA_SELECTS],
  ['dst_unused', SDWA_UNUSED],
  ['src0_sel', SDWA_SELECTS],
  ['src1_sel', SDWA_SELECTS],
];

/** Which bytes of destination and sources are meant, for those that the instruction has. */
function sdwa(instruction: Instruction): string {
  if (instruction.extension !== 'SDWA') return '';
  return SDWA_FIELDS.map(([name, words]) => {
    const operand = instruction.operand(name);
    return operand === undefined ? '' : ` ${name}:${words[operand.value] ?? operand.value}`;
  }).join('');
}

/** Operations on 32 bits that take the double precision path on gfx1250. */
const SLOW_INTEGER = /^v_(?:mul_lo_u32|mul_hi_[iu]32|mad_u32)$/;
const VECTOR_KINDS = new Set(['vgpr', 'vgpr9', 'vsrc']);

function hasDoublePrecisionDpp(instruction: Instruction, { table }: DecodeContext): boolean {
  if (table.family !== 'gfx1250' && (table.family !== 'gfx9' || table.generation === 'gfx9')) return false;
  if (table.family === 'gfx1250' && SLOW_INTEGER.test(instruction.name)) return true;
  return table.operandSet(instruction.entry).some(({ k, w }) => w === 64 && VECTOR_KINDS.has(k));
}

/** Value of the first source field that means DPP8 with fetch-inactive (AMD ISA documents, "DPP8"). */
const FI_DPP8 = 234;
