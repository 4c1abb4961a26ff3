import type { Options } from 'tsup';
import { defineConfig } from 'tsup';

export type TsupConfig = ReturnType<typeof defineConfig>;

/** The build of every library package: one ESM bundle per entry with declarations; siblings and koffi stay external. */
export function library(
  entry: NonNullable<Options['entry']>,
  options: Pick<Options, 'noExternal' | 'esbuildPlugins'> = {},
): TsupConfig {
  return defineConfig({
    ...options,
    entry,
    format: ['esm'],
    target: 'node20',
    // Declarations are made from the siblings' built types, not their sources, which lie outside the package.
    dts: { compilerOptions: { customConditions: [] } },
    clean: true,
    sourcemap: true,
    treeshake: true,
    esbuildOptions: (options) => {
      // A program reads and parses all of it at every start; names stay, for stacks. V8 keeps sources that are not ASCII at two bytes a character.
      options.minifyWhitespace = true;
      options.minifySyntax = true;
      options.charset = 'ascii';
      // What is bundled is taken in its form for ES modules, of which unused parts are left out.
      options.mainFields = ['module', 'main'];
    },
  });
}

/** The build of an application: one file to run, no declarations. */
export function application(entry: NonNullable<Options['entry']>): TsupConfig {
  return defineConfig({ entry, format: ['esm'], target: 'node20', clean: true, sourcemap: true, treeshake: true });
}
