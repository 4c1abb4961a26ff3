// `npm start`: installs what is missing, builds, and runs kernels on the GPU at hand, else on the emulated one.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, ensureInstalled, ROOT } from './lib/run.mjs';

ensureInstalled();
build();
process.chdir(ROOT);
// Both in this process: the runtime is loaded once. Each sets the exit code when its results are wrong.
for (const app of ['vector-add', 'mandelbrot']) {
  console.log(`\n— ${app}`);
  await import(pathToFileURL(join(ROOT, 'apps', app, 'dist', 'main.js')).href);
}
