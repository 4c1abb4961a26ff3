import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

it('shows an example that runs', async () => {
  const example = readFileSync(new URL('./readme-example.ts', import.meta.url), 'utf8');
  expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await import('./readme-example.js');
  expect(log.mock.calls.flat()).toEqual([
    'gfx1100: pass (native)',
    'gfx11-generic: pass (generic)',
    'gfx1101: pass (not-compatible)',
    'HotSwap stands between programs and the loader',
  ]);
  log.mockRestore();
});
