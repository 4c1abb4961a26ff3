import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipReason } from '@doorbell/test-support';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseElf, readLineTable } from '../../src/index.js';
import { fixture } from '../support/fixtures.js';

const missing = skipReason('clang-22', 'llvm-symbolizer-22');
const skipped = missing === '' ? '' : ` (skipped: ${missing})`;

const SOURCE = `
#include "inlined.h"
__kernel void first(__global uint *out, uint n) {
  uint i = __builtin_amdgcn_workitem_id_x();
  if (i >= n) return;
  out[i] = helper(n, i)
    + out[i + 1];
}
__kernel void second(__global float *out) {
  for (int k = 0; k < 10; k++)
    out[k] = out[k] * 2.0f;
}
`;
const HEADER = `static inline uint helper(uint a, uint b) {
  return a /
    (b | 1u);
}
`;

interface Compiled {
  readonly bytes: Uint8Array;
  /** Virtual address → what llvm-symbolizer says: path, line, column. */
  readonly expected: ReadonlyMap<bigint, string>;
}

const compiled = new Map<string, Compiled>();

function compile(...flags: readonly string[]): Compiled {
  const known = compiled.get(flags.join()) ?? compileNow(flags);
  compiled.set(flags.join(), known);
  return known;
}

function compileNow(flags: readonly string[]): Compiled {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-lines-'));
  try {
    writeFileSync(join(folder, 'kernel.cl'), SOURCE);
    writeFileSync(join(folder, 'inlined.h'), HEADER);
    const language = ['-x', 'cl', '-cl-std=CL2.0', '-Xclang', '-finclude-default-header', '-w', '-nogpulib'];
    const target = ['-target', 'amdgcn-amd-amdhsa', '-mcpu=gfx1100'];
    execFileSync('clang-22', [...language, ...target, '-g', ...flags, 'kernel.cl', '-o', 'kernel.hsaco'], { cwd: folder });
    const bytes = new Uint8Array(readFileSync(join(folder, 'kernel.hsaco')));
    const text = parseElf(bytes).sections.find(({ name }) => name === '.text');
    if (text === undefined) throw new Error('no .text');
    const addresses: bigint[] = [];
    for (let at = text.vaddr; at < text.vaddr + text.sizeBytes; at += 4n) addresses.push(at);
    const names = addresses.map((at) => `0x${at.toString(16)}`);
    const args = ['--obj=kernel.hsaco', '--output-style=JSON', ...names];
    const answers = execFileSync('llvm-symbolizer-22', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 });
    const expected = new Map<bigint, string>();
    // Safe: llvm-symbolizer's JSON has this shape; the first frame is the innermost.
    const rows = JSON.parse(answers) as readonly {
      readonly Address: string;
      readonly Symbol?: readonly { readonly FileName: string; readonly Line: number; readonly Column: number }[];
    }[];
    for (const { Address, Symbol: frames } of rows) {
      const frame = frames?.[0];
      if (frame !== undefined && frame.FileName !== '') {
        expected.set(BigInt(Address), `${frame.FileName}:${frame.Line}:${frame.Column}`);
      }
    }
    return { bytes, expected };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The paths that clang records are relative to the working folder in some versions: their ends are compared. */
function normal(path: string): string {
  return path.replace(/^.*\/(kernel\.cl|inlined\.h)/, '$1');
}

describe.skipIf(missing !== '')(`source lines agree with llvm-symbolizer${skipped}`, () => {
  it.each([
    [['-O2', '-gdwarf-5']],
    [['-O0', '-gdwarf-5']],
    [['-O2', '-gdwarf-4']],
    [['-O2', '-gdwarf-3']],
    [['-O2', '-gdwarf-2']],
    [['-O2', '-gdwarf-5', '-gdwarf64']],
  ])('at every address, %j', (flags) => {
    const { bytes, expected } = compile(...flags);
    const table = readLineTable(parseElf(bytes));
    expect(table.problems).toEqual([]);
    expect(expected.size).toBeGreaterThan(30);
    for (const [address, place] of expected) {
      const found = table.find(address);
      const ours = found === undefined ? 'nothing' : `${found.file}:${found.line}:${found.column}`;
      expect([address, normal(ours)]).toEqual([address, normal(place)]);
    }
    expect([...expected.values()].some((place) => place.includes('inlined.h:'))).toBe(true);
  });

  it('knows nothing of other addresses', () => {
    const table = readLineTable(parseElf(compile('-O2', '-gdwarf-5').bytes));
    expect(table.find(0n)).toBeUndefined();
    expect(table.find(1n << 40n)).toBeUndefined();
  });

  it('says that compressed sections are not read', () => {
    const elf = parseElf(compile('-O2', '-gdwarf-5').bytes);
    const sections = elf.sections.map((each) => (each.name === '.debug_line' ? { ...each, flags: 0x800n } : each));
    const table = readLineTable({ ...elf, sections });
    expect(table.problems).toEqual(['.debug_line is compressed']);
    expect(table.find(0x1700n)).toBeUndefined();
  });

  it('never throws on damaged debug sections', () => {
    const { bytes } = compile('-O2', '-gdwarf-5');
    const elf = parseElf(bytes);
    const debug = elf.sections.filter(({ name }) => name.startsWith('.debug_'));
    const change = fc.record({
      section: fc.constantFrom(...debug),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      value: fc.integer({ min: 0, max: 255 }),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), fc.boolean(), (changes, isCut) => {
        const damaged = bytes.slice();
        for (const { section, at, value } of changes) {
          damaged[Number(section.fileOffset) + Math.floor(at * (Number(section.sizeBytes) - 1))] = value;
        }
        const table = readLineTable({ ...elf, bytes: isCut ? damaged.subarray(0, bytes.length / 2) : damaged });
        for (const address of [0n, 0x1600n, 0x1700n]) table.find(address);
      }),
      { numRuns: 500, endOnFailure: true },
    );
  });
});

describe('a code object without debug information', () => {
  it('has no lines and no problems', () => {
    const table = readLineTable(parseElf(fixture('gfx1100-v5.hsaco')));
    expect(table.problems).toEqual([]);
    expect(table.find(0x1600n)).toBeUndefined();
  });
});
