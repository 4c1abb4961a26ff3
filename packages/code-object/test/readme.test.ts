import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

it('shows an example that runs as it stands', async () => {
  const example = readFileSync(new URL('./example.ts', import.meta.url), 'utf8');
  expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await import('./example.js');
    expect(log.mock.calls.at(-1)).toEqual(['12 bytes of arguments, 0 bytes of LDS']);
  } finally {
    log.mockRestore();
  }
});
