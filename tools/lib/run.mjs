// Small helpers of the repository's entry scripts. Node built-ins only: they run before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the last build was made from; asking turbo the same takes most of a second. */
const BUILD_STATE = join(ROOT, 'node_modules', '.cache', 'doorbell-build');

/** Runs a program in the repository's root; the script ends with its exit code if it fails. */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32', ...options });
  if (result.error) {
    console.error(`${program} could not be run: ${result.error.message}`);
    process.exit(3);
  }
  if (result.status !== 0 && !options.mayFail) process.exit(result.status ?? 1);
  return result;
}

/** Path of a tool installed in node_modules; run with `process.execPath` where it is JavaScript. */
export function bin(name) {
  return join(ROOT, 'node_modules', '.bin', name);
}

/** Installs from the lock file when node_modules is missing or older than the lock. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Doorbell needs Node 20.19 or newer; this is ${process.version}.`);
    process.exit(3);
  }
  const lock = join(ROOT, 'package-lock.json');
  const installed = join(ROOT, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log('Installing dependencies …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Builds what changed since the last build; quiet unless it fails. */
export function build() {
  const state = sourceState();
  if (existsSync(BUILD_STATE) && readFileSync(BUILD_STATE, 'utf8') === state) return;
  const args = ['run', 'build', '--output-logs=errors-only', '--log-order=grouped', '--no-update-notifier'];
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
  const result = run(bin('turbo'), args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', mayFail: true, env });
  if (result.status !== 0) {
    console.error(result.stdout + result.stderr);
    process.exit(result.status ?? 1);
  }
  mkdirSync(dirname(BUILD_STATE), { recursive: true });
  writeFileSync(BUILD_STATE, sourceState());
}

/** Path, size and time of every file that builds read or write. */
function sourceState() {
  const lines = [];
  const visit = (path) => {
    for (const entry of readdirSync(join(ROOT, path), { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== 'test') visit(inner);
      } else {
        const { size, mtimeMs } = statSync(join(ROOT, inner));
        lines.push(`${inner} ${size} ${mtimeMs}`);
      }
    }
  };
  for (const folder of ['packages', 'apps']) visit(folder);
  for (const file of ['package-lock.json', 'tsconfig.base.json', 'tsup.base.ts', 'turbo.json']) {
    lines.push(`${file} ${statSync(join(ROOT, file)).mtimeMs}`);
  }
  return lines.sort().join('\n');
}

/** The workspaces in a folder of the root (`packages`, `apps`, `tools`): path from the root and manifest, sorted by path. */
export function workspaces(folder) {
  const found = [];
  for (const name of readdirSync(join(ROOT, folder)).sort()) {
    const manifest = join(ROOT, folder, name, 'package.json');
    if (existsSync(manifest)) found.push({ path: join(folder, name), manifest: JSON.parse(readFileSync(manifest, 'utf8')) });
  }
  return found;
}
