// `npm run generate`: runs the `generate` script of every tool. Twice gives no difference; `--check` fails if it changes a file.
import { ensureInstalled, run, workspaces } from './lib/run.mjs';

ensureInstalled();
const diff = () => run('git', ['status', '--porcelain'], { stdio: 'pipe', encoding: 'utf8' }).stdout;
const before = diff();
for (const { path, manifest } of workspaces('tools')) {
  if (manifest.scripts?.generate) run('npm', ['run', '--silent', 'generate', '-w', path]);
}
if (process.argv.includes('--check') && diff() !== before) {
  console.error(`Generated files are not what their generators write:\n${diff()}`);
  process.exit(1);
}
