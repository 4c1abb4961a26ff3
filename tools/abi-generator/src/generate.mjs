/** Writes packages/abi/src/generated/*.ts from data/. Twice in a row gives no difference. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { structSource } from './struct-source.mjs';

const data = new URL('../data/', import.meta.url);
const generated = new URL('../../../packages/abi/src/generated/', import.meta.url);

const kfd = readCompressed('kfd-abi.json.gz');
const hsakmt = readCompressed('hsakmt-abi.json.gz');

const { uapi_6_1, rocm_2025_08 } = kfd.generated_from;
write(
  'kfd.ts',
  [`${rocm_2025_08}; names ending in _1_11: ${uapi_6_1}`],
  [
    ...ioctlSource(kfd),
    ...structSource(kfd.structs),
    ...structSource(
      { ...kfd.structs, ...kfd.structs_uapi_6_1_only_differences },
      {
        suffix: '_1_11',
        only: Object.keys(kfd.structs_uapi_6_1_only_differences),
      },
    ),
  ],
);
write('drm.ts', [kfd.drm_amdgpu.source], [...numbersSource(kfd.drm_amdgpu.ioctls), ...structSource(kfd.drm_amdgpu.structs)]);
write('hsakmt-a.ts', [hsakmt.versions.debian_5_2_3], structSource(hsakmt.debian_5_2_3));
write('hsakmt-b.ts', [hsakmt.versions.rocm_2025_08], structSource(hsakmt.rocm_2025_08));

function readCompressed(name) {
  return JSON.parse(gunzipSync(readFileSync(new URL(name, data))).toString('utf8'));
}

/** @param {string} name @param {readonly string[]} origins @param {readonly string[]} parts */
function write(name, origins, parts) {
  const header = [
    '// Made by tools/abi-generator (npm run generate). Do not edit.',
    ...origins.map((origin) => `// Source: ${origin}`),
    '',
  ];
  const body = parts.join('\n');
  const imports = body.includes('defineStruct(')
    ? [`import type { StructLayout } from '../struct.js';`, `import { defineStruct } from '../struct.js';`, '']
    : [];
  writeFileSync(new URL(name, generated), [...header, ...imports, body].join('\n').trimEnd() + '\n');
}

/** @param {Record<string, number>} numbers */
function numbersSource(numbers, suffix = '') {
  return [...Object.entries(numbers).map(([name, value]) => `export const ${name}${suffix} = 0x${value.toString(16)};`), ''];
}

function ioctlSource({ ioctls, ioctls_uapi_6_1 }) {
  const older = Object.entries(ioctls_uapi_6_1).filter(([name, value]) => ioctls[name] !== value);
  return [...numbersSource(ioctls), ...numbersSource(Object.fromEntries(older), '_1_11')];
}
