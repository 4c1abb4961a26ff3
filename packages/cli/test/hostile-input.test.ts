import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeObjectFixture, fixture, run } from './support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'doorbell-hostile-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** xorshift32: the same numbers everywhere. */
function numbers(seed: number): (below: number) => number {
  let state = Math.imul(seed, 0x9e37_79b9) | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** A result, or one message for people: no stack, no bug of ours. */
async function endsWell(argv: readonly string[]): Promise<number> {
  const { code, out, err } = await run(argv);
  expect([0, 1, 2, 3]).toContain(code);
  expect(err).not.toMatch(/^\s+at .*:\d+:\d+|please report|undefined(?! symbol)|\[object/im);
  // A plan that is refused is a result too.
  if (code !== 0) expect(err + out).not.toBe('');
  expect(out).not.toMatch(/undefined|\[object/);
  return code;
}

const ELFS = [
  fixture('fixtures/arguments.gfx1100.hsaco'),
  fixture('fixtures/vadd.gfx90a.hsaco'),
  codeObjectFixture('gfx1100-v5.hsaco'),
];

describe.each([['disasm'], ['inspect'], ['hotswap', 'inspect'], ['hotswap', 'plan', '--target', 'gfx1101']])(
  'doorbell %s %s',
  (...command) => {
    it.each(ELFS)('ends well with damage of %s', async (path) => {
      const whole = new Uint8Array(readFileSync(path));
      const file = join(folder, 'damaged.hsaco');
      const codes = new Set<number>();
      for (let seed = 1; seed <= 30; seed++) {
        const next = numbers(seed);
        let bytes = whole.slice();
        if (seed % 3 === 0) bytes = bytes.subarray(0, next(bytes.length));
        // The first bytes are the file's header, the last ones the tables of sections and names.
        else
          for (let count = next(6); count >= 0; count--) bytes[next(2) === 0 ? next(256) : next(bytes.length)]! ^= 1 << next(8);
        writeFileSync(file, bytes);
        codes.add(await endsWell([...command, file]));
      }
      expect(codes).toContain(1);
    });

    it('ends well with what is no code object', async () => {
      const file = join(folder, 'garbage');
      const next = numbers(99);
      for (const bytes of [
        new Uint8Array(),
        Uint8Array.of(0x7f, 0x45, 0x4c, 0x46),
        Uint8Array.from({ length: 5000 }, () => next(256)),
        new TextEncoder().encode('__CLANG_OFFLOAD_BUNDLE__\xff\xff\xff\xff'),
        Uint8Array.from({ length: 64 }, (_, i) => (i < 24 ? '__CLANG_OFFLOAD_BUNDLE__'.charCodeAt(i) : 0xff)),
      ]) {
        writeFileSync(file, bytes);
        expect(await endsWell([...command, file])).toBe(1);
      }
    });
  },
);

describe('doorbell asm', () => {
  const text = readFileSync(codeObjectFixture('assemble/vadd.gfx1100.s'), 'utf8');

  it('ends well with damaged source', async () => {
    const file = join(folder, 'damaged.s');
    const pieces = [
      '.amdhsa_',
      '((',
      '"',
      '\\',
      ';',
      '//',
      '/*',
      '0x',
      'v[0:',
      ':',
      '.set x, x+1',
      '.fill 1<<40',
      '\0',
      'é',
      '1e999',
      '.align 99',
    ];
    for (let seed = 1; seed <= 60; seed++) {
      const next = numbers(seed);
      let damaged = text;
      for (let count = next(6); count >= 0; count--) {
        const at = next(damaged.length);
        const piece = pieces[next(pieces.length)]!;
        damaged = next(3) === 0 ? damaged.slice(0, at) : damaged.slice(0, at) + piece + damaged.slice(at + next(12));
      }
      writeFileSync(file, damaged);
      await endsWell(['asm', file, '--target', 'gfx1100', '-o', join(folder, 'out.hsaco')]);
    }
  });
});
