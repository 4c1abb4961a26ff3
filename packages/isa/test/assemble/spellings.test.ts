import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requireTool } from '@doorbell/test-support';
import { LLVM_MC, assembleWithLlvm } from '../../../../tools/isa-generator/src/llvm-mc.mjs';
import type { SymbolScope } from '../../src/index.js';
import { createAssembler } from '../../src/index.js';
import { assembleToHex } from '../support/assembly.js';

/** What people write by hand: processor, text, and what `llvm-mc-22 -show-encoding` makes of it. */
// Safe: the file is ours and has this shape.
const SPELLINGS = JSON.parse(readFileSync(new URL('./spellings.json', import.meta.url), 'utf8')) as [string, string, string][];

function waveSize(processor: string): 32 | 64 {
  return processor.startsWith('gfx9') ? 64 : 32;
}

it('reads what people write as llvm-mc does', () => {
  const differences = SPELLINGS.filter(([processor, text, hex]) => assembleToHex(text, processor, waveSize(processor)) !== hex);
  expect(SPELLINGS.length).toBeGreaterThan(200);
  expect(
    differences.map(([processor, text]) => `${processor} ${text}: ${assembleToHex(text, processor, waveSize(processor))}`),
  ).toEqual([]);
});

describe.skipIf(!requireTool(LLVM_MC).available)('with llvm-mc', () => {
  it('has recorded what llvm-mc says', () => {
    for (const processor of new Set(SPELLINGS.map(([name]) => name))) {
      const rows = SPELLINGS.filter(([name]) => name === processor);
      const answers = assembleWithLlvm(
        rows.map(([, text]) => text),
        { processor, waveSize: waveSize(processor) },
      );
      expect(rows.map(([, , hex]) => hex)).toEqual(answers);
    }
  });
});

describe('symbols', () => {
  const scope: SymbolScope = {
    here: { kind: 'place', section: '.text', offset: 0x100n },
    find(name) {
      if (name === 'size') return { kind: 'absolute', value: 64n };
      if (name === 'big') return { kind: 'absolute', value: 1000n };
      if (name === 'back') return { kind: 'place', section: '.text', offset: 0xf0n };
      return name === 'data' ? { kind: 'place', section: '.data', offset: 0n } : undefined;
    },
  };
  const assembler = createAssembler('gfx1100');

  it('takes absolute ones as numbers', () => {
    expect(assembler.assemble('s_mov_b32 s0, size', scope)).toMatchObject({ words: [0xbe8000c0], fixups: [] });
    expect(assembler.assemble('s_mov_b32 s0, big + 24', scope)).toMatchObject({ words: [0xbe8000ff, 1024], fixups: [] });
    expect(assembler.assemble('v_mov_b32 v[size / 32], 0', scope)).toMatchObject({ words: [0x7e040280] });
    expect(assembler.assemble('s_waitcnt lgkmcnt(size - 64)', scope)).toMatchObject({ words: [0xbf89fc07] });
    expect(assembler.assemble('global_load_b32 v1, v[2:3], off offset:size', scope)).toMatchObject({
      words: [0xdc520040, 0x017c0002],
    });
  });

  it('leaves unknown ones for later', () => {
    const expression = { kind: 'symbol', name: 'later', modifier: '' };
    expect(assembler.assemble('s_add_u32 s0, s1, later', scope)).toMatchObject({
      words: [0x8000ff01, 0],
      fixups: [{ kind: 'literal', offset: 4, expression }],
    });
    expect(assembler.assemble('s_cbranch_scc0 later', scope)).toMatchObject({
      words: [0xbfa10000],
      fixups: [{ kind: 'branch', offset: 0, expression }],
    });
    const relocation = { kind: 'symbol', name: 'data', modifier: 'rel32@lo' };
    expect(assembler.assemble('s_add_u32 s2, s2, data@rel32@lo+4', scope)).toMatchObject({
      fixups: [{ kind: 'literal', offset: 4, expression: { kind: 'binary', operator: '+', left: relocation } }],
    });
    expect(createAssembler('gfx1250').assemble('s_mov_b64 s[0:1], later', scope)).toMatchObject({
      sizeBytes: 12,
      fixups: [{ kind: 'literal64', offset: 4 }],
    });
  });

  it('counts branches from the end of the instruction', () => {
    expect(assembler.assemble('s_branch back', scope)).toMatchObject({ words: [0xbfa0fffb], fixups: [] });
    expect(assembler.assemble('s_branch . + 8', scope)).toMatchObject({ words: [0xbfa00001], fixups: [] });
  });
});
