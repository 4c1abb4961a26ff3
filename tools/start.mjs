// `npm start`: installs what is missing, builds, and runs kernels on the GPU at hand, else on the emulated one.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, ensureInstalled, ROOT } from './lib/run.mjs';

if (process.argv.length > 2) {
  console.error(`npm start takes no arguments, not ${process.argv.slice(2).join(' ')}; DOORBELL_DEVICE names a device.`);
  process.exit(2);
}
ensureInstalled();
build();
process.chdir(ROOT);
// Both in this process: the runtime is loaded once. Each sets the exit code when its results are wrong.
for (const app of ['vector-add', 'mandelbrot']) {
  console.log(`\n— ${app}`);
  try {
    await import(pathToFileURL(join(ROOT, 'apps', app, 'dist', 'main.js')).href);
  } catch (error) {
    // What the runtime says of a device that is not there or a kernel that fails; anything else is a bug with its stack.
    if (!String(error?.code).startsWith('ERR_') || error.name !== 'HsaError') throw error;
    console.error(error.message + (error.hint === undefined ? '' : `\nhint: ${error.hint}`));
    process.exitCode = 1;
  }
}
