import { readFileSync } from 'node:fs';
import { expect, describe, it } from 'vitest';
import { GENERATIONS, generateModule, readData } from '../generate.mjs';
import { compress } from '../src/compress.mjs';
import { correct } from '../src/corrections.mjs';
import { addGenerics } from '../src/generics.mjs';
import { packTable } from '../src/pack.mjs';
import type { IsaDescription, IsaEntry } from '../src/synthesize.mjs';
import { packColumn, packWords } from '../src/vlq.mjs';
import { InstructionTable } from '../../../packages/isa/src/table/instruction-table.js';
import { expand } from '../../../packages/isa/src/table/expand.js';
import type { PackedTable } from '../../../packages/isa/src/table/packed-table.js';
import { unpackColumn, WordList } from '../../../packages/isa/src/table/vlq.js';

/** An entry rebuilt from the unpacked table, in the description's own terms. */
function entryOf(table: InstructionTable, index: number): unknown {
  const hex = (wordAt: (word: number) => number): string =>
    [3, 2, 1, 0].reduce((value, word) => (value << 32n) | BigInt(wordAt(word) >>> 0), 0n).toString(16);
  return {
    m: table.mnemonic(index),
    f: table.format(index),
    x: table.extension(index),
    op: table.opcode(index),
    sz: table.sizeBytes(index),
    mask: hex((word) => table.mask(index, word)),
    val: hex((word) => table.value(index, word)),
    l: Object.fromEntries(table.layout(index)),
    o: table.operandSet(index),
    i: [table.implicitReads(index), table.implicitWrites(index)],
    fl: [...table.flags(index)],
    cpu: table.cpuSet(index),
    w: table.waveSize(index),
    t16: ['', 'real', 'fake'][table.true16(index)],
    d: table.parts.tables[table.priority(index)],
    req: table.requirement(index),
    nsa: table.addressDwords(index),
    mimg: table.image(index),
  };
}

/** The same from the description itself, its references resolved. */
function expectedEntry(isa: IsaDescription, entry: IsaEntry): unknown {
  const hex = (text: string): string => BigInt(`0x${text}`).toString(16);
  return {
    m: entry.m,
    f: entry.f,
    x: entry.x ?? '',
    op: entry.op,
    sz: entry.sz,
    mask: hex(entry.mask),
    val: hex(entry.val),
    l: isa.layouts[entry.l],
    o: isa.opsets[entry.o],
    i: isa.impl[entry.i],
    fl: [...new Set(isa.flagsets[entry.fl])],
    cpu: entry.cpu === undefined ? undefined : isa.cpusets[entry.cpu],
    w: entry.w ?? 0,
    t16: entry.t16 ?? '',
    d: isa.tables[entry.d],
    req: entry.req,
    nsa: entry.nsa ?? 0,
    mimg: entry.mimg,
  };
}

describe('packing', () => {
  it.each(GENERATIONS)('keeps everything that %s says', (generation) => {
    const isa = addGenerics(correct(readData(generation)));
    // Safe: packTable writes exactly these members, but for the facts, which are empty here.
    const table = new InstructionTable({ ...packTable(isa), facts: {} } as unknown as PackedTable);
    expect(table.entryCount).toBe(isa.entries.length);
    expect(table.processors).toEqual(isa.cpus);
    expect(table.parts.vopd).toEqual(isa.vopd);
    const differing = isa.entries.findIndex(
      (entry, index) => JSON.stringify(entryOf(table, index)) !== JSON.stringify(expectedEntry(isa, entry)),
    );
    if (differing >= 0) expect(entryOf(table, differing)).toEqual(expectedEntry(isa, isa.entries[differing]!));
    expect(differing).toBe(-1);
  });

  it.each(GENERATIONS)('gives the committed module of %s again', (generation) => {
    const committed = readFileSync(new URL(`../../../packages/isa/src/generated/${generation}.ts`, import.meta.url), 'utf8');
    expect(generateModule(generation) === committed).toBe(true);
  });

  it('refuses an entry key that it would drop', () => {
    const isa = readData('gfx90a');
    const strange = { ...isa, entries: [{ ...isa.entries[0]!, news: 1 }] };
    expect(() => packTable(strange)).toThrow('unknown key news');
  });
});

describe('compression', () => {
  it.each([
    '',
    'a',
    'abcabcabcabcabc',
    'x'.repeat(1000),
    `${'0123456789'.repeat(1000)}abcdefgh${' !"#$%&()[]{}'.repeat(1000)}abcdefgh`,
  ])('comes back: %#', (text) => {
    expect(expand(compress(text), text.length)).toBe(text);
  });

  it('refuses what it could not tell from its references', () => {
    for (const text of ['~', '^', "'", '\\', 'é', '\n']) expect(() => compress(text)).toThrow('cannot be compressed');
  });

  it('of another length is refused', () => {
    expect(() => expand(compress('abc'), 4)).toThrow(RangeError);
  });
});

describe('columns', () => {
  it.each([[[]], [[0]], [[0, 0, 0, 0, 0, 0, 7]], [[5, 4, 4, 4, 4, 4]], [[0x7fffffff, 0, -0x80000000, 3]], [[-1, 1, -100]]])(
    'come back: %j',
    (values) => {
      expect([...unpackColumn(packColumn(values), values.length)]).toEqual(values);
    },
  );

  it('of another length are refused', () => {
    expect(() => unpackColumn(packColumn([1, 2]), 3)).toThrow(RangeError);
  });

  it('of words come back', () => {
    const words = ['a', 'ab', 'abc', 'b', `${'x'.repeat(70)}1`, `${'x'.repeat(70)}2`];
    const list = new WordList(packWords(words));
    expect(Array.from(words, (_, index) => list.at(index))).toEqual(words);
    expect(words.map((word) => list.indexOf(word))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(['', 'aa', 'z'].map((word) => list.indexOf(word))).toEqual([-1, -1, -1]);
  });
});
