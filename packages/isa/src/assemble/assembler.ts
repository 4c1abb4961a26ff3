/** Assembler: the text of one instruction → its bytes. Lines, directives and symbols are code-object's (`assembleObject`). */
import type { Expression } from './expression.js';

/** What a name stands for in an expression. */
export type SymbolValue =
  | { readonly kind: 'absolute'; readonly value: bigint }
  /** A place in a section, bytes from its beginning. */
  | { readonly kind: 'place'; readonly section: string; readonly offset: bigint };

/** Names in sight of an instruction. */
export interface SymbolScope {
  /**
   * Undefined: not known (yet); the operand is left as a {@link Fixup}. As with llvm-mc, an absolute symbol that is known stands for
   * its number, which can be an inline constant; an unknown one is always a literal. So a symbol must be known in every pass or in
   * none.
   */
  find(name: string): SymbolValue | undefined;
  /** Where the instruction begins: `.` in expressions, and what branch distances count from. */
  readonly here: SymbolValue | undefined;
}

/** A field that an expression fills when its symbols are known; until then it holds 0. */
export interface Fixup {
  /** `branch`: 16-bit distance in dwords from the end of the instruction; `literal`: 32 bits; `literal64`: 64 bits. */
  readonly kind: 'branch' | 'literal' | 'literal64';
  /** Where the field begins, bytes from the instruction's beginning. */
  readonly offset: number;
  readonly expression: Expression;
}

export interface AssembledInstruction {
  readonly ok: true;
  /** Little-endian dwords, unsigned. */
  readonly words: readonly number[];
  readonly sizeBytes: number;
  /** Empty when every symbol was known. */
  readonly fixups: readonly Fixup[];
}

/** Why text is no instruction. */
export interface AssemblyFailure {
  readonly ok: false;
  readonly message: string;
  /** Of the place in the text, counted from 1. */
  readonly column: number;
  /** What could stand there: `a VGPR`, `','`, `an integer from 0 to 65535`; may be empty. */
  readonly expected: readonly string[];
}

export type AssemblyResult = AssembledInstruction | AssemblyFailure;

export interface Assembler {
  readonly processor: string;
  readonly waveSize: 32 | 64;
  /** Assembles one instruction without comment or label; never throws on text. */
  assemble(text: string, scope?: SymbolScope): AssemblyResult;
}
