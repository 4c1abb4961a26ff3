import type { DecodeContext } from '../decode/decode-context.js';
import type { HalfPlan, PairPlan } from '../decode/pairs.js';
import { UNENCODED_WORD } from '../decode/operand-reader.js';
import { planPairs } from '../decode/pairs.js';
import type { AssembledInstruction, SymbolScope } from './assembler.js';
import { Encoding, encodeOperand } from './encode-operand.js';
import type { InstructionWords } from './fields.js';
import { fieldBits } from './fields.js';
import { integerBetween } from './operand-text.js';
import type { OperandText, OperandParser } from './operand-text.js';
import type { TokenReader } from './token-reader.js';
import { AssemblySyntaxError } from './token-reader.js';
import { finishWords } from './finish.js';

const DWORD_BYTES = 4;
/** Words without a literal: VOPD3 has three, none of them a literal. */
const PAIR_WORDS: Readonly<Record<string, number>> = { VOPD: 2, VOPD3: 3 };
/** Where vdstX has its bit 0; that of vdstY is in the word that is not encoded. */
const VDST_X_SHIFT = 24;

const LONG_FIRST = 'v_dual_dot2acc_f32_bf16';

/** The operands of one half as they are written. */
type HalfText = readonly (OperandText | number)[];

/** Assembles two operations of one instruction: `v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v3, v4, v5`. */
export class PairAssembler {
  readonly #context: DecodeContext;
  readonly #operands: OperandParser;
  readonly #plans: readonly PairPlan[];

  constructor(context: DecodeContext, operands: OperandParser) {
    this.#context = context;
    this.#operands = operands;
    this.#plans = context.waveSize === 32 ? planPairs(context) : [];
  }

  /** Ways to read the text as a pair, each of which throws an {@link AssemblySyntaxError} where the text is something else. */
  attempts(reader: TokenReader, scope: SymbolScope): readonly (() => AssembledInstruction)[] {
    // LLVM 22 has this dot product as first operation only in the long form where there is one.
    const isLong = reader.is(LONG_FIRST);
    const plans = isLong ? this.#plans.toReversed() : this.#plans;
    return plans.map((plan) => () => this.#assemble(plan, reader, scope));
  }

  #assemble(plan: PairPlan, reader: TokenReader, scope: SymbolScope): AssembledInstruction {
    const [codeX, x] = half(reader, plan.x);
    const textsX = this.#readOperands(reader, scope, x);
    reader.expect('::');
    const [codeY, y] = half(reader, plan.y);
    const second = reader.peek();
    const textsY = this.#readOperands(reader, scope, y);
    if (!reader.isAtEnd) reader.fail(['the end of the line']);
    const { value, opX, opY } = plan.encoding;
    const encoding = new Encoding([value]);
    encoding.add([[opX[0], opX[1], 0]], codeX);
    encoding.add([[opY[0], opY[1], 0]], codeY);
    this.#encode(encoding, x, textsX);
    this.#encode(encoding, y, textsY);
    if (plan.format === 'VOPD') checkParity(encoding, second.column);
    return finishWords(encoding, { sizeBytes: (PAIR_WORDS[plan.format] ?? 2) * DWORD_BYTES, hasOwnLiteral: false });
  }

  #readOperands(reader: TokenReader, scope: SymbolScope, plan: HalfPlan): HalfText {
    return plan.operands.map((operand, i) => {
      if (i > 0) reader.skip(',');
      if (operand.description.k !== 'imm') return this.#operands.operand(reader, scope);
      reader.expect(operand.name);
      reader.expect(':');
      return integerBetween(reader, scope, 0, 2 ** fieldBits(operand.slices) - 1);
    });
  }

  #encode(encoding: Encoding, plan: HalfPlan, texts: HalfText): void {
    for (const [i, operand] of plan.operands.entries()) {
      const text = texts[i];
      if (typeof text === 'number') encoding.add(operand.slices, text);
      else if (text)
        encodeOperand(encoding, operand, text, {
          table: this.#context.table,
          bits: operand.bits,
          hasLiteral: true,
          takesSigns: true,
          // With a longer form for signs there is no need to.
          foldsSigns: this.#plans.length === 1,
          literalType: 'f32',
        });
    }
  }
}

/** The next mnemonic as an operation of one half. */
function half(reader: TokenReader, plans: PairPlan['x']): readonly [number, HalfPlan] {
  const [code] = plans.find(reader.peek().text.toLowerCase());
  const plan = code === undefined ? undefined : plans.get(code);
  if (code === undefined || !plan) reader.fail(['an operation that this half of a pair has']);
  reader.next();
  return [code, plan];
}

/** Bit 0 of the second destination is not in the encoding: it must be the opposite of the first's. */
function checkParity(encoding: InstructionWords, column: number): void {
  const { words } = encoding;
  const isOdd = ((words[UNENCODED_WORD] ?? 0) & 1) === 1;
  if (isOdd === (((words[1] ?? 0) >>> VDST_X_SHIFT) & 1) > 0) {
    throw new AssemblySyntaxError('both destinations are even, or both odd', column, ['an even destination and an odd one']);
  }
  words[UNENCODED_WORD] = 0;
}
