import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compareProcessors, createAssembler, type InstructionFate } from '../../src/index.js';
import { fromHex } from '../support/encodings.js';
import { expectLlvmAnswers, type MemberAnswers } from './members.js';

/** Made by tools/isa-generator/record-members.mjs. */
function readRecording(): readonly MemberAnswers[] {
  const packed = readFileSync(new URL('../fixtures/members-llvm-mc-22.tsv.br', import.meta.url));
  return brotliDecompressSync(packed)
    .toString()
    .split('\n')
    .map((line) => {
      const [members = '', waveSize, hex = '', letters = ''] = line.split('\t');
      return { members: members.split(' '), waveSize: waveSize === '64' ? 64 : 32, bytes: fromHex(hex), letters };
    });
}

/** Of a text for the source. */
function fateOf(text: string, source: string, target: string): InstructionFate {
  const assembled = createAssembler(source).assemble(text);
  if (!assembled.ok) throw new Error(assembled.message);
  const bytes = new Uint8Array(Uint32Array.from(assembled.words).buffer);
  const comparison = compareProcessors(source, target);
  const decoded = comparison.source.decode(bytes, 0);
  if (!decoded.ok) throw new Error(decoded.failure.message);
  return comparison.fateOf(decoded.instruction, bytes, 0);
}

describe('the processors of a table', () => {
  it('differ where llvm-mc 22 says that they do, and nowhere else', () => {
    expect(expectLlvmAnswers(readRecording())).toBeGreaterThan(10_000);
  });

  // llvm-mc-22 -mcpu=<target> refuses the texts of the last three; it disassembles v_mad_mix as v_fma_mix for gfx906.
  it.each([
    ['v_add_f32 v0, v1, v2', 'gfx1100', 'gfx1150', 'same'],
    ['s_add_f32 s0, s1, s2', 'gfx1150', 'gfx1151', 'same'],
    ['v_mad_mix_f32 v0, v1, v2, v3', 'gfx900', 'gfx906', 'different'],
    ['s_add_f32 s0, s1, s2', 'gfx1150', 'gfx1100', 'missing'],
    ['v_dot4_i32_i8 v0, v1, v2, v3', 'gfx1011', 'gfx1010', 'missing'],
    ['v_add_f32_e64_dpp v0, v1, s2 row_mask:0xf bank_mask:0xf quad_perm:[0,1,2,3]', 'gfx1150', 'gfx1100', 'operand'],
  ] as const)('%s of %s is on %s: %s', (text, source, target, fate) => {
    expect(fateOf(text, source, target)).toBe(fate);
  });
});

describe('processors of different tables', () => {
  // llvm-mc-22 -disassemble for the target prints the bytes as the same text, as another one, or not at all.
  it.each([
    ['v_add_f32_e32 v0, v1, v2', 'gfx1100', 'gfx1201', 'same'],
    ['s_or_b32 s0, s1, s2', 'gfx1030', 'gfx1100', 'different'],
    ['global_load_b32 v2, v[2:3], off', 'gfx1100', 'gfx1201', 'missing'],
  ] as const)('%s of %s is on %s: %s', (text, source, target, fate) => {
    expect(fateOf(text, source, target)).toBe(fate);
  });
});
