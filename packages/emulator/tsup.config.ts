import { defineConfig } from 'tsup';
import { library, type TsupConfig } from '../../tsup.base.js';

const entry = { index: 'src/index.ts', 'node/index': 'src/node/index.ts', 'node/spare-worker': 'src/node/spare-worker.ts' };
const worker = { 'worker/index': 'src/node/worker.ts' };

/**
 * The worker is a bundle of its own with all that it uses inside, so that a device thread loads little; it has a folder of its own,
 * which the other build leaves alone. Siblings are taken from their sources, where unused parts can be left out.
 */
const config: TsupConfig = defineConfig([
  {
    ...library(entry),
    clean: ['!worker/**'],
    dts: { entry: { ...entry, ...worker }, compilerOptions: { customConditions: [] } },
  },
  {
    entry: { index: worker['worker/index'] },
    outDir: 'dist/worker',
    format: ['esm'],
    target: 'node20',
    clean: true,
    sourcemap: true,
    // Fewer bytes to read and scan at every start of a thread, and ASCII only: V8 keeps other sources at two bytes a character.
    minify: true,
    noExternal: [/^@doorbell\//],
    esbuildOptions: (options) => {
      options.conditions = ['@doorbell/source'];
      options.charset = 'ascii';
    },
  },
]);
export default config;
