import { type TokenReader, unescapeString } from '@doorbell/isa';
import { SourceError } from '../problems.js';
import { numberBytes } from '../resolve.js';
import type { SourceAssembler } from '../source-assembler.js';
import { type DirectiveHandler, readList, withTokens } from './handler.js';

/** Directives that add bytes to the section. */
export const DATA_DIRECTIVES: Readonly<Record<string, DirectiveHandler>> = {
  '.byte': numbers(1),
  '.short': numbers(2),
  '.half': numbers(2),
  '.hword': numbers(2),
  '.word': () => {
    throw new SourceError('.word has another size on every machine', { expected: ['.short', '.long'] });
  },
  '.2byte': numbers(2),
  '.value': numbers(2),
  '.long': numbers(4),
  '.int': numbers(4),
  '.4byte': numbers(4),
  '.quad': numbers(8),
  '.8byte': numbers(8),
  '.float': floats(4),
  '.single': floats(4),
  '.double': floats(8),
  '.ascii': strings(false),
  '.asciz': strings(true),
  '.string': strings(true),
  '.zero': withTokens(space),
  '.skip': withTokens(space),
  '.space': withTokens(space),
  '.fill': withTokens(fill),
  '.align': alignment(false, 1),
  '.balign': alignment(false, 1),
  '.balignw': alignment(false, 2),
  '.balignl': alignment(false, 4),
  '.p2align': alignment(true, 1),
  '.p2alignw': alignment(true, 2),
  '.p2alignl': alignment(true, 4),
  '.org': withTokens(origin),
};

function numbers(sizeBytes: 1 | 2 | 4 | 8): DirectiveHandler {
  return withTokens((assembler, reader) => {
    readList(reader, () => {
      const { column } = reader.peek();
      assembler.data(sizeBytes, assembler.expression(reader), column);
    });
  });
}

function floats(sizeBytes: 4 | 8): DirectiveHandler {
  return withTokens((assembler, reader) => {
    readList(reader, () => {
      const sign = reader.skip('-') ? -1 : (reader.skip('+'), 1);
      const token = reader.next();
      const value = ['float', 'integer', 'name'].includes(token.kind) ? floatOf(token.text) : undefined;
      if (value === undefined) return reader.fail(['a number'], token);
      const bytes = new Uint8Array(sizeBytes);
      const view = new DataView(bytes.buffer);
      if (sizeBytes === 4) view.setFloat32(0, sign * value, true);
      else view.setFloat64(0, sign * value, true);
      assembler.sections.write(bytes);
    });
  });
}

/** Decimal numbers, infinity and NaN. */
function floatOf(text: string): number | undefined {
  if (/^inf(inity)?$/i.test(text)) return Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  return /^\d*\.?\d*(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

function strings(isTerminated: boolean): DirectiveHandler {
  return withTokens((assembler, reader) => {
    readList(reader, () => {
      if (reader.peek().kind !== 'string') reader.fail(['a string']);
      // Strings side by side are one.
      while (reader.peek().kind === 'string') assembler.sections.write(unescapeString(reader.next().text));
      if (isTerminated) assembler.sections.write(new Uint8Array(1));
    });
  });
}

function space(assembler: SourceAssembler, reader: TokenReader): void {
  const count = countOf(assembler, reader);
  const value = reader.skip(',') ? assembler.absolute(reader, 'the value') : 0n;
  assembler.sections.fill(count, numberBytes(value, 1));
}

function fill(assembler: SourceAssembler, reader: TokenReader): void {
  const count = countOf(assembler, reader);
  const size = reader.skip(',') ? Number(assembler.absolute(reader, 'the size')) : 1;
  const value = reader.skip(',') ? assembler.absolute(reader, 'the value') : 0n;
  if (!(size >= 0 && size <= 8)) throw new SourceError(`the size is ${size}`, { expected: ['a number of bytes from 0 to 8'] });
  if (size === 0) return;
  const unit = new Uint8Array(size);
  // Four bytes of value at most, as GNU as and llvm-mc have it.
  unit.set(numberBytes(BigInt.asUintN(32, value), 8).subarray(0, Math.min(size, 4)));
  assembler.sections.fill(count, unit);
}

function countOf(assembler: SourceAssembler, reader: TokenReader): number {
  const { column } = reader.peek();
  const count = assembler.absolute(reader, 'the count');
  if (count < 0n || count > 0xffff_ffffn)
    throw new SourceError(`the count is ${count}`, { column, expected: ['a number that is not negative'] });
  return Number(count);
}

/** `.p2align N[, fill[, most]]` with a power of two, `.balign`, `.align` with bytes; `…w` and `…l` fill with 2 and 4 bytes. */
function alignment(isPower: boolean, fillBytes: 1 | 2 | 4): DirectiveHandler {
  return withTokens((assembler, reader) => {
    const { column } = reader.peek();
    const value = assembler.absolute(reader, 'the alignment');
    const hasFill = reader.skip(',') && !reader.isAtEnd && !reader.is(',');
    const filled = hasFill ? assembler.absolute(reader, 'the fill value') : undefined;
    const unit = filled === undefined ? undefined : numberBytes(filled, 8).subarray(0, fillBytes);
    const limit = reader.skip(',') ? Number(assembler.absolute(reader, 'the limit')) : 0;
    if (isPower && (value < 0n || value > 31n))
      throw new SourceError(`2^${value} is no alignment`, { column, expected: ['a number from 0 to 31'] });
    const bytes = isPower ? 2 ** Number(value) : Number(value);
    if (bytes === 0) return;
    if (!(bytes > 0 && bytes <= 2 ** 31 && Number.isInteger(Math.log2(bytes)))) {
      throw new SourceError(`${value} is no alignment`, { column, expected: ['a power of two'] });
    }
    assembler.sections.alignTo(bytes, unit, limit);
  });
}

function origin(assembler: SourceAssembler, reader: TokenReader): void {
  const { column } = reader.peek();
  const expression = assembler.expression(reader);
  const target = assembler.valueOrLater({
    kind: 'binary',
    operator: '-',
    left: expression,
    right: { kind: 'symbol', name: '.', modifier: '' },
  });
  const absolute = typeof target === 'bigint' ? target : undefined;
  const value = reader.skip(',') ? assembler.absolute(reader, 'the value') : 0n;
  if (absolute === undefined || absolute < 0n) {
    throw new SourceError('.org goes forward within the section', {
      column,
      expected: ['a place of this section that is known here'],
    });
  }
  assembler.sections.fill(Number(absolute), numberBytes(value, 1));
}
