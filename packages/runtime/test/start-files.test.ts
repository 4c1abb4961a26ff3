/** What a program loads before its first launch: everything that is imported without being asked for costs each start. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url));
/** Static imports and re-exports of values. */
const STATIC = /^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)';$/gm;

/** The file behind a specifier; undefined: not of this repository. */
function resolveFrom(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return resolve(dirname(file), specifier.replace(/\.js$/, '.ts'));
  const [, name, path] = /^@doorbell\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const manifest: unknown = JSON.parse(readFileSync(resolve(PACKAGES, name, 'package.json'), 'utf8'));
  const { exports } = manifest as { readonly exports: Readonly<Record<string, { readonly '@doorbell/source': string }>> };
  return resolve(PACKAGES, name, exports[`.${path ?? ''}`]!['@doorbell/source']);
}

function filesOf(...entries: readonly string[]): ReadonlySet<string> {
  const files = new Set(entries.map((entry) => resolve(PACKAGES, entry)));
  // A set gives what is added while it is walked.
  for (const file of files) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(STATIC)) {
      const found = resolveFrom(file, specifier);
      if (found !== undefined) files.add(found);
    }
  }
  return files;
}

const HEAVY =
  /^(?:isa|code-object.src.(?:assemble|write)|hotswap-tool.src.(?:retarget|report|verify)|thunk-loader.src.(?:hsakmt|platform))\W/;
const heavyOf = (...entries: readonly string[]): readonly string[] =>
  [...filesOf(...entries)].map((file) => file.slice(PACKAGES.length)).filter((file) => HEAVY.test(file));

it('loads no instruction sets, no rewriter, no assembler and no library search to open a device and launch', () => {
  expect(heavyOf('runtime/src/index.ts', 'runtime/src/api/open-device.ts')).toEqual([]);
  // They are there, behind the packages' whole entries.
  expect(heavyOf('runtime/src/layers.ts')).toContain(['isa', 'src', 'index.ts'].join(sep));
});

it('loads little more than the errors before it knows which device it opens', () => {
  const bytes = [...filesOf('runtime/src/index.ts')].reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThan(100_000);
});
