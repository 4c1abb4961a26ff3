// The recorded programs that `npm test` runs without a compiler: code objects and the host's results, compressed.
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { GROUP, makeInputs } from './random.mjs';

/** Work-items that each function runs for: one workgroup. */
export const CASES = GROUP;
/** What the emulator executes. */
export const TARGETS = ['gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'];
/** Twenty functions for each target. */
export const RECORDED = [
  { seed: 1, level: '-O0', size: 'tiny', functions: 10 },
  { seed: 2, level: '-O3', size: 'small', functions: 10 },
];

const path = (seed, what) => new URL(`../fixtures/seed-${seed}.${what}.gz`, import.meta.url);
const pack = (bytes) => gzipSync(bytes, { level: 9 });
const unpack = (file) => new Uint8Array(gunzipSync(readFileSync(file)));

/** Keeps a program; the results are the same for all targets. */
export function writeFixture(seed, target, { codeObject, expected }) {
  writeFileSync(path(seed, `${target}.hsaco`), pack(codeObject));
  writeFileSync(path(seed, 'expected'), pack(new Uint8Array(expected.buffer)));
}

/** The program as it was recorded. */
export function readFixture(seed, target) {
  return {
    codeObject: unpack(path(seed, `${target}.hsaco`)),
    inputs: makeInputs(seed, CASES),
    expected: new Uint32Array(unpack(path(seed, 'expected')).buffer),
  };
}
