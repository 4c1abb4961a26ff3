import { describe, expect, it } from 'vitest';
import { requireTool } from '@doorbell/test-support';
import { GENERATIONS, readData } from '../../../tools/isa-generator/generate.mjs';
import type { EncodingCase } from '../../../tools/isa-generator/src/cases.mjs';
import { entryCases, immediateCases, pairCases } from '../../../tools/isa-generator/src/cases.mjs';
import { LLVM_MC, disassembleCases } from '../../../tools/isa-generator/src/llvm-mc.mjs';
import { textOf, toHex } from './support/encodings.js';
import { isKnownMiss } from './support/known-misses.js';

const SEED = Number(process.env['DOORBELL_SEED'] ?? 1);

function compare(generation: string, cases: readonly EncodingCase[]): { unknown: string[]; known: number } {
  const expected = disassembleCases(cases);
  const unknown: string[] = [];
  let known = 0;
  cases.forEach(({ bytes, processor, waveSize }, i) => {
    const llvm = expected[i] ?? '';
    const ours = textOf(bytes, processor, waveSize);
    if (ours === llvm) return;
    if (isKnownMiss(generation, llvm, ours)) known++;
    else unknown.push(`${processor}/${waveSize} ${toHex(bytes)}\n  llvm-mc: ${llvm}\n  ours:    ${ours}`);
  });
  console.log(`${generation}: ${cases.length} compared, ${known} known differences, ${unknown.length} others (seed ${SEED})`);
  return { unknown, known };
}

describe.skipIf(!requireTool(LLVM_MC).available)('against llvm-mc', () => {
  describe.each(GENERATIONS)('%s', (generation) => {
    const isa = readData(generation);

    it('prints every entry with random operands as llvm-mc does', { timeout: 300_000 }, () => {
      const cases = entryCases(isa, { perEntry: Math.max(8, isa.cpus.length), seed: SEED });
      const { unknown, known } = compare(generation, cases);
      expect(unknown).toEqual([]);
      expect(known / cases.length).toBeLessThan(0.001);
    });

    it('prints every pair of operations', { timeout: 120_000 }, () => {
      expect(compare(generation, pairCases(isa, { perPair: 8, seed: SEED })).unknown).toEqual([]);
    });

    it('prints every value of the immediates that have words', { timeout: 300_000 }, () => {
      expect(compare(generation, immediateCases(isa, {})).unknown).toEqual([]);
    });
  });
});
