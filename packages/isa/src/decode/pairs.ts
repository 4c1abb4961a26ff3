import { InternalError } from '@doorbell/abi';
import type { Extension, Format, Instruction, VopdHalf } from '../instruction.js';
import type { InstructionTable } from '../table/instruction-table.js';
import type { FieldSlice, OperandDescription, PairFormat, VopdDescription, VopdOperation } from '../table/packed-table.js';
import { BAD_OPERAND, NO_MATCH, TOO_SHORT } from './candidate.js';
import type { DecodeContext } from './decode-context.js';
import type { DecodedOperand } from './decoded-operand.js';
import { readOperand } from './decoded-operand.js';
import type { FieldCheck, OperandPlan } from './operand-plan.js';
import { FIELD_VALUE, checkField, fieldValues, makeCheck, readField } from './operand-plan.js';

const DWORD_BYTES = 4;
/** Dword of the shared literal. */
const LITERAL_WORD = 2;
/** Bit 0 of vdstY is not encoded: it is the opposite of vdstX's, which {@link PairInstruction} puts into a word behind the others. */
const PARITY_WORD = 3;
const PARITY_FIELD: FieldSlice = [PARITY_WORD * 32, 1, 0];
const VDST_X_SHIFT = 24;

/** One operation as one half of a pair can hold it. */
interface HalfPlan {
  readonly mnemonic: string;
  readonly name: string;
  readonly operands: readonly OperandPlan[];
  readonly checks: readonly FieldCheck[];
  /** A field that the operation does not have and that must be 0. */
  readonly unused: readonly FieldSlice[] | undefined;
  /** v_fmaak, v_fmamk: the literal is always there. */
  readonly hasLiteral: boolean;
  /** Entry of the same operation as a single instruction; undefined where there is none. */
  readonly single: number | undefined;
}

interface PairPlan {
  readonly format: Format;
  readonly encoding: PairFormat;
  readonly x: HalfPlans;
  readonly y: HalfPlans;
}

/** The operations of one half by opcode, planned when first met. */
class HalfPlans {
  readonly #make: (operation: VopdOperation) => HalfPlan;
  readonly #operations: ReadonlyMap<number, VopdOperation>;
  readonly #plans = new Map<number, HalfPlan>();

  constructor(operations: readonly VopdOperation[], make: (operation: VopdOperation) => HalfPlan) {
    this.#operations = new Map(operations.map((operation) => [operation[0], operation]));
    this.#make = make;
  }

  get(opcode: number): HalfPlan | undefined {
    const found = this.#plans.get(opcode);
    if (found !== undefined) return found;
    const operation = this.#operations.get(opcode);
    if (operation === undefined) return undefined;
    const plan = this.#make(operation);
    this.#plans.set(opcode, plan);
    return plan;
  }
}

/** Decodes the formats that hold two operations (AMD RDNA3 ISA document, "VOPD"). */
export class PairDecoder {
  readonly #context: DecodeContext;
  readonly #plans: readonly PairPlan[];

  constructor(context: DecodeContext) {
    const { table } = context;
    this.#context = context;
    const { vopd = {} } = table.parts;
    this.#plans = Object.entries(vopd).flatMap(([format, description]) => {
      const encoding = table.facts.pairs[format];
      if (!encoding || format !== 'VOPD') return [];
      return [planPair(table, format, encoding, description)];
    });
  }

  /** Whether the first word belongs to a pair format. */
  matches(word0: number): boolean {
    for (const { encoding } of this.#plans) if (((word0 ^ encoding.value) & encoding.mask) === 0) return true;
    return false;
  }

  /** The pair, or why it is none: 0 no such operation, -1 an impossible operand, -2 too few bytes. */
  decode(words: Int32Array, left: number): PairInstruction | number {
    const plan = this.#plans.find(({ encoding }) => (((words[0] ?? 0) ^ encoding.value) & encoding.mask) === 0);
    if (!plan) return NO_MATCH;
    const opX = field(plan.encoding.opX, words);
    const opY = field(plan.encoding.opY, words);
    const x = plan.x.get(opX);
    const y = plan.y.get(opY);
    if (!x || !y) return NO_MATCH;
    let size = 2 * DWORD_BYTES;
    if (size > left) return TOO_SHORT;
    const stateX = checkHalf(x, words);
    const stateY = checkHalf(y, words);
    if (stateX === FIELD_VALUE.invalid || stateY === FIELD_VALUE.invalid) return BAD_OPERAND;
    if (stateX === FIELD_VALUE.literal || stateY === FIELD_VALUE.literal) size += DWORD_BYTES;
    if (size > left) return TOO_SHORT;
    const entry = this.#context.table.entryCount + opX * 2 ** plan.encoding.opY[1] + opY;
    return new PairInstruction(
      this.#context,
      plan.format,
      entry,
      x,
      y,
      Array.from(words.subarray(0, size / 4), (word) => word >>> 0),
    );
  }
}

interface PairHalf extends VopdHalf {
  readonly operands: readonly DecodedOperand[];
}

/** Two operations that a wave executes together. */
export class PairInstruction implements Instruction {
  readonly format: Format;
  readonly extension: Extension = '';
  readonly entry: number;
  readonly words: readonly number[];
  readonly context: DecodeContext;
  readonly #x: HalfPlan;
  readonly #y: HalfPlan;
  #halves: readonly [PairHalf, PairHalf] | undefined = undefined;

  constructor(context: DecodeContext, format: Format, entry: number, x: HalfPlan, y: HalfPlan, words: readonly number[]) {
    this.context = context;
    this.format = format;
    this.entry = entry;
    this.#x = x;
    this.#y = y;
    this.words = words;
  }

  get ok(): true {
    return true;
  }

  get instruction(): this {
    return this;
  }

  get mnemonic(): string {
    return `${this.#x.mnemonic} :: ${this.#y.mnemonic}`;
  }

  get name(): string {
    return this.mnemonic;
  }

  get sizeBytes(): number {
    return this.words.length * DWORD_BYTES;
  }

  get vopd(): readonly [PairHalf, PairHalf] {
    this.#halves ??= [this.#half(this.#x), this.#half(this.#y)];
    return this.#halves;
  }

  /** The operands of the first half, then those of the second. */
  get operands(): readonly DecodedOperand[] {
    const [x, y] = this.vopd;
    return [...x.operands, ...y.operands];
  }

  get implicitReads(): readonly string[] {
    return this.#union((entry) => this.context.table.implicitReads(entry));
  }

  get implicitWrites(): readonly string[] {
    return this.#union((entry) => this.context.table.implicitWrites(entry));
  }

  hasFlag(flag: string): boolean {
    return [this.#x, this.#y].some(({ single }) => single !== undefined && this.context.table.flags(single).has(flag));
  }

  /** The first half's operand of this name; ask the halves for the second's. */
  operand(name: string): DecodedOperand | undefined {
    return this.operands.find((operand) => operand.name === name);
  }

  #half(plan: HalfPlan): PairHalf {
    const [word0 = 0, word1 = 0, literal = 0] = this.words;
    const words = [word0, word1, literal, ~word1 >>> VDST_X_SHIFT];
    const operands: DecodedOperand[] = [];
    for (const operand of plan.operands)
      operands.push(readOperand(this.context.table, operand, words, LITERAL_WORD, operand.bits));
    return { mnemonic: plan.mnemonic, name: plan.name, operands };
  }

  #union(get: (entry: number) => readonly string[]): readonly string[] {
    const all = [this.#x, this.#y].flatMap(({ single }) => (single === undefined ? ['exec'] : get(single)));
    return [...new Set(all)];
  }
}

function checkHalf(half: HalfPlan, words: Int32Array): number {
  if (half.unused && readField(half.unused, words) !== 0) return FIELD_VALUE.invalid;
  let state: number = half.hasLiteral ? FIELD_VALUE.literal : FIELD_VALUE.valid;
  for (const check of half.checks) {
    const value = checkField(check, words);
    if (value === FIELD_VALUE.invalid) return value;
    if (value === FIELD_VALUE.literal) state = value;
  }
  return state;
}

function field([bit, width]: readonly [number, number], words: Int32Array): number {
  return ((words[bit >>> 5] ?? 0) >>> (bit & 31)) & ((1 << width) - 1);
}

function planPair(table: InstructionTable, format: Format, encoding: PairFormat, description: VopdDescription): PairPlan {
  const layout = description.layout['12'];
  if (!layout) throw new InternalError(`${format} has no layout of 12 bytes`);
  const plan = (operations: readonly VopdOperation[], half: 'X' | 'Y'): HalfPlans =>
    new HalfPlans(operations, (operation) => planHalf(table, format, operation, half, layout));
  return { format, encoding, x: plan(description.X, 'X'), y: plan(description.Y, 'Y') };
}

function planHalf(
  table: InstructionTable,
  format: Format,
  [, mnemonic, descriptions]: VopdOperation,
  half: 'X' | 'Y',
  layout: Readonly<Record<string, readonly FieldSlice[]>>,
): HalfPlan {
  const name = mnemonic.replace('v_dual_', 'v_');
  const single = findSingle(table, name);
  const types = new Map(single === undefined ? [] : table.operandSet(single).map((operand) => [operand.n, operand.t ?? '']));
  const isAccumulator = descriptions.some((operand) => operand.n === `src2${half}`);
  const operands: OperandPlan[] = [];
  const checks: FieldCheck[] = [];
  const addOperand = (operandName: string, description: OperandDescription, slices: readonly FieldSlice[]): void => {
    const isResult = operandName === 'vdst';
    operands.push({
      name: operandName,
      description,
      bits: 32,
      type: types.get(operandName) ?? description.t ?? '',
      isResult,
      isRead: !isResult || isAccumulator,
      slices,
      modifiers: undefined,
      hasSigns: false,
      halfBit: -1,
      selectsHalf: false,
      isMixed: false,
      unusedRest: undefined,
      signedBits: 0,
    });
    const values = fieldValues(table, description, slices, 32, true);
    if (values) checks.push(makeCheck(slices, values));
  };
  for (const description of descriptions) {
    const slices = layout[description.n];
    if (!slices) continue; // the accumulator, which is vdst
    // `vsrc1X` is `src1` of the single instruction.
    const operandName = description.n.slice(0, -1).replace(/^vsrc/, 'src');
    const isVdstY = format === 'VOPD' && description.n === 'vdstY';
    addOperand(operandName, description, isVdstY ? [...slices, PARITY_FIELD] : slices);
  }
  const literal: OperandDescription = { n: 'imm', k: 'lit', w: 32 };
  const hasLiteral = /^v_fma(?:ak|mk)_/.test(name);
  if (hasLiteral) {
    addOperand('imm', literal, layout['imm'] ?? []);
    // v_fmamk: dst, src0, K, src1; v_fmaak: dst, src0, src1, K.
    if (name.startsWith('v_fmamk_')) operands.splice(2, 0, ...operands.splice(3, 1));
  }
  const hasSource1 = operands.some((operand) => operand.name === 'src1');
  return { mnemonic, name, operands, checks, unused: hasSource1 ? undefined : layout[`vsrc1${half}`], hasLiteral, single };
}

/** The plain VOP1 or VOP2 entry of an operation. */
function findSingle(table: InstructionTable, name: string): number | undefined {
  for (let entry = 0; entry < table.entryCount; entry++) {
    if (table.names[entry] !== name || !/^VOP[12]$/.test(table.format(entry))) continue;
    if (table.extension(entry) === '' || table.extension(entry) === 'LIT') return entry;
  }
  return undefined;
}
