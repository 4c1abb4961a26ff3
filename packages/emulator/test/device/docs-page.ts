/** Parts of pages in docs/ that tests compare with the code, and write with `DOORBELL_WRITE_DOCS=1`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

/** As prettier lays it out. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(3, title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** What lies between `<!-- begin name -->` and `<!-- end name -->` of a page. */
export function expectSection(pageName: string, name: string, text: string): void {
  const path = new URL(`../../../../docs/${pageName}`, import.meta.url);
  const page = readFileSync(path, 'utf8');
  const section = new RegExp(`(<!-- begin ${name} -->\n)([\\s\\S]*?)(<!-- end ${name} -->)`);
  if (process.env['DOORBELL_WRITE_DOCS'] === '1') {
    writeFileSync(
      path,
      page.replace(section, (_all, begin: string, _old, end: string) => `${begin}\n${text}\n\n${end}`),
    );
    return;
  }
  expect(section.exec(page)?.[2]?.trim()).toBe(text);
}
