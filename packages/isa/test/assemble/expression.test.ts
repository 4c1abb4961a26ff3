import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SymbolScope } from '../../src/index.js';
import {
  AssemblySyntaxError,
  TokenReader,
  asSymbolSum,
  evaluate,
  evaluateAbsolute,
  parseExpression,
  tokenize,
  unescapeString,
} from '../../src/index.js';

const SYMBOLS: Readonly<Record<string, bigint>> = { two: 2n, 'a.b$': 7n };
const scope: SymbolScope = {
  here: { kind: 'place', section: '.text', offset: 16n },
  find(name) {
    if (name === 'start') return { kind: 'place', section: '.text', offset: 4n };
    if (name === 'data') return { kind: 'place', section: '.data', offset: 8n };
    const value = SYMBOLS[name];
    return value === undefined ? undefined : { kind: 'absolute', value };
  },
};
const parse = (text: string): ReturnType<typeof parseExpression> => parseExpression(new TokenReader(text));

/** Values that `llvm-mc-22 -triple=amdgcn` prints for `.quad TEXT`. */
it.each([
  ['1+2|4', 7n],
  ['1|2+4', 7n],
  ['-16>>2', 4611686018427387900n],
  ['3==3', -1n],
  ['4<3', 0n],
  ['3&&2', 1n],
  ['7&3==3', -1n],
  ['2*3<<1', 12n],
  ['1<<2*3', 12n],
  ['10-4-3', 3n],
  ['~1&3', 2n],
  ['!0', 1n],
  ['0||0', 0n],
  ['-7/2', -3n],
  ['-7%3', -1n],
  ['6^3|8', 13n],
  ['1<>2', -1n],
  ['0x10 + 0b11 + 017', 34n],
  ['two*a.b$', 14n],
  ['.-start', 12n],
  ['(. - start) / 4', 3n],
])('computes %s', (text, value) => {
  expect(evaluateAbsolute(parse(text), scope)).toBe(value);
});

it('keeps places, and says what is unknown or without value', () => {
  expect(evaluate(parse('start+4'), scope)).toEqual({ ok: true, value: { kind: 'place', section: '.text', offset: 8n } });
  expect(evaluate(parse('other-1'), scope)).toEqual({ ok: false, reason: 'unknown', name: 'other' });
  expect(evaluate(parse('1b'), scope)).toEqual({ ok: false, reason: 'unknown', name: '1b' });
  expect(evaluate(parse('start-data'), scope)).toMatchObject({ reason: 'invalid' });
  expect(evaluate(parse('1/0'), scope)).toMatchObject({ reason: 'invalid' });
  expect(evaluate(parse('1<<99'), scope)).toMatchObject({ reason: 'invalid' });
});

it('finds the symbol and the addend of a relocation', () => {
  expect(asSymbolSum(parse('x@rel32@lo+4'), scope)).toEqual({ name: 'x', modifier: 'rel32@lo', addend: 4n });
  expect(asSymbolSum(parse('two + x - (1 << 3)'), scope)).toEqual({ name: 'x', modifier: '', addend: -6n });
  expect(asSymbolSum(parse('x - y'), scope)).toBeUndefined();
});

it('names column and what was expected', () => {
  const failure = (text: string): unknown => {
    try {
      return parse(text);
    } catch (error) {
      return error instanceof AssemblySyntaxError ? error.failure : error;
    }
  };
  expect(failure('1 + ')).toMatchObject({ column: 5, expected: ['an integer', 'a symbol', "'('"] });
  expect(failure('(1 + 2')).toMatchObject({ column: 7, expected: ["')'"] });
  expect(failure('x@')).toMatchObject({ column: 3, expected: ['a relocation'] });
  expect(failure('('.repeat(10_000))).toMatchObject({ ok: false });
});

describe('tokenize', () => {
  it('tells numbers, names, strings and punctuation apart', () => {
    const kinds = tokenize('v1.l 0x1p3 1.5e-3 .5 1f 12 "a\\"b" :: << @ 3x').map(({ kind, text }) => `${kind} ${text}`);
    expect(kinds).toEqual([
      'name v1.l',
      'float 0x1p3',
      'float 1.5e-3',
      'float .5',
      'name 1f',
      'integer 12',
      'string a\\"b',
      'punctuation ::',
      'punctuation <<',
      'punctuation @',
      'invalid 3x',
      'end ',
    ]);
  });

  it('ends on any text with every character in a token', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab1x.0e"\\ +-<>&|:=@[('.split('')) }), (text) => {
        const tokens = tokenize(text);
        let end = 1;
        for (const token of tokens) {
          expect(text.slice(end - 1, token.column - 1).trim()).toBe('');
          end = token.end;
        }
        expect(end).toBe(text.length + 1);
      }),
      { numRuns: 500, seed: 3 },
    );
  });
});

it('resolves the escapes of strings', () => {
  expect(unescapeString('a\\n\\x41\\101\\"é')).toEqual(Uint8Array.of(97, 10, 65, 65, 34, 0xc3, 0xa9));
});
