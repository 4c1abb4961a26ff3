import type { TokenReader } from '@doorbell/isa';
import {
  STB_GLOBAL,
  STB_LOCAL,
  STB_WEAK,
  STT_FUNC,
  STT_NOTYPE,
  STT_OBJECT,
  STV_HIDDEN,
  STV_INTERNAL,
  STV_PROTECTED,
} from '../../elf/elf-constants.js';
import { asExpression, type SourceAssembler } from '../source-assembler.js';
import type { AsmSymbol } from '../symbols.js';
import { type DirectiveHandler, readList, readName, withTokens } from './handler.js';

const TYPES: Readonly<Record<string, number>> = {
  function: STT_FUNC,
  object: STT_OBJECT,
  notype: STT_NOTYPE,
  STT_FUNC,
  STT_OBJECT,
  STT_NOTYPE,
};

/** Directives that say something of symbols. */
export const SYMBOL_DIRECTIVES: Readonly<Record<string, DirectiveHandler>> = {
  '.globl': binding(STB_GLOBAL),
  '.global': binding(STB_GLOBAL),
  '.weak': binding(STB_WEAK),
  '.local': binding(STB_LOCAL),
  '.hidden': eachSymbol((symbol) => {
    symbol.visibility = STV_HIDDEN;
  }),
  '.internal': eachSymbol((symbol) => {
    symbol.visibility = STV_INTERNAL;
  }),
  '.protected': eachSymbol((symbol) => {
    symbol.visibility = STV_PROTECTED;
  }),
  '.type': withTokens((assembler, reader) => {
    const symbol = assembler.symbols.get(readName(reader, 'a symbol'));
    reader.skip(',');
    if (!reader.skip('@')) reader.skip('%');
    const token = reader.peek();
    const type = Object.hasOwn(TYPES, token.text) ? TYPES[token.text] : undefined;
    if (type === undefined) return reader.fail(['@function', '@object', '@notype']);
    reader.next();
    symbol.type = type;
  }),
  '.size': withTokens((assembler, reader) => {
    const symbol = assembler.symbols.get(readName(reader, 'a symbol'));
    reader.expect(',');
    const origin = assembler.place(reader.peek().column);
    symbol.size = { expression: asExpression(assembler.valueOrLater(assembler.expression(reader))), origin };
  }),
  '.set': assignment(true),
  '.equ': assignment(true),
  '.equiv': assignment(false),
};

function binding(value: number): DirectiveHandler {
  return eachSymbol((symbol) => {
    symbol.binding = value;
    symbol.hasBinding = true;
  });
}

function eachSymbol(change: (symbol: AsmSymbol) => void): DirectiveHandler {
  return withTokens((assembler, reader) => {
    readList(reader, () => {
      const { column } = reader.peek();
      const symbol = assembler.symbols.get(readName(reader, 'a symbol'));
      symbol.origin ??= assembler.place(column);
      change(symbol);
    });
  });
}

function assignment(isRedefinable: boolean): DirectiveHandler {
  return withTokens((assembler: SourceAssembler, reader: TokenReader) => {
    const name = readName(reader, 'a symbol');
    reader.expect(',');
    const value = assembler.valueOrLater(assembler.expression(reader));
    assembler.symbols.defineValue(name, asExpression(value), { isRedefinable, origin: assembler.place() });
  });
}
