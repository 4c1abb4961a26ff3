import { skipReason } from '@doorbell/test-support';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, deflateSync } from 'node:zlib';
import { isHsaError } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { parseOffloadBundle } from '../src/index.js';
import { unpackZlib } from '../src/unpack/unpack-zlib.js';
import { unpackZstd } from '../src/unpack/unpack-zstd.js';
import { errorOf, fixture, patched } from './support/fixtures.js';
import { withFolder } from './support/llvm.js';

const FILES = ['gfx1030-v5.hsaco', 'gfx1201-v6.hsaco'];
const PLAIN = fixture('bundle.hipfb');
const GFX1030 = 'hipv4-amdgcn-amd-amdhsa--gfx1030';

/** Header of a compressed bundle of this version over the payload. */
function compressed(version: 1 | 2 | 3, method: 0 | 1, payload: Uint8Array, unpackedBytes: number): Uint8Array {
  const head = [0, 20, 24, 32][version] ?? 0;
  const bytes = new Uint8Array(head + payload.length);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('CCOB'));
  view.setUint16(4, version, true);
  view.setUint16(6, method, true);
  if (version === 1) view.setUint32(8, unpackedBytes, true);
  else if (version === 2) {
    view.setUint32(8, bytes.length, true);
    view.setUint32(12, unpackedBytes, true);
  } else {
    view.setBigUint64(8, BigInt(bytes.length), true);
    view.setBigUint64(16, BigInt(unpackedBytes), true);
  }
  bytes.set(payload, head);
  return bytes;
}

describe('compressed offload bundles', () => {
  it.each(['bundle-v2.ccob', 'bundle-v3.ccob'])('%s unpacks to what clang-offload-bundler put into it', (file) => {
    const { entries, compression, sizeBytes } = parseOffloadBundle(fixture(file));
    expect({ compression, sizeBytes }).toEqual({ compression: 'zstd', sizeBytes: fixture(file).length });
    expect(entries.map((entry) => entry.id)).toEqual([
      'host-x86_64-unknown-linux-gnu-',
      GFX1030,
      'hipv4-amdgcn-amd-amdhsa--gfx1201',
    ]);
    FILES.forEach((name, index) => expect(Buffer.compare(entries[index + 1]!.bytes, fixture(name))).toBe(0));
  });

  const missing = skipReason('clang-offload-bundler-22');

  // The header is ours, so clang must read it too.
  it.skipIf(missing !== '').each([1, 2, 3] as const)(
    `reads zlib in a header of version %i as clang does${missing === '' ? '' : ` (skipped: ${missing})`}`,
    (version) => {
      const bundle = compressed(version, 0, deflateSync(PLAIN), PLAIN.length);
      const theirs = withFolder((folder) => {
        writeFileSync(join(folder, 'in'), bundle);
        const args = ['-unbundle', '-type=o', '-targets=hipv4-amdgcn-amd-amdhsa--gfx1100', '-input=in', '-output=out'];
        execFileSync('clang-offload-bundler-22', args, { cwd: folder });
        return readFileSync(join(folder, 'out'));
      });
      const { entries, compression } = parseOffloadBundle(bundle);
      expect(compression).toBe('zlib');
      expect(Buffer.compare(entries[1]!.bytes, theirs)).toBe(0);
    },
  );

  const v3 = fixture('bundle-v3.ccob');
  it.each([
    ['a version to come', patched(v3, 4, 2, 9), /has version 9; 1, 2 and 3 are known/],
    ['another method', patched(v3, 6, 2, 7), /has method 0x7/],
    ['a size beyond the file', patched(v3, 8, 8, 2n ** 40n), /lies outside the file/],
    ['a size that no input could give', patched(v3, 16, 8, 2n ** 50n), /claims to unpack to 1125899906842624 bytes/],
    ['more than it claims', patched(v3, 16, 8, 1000), /unpacks to more than the 1000 bytes/],
    ['less than it claims', patched(v3, 16, 8, 1_000_000), /the file ends inside the zstd frame/],
    ['a bundle in a bundle', compressed(1, 0, deflateSync(v3), v3.length), /holds another compressed bundle/],
    [
      'a wrong checksum',
      compressed(1, 0, patched(deflateSync(PLAIN), deflateSync(PLAIN).length - 1, 1, 0xee), PLAIN.length),
      /checksum/,
    ],
    ['a header that ends', v3.slice(0, 20), /compressed bundle/],
  ])('refuses %s', (_, bytes, message) => {
    expect(errorOf(() => parseOffloadBundle(bytes))).toMatchObject({
      code: 'ERR_CODE_OBJECT',
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('unpackZlib', () => {
  it.each([
    ['stored', { level: 0 }],
    ['fixed codes', { strategy: constants.Z_FIXED }],
    ['dynamic codes', { level: 9 }],
    ['runs', { strategy: constants.Z_RLE }],
    ['a small window', { windowBits: 9 }],
  ])('gives back what zlib packed: %s', (_, options) => {
    const packed = deflateSync(PLAIN, options);
    const { bytes, usedBytes } = unpackZlib(Buffer.concat([packed, Buffer.from('behind')]), PLAIN.length);
    expect(usedBytes).toBe(packed.length);
    expect(Buffer.compare(bytes, PLAIN)).toBe(0);
  });
});

const noZstd = skipReason('zstd');

describe.skipIf(noZstd !== '')(`unpackZstd${noZstd === '' ? '' : ` (skipped: ${noZstd})`}`, () => {
  const zstd = (data: Uint8Array, ...options: string[]): Uint8Array =>
    new Uint8Array(execFileSync('zstd', ['-q', '-c', ...options], { input: data, maxBuffer: 1 << 24 }));

  it.each([
    ['nothing', new Uint8Array(0)],
    ['one byte', Uint8Array.of(7)],
    ['one byte, often', new Uint8Array(300_000).fill(7)],
    ['code', PLAIN],
    ['bytes of all kinds', Uint8Array.from({ length: 5000 }, (_, i) => (i * i * 31) >> 3)],
    ['text of few letters', new TextEncoder().encode('abacadabra '.repeat(3000))],
  ])('gives back what zstd packed: %s', (_, data) => {
    for (const options of [['-1'], ['-15', '--no-check'], ['--fast=5']]) {
      const packed = zstd(data, ...options);
      const { bytes, usedBytes } = unpackZstd(Buffer.concat([packed, Buffer.from('behind')]), data.length);
      expect(usedBytes).toBe(packed.length);
      expect(Buffer.compare(bytes, data)).toBe(0);
    }
  });

  it('reads frames one after the other, and steps over those to skip', () => {
    const skipped = Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
    const parts = [zstd(PLAIN.subarray(0, 5000)), skipped, zstd(PLAIN.subarray(5000))];
    expect(Buffer.compare(unpackZstd(Buffer.concat(parts), PLAIN.length).bytes, PLAIN)).toBe(0);
  });
});

describe('damaged compressed data raises nothing but HsaError', () => {
  const zlib = deflateSync(PLAIN);
  const zstd = fixture('bundle-v3.ccob').slice(32);
  const size = Number(new DataView(fixture('bundle-v3.ccob').buffer).getBigUint64(16, true));
  const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 });
  // Most of what there is to break is at the begin: headers and tables.
  const places = fc.tuple(flips, fc.constantFrom(64, 512, Infinity));
  const runs = { numRuns: 300 * Number(process.env['DOORBELL_FUZZ'] ?? 1), seed: 5 };

  const attempt = (unpack: () => unknown): void => {
    try {
      unpack();
    } catch (error) {
      if (!isHsaError(error, 'ERR_CODE_OBJECT')) throw error;
    }
  };

  it.each([
    ['zstd', zstd, size, unpackZstd],
    ['zlib', zlib, PLAIN.length, unpackZlib],
  ] as const)('%s', (_, packed, sizeBytes, unpack) => {
    fc.assert(
      fc.property(places, fc.nat({ max: packed.length }), ([changes, within], cut) => {
        const bytes = packed.slice(0, cut % 3 === 0 ? cut : packed.length);
        for (const [at, value] of changes) if (bytes.length > 0) bytes[at % Math.min(within, bytes.length)] = value;
        attempt(() => unpack(bytes, sizeBytes));
      }),
      runs,
    );
  });

  it('bytes of all kinds as the blocks of a frame', () => {
    const head = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x60);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (body) => {
        const block = (body.length << 3) | 5;
        attempt(() => unpackZstd(Uint8Array.of(...head, block & 255, block >> 8, 0, ...body), 1 << 16));
      }),
      { ...runs, numRuns: runs.numRuns * 3 },
    );
  });
});
