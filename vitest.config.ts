import { availableParallelism } from 'node:os';
import type { ViteUserConfig } from 'vitest/config';
import { defineConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    projects: ['packages/*/vitest.config.ts', 'tools/*/vitest.config.ts', 'apps/*/vitest.config.ts'],
    // vitest keeps one core free by itself: half of a small machine.
    maxWorkers: availableParallelism(),
  },
});
export default config;
