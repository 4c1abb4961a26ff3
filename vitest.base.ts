import type { ViteUserConfig } from 'vitest/config';
import { defineConfig } from 'vitest/config';

/** The vitest project of one workspace: sibling packages resolve to their TypeScript source, no build needed. */
export function project(name: string): ViteUserConfig {
  return defineConfig({
    resolve: { conditions: ['@doorbell/source'] },
    ssr: { resolve: { conditions: ['@doorbell/source'] } },
    test: {
      name,
      include: ['test/**/*.test.ts'],
      exclude: process.env['DOORBELL_SWEEP'] === '1' ? [] : ['**/*.sweep.test.ts'],
      typecheck: { enabled: false },
      testTimeout: 20_000,
      // Emulated machines reserve 4 GiB of address space each: workers are processes, so that a crash names its file.
      pool: 'forks',
    },
  });
}
