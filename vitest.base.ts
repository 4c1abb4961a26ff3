import type { ViteUserConfig } from 'vitest/config';
import { defineConfig } from 'vitest/config';

export type VitestConfig = ViteUserConfig;

const sweep = process.env['DOORBELL_SWEEP'] === '1';

export interface ProjectOptions {
  /** `together`: the files of one process share their modules, which halves the cost of suites that keep no global state. */
  readonly files?: 'apart' | 'together';
  /** Folders that have a `test` folder, each with its slash; default: the folder of the configuration. */
  readonly folders?: readonly string[];
  /** Modules that are loaded before each file's tests, sweeps aside. */
  readonly setupFiles?: readonly string[];
}

/** The vitest project of one workspace, or of several: sibling packages resolve to their TypeScript source, no build needed. */
export function project(name: string, { files = 'apart', folders = [''], setupFiles = [] }: ProjectOptions = {}): VitestConfig {
  return defineConfig({
    resolve: { conditions: ['@doorbell/source'] },
    ssr: { resolve: { conditions: ['@doorbell/source'] } },
    test: {
      name,
      // Slow sweeps are files of their own, run by `npm run test:sweep` alone.
      include: folders.map((folder) => `${folder}test/**/*${sweep ? '.sweep' : ''}.test.ts`),
      exclude: sweep ? [] : ['**/*.sweep.test.ts'],
      typecheck: { enabled: false },
      // A loaded machine is many times slower: the limits are for what hangs.
      testTimeout: sweep ? 1_800_000 : 120_000,
      hookTimeout: 120_000,
      passWithNoTests: true,
      setupFiles: sweep ? [] : [...setupFiles],
      // Emulated machines reserve 4 GiB of address space each: workers are processes, so that a crash names its file.
      pool: 'forks',
      isolate: sweep || files === 'apart',
    },
  });
}
