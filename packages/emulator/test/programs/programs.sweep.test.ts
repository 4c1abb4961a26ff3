import { requireTool } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { assembleProgram } from './assemble-program.js';
import { generateProgram } from './generator.js';
import { compareRuns } from './run-program.js';
import { runOf } from './runs.js';

/** DOORBELL_SEED says where to begin. */
const FIRST = Number(process.env['DOORBELL_SEED'] ?? 1000);

describe.skipIf(!requireTool('llvm-mc-22').available)('fresh programs run compiled as in the interpreter', () => {
  it.each(Array.from({ length: 60 }, (_, i) => FIRST + i))('program %i', { timeout: 60_000 }, (seed) => {
    for (const waveSize of [32, 64] as const) {
      const program = assembleProgram(generateProgram(seed, waveSize));
      for (const tier of ['optimised', 'baseline', 'both'] as const)
        expect(compareRuns(program, runOf(seed, tier)), `wave${waveSize}, ${tier}`).toBe('');
    }
  });
});
