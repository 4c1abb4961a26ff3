// `node tools/kfd-shim/run.mjs [--gpu gfx90a] PROGRAM [ARGUMENT…]`: runs a Linux program on an emulated GPU.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildShim, startKfdServer } from './src/index.mjs';

const { values, positionals } = parseArgs({
  options: { gpu: { type: 'string', default: 'gfx90a' }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
  strict: true,
});
const [program, ...programArguments] = positionals;
if (values.help || program === undefined) {
  console.log(
    'node tools/kfd-shim/run.mjs [--gpu gfx90a] -- PROGRAM [ARGUMENT…]\n\nExample: node tools/kfd-shim/run.mjs -- rocminfo',
  );
  process.exit(values.help ? 0 : 2);
}
const folder = mkdtempSync(join(tmpdir(), 'doorbell-shim-'));
const server = await startKfdServer({ processor: values.gpu });
const child = spawn(program, programArguments, {
  stdio: 'inherit',
  env: { ...process.env, ...server.env, LD_PRELOAD: buildShim(folder) },
});
const code = await new Promise((resolve) => {
  child.on('error', (error) => {
    console.error(error.message);
    resolve(3);
  });
  child.on('exit', (status, signal) => resolve(signal === null ? status : 1));
});
await server.dispose();
rmSync(folder, { recursive: true, force: true });
process.exitCode = code;
