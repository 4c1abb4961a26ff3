import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { APPROXIMATE, fidelityOf, UNDOCUMENTED } from '../../emulator/src/semantics/approximate.js';
import { generationOf, semanticsOf } from '../../emulator/src/semantics/index.js';
import { hasEntry } from '../../isa/src/decode/lookup.js';
import { instructionTable } from '../../isa/src/table/processors.js';

/** Compares docs/fidelity.md with the tables of instructions and meanings; `DOORBELL_WRITE_DOCS=1` writes it instead. */
const PAGE = new URL('../../../docs/fidelity.md', import.meta.url);
const REASONS = new URL('../../emulator/test/semantics/', import.meta.url);
const TARGETS = [
  ['gfx90a', 64],
  ['gfx942', 64],
  ['gfx1030', 32],
  ['gfx1100', 32],
  ['gfx1201', 32],
  ['gfx1250', 32],
] as const;
/** Formats that compute does not use. */
const GRAPHICS = /^(?:MIMG|EXP|VINTERP|LDSDIR|VINTRP|VSAMPLE|VIMAGE)$/;

/** Names by format. */
function namesOf(processor: string, waveSize: 32 | 64): Map<string, Set<string>> {
  const table = instructionTable(processor);
  const formats = new Map<string, Set<string>>();
  for (let entry = 0; entry < table.entryCount; entry++) {
    if (!hasEntry(table, entry, processor, waveSize)) continue;
    const format = table.format(entry);
    formats.set(format, (formats.get(format) ?? new Set()).add(table.name(entry)));
  }
  return new Map([...formats].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Why names have no meaning: the lists that the emulator's coverage test keeps. */
function reasonsOf(family: string): ReadonlyMap<string, string> {
  const file = readdirSync(REASONS).find((name) => name === `uncovered-${family}.json`);
  if (file === undefined) return new Map();
  // Safe: the file has this shape.
  const listed = JSON.parse(readFileSync(new URL(file, REASONS), 'utf8')) as Record<string, string[]>;
  return new Map(Object.entries(listed).flatMap(([reason, names]) => names.map((name): [string, string] => [name, reason])));
}

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function targetSection(processor: string, waveSize: 32 | 64): string[] {
  const generation = generationOf(processor);
  const semantics = semanticsOf(generation);
  const reasons = reasonsOf(generation.family);
  const missing = new Map<string, Set<string>>();
  const rows: string[][] = [];
  for (const [format, names] of namesOf(processor, waveSize)) {
    const counts = { exact: 0, approximate: 0, undocumented: 0, unsupported: 0 };
    for (const name of names) {
      const standing = semantics.has(name) ? fidelityOf(name) : 'unsupported';
      counts[standing]++;
      if (standing !== 'unsupported') continue;
      const reason = GRAPHICS.test(format) ? 'images, exports, interpolation' : (reasons.get(name) ?? 'not yet');
      missing.set(reason, (missing.get(reason) ?? new Set()).add(name));
    }
    rows.push([format, ...Object.values(counts).map((count) => (count === 0 ? '' : String(count)))]);
  }
  const header = ['format', 'exact', 'approximate', 'rounding not documented', 'unsupported'];
  return [
    `## ${processor}`,
    '',
    ...table(header, rows),
    '',
    ...[...missing]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([reason, names]) =>
        GRAPHICS.test(reason) || reason.startsWith('images')
          ? `- ${reason}: ${names.size}`
          : `- ${reason} (${names.size}): ${code([...names].sort())}`,
      ),
    '',
  ];
}

/** A table with its columns padded, as prettier leaves it. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((cell, n) => Math.max(3, cell.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

function page(): string {
  const approximate = Object.entries(APPROXIMATE).map(([name, { ulps, how }]) => [`\`${name}\``, `${ulps} ulp`, how]);
  const undocumented = Object.entries(UNDOCUMENTED).map(([name, how]) => [`\`${name}\``, how]);
  return [
    '# How exact the emulated instructions are',
    '',
    'Written by `packages/cli/test/fidelity.test.ts` (`DOORBELL_WRITE_DOCS=1`) from the tables of instructions, and compared with them',
    'by the same test. Names count once in each encoding format; later names of one operation count under each name.',
    '',
    '- _Exact_: the result has the bits that AMD documents for every input, in every mode of MODE (rounding, denormals, clamp). Sign',
    '  and payload of a NaN are not meant: see [emulator.md](emulator.md).',
    '- _Approximate_: hardware keeps a bound only. What the emulator keeps is measured, in units of the last place (ulp) against',
    '  values of 113 bits, by `packages/emulator/test/semantics/approximate.sweep.test.ts`: every f16, 131,072 inputs of f32 and f64.',
    '- _Rounding not documented_: no public document says how hardware rounds or sums.',
    '- _Unsupported_: the wave stops with an illegal-instruction fault that names the instruction.',
    '',
    '## Approximate instructions',
    '',
    ...table(['instruction', 'error at most', 'how'], approximate),
    '',
    'f32 denormals are zeros for `v_rcp_f32`, `v_rsq_f32`, `v_exp_f32`, `v_log_f32`, `v_sin_f32` and `v_cos_f32`, whatever MODE says.',
    'Their rounding does not follow MODE.',
    '',
    '## Rounding not documented',
    '',
    ...table(['instruction', 'what the emulator does'], undocumented),
    '',
    ...TARGETS.flatMap(([processor, waveSize]) => targetSection(processor, waveSize)),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

describe('docs/fidelity.md', () => {
  it('says of every instruction whether it is exact, approximate or unsupported', () => {
    const text = page();
    if (process.env['DOORBELL_WRITE_DOCS'] === '1') writeFileSync(PAGE, text);
    expect(readFileSync(PAGE, 'utf8')).toBe(text);
  });
});
