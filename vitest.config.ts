import { availableParallelism } from 'node:os';
import type { ViteUserConfig } from 'vitest/config';
import { mergeConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { project } from './vitest.base.js';

/** Files that take long, the longest first: the processes end together only if none of these comes last. */
const LONG = [
  'tools/cgen/test/recorded.test.ts',
  'packages/emulator/test/compile/opcodes.test.ts',
  'packages/runtime/test/wrong-kernels.test.ts',
  'packages/cli/test/bin.test.ts',
  'packages/emulator/test/programs/programs.test.ts',
  'packages/emulator/test/matrix/matrix-layouts.test.ts',
  'packages/emulator/test/semantics/c-witness.test.ts',
  'tools/kfd-shim/test/hsa-runtime.test.ts',
  'packages/runtime/test/native-tools.test.ts',
  'tools/kfd-shim/test/libhsakmt.test.ts',
];

/** The order of vitest, which knows how long files take only where they ran before, with the long ones at its beginning. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * All workspaces as one project: a module is transformed once, and loaded once by each of the processes, which share it between
 * the files of all workspaces. As a project each, loading takes three times as long.
 */
const config: ViteUserConfig = mergeConfig(
  project('doorbell', {
    folders: ['packages/*/', 'tools/*/', 'apps/*/'],
    files: 'together',
    setupFiles: ['packages/runtime/test/load-runtime.ts'],
  }),
  {
    test: {
      // vitest keeps one core free by itself: half of a small machine.
      maxWorkers: availableParallelism(),
      sequence: { sequencer: LongestFirst },
    },
  },
);
export default config;
