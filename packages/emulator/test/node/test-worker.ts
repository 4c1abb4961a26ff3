/** The device worker, built from the sources as they are, for the tests of this package alone. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the worker with everything that it imports; where it lies. The folder goes with the process. */
export async function buildTestWorker(): Promise<URL> {
  // Inside the package, so that koffi is found from there.
  const modules = join(ROOT, 'node_modules');
  mkdirSync(modules, { recursive: true });
  const folder = mkdtempSync(join(modules, '.doorbell-test-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  return pathToFileURL(await bundle({ name: 'worker', entry: `${ROOT}/test/node/plain-worker.ts`, folder }));
}
