import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bench, describe } from 'vitest';
import { bundleForBrowser } from '../test/support/browser-bundle.js';

const bundle = await bundleForBrowser();
const kib = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KiB`;

describe(`minified ${kib(bundle.length)}, gzip ${kib(gzipSync(bundle, { level: 9 }).length)}, brotli ${kib(brotliCompressSync(bundle).length)}`, () => {
  bench('compress with gzip', () => {
    gzipSync(bundle);
  });
});
