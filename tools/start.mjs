// `npm start`: installs what is missing, builds, and runs kernels on the GPU at hand, else on the emulated one.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, ensureInstalled, ROOT } from './lib/run.mjs';

ensureInstalled();
build();
let failed = 0;
for (const app of ['vector-add', 'mandelbrot']) {
  console.log(`\n— ${app}`);
  const { status } = spawnSync(process.execPath, [join(ROOT, 'apps', app, 'dist', 'main.js')], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) failed = status ?? 1;
}
process.exit(failed);
