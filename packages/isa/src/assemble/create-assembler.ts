import type { DecodeContext } from '../decode/decode-context.js';
import { OperandReaders } from '../decode/operand-reader.js';
import { instructionTable } from '../table/processors.js';
import { chooseWaveSize } from '../table/wave-size.js';
import type { Assembler, AssemblyFailure, AssemblyResult, SymbolScope } from './assembler.js';
import { EntryNames } from './candidates.js';
import { EntryAssemblers } from './entry-assembler.js';
import { OperandParser, specialRegisters } from './operand-text.js';
import { PairAssembler } from './pair-assembler.js';
import { TokenReader, AssemblySyntaxError } from './token-reader.js';

export interface AssemblerOptions {
  /** Lanes of a wave; default: 64 on gfx9 and CDNA, else 32. */
  readonly waveSize?: 32 | 64;
}

const NO_SYMBOLS: SymbolScope = { here: undefined, find: () => undefined };

/**
 * An assembler of single instructions for one processor and wave size: the text that the disassembler prints, and what people
 * write by hand.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT not a processor, or a wave size it does not have; ERR_NOT_SUPPORTED no table for it.
 * @example
 * const result = createAssembler('gfx1100').assemble('v_add_f32 v1, v2, 1.0');
 * if (result.ok) console.log(result.words.map((word) => word.toString(16)));
 */
export function createAssembler(processor: string, options: AssemblerOptions = {}): Assembler {
  const table = instructionTable(processor);
  const waveSize = chooseWaveSize(table, processor, options.waveSize);
  const key = `${processor}/${waveSize}`;
  let assembler = assemblers.get(key);
  if (!assembler) {
    assembler = new TableAssembler({ table, processor, waveSize, readers: new OperandReaders(table) });
    assemblers.set(key, assembler);
  }
  return assembler;
}

/** Assemblers keep nothing between calls, so that every caller of one target can have the same. */
const assemblers = new Map<string, Assembler>();

class TableAssembler implements Assembler {
  readonly processor: string;
  readonly waveSize: 32 | 64;
  readonly #names: EntryNames;
  readonly #entries: EntryAssemblers;
  readonly #pairs: PairAssembler;

  constructor(context: DecodeContext) {
    this.processor = context.processor;
    this.waveSize = context.waveSize;
    this.#names = new EntryNames(context);
    const operands = new OperandParser(specialRegisters(Object.values(context.table.facts.specials)));
    this.#entries = new EntryAssemblers(context, operands);
    this.#pairs = new PairAssembler(context, operands);
  }

  assemble(text: string, scope: SymbolScope = NO_SYMBOLS): AssemblyResult {
    const reader = new TokenReader(text);
    if (reader.has('::')) return firstOf(reader, this.#pairs.attempts(reader, scope), `${this.processor} has no pairs`);
    const mnemonic = reader.peek();
    const entries = mnemonic.kind === 'name' ? this.#names.find(mnemonic.text.toLowerCase()) : [];
    if (entries.length === 0) {
      const found = mnemonic.kind === 'end' ? 'nothing' : `'${mnemonic.text}'`;
      return {
        ok: false,
        message: `${found} is no instruction of ${this.processor}`,
        column: mnemonic.column,
        expected: ['a mnemonic'],
      };
    }
    reader.next();
    const attempts = entries.map((entry) => () => this.#entries.get(entry).assemble(reader, scope));
    return firstOf(reader, attempts, 'no encoding');
  }
}

/** The first attempt that fits; else the failure of the one that got furthest. */
function firstOf(reader: TokenReader, attempts: readonly (() => AssemblyResult)[], none: string): AssemblyResult {
  const start = reader.position;
  let best: AssemblyFailure | undefined;
  for (const assemble of attempts) {
    reader.position = start;
    const result = attempt(assemble);
    if (result.ok) return result;
    best = better(best, result);
  }
  if (best && best.column > 0) return best;
  while (!reader.isAtEnd) reader.next();
  return { message: none, expected: [], ...best, ok: false, column: reader.peek().column };
}

function attempt(assemble: () => AssemblyResult): AssemblyResult {
  try {
    return assemble();
  } catch (error) {
    if (error instanceof AssemblySyntaxError) return error.failure;
    throw error;
  }
}

/** Of the failures of two entries the one that got further; what both expect is joined. */
function better(first: AssemblyFailure | undefined, second: AssemblyFailure): AssemblyFailure {
  if (first === undefined || second.column > first.column) return second;
  if (second.column < first.column) return first;
  return { ...first, expected: [...new Set([...first.expected, ...second.expected])] };
}
