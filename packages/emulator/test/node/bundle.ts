/** One self-contained module from a source of this repository, for workers and processes that cannot load TypeScript. */
import { join } from 'node:path';
import { build } from 'tsup';

/** Builds `entry` into `folder`; the file that came out. */
export async function bundle({
  name,
  entry,
  folder,
}: {
  readonly name: string;
  readonly entry: string;
  readonly folder: string;
}): Promise<string> {
  await build({
    config: false,
    silent: true,
    entry: { [name]: entry },
    outDir: folder,
    format: ['esm'],
    target: 'node20',
    dts: false,
    // Outside a package that says so, only the extension makes a module of it.
    outExtension: () => ({ js: '.mjs' }),
    noExternal: [/^@doorbell\//],
    esbuildOptions: (options) => {
      options.conditions = ['@doorbell/source'];
    },
  });
  return join(folder, `${name}.mjs`);
}
