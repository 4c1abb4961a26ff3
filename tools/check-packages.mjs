// `npm run check:packages`: what npm would publish, checked by publint and attw, one line a package.
import { bin, build, ensureInstalled, ROOT, run, workspaces } from './lib/run.mjs';
import { join } from 'node:path';

ensureInstalled();
build();
let failed = 0;
for (const { path, manifest } of workspaces('packages')) {
  for (const [tool, args] of [
    ['publint', ['--strict']],
    ['attw', ['--pack', '.', '--profile', 'esm-only']],
  ]) {
    const result = run(bin(tool), args, { cwd: join(ROOT, path), stdio: 'pipe', encoding: 'utf8', mayFail: true });
    if (result.status === 0) continue;
    failed++;
    console.error(`${manifest.name}: ${tool} complains:\n${result.stdout}${result.stderr}`);
  }
  console.log(`${manifest.name}: checked`);
}
process.exit(failed ? 1 : 0);
