import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../..', import.meta.url));

it('docs/environment.md names every variable that the packages read', () => {
  const page = readFileSync(new URL('../../../docs/environment.md', import.meta.url), 'utf8');
  const read = new Set<string>();
  for (const name of readdirSync(PACKAGES)) {
    for (const file of readdirSync(`${PACKAGES}/${name}/src`, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.includes('generated')) continue;
      const text = readFileSync(`${PACKAGES}/${name}/src/${file}`, 'utf8');
      for (const [, variable] of text.matchAll(/(?:env\[|isSet\()'([A-Z][A-Z0-9_]+)'/g)) read.add(variable!);
    }
  }
  expect(read.size).toBeGreaterThan(8);
  expect([...read].filter((variable) => !page.includes(`\`${variable}\``))).toEqual([]);
});
