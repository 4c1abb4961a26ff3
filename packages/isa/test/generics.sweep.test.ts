import { describe, expect, it } from 'vitest';
import { requireTool } from '@doorbell/test-support';
import { readData } from '../../../tools/isa-generator/generate.mjs';
import type { EncodingCase } from '../../../tools/isa-generator/src/cases.mjs';
import { entryCases, immediateCases } from '../../../tools/isa-generator/src/cases.mjs';
import { LLVM_MC, disassembleCases, isAccepted } from '../../../tools/isa-generator/src/llvm-mc.mjs';
import { instructionTable } from '../src/table/processors.js';
import { textOf, toHex } from './support/encodings.js';
import { isKnownMiss } from './support/known-misses.js';

const SEED = Number(process.env['DOORBELL_SEED'] ?? 1);
/** Those that llvm-mc 22 knows. */
const GENERICS = ['gfx9-generic', 'gfx9-4-generic', 'gfx10-1-generic', 'gfx10-3-generic', 'gfx11-generic', 'gfx12-generic'];

/** Its text, or '' for what it does not take. */
function accepted(llvm = ''): string {
  return isAccepted(llvm) ? llvm : '';
}

describe.skipIf(!requireTool(LLVM_MC).available)('generic processors against llvm-mc', () => {
  it.each(GENERICS)(
    '%s has the instructions of its table that llvm-mc takes, in the same words',
    { timeout: 300_000 },
    (generic) => {
      const { generation } = instructionTable(generic);
      const isa = readData(generation);
      const cases: EncodingCase[] = [...entryCases(isa, { perEntry: 3, seed: SEED }), ...immediateCases(isa, { step: 41 })].map(
        (one) => ({ ...one, processor: generic }),
      );
      const texts = disassembleCases(cases);
      const differences = cases
        .map(({ bytes, waveSize }, i) => ({ bytes, llvm: accepted(texts[i]), ours: textOf(bytes, generic, waveSize) }))
        .filter(({ llvm, ours }) => llvm !== ours && !isKnownMiss(generation, llvm, ours));
      console.log(`${generic}: ${cases.length} compared, ${differences.length} differences (seed ${SEED})`);
      expect(differences.map(({ bytes, llvm, ours }) => `${toHex(bytes)}\n  llvm-mc: ${llvm}\n  ours:    ${ours}`)).toEqual([]);
    },
  );
});
