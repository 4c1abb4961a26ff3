import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { UPSTREAM_SUITES } from './upstream-tests.js';

const PAGE = new URL('../../../docs/hotswap-tests.md', import.meta.url);
const PACKAGES = fileURLToPath(new URL('../../', import.meta.url));
const SEARCHED = ['hotswap-tool', 'code-object', 'runtime', 'cli'];

interface TestFile {
  /** From the folder of packages on. */
  readonly path: string;
  readonly text: string;
}

function readTestFiles(): readonly TestFile[] {
  return SEARCHED.flatMap((name) =>
    readdirSync(join(PACKAGES, name, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.test\.ts$/.test(file))
      .sort()
      .map((file) => `${name}/test/${file.replaceAll('\\', '/')}`)
      .map((path) => ({ path, text: readFileSync(join(PACKAGES, path), 'utf8') })),
  );
}

/** Files with a test whose title holds the name as a whole word. */
function findCounterparts(files: readonly TestFile[], name: string): readonly string[] {
  const word = new RegExp(`['"\`][^'"\`\\n]*(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`);
  return files.filter(({ text }) => word.test(text)).map(({ path }) => path);
}

function makePage(files: readonly TestFile[]): string {
  const rows: string[] = [];
  const counts = { done: 0, later: 0, none: 0 };
  for (const { title, tests } of UPSTREAM_SUITES) {
    const table: (readonly [string, string])[] = [];
    for (const test of tests) {
      if (typeof test === 'string') {
        const places = findCounterparts(files, test);
        expect(places, `no test is named ${test}`).not.toEqual([]);
        table.push([`\`${test}\``, `done: ${places.map((place) => `\`${place}\``).join(', ')}`]);
        counts.done++;
      } else {
        for (const name of test.names) {
          expect(findCounterparts(files, name), `${name} has a counterpart`).toEqual([]);
          table.push([`\`${name}\``, `${test.status}: ${test.why}`]);
        }
        counts[test.status] += test.names.length;
      }
    }
    rows.push(`\n## ${title}\n`, ...formatTable([['test', 'status'], ...table]));
  }
  return `# HotSwap: counterparts of AMD's tests

The tests of AMD's own HotSwap (its tool, ROCr's loader, rocjitsu's hook, comgr's rewriter) by name, and where the counterpart of each
is: ${counts.done} done, ${counts.later} for later, ${counts.none} without one. Written by a test (\`packages/hotswap-tool/test/upstream-tests.test.ts\`; after a
change, \`DOORBELL_WRITE_DOCS=1\` makes it write the page).
${rows.join('\n')}
`;
}

/** As the formatter of this repository has tables: columns of one width, a line of dashes behind the first row. */
function formatTable(rows: readonly (readonly [string, string])[]): readonly string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const [head, ...body] = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`);
  return [head!, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body];
}

it('docs/hotswap-tests.md says where the counterparts are', () => {
  const page = makePage(readTestFiles());
  if (process.env['DOORBELL_WRITE_DOCS'] === '1') {
    writeFileSync(PAGE, page);
    return;
  }
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});
