import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requireTool } from '@doorbell/test-support';
import { GENERATED, readData } from '../../../tools/isa-generator/generate.mjs';
import type { EncodingCase } from '../../../tools/isa-generator/src/cases.mjs';
import { entryCases, immediateCases, pairCases } from '../../../tools/isa-generator/src/cases.mjs';
import { LLVM_MC, disassembleCases } from '../../../tools/isa-generator/src/llvm-mc.mjs';
import { textOf, toHex } from './support/encodings.js';

/** Differences that are known, each with its reason; a pattern of llvm-mc's text. */
interface KnownMiss {
  readonly generation: string;
  readonly llvm: string;
  readonly reason: string;
}

// Safe: the file is ours and has this shape.
const KNOWN = JSON.parse(readFileSync(new URL('./llvm-mc-misses.json', import.meta.url), 'utf8')) as readonly KnownMiss[];

const SEED = Number(process.env['DOORBELL_SEED'] ?? 1);

function compare(generation: string, cases: readonly EncodingCase[]): { unknown: string[]; known: number } {
  const patterns = KNOWN.filter((miss) => miss.generation === generation).map((miss) => new RegExp(miss.llvm));
  const expected = disassembleCases(cases);
  const unknown: string[] = [];
  let known = 0;
  cases.forEach(({ bytes, processor, waveSize }, i) => {
    const llvm = expected[i] ?? '';
    const ours = textOf(bytes, processor, waveSize);
    if (ours === llvm) return;
    if (patterns.some((pattern) => pattern.test(llvm))) known++;
    else unknown.push(`${processor}/${waveSize} ${toHex(bytes)}\n  llvm-mc: ${llvm}\n  ours:    ${ours}`);
  });
  console.log(`${generation}: ${cases.length} compared, ${known} known differences, ${unknown.length} others (seed ${SEED})`);
  return { unknown, known };
}

describe.skipIf(!requireTool(LLVM_MC).available)('against llvm-mc', () => {
  describe.each(GENERATED)('%s', (generation) => {
    const isa = readData(generation);

    it('prints every entry with random operands as llvm-mc does', { timeout: 300_000 }, () => {
      const cases = entryCases(isa, { perEntry: 8, seed: SEED });
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
