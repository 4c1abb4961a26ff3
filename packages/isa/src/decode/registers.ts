import type { InstructionTable } from '../table/instruction-table.js';
import type { OperandKind } from '../instruction.js';
import type { OperandDescription } from '../table/packed-table.js';
import { inlineInteger, isInlineFloat } from './constants.js';

/** What an operand number names. */
export interface SourceReference {
  readonly kind: OperandKind;
  /** First register of the range; 0 for other kinds. */
  readonly index: number;
  /** Hardware operand number: 0…511. */
  readonly code: number;
  /** Name of a special register; else ''. */
  readonly special: string;
  readonly isHighHalf: boolean;
}

/** Names of special registers whose 64-bit operand is a pair (LLVM AMDGPUDisassembler, decodeSpecialReg64). */
const PAIR_NAMES: Readonly<Record<string, string>> = {
  vcc_lo: 'vcc',
  exec_lo: 'exec',
  flat_scratch_lo: 'flat_scratch',
  xnack_mask_lo: 'xnack_mask',
};
/** Special registers that a 64-bit operand may name as they are. */
const WIDE_NAMES = new Set([
  'null',
  'src_flat_scratch_base_lo',
  'src_shared_base',
  'src_shared_limit',
  'src_private_base',
  'src_private_limit',
  'src_pops_exiting_wave_id',
  'src_vccz',
  'src_execz',
  'src_scc',
]);

const FIRST_VGPR = 256;
const VCC = 106;
/** gfx9 names the last of them otherwise, but a tuple may end in them. */
const NUMBERED_SGPRS = 106;
const FIRST_TTMP = 108;
const TTMP_COUNT = 16;
/** A literal of 32 bits follows. */
export const LITERAL_CODE = 255;
/** A literal of 64 bits follows: gfx1250, for operands of that size. */
export const LITERAL64_CODE = 254;

/** Kinds whose field holds a vector register number without bit 8. */
const VECTOR_FIELD = new Set(['vgpr', 'av', 'agpr']);
/** Operand bit that selects an AGPR where a field can name both files. */
const ACC_BIT = 512;
/** Bit of an SDWA source that says scalar, and of an SDWA comparison's result that says not VCC (AMD Vega ISA document, "SDWA"). */
const SDWA_SCALAR = 256;
const SDWA_RESULT = 128;
/** Kinds that never take an inline constant or a literal. */
const REGISTER_ONLY = new Set(['sgpr', 'sbool', 'vgpr', 'vgpr9', 'vgpr_or_lds', 'av', 'av10', 'agpr', 'agpr9']);
/** Kinds that take vector registers, and only those as registers. */
const VECTOR_ONLY = new Set(['vgpr', 'vgpr9', 'vgpr_inl', 'vgpr_or_lds', 'av', 'av10', 'agpr', 'agpr9', 'agpr_inl']);
const LDS_DIRECT = 'src_lds_direct';
/** Kinds that take no vector registers. */
const SCALAR_ONLY = new Set(['sgpr', 'ssrc', 'sbool', 'sgpr_or_lds', 'barrier_src']);

/**
 * What the operand field `value` names, or undefined where the operand cannot have that value.
 *
 * @param bits width of the operand in this wave size
 * @param hasLiteral whether the encoding can be followed by a literal
 */
export function resolveSource(
  table: InstructionTable,
  operand: OperandDescription,
  bits: number,
  value: number,
  hasLiteral: boolean,
): SourceReference | undefined {
  const kind = operand.k;
  if (kind === 'sdwa_src') return sdwaSource(table, operand, bits, value);
  if (kind === 'sdwa_vopc_dst') {
    return scalarRegister(table, operand, bits, (value & SDWA_RESULT) === 0 ? VCC : value - SDWA_RESULT);
  }
  if (VECTOR_FIELD.has(kind) || value >= FIRST_VGPR) {
    if (SCALAR_ONLY.has(kind)) return undefined;
    // Memory operations reach AGPRs from gfx90a on.
    if (kind === 'av' && value >= ACC_BIT && table.generation === 'gfx9') return undefined;
    // The nine bits beside the one that selects the file must say that it is a vector register.
    if (kind === 'av10' && (value & FIRST_VGPR) === 0) return undefined;
    return vectorRegister(table, operand, bits, value);
  }
  if (value === LITERAL_CODE || (value === LITERAL64_CODE && takesLiteral64(table, operand, bits))) {
    return hasLiteral && operand.lit === 1 && !REGISTER_ONLY.has(kind) ? reference('literal', value) : undefined;
  }
  if (inlineInteger(value) !== undefined || isInlineFloat(value)) {
    return REGISTER_ONLY.has(kind) ? undefined : reference('inline', value);
  }
  if (VECTOR_ONLY.has(kind)) return undefined;
  const register = scalarRegister(table, operand, bits, value);
  const isLds = register?.special === 'src_lds_direct';
  return isLds && SCALAR_ONLY.has(kind) && kind !== 'sgpr_or_lds' ? undefined : register;
}

/** A vector register; with bit 8 a scalar one or an inline constant, by the numbers that other operands have. */
function sdwaSource(
  table: InstructionTable,
  operand: OperandDescription,
  bits: number,
  value: number,
): SourceReference | undefined {
  if (value < SDWA_SCALAR) return vectorRegister(table, operand, bits, value);
  const code = value - SDWA_SCALAR;
  if (inlineInteger(code) !== undefined || isInlineFloat(code)) return reference('inline', code);
  return scalarRegister(table, operand, bits, code);
}

/** Packed operands are two of 32 bits. */
function takesLiteral64(table: InstructionTable, operand: OperandDescription, bits: number): boolean {
  return table.facts.hasLiteral64 && bits === 64 && operand.t?.startsWith('v') !== true;
}

function vectorRegister(
  table: InstructionTable,
  operand: OperandDescription,
  bits: number,
  value: number,
): SourceReference | undefined {
  const number = value % FIRST_VGPR;
  const isAgpr = value >= ACC_BIT || operand.k.startsWith('agpr');
  const isHighHalf = operand.t16 === 1 && operand.lo128 === 1 && number >= 128;
  const index = isHighHalf ? number - 128 : number;
  if (operand.lo128 === 1 && index >= 128) return undefined;
  const registers = Math.ceil(bits / 32);
  if (index + registers > 256) return undefined;
  if (table.facts.hasEvenTuples && registers > 1 && index % 2 !== 0) return undefined;
  return { kind: isAgpr ? 'agpr' : 'vgpr', index, code: FIRST_VGPR + number, special: '', isHighHalf };
}

function scalarRegister(
  table: InstructionTable,
  operand: OperandDescription,
  bits: number,
  code: number,
): SourceReference | undefined {
  const { sgprs, specials } = table.facts;
  const registers = Math.ceil(bits / 32);
  // LLVM AMDGPUDisassembler, createSRegOperand: a misaligned tuple means the aligned one below it.
  const alignment = registers === 1 ? 1 : registers === 2 ? 2 : 4;
  if (code < sgprs) {
    const index = code - (code % alignment);
    return index + registers <= NUMBERED_SGPRS ? reference('sgpr', code, index) : undefined;
  }
  if (code >= FIRST_TTMP && code < FIRST_TTMP + TTMP_COUNT) {
    const number = code - FIRST_TTMP;
    const index = number - (number % alignment);
    return index + registers <= TTMP_COUNT ? reference('ttmp', code, index) : undefined;
  }
  const name = specialName(specials[code], registers);
  // Only vector instructions take what LDS gives.
  if (name === LDS_DIRECT && operand.k !== 'sgpr_or_lds' && SCALAR_ONLY.has(operand.k)) return undefined;
  if (name === undefined || operand.not?.includes(name.replace(/_(?:lo|hi)$/, ''))) return undefined;
  return reference('special', code, 0, name);
}

function specialName(name: string | undefined, registers: number): string | undefined {
  if (name === undefined || registers === 1) return name;
  if (registers === 2) return PAIR_NAMES[name] ?? (WIDE_NAMES.has(name) ? name : undefined);
  return name === 'null' ? name : undefined;
}

function reference(kind: OperandKind, code: number, index = 0, special = ''): SourceReference {
  return { kind, index, code, special, isHighHalf: false };
}
