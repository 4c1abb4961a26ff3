/** What follows the operands of an instruction, in the order llvm-mc prints it. Every text begins with a space or is empty. */
import type { DecodeContext } from '../decode/decode-context.js';
import type { Format, Instruction, Operand } from '../instruction.js';
import { formatBufferFormat, formatDpp8, formatDppControl, formatImageDimension, formatSwizzle } from './immediates.js';
import { hex } from './values.js';

const OMOD = ['', ' mul:2', ' mul:4', ' div:2'];
const CACHE_BITS = [' glc', ' slc', ' dlc'];

/** BUF_FMT_8_UNORM, which is not printed. */
const DEFAULT_BUFFER_FORMAT = 1;
/** Bit of the first word of DS on gfx10 and gfx11; fixed in the encodings that only the global data share has. */
const DS_GDS = 1 << 17;
/** Bits of the second word of MUBUF and MTBUF on gfx11 (AMD RDNA3 ISA document, "MUBUF"). */
const BUFFER_TFE = 1 << 21;
const BUFFER_OFFEN = 1 << 22;
const BUFFER_IDXEN = 1 << 23;

/** The modifiers of an instruction by its format. */
export function formatModifiers(instruction: Instruction, context: DecodeContext): string {
  const { format } = instruction;
  switch (format) {
    case 'DS':
      return dsModifiers(instruction);
    case 'FLAT':
    case 'GLOBAL':
    case 'SCRATCH':
      return offset(instruction, String) + cachePolicy(instruction);
    case 'SMEM':
      return smemOffset(instruction) + cachePolicy(instruction);
    case 'MUBUF':
    case 'MTBUF':
      return bufferModifiers(instruction, context);
    case 'MIMG':
      return imageModifiers(instruction, context);
    case 'EXP':
      return exportModifiers(instruction);
    case 'LDSDIR':
      return ` wait_vdst:${immediate(instruction, 'waitvdst')}`;
    case 'VOP1':
    case 'VOP2':
    case 'VOPC':
    case 'VOP3':
    case 'VOP3SD':
    case 'VOP3P':
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

function offset(instruction: Instruction, print: (value: number) => string): string {
  const value = immediate(instruction, 'offset');
  return value === 0 ? '' : ` offset:${print(value)}`;
}

function cachePolicy(instruction: Instruction): string {
  const value = immediate(instruction, 'cpol');
  return CACHE_BITS.map((text, bit) => (((value >>> bit) & 1) === 1 ? text : '')).join('');
}

function dsModifiers(instruction: Instruction): string {
  const pair = ['offset0', 'offset1'].map((name) => {
    const value = immediate(instruction, name);
    return value === 0 ? '' : ` ${name}:${value}`;
  });
  const single =
    instruction.name === 'ds_swizzle_b32' ? formatSwizzle(immediate(instruction, 'offset')) : offset(instruction, String);
  return pair.join('') + single + (((instruction.words[0] ?? 0) & DS_GDS) === 0 ? '' : ' gds');
}

/** The offset is an operand of its own unless there is a register offset too. */
function smemOffset(instruction: Instruction): string {
  if (!instruction.operand('soffset')) return '';
  return offset(instruction, signedHex);
}

export function signedHex(value: number): string {
  return value < 0 ? `-${hex(-value)}` : hex(value);
}

function bufferModifiers(instruction: Instruction, context: DecodeContext): string {
  const word = instruction.words[1] ?? 0;
  const format = instruction.operand('format');
  let text =
    format === undefined || format.value === DEFAULT_BUFFER_FORMAT ? '' : ` ${formatBufferFormat(format.value, context)}`;
  if ((word & BUFFER_IDXEN) !== 0) text += ' idxen';
  if ((word & BUFFER_OFFEN) !== 0) text += ' offen';
  text += offset(instruction, String) + cachePolicy(instruction);
  return (word & BUFFER_TFE) !== 0 ? `${text} tfe` : text;
}

function imageModifiers(instruction: Instruction, { table }: DecodeContext): string {
  const properties = table.image(instruction.entry);
  if (properties?.['BVH']) return properties['A16'] ? ' a16' : '';
  const dmask = immediate(instruction, 'dmask');
  const dimension = instruction.operand('dim');
  let text = dmask === 0 ? '' : ` dmask:${hex(dmask)}`;
  if (dimension) text += ` ${formatImageDimension(dimension.value)}`;
  text += flag(instruction, 'unorm') + cachePolicy(instruction);
  for (const name of ['r128', 'a16', 'tfe', 'lwe', 'd16']) text += flag(instruction, name);
  return text;
}

/** Bits 11 and 13 of the first word on gfx11. */
function exportModifiers(instruction: Instruction): string {
  const word = instruction.words[0] ?? 0;
  return ((word & (1 << 11)) === 0 ? '' : ' done') + ((word & (1 << 13)) === 0 ? '' : ' row_en');
}

function vectorModifiers(instruction: Instruction, format: Format, context: DecodeContext): string {
  const clamp = flag(instruction, 'clamp');
  const selects = instruction.operands.some((operand) => operand.selectsHalf && (format !== 'VINTERP' || operand.bits === 16));
  let text = '';
  if (format === 'VINTERP') text += clamp;
  if (format === 'VOP3P') text += packedModifiers(instruction);
  else if (selects) text += opSel(instruction, context);
  if (format === 'VINTERP') {
    const wait = instruction.operand('waitexp');
    text += wait ? ` wait_exp:${wait.value}` : '';
  } else {
    text += clamp;
  }
  text += OMOD[immediate(instruction, 'omod')] ?? '';
  return text + dpp(instruction) + sdwa(instruction);
}

/** Source operands of a vector instruction, without the immediates. */
function sources(instruction: Instruction): readonly Operand[] {
  return instruction.operands.filter((operand) => /^src\d$/.test(operand.name));
}

function bitList(name: string, bits: readonly boolean[]): string {
  return ` ${name}:[${bits.map((bit) => (bit ? 1 : 0)).join(',')}]`;
}

/** `op_sel:[…]`: sources, then the destination where there is one; nothing when all are 0. */
function opSel(instruction: Instruction, context: DecodeContext): string {
  const { name } = instruction;
  if (name === 'v_cndmask_b16') return '';
  let bits = sources(instruction).map((operand) => operand.opSel);
  if (name.startsWith('v_permlane')) {
    // The bits of the first two sources are flags; there are no others.
    bits = bits.slice(0, 2);
  } else {
    // The accumulator of v_fmac is a source without a bit of its own.
    const accumulator = context.table.operandSet(instruction.entry).find((operand) => operand.n === 'src2' && operand.enc === 0);
    if (accumulator) bits.push(false);
    const result = instruction.operands.find((operand) => operand.isResult);
    if (result && (instruction.extension === '' || instruction.hasFlag('VOP3_OPSEL'))) bits.push(result.opSel);
  }
  return bits.includes(true) ? bitList('op_sel', bits) : '';
}

/** Packed operations: halves and their signs; v_fma_mix prints its signs at the operands and has op_sel_hi off by default. */
function packedModifiers(instruction: Instruction): string {
  const operands = sources(instruction);
  const isMix = instruction.name.startsWith('v_fma_mix');
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

function dpp(instruction: Instruction): string {
  const fi = instruction.extension !== '' && immediate(instruction, 'fi') !== 0;
  if (instruction.extension === 'DPP8') {
    return ` ${formatDpp8(immediate(instruction, 'dpp8'))}${immediate(instruction, 'fi') === FI_DPP8 ? ' fi:1' : ''}`;
  }
  if (instruction.extension !== 'DPP16') return '';
  const control = formatDppControl(immediate(instruction, 'dpp_ctrl'));
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

/** Value of the first source field that means DPP8 with fetch-inactive (AMD ISA documents, "DPP8"). */
const FI_DPP8 = 234;
