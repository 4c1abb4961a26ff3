import { defineConfig, type Options } from 'tsup';
import { library, type TsupConfig } from '../../tsup.base.js';

const entry = { index: 'src/index.ts', 'node/index': 'src/node/index.ts', 'node/spare-worker': 'src/node/spare-worker.ts' };
const worker = { index: 'src/node/worker.ts' };

/** A script, no module: V8 keeps compiled code of scripts, and a thread is ready sooner without the loader of modules. */
const script = (options: Options): Options => ({
  outDir: 'dist/worker',
  format: ['cjs'],
  target: 'node20',
  sourcemap: true,
  // Fewer bytes to read and scan at every start of a thread, and ASCII only: V8 keeps other sources at two bytes a character.
  minify: true,
  noExternal: [/^@doorbell\//],
  ...options,
  esbuildOptions: (options) => {
    options.conditions = ['@doorbell/source'];
    options.charset = 'ascii';
  },
});

/**
 * What device threads run is a bundle of its own with all that it uses inside, so that a thread loads little; it has a folder of its
 * own, which the other build leaves alone. Siblings are taken from their sources, where unused parts can be left out.
 */
const config: TsupConfig = defineConfig([
  { ...library(entry), clean: ['!worker/**'] },
  script({ entry: worker, clean: ['!device*'], dts: { entry: worker, compilerOptions: { customConditions: [] } } }),
  script({
    entry: { device: 'src/node/device-thread.ts' },
    clean: ['!index*'],
    // The function that the loader of modules makes of such a file.
    banner: { js: '(function(exports,require,module,__filename,__dirname){' },
    footer: { js: '})' },
    onSuccess: 'node make-code-cache.mjs',
  }),
]);
export default config;
