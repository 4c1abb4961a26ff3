// `node tools/kfd-shim/run.mjs [--gpu gfx90a] PROGRAM [ARGUMENT…]`: runs a Linux program on an emulated GPU.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildShim, startKfdServer } from './src/index.mjs';

const fail = (error) => {
  console.error(`run.mjs: ${error.message}`);
  process.exit(2);
};
const options = { gpu: { type: 'string', default: 'gfx90a' }, help: { type: 'boolean', default: false } };
let parsed;
try {
  parsed = parseArgs({ options, allowPositionals: true, strict: true });
} catch (error) {
  fail(error);
}
const { values, positionals } = parsed;
const [program, ...programArguments] = positionals;
if (values.help || program === undefined) {
  console.log(
    'node tools/kfd-shim/run.mjs [--gpu gfx90a] -- PROGRAM [ARGUMENT…]\n\nExample: node tools/kfd-shim/run.mjs -- rocminfo',
  );
  process.exit(values.help ? 0 : 2);
}
// A target that is not there is named with those that are.
const server = await startKfdServer({ processor: values.gpu }).catch(fail);
const folder = mkdtempSync(join(tmpdir(), 'doorbell-shim-'));
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
