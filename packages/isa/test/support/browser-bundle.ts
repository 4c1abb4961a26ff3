import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

/** The whole package and what it uses, minified into one file for a web page. Fails on imports that a browser does not have. */
export async function bundleForBrowser(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-isa-'));
  try {
    await build({
      entry: [fileURLToPath(new URL('../../src/index.ts', import.meta.url))],
      outDir: folder,
      format: ['esm'],
      platform: 'browser',
      target: 'es2022',
      minify: true,
      noExternal: [/.*/],
      config: false,
      silent: true,
      esbuildOptions: (options) => {
        options.conditions = ['@doorbell/source'];
      },
    });
    return readFileSync(join(folder, 'index.js'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
