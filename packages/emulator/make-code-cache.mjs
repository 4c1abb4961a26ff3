// Run by the build: `node make-code-cache.mjs [folder]` seals device.cjs in dist/worker, or in another folder, with a digest of it, and
// leaves beside it what V8 compiles of it when it is used (src/node/device-bundle.ts). That happens in a process of its own with the
// flags of device threads: V8 refuses code that was compiled under others.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const [, script, folder = fileURLToPath(new URL('dist/worker', import.meta.url)), step = 'seal'] = process.argv;
const filename = `${folder}/device.cjs`;

if (step === 'compile') compile();
else {
  const text = readFileSync(filename, 'latin1');
  const digest = createHash('sha256').update(text, 'latin1').digest('hex');
  const sealed = `${text}\n//${digest}`;
  replaceFile(filename, Buffer.from(sealed, 'latin1'));
  const flags = run(new Script(sealed, { filename })).engineFlags();
  execFileSync(process.execPath, [...flags, script, folder, 'compile'], { stdio: 'inherit' });
}

function compile() {
  const sealed = readFileSync(filename, 'latin1');
  const compiled = new Script(sealed, { filename });
  run(compiled).rehearse();
  const code = compiled.createCachedData();
  const check = Buffer.alloc(4);
  check.writeUInt32LE(crc32(code, crc32(Buffer.from(sealed, 'latin1'))));
  const digest = sealed.slice(sealed.lastIndexOf('/') + 1);
  replaceFile(`${folder}/device-${digest}-${process.version}-${process.arch}.cache`, Buffer.concat([code, check]));
}

/** What the script exports. */
function run(compiled) {
  const module = { exports: {} };
  compiled.runInThisContext()(module.exports, createRequire(filename), module, filename, folder);
  return module.exports;
}

/** Whoever reads it meanwhile has the one or the other whole. */
function replaceFile(path, bytes) {
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}
