/** TypeScript source for the table of libhsakmt's functions: how each argument is passed, and what pointers point at. */

/** How C passes these types by value. HSA_QUEUE_PRIORITY holds −3 and 0xFFFFFFFF, so that gcc makes it 64 bits wide; flag words are structures of one word. */
const BY_VALUE = {
  HSAuint32: 'u32',
  HSAint32: 'i32',
  HSAuint64: 'u64',
  'unsigned int': 'u32',
  bool: 'bool',
  HSA_QUEUEID: 'u64',
  HSATraceId: 'u64',
  HsaPcSamplingTraceId: 'u32',
  HSA_QUEUE_TYPE: 'u32',
  HSA_QUEUE_PRIORITY: 'i64',
  HSA_DBG_WAVEOP: 'u32',
  HSA_DBG_WAVEMODE: 'u32',
  HsaMemFlags: 'u32',
  HsaMemMapFlags: 'u32',
  HSA_REGISTER_MEM_FLAGS: 'u32',
};

/** What pointers to these types point at; HsaAMDGPUDeviceHandle is itself a pointer. */
const POINTED_AT = {
  void: 'void',
  int: 'i32',
  uint64_t: 'u64',
  HSA_DBG_WATCH_MODE: 'u32',
  HsaAMDGPUDeviceHandle: 'pointer',
  'struct kfd_ioctl_dbg_trap_args': 'void',
  HSAuint32: 'u32',
  HSAint32: 'i32',
  HSAuint64: 'u64',
  HSA_QUEUEID: 'u64',
  HsaPcSamplingTraceId: 'u32',
  bool: 'bool',
};

/** HSAuint32 HsaSharedMemoryHandle[8]. */
const SHARED_HANDLE_WORDS = 8;

/**
 * @param {Record<string, { args: readonly string[], exported_5_2_3: boolean, exported_2025_08: boolean }>} functions
 * @param {ReadonlySet<string>} structs
 */
export function hsakmtFunctionsSource(functions, structs) {
  const rows = Object.entries(functions).map(([name, { args, exported_5_2_3: inA, exported_2025_08: inB }]) => {
    const generations = [inA ? `'A'` : '', inB ? `'B'` : ''].filter((text) => text !== '').join(', ');
    const params = args.map((arg) => `      ${paramSource(arg, structs)},\n`).join('');
    const list = params === '' ? '[]' : `[\n${params}    ]`;
    return `  ${name}: {\n    generations: [${generations}],\n    params: ${list},\n  },`;
  });
  return ['export const HSAKMT_FUNCTIONS = {', ...rows, '} as const;', ''];
}

function paramSource(arg, structs) {
  const at = arg.lastIndexOf(' ');
  const [name, isArray] = [arg.slice(at + 1).replace('[]', ''), arg.endsWith('[]')];
  const cType = `${arg.slice(0, at)}${isArray ? ' *' : ''}`;
  const pointee = /^(?:const )?(.*?) ?\*$/.exec(cType)?.[1];
  if (pointee === undefined) return `{ name: '${name}', cType: '${cType}', kind: '${known(BY_VALUE, cType)}' }`;
  return `{ name: '${name}', cType: '${cType}', kind: 'pointer', ${pointeeSource(pointee, structs)} }`;
}

function pointeeSource(pointee, structs) {
  if (pointee.endsWith('*')) return `to: 'pointer'`;
  if (pointee === 'HsaSharedMemoryHandle') return `to: 'u32', count: ${SHARED_HANDLE_WORDS}`;
  if (structs.has(pointee)) return `to: 'struct', struct: '${pointee}'`;
  return `to: '${known(POINTED_AT, pointee)}'`;
}

function known(table, type) {
  const kind = table[type];
  if (kind === undefined) throw new Error(`libhsakmt has an argument of type ${type}`);
  return kind;
}
