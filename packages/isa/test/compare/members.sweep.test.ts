import { describe, expect, it } from 'vitest';
import { requireTool } from '@doorbell/test-support';
import { readData } from '../../../../tools/isa-generator/generate.mjs';
import { LLVM_MC } from '../../../../tools/isa-generator/src/llvm-mc.mjs';
import { FAMILIES, memberCases, waveSizesOf } from '../../../../tools/isa-generator/src/members.mjs';
import { expectLlvmAnswers } from './members.js';

const SEED = Number(process.env['DOORBELL_SEED'] ?? 1);

describe.skipIf(!requireTool(LLVM_MC).available)('members of a family against llvm-mc', () => {
  it.each(FAMILIES)('$members differ as llvm-mc says', { timeout: 900_000 }, ({ generation, members }) => {
    for (const waveSize of waveSizesOf(generation)) {
      const cases = memberCases(readData(generation), { members, waveSize, perEntry: 6, seed: SEED });
      const compared = expectLlvmAnswers(cases.map(({ bytes, letters }) => ({ members, waveSize, bytes, letters })));
      console.log(
        `${members.join(' ')}, waves of ${waveSize}: ${cases.length} encodings, ${compared} comparisons (seed ${SEED})`,
      );
      expect(compared).toBeGreaterThan(0);
    }
  });
});
