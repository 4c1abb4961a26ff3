import { describe, expect, it } from 'vitest';
import { requireTool } from '@doorbell/test-support';
import { GENERATIONS, readData } from '../../../../tools/isa-generator/generate.mjs';
import { assemblyCases } from '../../../../tools/isa-generator/src/assembly-cases.mjs';
import { LLVM_MC } from '../../../../tools/isa-generator/src/llvm-mc.mjs';
import { assembleToHex, isKnownAssemblyMiss } from '../support/assembly.js';

const SEED = Number(process.env['DOORBELL_SEED'] ?? 1);

describe.skipIf(!requireTool(LLVM_MC).available)('assembler against llvm-mc', () => {
  it.each(GENERATIONS)('makes the same bytes of every entry of %s', { timeout: 600_000 }, (generation) => {
    const cases = assemblyCases(readData(generation), { perEntry: 8, immediateStep: 7, seed: SEED });
    const unknown: string[] = [];
    let known = 0;
    for (const { processor, waveSize, text, hex } of cases) {
      const ours = assembleToHex(text, processor, waveSize);
      if (ours === hex) continue;
      if (isKnownAssemblyMiss(generation, text)) known++;
      else unknown.push(`${processor}/${waveSize} ${text}\n  llvm-mc: ${hex}\n  ours:    ${ours}`);
    }
    console.log(`${generation}: ${cases.length} texts, ${known} known differences, ${unknown.length} others (seed ${SEED})`);
    expect(unknown).toEqual([]);
    expect(known / cases.length).toBeLessThan(0.001);
  });
});
