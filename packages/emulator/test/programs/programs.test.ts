import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assembleProgram } from './assemble-program.js';
import { generateProgram } from './generator.js';
import { compareRuns } from './run-program.js';
import { runOf } from './runs.js';

const RECORDED = new URL('./fixtures/programs.json', import.meta.url);
/**
 * What llvm-mc 22 made of the generator’s programs. 175 writes a lane that is not active (v_writelane) and is read later; 1035 has a
 * loop of one block that never goes round; 1185 loads at an address that comes from DPP8 with a computed lane mask and is known to be
 * uniform.
 */
const SEEDS = [7, 26, 63, 106, 164, 175, 1035, 1185];

if (process.env['DOORBELL_RECORD'] === '1') {
  const entries = SEEDS.flatMap((seed) =>
    ([32, 64] as const).map((waveSize) => ({
      seed,
      waveSize,
      code: Buffer.from(assembleProgram(generateProgram(seed, waveSize)).code).toString('base64'),
    })),
  );
  writeFileSync(RECORDED, `${JSON.stringify(entries, null, 2)}\n`);
}

// Safe: written above.
const programs = JSON.parse(readFileSync(RECORDED, 'utf8')) as { seed: number; waveSize: 32 | 64; code: string }[];

describe('whole programs run compiled as in the interpreter', () => {
  it.each(programs)('program $seed, wave$waveSize', ({ seed, waveSize, code }) => {
    expect(compareRuns({ code: Uint8Array.from(Buffer.from(code, 'base64')), waveSize }, runOf(seed))).toBe('');
  });

  // In baseline code alone: the sweep.
  it.each(programs)('program $seed, wave$waveSize, in baseline code and then in optimised code', ({ seed, waveSize, code }) => {
    const program = { code: Uint8Array.from(Buffer.from(code, 'base64')), waveSize };
    expect(compareRuns(program, runOf(seed, 'both'))).toBe('');
  });
});
