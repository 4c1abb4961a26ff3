import type { Format } from '../instruction.js';
import type { InstructionTable } from '../table/instruction-table.js';
import type { FieldSlice, OperandDescription } from '../table/packed-table.js';
import { signedBits } from './immediates.js';
import type { SourceReference } from './registers.js';
import { LITERAL64_CODE, resolveSource } from './registers.js';

/** How one operand of an encoding is read; shared by all entries with the same fields and operands. */
export interface OperandPlan {
  readonly name: string;
  readonly description: OperandDescription;
  /** Width in bits; 0 where a field decides (image data and addresses). */
  readonly bits: number;
  readonly type: string;
  readonly isResult: boolean;
  readonly isRead: boolean;
  readonly slices: readonly FieldSlice[];
  /** Fields of the modifiers: bit 0 neg, 1 abs or neg_hi, 2 op_sel, 3 op_sel_hi. */
  readonly modifiers: readonly FieldSlice[] | undefined;
  /** Whether the modifiers are signs; integer operations have none, except in packed form. */
  readonly hasSigns: boolean;
  /** Modifier bit that selects the half of a 16-bit register; -1 where the register field does. */
  readonly halfBit: number;
  /** The modifiers have the op_sel bit that this operand reads. */
  readonly selectsHalf: boolean;
  /** A v_fma_mix source: op_sel_hi says whether it is f16 or f32. */
  readonly isMixed: boolean;
  /** Field that says what becomes of the bits of the result that SDWA does not write. */
  readonly unusedRest: readonly FieldSlice[] | undefined;
  /** Width of a signed immediate; 0 for unsigned ones. */
  readonly signedBits: number;
}

/** A field whose value decides whether the entry matches, and whether a literal follows. */
export interface FieldCheck {
  /** Where the field lies when it is in one piece, as nearly all are; `mask` 0: read the slices. */
  readonly word: number;
  readonly shift: number;
  readonly mask: number;
  /** Bits to shift the piece up by. */
  readonly target: number;
  readonly slices: readonly FieldSlice[];
  readonly values: FieldValues;
}

/** What a field's value means: nothing more, no match, or how many bytes of literal follow. */
export const FIELD_VALUE = { valid: 0, invalid: 1, literal: 4, literal64: 8 } as const;

/** What all entries of one shape share. */
export interface ShapePlan {
  readonly operands: readonly OperandPlan[];
  readonly checks: readonly FieldCheck[];
}

/** Immediates whose highest values mean nothing, by class: how many do. */
const FIELD_COUNTS: Readonly<Record<string, number>> = { dst_sel: 7, dst_unused: 3, src0_sel: 7, src1_sel: 7 };
const NUMBER: SourceReference = { kind: 'immediate', index: 0, code: -1, special: '', isHighHalf: false };

/** State of a value that nobody has asked for yet. */
export const UNKNOWN_VALUE = 255;

/** {@link FIELD_VALUE} by field value, found out when first asked for. */
export class FieldValues {
  readonly states: Uint8Array;
  readonly #resolve: (value: number) => SourceReference | undefined;

  constructor(count: number, resolve: (value: number) => SourceReference | undefined) {
    this.states = new Uint8Array(count).fill(UNKNOWN_VALUE);
    this.#resolve = resolve;
  }

  resolve(value: number): number {
    const source = this.#resolve(value);
    let state: number = source === undefined ? FIELD_VALUE.invalid : FIELD_VALUE.valid;
    if (source?.kind === 'literal') state = source.code === LITERAL64_CODE ? FIELD_VALUE.literal64 : FIELD_VALUE.literal;
    this.states[value] = state;
    return state;
  }
}

const OP_SEL_BIT = 2;
const DST_OP_SEL_BIT = 3;

/** Reads a field: instruction bits from little-endian dwords to operand bits. */
export function readField(slices: readonly FieldSlice[], words: ArrayLike<number>): number {
  let value = 0;
  for (const [bit, width, target] of slices) {
    const word = words[bit >>> 5] ?? 0;
    const shifted = word >>> (bit & 31);
    // No field of the tables straddles a dword but the 32-bit literals, which start at one.
    const part = width === 32 ? shifted : shifted & ((1 << width) - 1);
    value += target === 0 ? part : part * 2 ** target;
  }
  return value;
}

/** The plans of a table's shapes for one wave size, each made once. */
export class ShapePlans {
  readonly #table: InstructionTable;
  readonly #waveSize: 32 | 64;
  readonly #plans = new Map<string, ShapePlan>();
  readonly #values = new Map<string, FieldValues | undefined>();

  constructor(table: InstructionTable, waveSize: 32 | 64) {
    this.#table = table;
    this.#waveSize = waveSize;
  }

  get(entry: number): ShapePlan {
    const key = planKey(this.#table, entry);
    let plan = this.#plans.get(key);
    if (!plan) {
      plan = planShape(this.#table, entry, this.#waveSize, this.#values);
      this.#plans.set(key, plan);
    }
    return plan;
  }
}

function planShape(
  table: InstructionTable,
  entry: number,
  waveSize: 32 | 64,
  valueCache: Map<string, FieldValues | undefined>,
): ShapePlan {
  const set = table.operandSet(entry);
  const layout = table.layout(entry);
  const format = table.format(entry);
  const hasLiteral = canHaveLiteral(table, entry);
  const byName = new Map(set.map((operand) => [operand.n, operand]));
  const operands: OperandPlan[] = [];
  const checks: FieldCheck[] = [];
  for (const description of set) {
    if (description.enc === 0 || description.k === 'mods') continue;
    const bits = operandBits(description, waveSize);
    const slices = layout.get(description.n) ?? [];
    const partner = description.tied === undefined ? undefined : byName.get(description.tied);
    const isResult = description.a === 'w' || partner?.a === 'w';
    const modifierName = isResult && !layout.has(`${description.n}_modifiers`) ? 'src0_modifiers' : `${description.n}_modifiers`;
    const modifiers = layout.get(modifierName);
    const modifierSet = byName.get(modifierName);
    const selectBit = isResult ? DST_OP_SEL_BIT : OP_SEL_BIT;
    operands.push({
      name: description.n,
      description,
      bits,
      type: sourceType(description.t ?? '', table.name(entry)),
      isResult,
      isRead: !isResult || partner !== undefined || (description.t16 === 1 && bits === 16),
      slices,
      modifiers,
      selectsHalf: (modifiers ?? []).some(([, width, target]) => target <= selectBit && target + width > selectBit),
      isMixed: format === 'VOP3P' && bits === 32 && /^b?f16$/.test(description.t ?? '') && !isResult,
      unusedRest: isResult ? layout.get('dst_unused') : undefined,
      signedBits: description.k === 'imm' ? signedBits(table, description, format) : 0,
      hasSigns: modifierSet?.t !== 'int' || modifierSet.packed === 1,
      halfBit: description.t16 === 1 && description.lo128 !== 1 ? selectBit : -1,
    });
    if (description.k === 'imm' && isNonNegative(table, entry, description)) checks.push(makeCheck(topBit(slices), ONLY_ZERO));
    // Widths that other fields decide are checked when these are known.
    const file = slices.filter(isFileBit);
    const number = file.length === 0 ? slices : slices.filter((slice) => !isFileBit(slice));
    // gfx9 has AGPRs only for matrix operations; else which file it is decides about nothing.
    if (file.length > 0 && description.k === 'av' && table.generation === 'gfx9') checks.push(makeCheck(file, ONLY_FIRST_FILE));
    const key = `${JSON.stringify(description)} ${fieldWidth(number)} ${bits} ${hasLiteral}`;
    if (!valueCache.has(key)) valueCache.set(key, fieldValues(table, description, number, bits, hasLiteral));
    const values = valueCache.get(key);
    if (values) checks.push(makeCheck(number, values));
  }
  return { operands: inAssemblyOrder(operands, format, table.name(entry)), checks };
}

/** Values of a field of up to 8 bits that must be 0. */
export const ONLY_ZERO: FieldValues = new FieldValues(256, (value) => (value === 0 ? NUMBER : undefined));

/** The bit that selects AGPRs, as an operand bit. */
const FILE_BIT = 9;

function isFileBit([, width, target]: FieldSlice): boolean {
  return width === 1 && target === FILE_BIT;
}

/** Values of that bit, in its place, that mean a VGPR. */
const ONLY_FIRST_FILE: FieldValues = new FieldValues(2 * 2 ** FILE_BIT, (value) => (value === 0 ? NUMBER : undefined));

/** Offsets into buffers have as many bits as those of other memory on gfx12, but are not signed (LLVM AMDGPUDisassembler). */
function isNonNegative(table: InstructionTable, entry: number, description: OperandDescription): boolean {
  if (!table.family.startsWith('gfx12') || description.n !== 'offset') return false;
  const format = table.format(entry);
  return format === 'MUBUF' || format === 'MTBUF' || BUFFER_SMEM.test(table.name(entry));
}

const BUFFER_SMEM = /^s_(?:atc_probe_)?buffer/;

function topBit(slices: readonly FieldSlice[]): readonly FieldSlice[] {
  const [bit = 0, width = 1] = slices[0] ?? [];
  return [[bit + width - 1, 1, 0]];
}

/** Operand orders that the tables have otherwise than the assembler. */
function inAssemblyOrder(operands: readonly OperandPlan[], format: Format, name: string): readonly OperandPlan[] {
  const isFlat = format === 'GLOBAL' || format === 'FLAT';
  const order = isFlat ? ['vdst', 'vaddr', 'vdata', 'saddr'] : format === 'SOPK' ? sopkOrder(name) : [];
  const place = (operand: OperandPlan): number => {
    const index = order.indexOf(operand.name);
    return index < 0 ? order.length : index;
  };
  return order.length === 0 ? operands : operands.toSorted((a, b) => place(a) - place(b));
}

function sopkOrder(name: string): readonly string[] {
  return name.startsWith('s_setreg') ? ['simm16', 'sdst', 'imm'] : ['sdst', 'simm16'];
}

/**
 * A type that the tables leave open, as the operation's name tells it. They call all 64-bit integers i64 or b64, but how a literal
 * extends depends on the signedness; scalar float operations without arithmetic have b16 or b32 sources, but take float constants.
 */
function sourceType(type: string, name: string): string {
  if (type === 'i64' || type === 'b64') {
    if (name.includes('_i64')) return 'i64';
    return type === 'i64' ? (name.includes('_u64') ? 'u64' : 'b64') : type;
  }
  const scalarFloat = type === 'b16' || type === 'b32' ? SCALAR_FLOAT.exec(name)?.[1] : undefined;
  return scalarFloat ?? type;
}

/** Scalar operations on floats; s_cvt_hi reads a half of a 32-bit source. */
const SCALAR_FLOAT = /^s_(?!cvt_hi_)\w*_(f16|f32)$/;

/** What beside its shape decides an entry's plan. */
function planKey(table: InstructionTable, entry: number): string {
  const name = table.name(entry);
  const differing = /_[iu]64|s_setreg/.exec(name)?.[0] ?? SCALAR_FLOAT.exec(name)?.[1] ?? BUFFER_SMEM.exec(name)?.[0] ?? '';
  return `${table.shapeKey(entry)} ${table.format(entry)}/${table.extension(entry)} ${differing}`;
}

/** gfx9 and CDNA take no literal in VOP3 encodings; DPP and SDWA never do; with a mandatory literal 255 names that one. */
export function canHaveLiteral(table: InstructionTable, entry: number): boolean {
  const extension = table.extension(entry);
  if (extension !== '' && !extension.startsWith('LIT')) return false;
  return table.family !== 'gfx9' || !table.format(entry).startsWith('VOP3');
}

function operandBits(operand: OperandDescription, waveSize: 32 | 64): number {
  if (typeof operand.w === 'number') return operand.w;
  return operand.w === 'wave' ? waveSize : operand.k === 'imm' || operand.k === 'lit' ? 32 : 0;
}

/** A check of a field with the values it may have. */
export function makeCheck(slices: readonly FieldSlice[], values: FieldValues): FieldCheck {
  const [first, second] = slices;
  if (!first || second) return { word: 0, shift: 0, mask: 0, target: 0, slices, values };
  const [bit, width, target] = first;
  return { word: bit >>> 5, shift: bit & 31, mask: (1 << width) - 1, target, slices, values };
}

/** {@link FIELD_VALUE} of a field in these words. */
// hot
export function checkField(check: FieldCheck, words: Int32Array): number {
  const value =
    check.mask === 0 ? readField(check.slices, words) : (((words[check.word] ?? 0) >>> check.shift) & check.mask) << check.target;
  const { values } = check;
  const state = values.states[value] ?? FIELD_VALUE.invalid;
  return state === UNKNOWN_VALUE ? values.resolve(value) : state;
}

/** Bits of the operand value that a field holds. */
function fieldWidth(slices: readonly FieldSlice[]): number {
  return slices.reduce((top, [, size, target]) => Math.max(top, size + target), 0);
}

/** Kinds that can name every vector register. */
const ANY_VECTOR = new Set(['vgpr', 'av', 'agpr']);

/** Which values the field can have; undefined when every one is valid and none asks for a literal. */
export function fieldValues(
  table: InstructionTable,
  operand: OperandDescription,
  slices: readonly FieldSlice[],
  bits: number,
  hasLiteral: boolean,
): FieldValues | undefined {
  const count = FIELD_COUNTS[operand.c ?? ''];
  if (count !== undefined) return new FieldValues(2 ** fieldWidth(slices), (value) => (value < count ? NUMBER : undefined));
  if (operand.k === 'imm' || operand.k === 'lit') return undefined;
  const width = fieldWidth(slices);
  // Any single vector register will do.
  if (ANY_VECTOR.has(operand.k) && width <= 8 && bits <= 32 && operand.lo128 !== 1) return undefined;
  return new FieldValues(2 ** width, (value) => resolveSource(table, operand, bits, value, hasLiteral));
}
