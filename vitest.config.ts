import type { ViteUserConfig } from 'vitest/config';
import { defineConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: { projects: ['packages/*/vitest.config.ts', 'tools/*/vitest.config.ts', 'apps/*/vitest.config.ts'] },
});
export default config;
