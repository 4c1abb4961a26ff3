/** The device worker, built from the sources as they are, for the tests of this package alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsup';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the worker with everything that it imports; where it lies. */
export async function buildTestWorker(): Promise<URL> {
  const outDir = mkdtempSync(join(tmpdir(), 'doorbell-worker-'));
  process.once('exit', () => {
    rmSync(outDir, { recursive: true, force: true });
  });
  await build({
    config: false,
    silent: true,
    entry: { worker: `${ROOT}/src/node/worker.ts` },
    outDir,
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
  return pathToFileURL(join(outDir, 'worker.mjs'));
}
