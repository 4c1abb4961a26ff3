import type { ViteUserConfig } from 'vitest/config';
import { defineConfig } from 'vitest/config';

export type VitestConfig = ViteUserConfig;

const sweep = process.env['DOORBELL_SWEEP'] === '1';

export interface ProjectOptions {
  /** `together`: the files of one process share their modules, which halves the cost of suites that keep no global state. */
  readonly files?: 'apart' | 'together';
  /** Modules that are loaded before each file's tests. */
  readonly setupFiles?: readonly string[];
}

/** The vitest project of one workspace: sibling packages resolve to their TypeScript source, no build needed. */
export function project(name: string, { files = 'apart', setupFiles = [] }: ProjectOptions = {}): VitestConfig {
  return defineConfig({
    resolve: { conditions: ['@doorbell/source'] },
    ssr: { resolve: { conditions: ['@doorbell/source'] } },
    test: {
      name,
      // Slow sweeps are files of their own, run by `npm run test:sweep` alone.
      include: [sweep ? 'test/**/*.sweep.test.ts' : 'test/**/*.test.ts'],
      exclude: sweep ? [] : ['**/*.sweep.test.ts'],
      typecheck: { enabled: false },
      testTimeout: sweep ? 1_800_000 : 20_000,
      passWithNoTests: true,
      setupFiles: [...setupFiles],
      // Emulated machines reserve 4 GiB of address space each: workers are processes, so that a crash names its file.
      pool: 'forks',
      isolate: sweep || files === 'apart',
    },
  });
}
