import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { build } from 'tsup';
import { bench, describe } from 'vitest';
import type * as hotswap from '../src/index.js';
import { repeatCode } from './large-object.js';

/** Plans and rewrites large code objects. The bundle runs, not vitest's modules, in which every use of an import is a getter call. */
const MEGABYTE = 1 << 20;
const LARGE_MEGABYTES = 200;
const PAIRS = [
  ['gfx1030', 'gfx1036'],
  ['gfx1100', 'gfx1101'],
  ['gfx1100', 'gfx11-generic'],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'doorbell-hotswap-'));
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
await build({
  entry: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
  outDir: folder,
  format: ['esm'],
  platform: 'browser',
  target: 'es2022',
  noExternal: [/.*/],
  config: false,
  silent: true,
  esbuildOptions: (options) => {
    options.conditions = ['@doorbell/source'];
    options.outExtension = { '.js': '.mjs' };
  },
});
const bundle = pathToFileURL(join(folder, 'index.mjs')).href;
// Safe: the bundle was made of this module.
const { planRewrite, rewrite } = (await import(/* @vite-ignore */ bundle)) as typeof hotswap;

function load(target: string): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(new URL(`../test/fixtures/pipeline.${target}.hsaco.gz`, import.meta.url))));
}

/** One large object in a process of its own: time and the most memory, less what the process has without it. */
function measureLarge(source: string, target: string): void {
  const file = join(folder, 'large.hsaco');
  const large = repeatCode(load(source), LARGE_MEGABYTES * MEGABYTE);
  writeFileSync(file, large);
  const script = `
    import { readFileSync } from 'node:fs';
    const { rewrite } = await import(${JSON.stringify(bundle)});
    // maxRSS counts what the parent had; the kernel's mark begins with the program.
    const peak = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
    const before = peak();
    const bytes = new Uint8Array(readFileSync(${JSON.stringify(file)}));
    const start = process.cpuUsage();
    const { status, report } = rewrite(bytes, { target: ${JSON.stringify(target)} });
    const { user, system } = process.cpuUsage(start);
    console.log(JSON.stringify({ status, ms: (user + system) / 1000, kib: peak() - before, code: report.code }));
  `;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  const { status, ms, kib, code } = JSON.parse(run.stdout) as {
    status: string;
    ms: number;
    kib: number;
    code: { instructions: number };
  };
  console.log(
    `${source} → ${target}, ${LARGE_MEGABYTES} MB, ${code.instructions} instructions: ${status} in ${ms.toFixed(0)} ms of CPU time, ` +
      `${((LARGE_MEGABYTES * 1000) / ms).toFixed(0)} MB/s, ${((kib * 1024) / large.length).toFixed(1)} × the file in memory (Node ${process.version})`,
  );
}

for (const [source, target] of PAIRS) {
  measureLarge(source, target);
  const bytes = repeatCode(load(source), 20 * MEGABYTE);
  describe(`20 MB of code, ${source} → ${target}`, () => {
    bench('plan and rewrite', () => {
      planRewrite(bytes, { target });
      rewrite(bytes, { target });
    });
  });
}
