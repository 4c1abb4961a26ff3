import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One committed file and the command line that made it, run in the fixtures' folder. */
export interface Fixture {
  readonly file: string;
  readonly command: string;
}

export const FIXTURE_FOLDER: string = fileURLToPath(new URL('../fixtures/', import.meta.url));

// Safe: the file is ours, and fixtures.test.ts runs every command in it.
export const FIXTURES = JSON.parse(readFileSync(`${FIXTURE_FOLDER}fixtures.json`, 'utf8')) as readonly Fixture[];

/** Linked code objects among the fixtures. */
export const CODE_OBJECTS: readonly string[] = FIXTURES.map((fixture) => fixture.file).filter((file) => file.endsWith('.hsaco'));

/** A fresh copy of a fixture's bytes. */
export function fixture(file: string): Uint8Array {
  return new Uint8Array(readFileSync(FIXTURE_FOLDER + file));
}

/** A copy with the little-endian `value` of `sizeBytes` bytes at `offset`. */
export function patched(bytes: Uint8Array, offset: number, sizeBytes: 1 | 2 | 4 | 8, value: bigint | number): Uint8Array {
  const copy = bytes.slice();
  for (let index = 0; index < sizeBytes; index++) copy[offset + index] = Number((BigInt(value) >> BigInt(8 * index)) & 0xffn);
  return copy;
}

/** The error that `action` throws. */
export function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
