import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

it('runs the example of the README as shown', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const example = readFileSync(new URL('./readme-example.ts', import.meta.url), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await import('./readme-example.js');
    expect(log.mock.calls).toEqual([
      ['1000', 'v_add_f32_e32 v1, v2, v3'],
      ['1004', 's_endpgm'],
      ['v_add_f32', ['vdst=vgpr1', 'src0=vgpr2', 'src1=vgpr3']],
      ['v_add_f32_e32 v1, v2, v3'],
      [['6020702']],
    ]);
  } finally {
    log.mockRestore();
  }
});
