// Run by the build: seals dist/worker/device.cjs with a digest of it, and leaves beside it what V8 compiles of it when it is used
// (src/node/device-bundle.ts).
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const folder = fileURLToPath(new URL('dist/worker', import.meta.url));
const filename = `${folder}/device.cjs`;
const text = readFileSync(filename, 'latin1');
const digest = createHash('sha256').update(text, 'latin1').digest('hex').slice(0, 32);
const sealed = `${text}\n//${digest}`;
replaceFile(filename, Buffer.from(sealed, 'latin1'));

// Under the flags of device threads: V8 refuses code that was compiled under others.
setFlagsFromString('--experimental-wasm-relaxed-simd');
const script = new Script(sealed, { filename });
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(filename), module, filename, folder);
module.exports.rehearse();
const code = script.createCachedData();
const check = Buffer.alloc(4);
check.writeUInt32LE(crc32(code, crc32(Buffer.from(sealed, 'latin1'))));
replaceFile(`${folder}/device-${digest}-${process.version}-${process.arch}.cache`, Buffer.concat([code, check]));

/** Whoever reads it meanwhile has the one or the other whole. */
function replaceFile(path, bytes) {
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}
