/** TypeScript source for the structure tables of the ABI data: nested fields, arrays, unions, bit-fields. */

/**
 * @typedef {{ offset: number, size: number, type?: string, bit?: number, bits?: number }} FlatField
 * @typedef {{ size: number, fields: Record<string, FlatField> }} FlatStruct
 * @typedef {Record<string, FlatStruct>} FlatStructs
 */

/** C scalar types of the kernel and thunk headers, and what they are here. Enums have `unsigned int`. */
const SCALARS = {
  __u8: 'u8',
  __u16: 'u16',
  __u32: 'u32',
  __s32: 'i32',
  __u64: 'u64',
  __s64: 'i64',
  HSAuint8: 'u8',
  HSAuint16: 'u16',
  HSAuint32: 'u32',
  HSAint32: 'i32',
  HSAuint64: 'u64',
  HSA_QUEUEID: 'u64',
  HSATraceId: 'u64',
  HSA_EVENTID: 'u32',
  'unsigned int': 'u32',
  uint8_t: 'u8',
  uint16_t: 'u16',
  uint32_t: 'u32',
  uint64_t: 'u64',
  int32_t: 'i32',
  int64_t: 'i64',
  int: 'i32',
  bool: 'u8',
  char: 'u8',
  size_t: 'u64',
  hsa_signal_value_t: 'i64',
};

const SCALAR_BYTES = { u8: 1, u16: 2, u32: 4, i32: 4, u64: 8, i64: 8 };

/** Enum types are as wide as an int; the data gives their size. */
const BY_SIZE = { 1: 'u8', 2: 'u16', 4: 'u32', 8: 'u64' };

/**
 * One exported layout per structure.
 * @param {FlatStructs} structs
 * @param {{ suffix?: string, only?: readonly string[] }} [options]
 */
export function structSource(structs, { suffix = '', only = Object.keys(structs) } = {}) {
  return only.map((name) => {
    const { size } = structs[name];
    const fields = fieldsSource(structs, name, '', 0, '  ');
    const id = `${name}${suffix}`;
    return [
      `const ${id}_fields = function () {\n  return {`,
      fields,
      `  } as const;\n};`,
      `export const ${id}: StructLayout<ReturnType<typeof ${id}_fields>> = /* @__PURE__ */ defineLazyStruct('${name}', ${size}, ${id}_fields);`,
      '',
    ].join('\n');
  });
}

/**
 * The members directly under `prefix`, with offsets from `base`.
 * @param {FlatStructs} structs
 */
function fieldsSource(structs, name, prefix, base, indent) {
  const { fields } = structs[name];
  return Object.keys(fields)
    .filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes('.'))
    .map((path) => {
      const field = fields[path];
      const key = path.slice(prefix.length);
      const bits = field.bits === undefined ? '' : `, bit: ${field.bit}, bits: ${field.bits}`;
      const type = typeSource(structs, name, path, indent);
      return `${indent}${key}: { offset: ${field.offset - base}, type: ${type}${bits} },`;
    })
    .join('\n');
}

function typeSource(structs, name, path, indent) {
  const field = structs[name].fields[path];
  if (field.bits !== undefined) return field.bit + field.bits > 32 ? `'u64'` : `'u32'`;
  const hasMembers = Object.keys(structs[name].fields).some((other) => other.startsWith(`${path}.`));
  const array = /^(.*?)((?: ?\[\d*\])+)$/.exec(field.type ?? '');
  if (hasMembers && !array) {
    const members = fieldsSource(structs, name, `${path}.`, field.offset, `${indent}    `);
    return `{\n${indent}  sizeBytes: ${field.size},\n${indent}  struct: {\n${members}\n${indent}  },\n${indent}}`;
  }
  if (array) {
    // C's arrays of arrays are one array here, in the same order.
    const length = [...array[2].matchAll(/\d+/g)].reduce(
      (product, [digits]) => product * Number(digits),
      array[2].includes('[]') ? 0 : 1,
    );
    return `{ array: ${elementSource(structs, array[1], length === 0 ? 0 : field.size / length, indent)}, length: ${length} }`;
  }
  return elementSource(structs, field.type, field.size, indent);
}

function elementSource(structs, cType, size, indent) {
  const structName = cType.replace(/^struct /, '');
  if (structs[structName]) {
    const members = fieldsSource(structs, structName, '', 0, `${indent}    `);
    return `{\n${indent}  sizeBytes: ${structs[structName].size},\n${indent}  struct: {\n${members}\n${indent}  },\n${indent}}`;
  }
  const scalar = cType.endsWith('*') ? 'u64' : (SCALARS[cType] ?? BY_SIZE[size]);
  if (scalar === undefined || (size !== 0 && SCALAR_BYTES[scalar] !== size)) {
    throw new Error(`no scalar of ${size} bytes for ${cType}`);
  }
  return `'${scalar}'`;
}
