// The recorded programs that `npm test` runs without a compiler: code objects and the host's results, compressed.
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { makeInputs } from './random.mjs';

export const FUNCTIONS = 50;
export const CASES = 64;
/** Four programs of 50 functions; each level of optimisation is there. */
export const RECORDED = [
  { seed: 1, level: '-O1' },
  { seed: 2, level: '-O2' },
  { seed: 3, level: '-O3' },
  { seed: 4, level: '-O2' },
];

const path = (seed, what) => new URL(`../fixtures/seed-${seed}.${what}.gz`, import.meta.url);

export function writeFixture(seed, { codeObject, expected }) {
  writeFileSync(path(seed, 'gfx1100.hsaco'), gzipSync(codeObject, { level: 9 }));
  writeFileSync(path(seed, 'expected'), gzipSync(new Uint8Array(expected.buffer), { level: 9 }));
}

/** What {@link makeDifferential} gave when the fixture was recorded. */
export function readFixture(seed) {
  const expected = new Uint8Array(gunzipSync(readFileSync(path(seed, 'expected'))));
  return {
    codeObject: new Uint8Array(gunzipSync(readFileSync(path(seed, 'gfx1100.hsaco')))),
    inputs: makeInputs(seed, CASES),
    expected: new Uint32Array(expected.buffer),
  };
}
