import { isHsaError } from '@doorbell/abi/core';
import { encode } from '@msgpack/msgpack';
import { NT_AMDGPU_METADATA } from '../elf/elf-constants.js';
import { parseMetadata } from '../kernel/parse-metadata.js';
import { ByteWriter } from '../write/byte-writer.js';
import { SourceError } from './problems.js';
import { parseYaml, YamlError, type YamlValue } from './yaml.js';

/** Values that are text, whatever they look like (LLVM AMDGPUUsage, "Code Object V3 Metadata"). */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  'amdhsa.target',
  'amdhsa.printf',
  '.name',
  '.symbol',
  '.kind',
  '.language',
  '.vec_type_hint',
  '.device_enqueue_symbol',
  '.type_name',
  '.value_kind',
  '.value_type',
  '.address_space',
  '.access',
  '.actual_access',
]);

const utf8 = new TextEncoder();

/**
 * The contents of the note section for the YAML between `.amdgpu_metadata` and `.end_amdgpu_metadata`.
 *
 * @throws {SourceError} it is no YAML, or no metadata of a code object.
 */
export function encodeMetadataNote(lines: readonly string[]): Uint8Array {
  const root = parseYaml(lines);
  if (root.kind !== 'map') throw new YamlError('the metadata is no map', root.line, 1);
  for (const key of ['amdhsa.version', 'amdhsa.kernels']) {
    if (!root.entries.has(key)) throw new SourceError(`${key} is missing from the metadata`);
  }
  const description = encode(interpret(root, ''), { sortKeys: true, useBigInt64: true });
  try {
    parseMetadata([{ name: 'AMDGPU', type: NT_AMDGPU_METADATA, description }]);
  } catch (error) {
    if (!isHsaError(error)) throw error;
    throw new SourceError(error.message);
  }
  const owner = utf8.encode('AMDGPU\0');
  const note = new ByteWriter().u32(owner.length).u32(description.length).u32(NT_AMDGPU_METADATA).bytes(owner);
  note.padTo(20).bytes(description);
  return note.padTo(Math.ceil(note.length / 4) * 4).finish();
}

function interpret(value: YamlValue, key: string): unknown {
  switch (value.kind) {
    case 'list':
      return value.items.map((item) => interpret(item, key));
    case 'map':
      return Object.fromEntries([...value.entries].map(([name, inner]) => [name, interpret(inner, name)]));
    case 'scalar':
      return value.isQuoted || TEXT_KEYS.has(key) ? value.text : plainScalar(value.text);
  }
}

/** Numbers and truth values, as LLVM's MsgPack reader of YAML tells them from text. */
function plainScalar(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  const integer = /^([+-]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]*|[1-9]\d*)$/.exec(text);
  if (integer) {
    const [, sign = '', digits = ''] = integer;
    const magnitude = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase());
    const number = sign === '-' ? -magnitude : magnitude;
    return BigInt(Number.MIN_SAFE_INTEGER) <= number && number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number;
  }
  return text;
}
