/** The content of every file that this tool writes, from data/ and the list of error codes. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { errorsPage, readErrorCodes } from './errors-page.mjs';
import { functionsSource, Signatures, tablesSource } from './hsa-source.mjs';
import { hsakmtFunctionsSource } from './hsakmt-source.mjs';
import { structSource } from './struct-source.mjs';

const data = new URL('../data/', import.meta.url);
const root = new URL('../../../', import.meta.url);

/** @type {Map<string, string>} content by path from the repository's root */
const files = new Map();

const kfd = readCompressed('kfd-abi.json.gz');
const hsakmt = readCompressed('hsakmt-abi.json.gz');

const hsa = mergeHsa(readCompressed('hsa-abi.json.gz'), readJson('hsa-additions.json'));
const constants = readJson('driver-constants.json');

const { uapi_6_1, rocm_2025_08 } = kfd.generated_from;
write(
  'kfd.ts',
  [`${rocm_2025_08}; names ending in _1_11: ${uapi_6_1}`],
  [
    ...ioctlSource(kfd),
    ...numbersSource(constants.kfd),
    ...numbersSource(constants.kfd_shifts),
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
write('hsakmt.ts', ['hsakmttypes.h of ROCR-Runtime, October 2024'], numbersSource(constants.hsakmt));
write('hsakmt-a.ts', [hsakmt.versions.debian_5_2_3], structSource(hsakmt.debian_5_2_3));
write('hsakmt-b.ts', [hsakmt.versions.rocm_2025_08], structSource(hsakmt.rocm_2025_08));
write(
  'hsakmt-functions.ts',
  ['hsakmt.h of libhsakmt-dev 5.2.3+dfsg-1 and of ROCm, August 2025'],
  hsakmtFunctionsSource(hsakmt.functions, new Set([...Object.keys(hsakmt.debian_5_2_3), ...Object.keys(hsakmt.rocm_2025_08)])),
);

const signatures = new Signatures(hsa);
const hsaSource = `${hsa.source}, additions of 2025-08`;
write('hsa.ts', [hsaSource], numbersSource(Object.assign({}, ...Object.values(hsa.enums))));
write('hsa-structs.ts', [hsaSource], hsaStructSource());
write('hsa-tables.ts', [hsaSource], tablesSource(signatures, hsa.tables));
write(
  'hsa-functions.ts',
  [hsaSource],
  [
    `import type { HsaCallback, HsaFunction, HsaTable } from '../hsa-signature.js';`,
    `import { lazyRecord } from '../lazy-record.js';`,
    `import type { HsaCallbackName, HsaFunctionName, HsaTableName } from './hsa-tables.js';`,
    '',
    ...functionsSource(signatures, hsa),
  ],
);

const errorCodes = await readErrorCodes(new URL('packages/abi/src/error-codes.ts', root));
files.set('docs/errors.md', await errorsPage(errorCodes, hsa.enums));

/** Every generated file: content by path from the repository's root. */
export const generatedFiles = files;

function mergeHsa(headers, additions) {
  const enums = { ...headers.enums };
  for (const [name, values] of Object.entries(additions.enums)) enums[name] = { ...enums[name], ...values };
  return {
    ...additions,
    source: headers.source,
    functions: { ...headers.functions, ...additions.functions },
    callbacks: { ...headers.callbacks, ...additions.callbacks },
    structs: { ...headers.structs, ...additions.structs },
    enums,
  };
}

/** Layouts of everything that is not a handle, each with the type of its values under the same name. */
function hsaStructSource() {
  const { handles } = signatures;
  const names = Object.keys(hsa.structs).filter((name) => !handles.has(name));
  const plain = Object.fromEntries(Object.entries(hsa.structs).filter(([name]) => !handles.has(name)));
  return structSource(plain, { only: names }).map(
    (source, index) =>
      `${source.trimEnd()}\nexport type ${names[index]} = StructValue<ReturnType<typeof ${names[index]}_fields>>;\n`,
  );
}

function readJson(name) {
  return JSON.parse(readFileSync(new URL(name, data), 'utf8'));
}

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
  const imports = body.includes('defineLazyStruct(')
    ? [
        `import type { StructLayout${body.includes('StructValue<') ? ', StructValue' : ''} } from '../struct.js';`,
        `import { defineLazyStruct } from '../struct.js';`,
        '',
      ]
    : [];
  files.set(`packages/abi/src/generated/${name}`, [...header, ...imports, body].join('\n').trimEnd() + '\n');
}

/** @param {Record<string, number | string>} numbers */
function numbersSource(numbers, suffix = '') {
  return [...Object.entries(numbers).map(([name, value]) => `export const ${name}${suffix} = ${numberSource(value)};`), ''];
}

/** 64-bit values are strings in the data, and bigints in TypeScript. */
function numberSource(value) {
  if (typeof value === 'string') return `0x${BigInt(value).toString(16)}n`;
  return value < 0 ? String(value) : `0x${value.toString(16)}`;
}

function ioctlSource({ ioctls, ioctls_uapi_6_1 }) {
  const older = Object.entries(ioctls_uapi_6_1).filter(([name, value]) => ioctls[name] !== value);
  return [...numbersSource(ioctls), ...numbersSource(Object.fromEntries(older), '_1_11')];
}
