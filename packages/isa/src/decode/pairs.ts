import { InternalError } from '@doorbell/abi/core';
import type { Extension, Format, Instruction, VopdHalf } from '../instruction.js';
import type { InstructionTable } from '../table/instruction-table.js';
import type { FieldSlice, OperandDescription, PairFormat, VopdDescription, VopdOperation } from '../table/packed-table.js';
import type { DecodeContext } from './decode-context.js';
import type { DecodedOperand } from './decoded-operand.js';
import { FlatChecks, NO_MATCH, isFlatCheck } from './flat-checks.js';
import { UNENCODED_WORD, type OperandReader } from './operand-reader.js';
import type { FieldCheck, OperandPlan } from './operand-plan.js';
import { fieldValues, makeCheck, ONLY_ZERO } from './operand-plan.js';

const DWORD_BYTES = 4;
/** Dword of the shared literal. */
const LITERAL_WORD = 2;
/** Bit 0 of vdstY is not encoded: it is the opposite of vdstX's, which {@link PairInstruction} puts into a word behind all others. */
const PARITY_FIELD: FieldSlice = [UNENCODED_WORD * 32, 1, 0];
const VDST_X_SHIFT = 24;
/** Words of a pair. */
const PAIR_WORDS = 3;

/** One operation as one half of a pair can hold it. */
export interface HalfPlan {
  readonly mnemonic: string;
  readonly name: string;
  readonly operands: readonly OperandPlan[];
  readonly readers: readonly OperandReader[];
  readonly checks: readonly FieldCheck[];
  /** v_fmaak, v_fmamk: the literal is always there. */
  readonly hasLiteral: boolean;
  /** Entry of the same operation as a single instruction; undefined where there is none. */
  readonly single: number | undefined;
}

export interface PairPlan {
  readonly format: Format;
  readonly encoding: PairFormat;
  readonly x: HalfPlans;
  readonly y: HalfPlans;
  /** By both opcodes; null where the halves have no such operation, made when first met. */
  readonly candidates: (PairCandidate | null | undefined)[];
}

/** Two operations as the decoder tries them. */
interface PairCandidate {
  readonly context: DecodeContext;
  readonly format: Format;
  readonly entry: number;
  readonly x: HalfPlan;
  readonly y: HalfPlan;
  readonly flat: FlatChecks;
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

  /** Opcodes of the operation that is printed so. */
  find(mnemonic: string): readonly number[] {
    return [...this.#operations.values()].filter((operation) => operation[1] === mnemonic).map(([code]) => code);
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
    this.#context = context;
    this.#plans = planPairs(context);
  }

  /** Whether the first word belongs to a pair format; its high half says it. */
  matches(word0: number): boolean {
    return this.#plans.some(({ encoding }) => ((word0 ^ encoding.value) & encoding.mask) === 0);
  }

  /** The pair, or why it is none: 0 no such operation, -1 an impossible operand, -2 too few bytes. */
  // hot
  decode(word0: number, word1: number, word2: number, left: number): PairInstruction | number {
    for (const plan of this.#plans) {
      const { mask, value, opX, opY } = plan.encoding;
      if (((word0 ^ value) & mask) !== 0) continue;
      const codes = (opcode(opX, word0, word1) << opY[1]) | opcode(opY, word0, word1);
      let candidate = plan.candidates[codes];
      if (candidate === undefined) candidate = this.#makeCandidate(plan, codes);
      if (candidate === null) return NO_MATCH;
      const size = candidate.flat.measure(word0, word1, word2, left);
      return size > 0 ? new PairInstruction(candidate, size, word0, word1, size > 8 ? word2 : 0) : size;
    }
    return NO_MATCH;
  }

  #makeCandidate(plan: PairPlan, codes: number): PairCandidate | null {
    const { format, encoding } = plan;
    const opcodesY = 2 ** encoding.opY[1];
    const x = plan.x.get(Math.floor(codes / opcodesY));
    const y = plan.y.get(codes % opcodesY);
    let candidate: PairCandidate | null = null;
    if (x && y) {
      const checks = [...x.checks, ...y.checks];
      if (!checks.every((check) => isFlatCheck(check, PAIR_WORDS))) throw new InternalError(`${format} has a field in pieces`);
      const hasLiteral = x.hasLiteral || y.hasLiteral;
      const words = hasLiteral || format === 'VOPD3' ? 3 : 2;
      const flat = new FlatChecks(checks, words * DWORD_BYTES, hasLiteral);
      candidate = { context: this.#context, format, entry: this.#context.table.entryCount + codes, x, y, flat };
    }
    plan.candidates[codes] = candidate;
    return candidate;
  }
}

interface PairHalf extends VopdHalf {
  readonly operands: readonly DecodedOperand[];
}

/** Two operations that a wave executes together. */
export class PairInstruction implements Instruction {
  readonly candidate: PairCandidate;
  readonly sizeBytes: number;
  readonly word0: number;
  readonly word1: number;
  readonly word2: number;
  knownHalves: readonly [PairHalf, PairHalf] | undefined = undefined;
  knownOperands: readonly DecodedOperand[] | undefined = undefined;

  constructor(candidate: PairCandidate, sizeBytes: number, word0: number, word1: number, word2: number) {
    this.candidate = candidate;
    this.sizeBytes = sizeBytes;
    this.word0 = word0;
    this.word1 = word1;
    this.word2 = word2;
  }

  get ok(): true {
    return true;
  }

  get instruction(): this {
    return this;
  }

  get context(): DecodeContext {
    return this.candidate.context;
  }

  get format(): Format {
    return this.candidate.format;
  }

  get extension(): Extension {
    return '';
  }

  get entry(): number {
    return this.candidate.entry;
  }

  get words(): readonly number[] {
    return [this.word0, this.word1, this.word2].slice(0, this.sizeBytes / DWORD_BYTES).map((word) => word >>> 0);
  }

  get mnemonic(): string {
    return `${this.candidate.x.mnemonic} :: ${this.candidate.y.mnemonic}`;
  }

  get name(): string {
    return this.mnemonic;
  }

  get vopd(): readonly [PairHalf, PairHalf] {
    this.knownHalves ??= this.#readHalves();
    return this.knownHalves;
  }

  /** The operands of the first half, then those of the second. */
  get operands(): readonly DecodedOperand[] {
    const [x, y] = this.vopd;
    this.knownOperands ??= x.operands.concat(y.operands);
    return this.knownOperands;
  }

  get implicitReads(): readonly string[] {
    return this.#union((entry) => this.context.table.implicitReads(entry));
  }

  get implicitWrites(): readonly string[] {
    return this.#union((entry) => this.context.table.implicitWrites(entry));
  }

  hasFlag(flag: string): boolean {
    return [this.candidate.x, this.candidate.y].some(
      ({ single }) => single !== undefined && this.context.table.flags(single).has(flag),
    );
  }

  /** The first half's operand of this name; ask the halves for the second's. */
  operand(name: string): DecodedOperand | undefined {
    return this.operands.find((operand) => operand.name === name);
  }

  #readHalves(): readonly [PairHalf, PairHalf] {
    return [this.#readHalf(this.candidate.x), this.#readHalf(this.candidate.y)];
  }

  // hot
  #readHalf({ mnemonic, name, readers }: HalfPlan): PairHalf {
    const { word0, word1 } = this;
    const parity = ~word1 >>> VDST_X_SHIFT;
    const extra = this.candidate.format === 'VOPD' ? parity : this.word2;
    const operands: DecodedOperand[] = [];
    for (let i = 0; i < readers.length; i++) {
      const reader = readers[i];
      if (reader !== undefined) operands.push(reader.find(word0, word1, extra) ?? this.#readOperand(reader, parity));
    }
    return { mnemonic, name, operands };
  }

  #readOperand(reader: OperandReader, parity: number): DecodedOperand {
    const words = scratch;
    words[0] = this.word0;
    words[1] = this.word1;
    words[2] = this.word2;
    words[UNENCODED_WORD] = parity;
    return reader.read(words, LITERAL_WORD);
  }

  #union(get: (entry: number) => readonly string[]): readonly string[] {
    const all = [this.candidate.x, this.candidate.y].flatMap(({ single }) => (single === undefined ? ['exec'] : get(single)));
    return [...new Set(all)];
  }
}

/** The words of the pair whose operands are being read, and the one that is not encoded. */
const scratch = new Int32Array(UNENCODED_WORD + 1);

function opcode([bit, width]: readonly [number, number], word0: number, word1: number): number {
  return ((bit < 32 ? word0 : word1) >>> (bit & 31)) & ((1 << width) - 1);
}

/** The pair formats of a generation. */
export function planPairs(context: DecodeContext): readonly PairPlan[] {
  const { table } = context;
  const formats: readonly Format[] = ['VOPD', 'VOPD3'];
  return formats.flatMap((format) => {
    const encoding = table.facts.pairs[format];
    const description = table.parts.vopd?.[format];
    return encoding && description ? [planPair(context, format, encoding, description)] : [];
  });
}

function planPair(context: DecodeContext, format: Format, encoding: PairFormat, description: VopdDescription): PairPlan {
  const layout = description.layout['12'];
  if (!layout) throw new InternalError(`${format} has no layout of 12 bytes`);
  const plan = (operations: readonly VopdOperation[], half: 'X' | 'Y'): HalfPlans =>
    new HalfPlans(operations, (operation) => planHalf(context, format, operation, half, layout));
  const candidates = Array.from({ length: 2 ** (encoding.opX[1] + encoding.opY[1]) }, () => undefined);
  return { format, encoding, x: plan(description.X, 'X'), y: plan(description.Y, 'Y'), candidates };
}

function planHalf(
  context: DecodeContext,
  format: Format,
  [, mnemonic, descriptions]: VopdOperation,
  half: 'X' | 'Y',
  layout: Readonly<Record<string, readonly FieldSlice[]>>,
): HalfPlan {
  const { table } = context;
  const name = mnemonic.replace('v_dual_', 'v_');
  const single = findSingle(table, name);
  const types = new Map(single === undefined ? [] : table.operandSet(single).map((operand) => [operand.n, operand.t ?? '']));
  const isAccumulator = descriptions.some((operand) => operand.n === `src2${half}`);
  const operands: OperandPlan[] = [];
  const checks: FieldCheck[] = [];
  const addOperand = (operandName: string, description: OperandDescription, slices: readonly FieldSlice[]): void => {
    const isResult = operandName === 'vdst';
    const bits = typeof description.w === 'number' ? description.w : WAVE_BITS;
    const modifiers = layout[`${description.n}_modifiers`];
    operands.push({
      name: operandName,
      description,
      bits,
      type: types.get(operandName) ?? description.t ?? '',
      isResult,
      isRead: !isResult || isAccumulator,
      slices,
      modifiers,
      hasSigns: modifiers !== undefined,
      halfBit: -1,
      selectsHalf: false,
      isMixed: false,
      unusedRest: undefined,
      signedBits: 0,
    });
    const values = fieldValues(table, description, slices, bits, true);
    if (values) checks.push(makeCheck(slices, values));
  };
  for (const description of descriptions) {
    if (description.k === 'mods') continue;
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
  if (layout['bitop3'] && name.startsWith('v_bitop2_')) addOperand('bitop3', BITOP_TABLE, layout['bitop3']);
  for (const unused of unusedFields(operands, descriptions, half, layout)) checks.push(makeCheck(unused, ONLY_ZERO));
  const readers = operands.map((operand) => context.readers.get(operand));
  return { mnemonic, name, operands, readers, checks, hasLiteral, single };
}

/** Pairs are for waves of 32 lanes. */
const WAVE_BITS = 32;
const BITOP_TABLE: OperandDescription = { n: 'bitop3', k: 'imm', c: 'bitop3' };

/** Fields of a half that its operation does not have. They must be 0. */
function unusedFields(
  operands: readonly OperandPlan[],
  descriptions: readonly OperandDescription[],
  half: 'X' | 'Y',
  layout: Readonly<Record<string, readonly FieldSlice[]>>,
): (readonly FieldSlice[])[] {
  const names = new Set(descriptions.map(({ n }) => n));
  // The truth table of v_bitop2 lies where a third source would.
  if (operands.some(({ name }) => name === 'bitop3')) names.add(`vsrc2${half}`);
  const fields = ['src0', 'vsrc1', 'vsrc2'].flatMap((name) => [`${name}${half}`, `${name}${half}_modifiers`]);
  return fields.flatMap((name) => (names.has(name) || !layout[name] ? [] : [layout[name]]));
}

/** Suffixes of the plain encodings. */
const PLAIN_SUFFIXES = ['', '_e32', '_e64'];

/** The plain VOP1 or VOP2 entry of an operation; its VOP3 entry where it has no shorter one. */
function findSingle(table: InstructionTable, name: string): number | undefined {
  const plain = PLAIN_SUFFIXES.flatMap((suffix) => table.entriesOf(name + suffix)).filter(
    (entry) => table.extension(entry) === '' || table.extension(entry) === 'LIT',
  );
  plain.sort((a, b) => a - b);
  return plain.find((entry) => /^VOP[12]$/.test(table.format(entry))) ?? plain.find((entry) => table.format(entry) === 'VOP3');
}
