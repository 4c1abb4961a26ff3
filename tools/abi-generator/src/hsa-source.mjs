/** TypeScript source for the HSA side: constants, signatures as data, and the types of the API tables. */

/**
 * @typedef {{ returns: string, params: [name: string, cType: string][] }} CFunction
 * @typedef {{ name: string, cType: string, kind: string, element?: string, struct?: string, callback?: string,
 *   nullable?: true }} Param
 */

const NUMBER_TYPES = { uint8_t: 'u8', uint16_t: 'u16', uint32_t: 'u32', int32_t: 'i32', int: 'i32', hsa_file_t: 'i32' };
const BIGINT_TYPES = { uint64_t: 'u64', size_t: 'u64', hsa_signal_value_t: 'i64' };

/** Types that are a `typedef` of another one. */
const ALIASES = { hsa_amd_ipc_signal_t: 'hsa_amd_ipc_memory_t', hsa_queue_type32_t: 'uint32_t' };

/** `void *value` of these is memory whose type the attribute (or extension) decides. */
const ANY_OUT = /_get_info(_alt)?$|_get_(major_)?extension_table$/;

/** Pointers to several values: the parameter that counts them, where one does. */
const ARRAYS = new Set([
  'hsa_signal_create.consumers',
  'hsa_signal_group_create.signals',
  'hsa_signal_group_create.consumers',
  'hsa_signal_group_wait_any_scacquire.conditions',
  'hsa_signal_group_wait_any_scacquire.compare_values',
  'hsa_signal_group_wait_any_relaxed.conditions',
  'hsa_signal_group_wait_any_relaxed.compare_values',
  'hsa_amd_signal_create.consumers',
  'hsa_amd_signal_wait_any.signals',
  'hsa_amd_signal_wait_any.conds',
  'hsa_amd_signal_wait_any.values',
  'hsa_amd_signal_wait_all.signals',
  'hsa_amd_signal_wait_all.conds',
  'hsa_amd_signal_wait_all.values',
  'hsa_amd_queue_cu_set_mask.cu_mask',
  'hsa_amd_agents_allow_access.agents',
  'hsa_amd_agents_allow_access.flags',
  'hsa_amd_memory_lock.agents',
  'hsa_amd_memory_lock_to_pool.agents',
  'hsa_amd_interop_map_buffer.agents',
  'hsa_amd_ipc_memory_attach.mapping_agents',
  'hsa_amd_svm_attributes_set.attribute_list',
  'hsa_amd_vmem_set_access.desc',
  'hsa_amd_enable_logging.flags',
]);
const OUT_ARRAYS = new Set([
  'hsa_amd_signal_wait_all.satisfying_values',
  'hsa_amd_queue_cu_get_mask.cu_mask',
  'hsa_amd_pointer_info.accessible',
  'hsa_amd_svm_attributes_get.attribute_list',
]);
/** Out-parameters whose first value the function reads. */
const IN_OUT = new Set([
  'hsa_system_major_extension_supported.version_minor',
  'hsa_agent_major_extension_supported.version_minor',
  'hsa_amd_pointer_info.info',
  'hsa_amd_spm_set_dest_buffer.timeout',
]);
/** Pointers that C allows to be NULL, beside dep_signals, options and consumers. */
const NULLABLE = new Set([
  'hsa_queue_create.callback',
  'hsa_amd_queue_intercept_create.callback',
  'hsa_signal_group_wait_any_scacquire.value',
  'hsa_signal_group_wait_any_relaxed.value',
  'hsa_executable_get_symbol.module_name',
  'hsa_code_object_get_symbol_from_name.module_name',
  'hsa_executable_get_symbol_by_name.agent',
  'hsa_executable_load_program_code_object.loaded_code_object',
  'hsa_executable_load_agent_code_object.loaded_code_object',
  'hsa_amd_signal_async_handler.handler',
  'hsa_amd_signal_wait_any.satisfying_value',
  'hsa_amd_signal_wait_all.satisfying_values',
  'hsa_amd_agents_allow_access.flags',
  'hsa_amd_memory_lock.agents',
  'hsa_amd_memory_lock_to_pool.agents',
  'hsa_amd_interop_map_buffer.metadata_size',
  'hsa_amd_interop_map_buffer.metadata',
  'hsa_amd_pointer_info.alloc',
  'hsa_amd_pointer_info.num_agents_accessible',
  'hsa_amd_pointer_info.accessible',
  'hsa_amd_queue_cu_set_mask.cu_mask',
  'hsa_amd_enable_logging.flags',
  'hsa_amd_spm_set_dest_buffer.timeout',
  'hsa_amd_spm_set_dest_buffer.size_copied',
  'hsa_amd_spm_set_dest_buffer.is_data_loss',
]);
const NULLABLE_NAMES = new Set(['dep_signals', 'options', 'consumers']);
const USER_DATA_NAMES = new Set(['data', 'arg', 'user_data', 'callback_data', 'client_callback_data']);

/** Addresses that may also be given as the bytes themselves, for callers whose memory has no address. */
const MEMORY = new Set([
  'hsa_memory_copy.dst',
  'hsa_memory_copy.src',
  'hsa_code_object_reader_create_from_memory.code_object',
  'hsa_code_object_deserialize.serialized_code_object',
]);

/** The member of `hsa_amd_tool_event_t` that each tool slot gets. */
const TOOL_EVENTS = /^hsa_amd_tool_scratch_event_(.*)$/;

/** Signatures in TypeScript's terms, for every function of the tables. */
export class Signatures {
  /** @param {{ functions: Record<string, CFunction>, callbacks: Record<string, { returns: string, params: string[] }>,
   *   structs: Record<string, { size: number, fields: Record<string, object> }> }} abi */
  constructor(abi) {
    this.abi = abi;
    this.handles = new Set(
      Object.keys(abi.structs).filter(
        (name) => Object.keys(abi.structs[name].fields).join() === 'handle' && abi.structs[name].size === 8,
      ),
    );
  }

  /** @returns {{ returns: string, params: Param[] }} */
  of(name) {
    const { returns, params } = this.abi.functions[name];
    const hasCallback = params.some(([, cType]) => this.callbackOf(cType));
    return { returns, params: params.map(([param, cType]) => this.param(name, param, cType, hasCallback)) };
  }

  param(fn, name, cType, hasCallback) {
    const key = `${fn}.${name}`;
    const nullable = NULLABLE.has(key) || NULLABLE_NAMES.has(name) ? { nullable: true } : {};
    return { name, cType, ...this.kind(fn, key, name, cType, hasCallback), ...nullable };
  }

  kind(fn, key, name, cType, hasCallback) {
    const tool = TOOL_EVENTS.exec(fn);
    if (tool) return { kind: 'struct', struct: `hsa_amd_event_scratch_${tool[1]}_t` };
    if (this.callbackOf(cType)) return { kind: 'callback', callback: this.callbackOf(cType) };
    if (cType === 'hsa_callback_data_t') return { kind: 'user-data' };
    if (cType === 'void *' && USER_DATA_NAMES.has(name) && hasCallback) return { kind: 'user-data' };
    if (cType === 'void *' && ['value', 'table'].includes(name) && ANY_OUT.test(fn)) return { kind: 'out-any' };
    if (cType === 'const char *') return { kind: 'string' };
    if (!cType.includes('*')) return this.value(cType);
    if (MEMORY.has(key)) return { kind: 'memory' };
    if (/^(const )?(void|hsa_queue_t) \*$/.test(cType)) return { kind: 'pointer' };
    const element = this.element(cType, key);
    if (ARRAYS.has(key) || name === 'dep_signals') return { kind: 'array', ...element };
    if (OUT_ARRAYS.has(key)) return { kind: 'out-array', ...element };
    if (key === 'hsa_executable_get_symbol_by_name.agent') return { kind: element.element };
    if (cType.startsWith('const ') && !cType.endsWith('**')) return { kind: 'struct', struct: element.struct };
    return { kind: IN_OUT.has(key) ? 'in-out' : 'out', ...element };
  }

  /** What a pointer points at. */
  element(cType, key) {
    const target = cType
      .replace(/^(const|volatile) /, '')
      .replace(/ \*$|\*$/, '')
      .trim();
    if (target === 'char *') return { element: 'string' };
    const inner = OUT_ARRAYS.has(key) ? target.replace(/ \*$/, '') : target;
    if (inner.endsWith('*')) return { element: 'pointer' };
    const { kind, struct } = this.value(inner);
    return struct ? { element: 'struct', struct } : { element: kind };
  }

  /** Kind of a type passed by value. */
  value(cType) {
    const type = ALIASES[cType] ?? cType;
    if (this.handles.has(type)) return { kind: 'handle' };
    if (type === 'bool') return { kind: 'bool' };
    if (type === 'hsa_ext_module_t') return { kind: 'pointer' };
    if (NUMBER_TYPES[type]) return { kind: NUMBER_TYPES[type] };
    if (BIGINT_TYPES[type]) return { kind: BIGINT_TYPES[type] };
    if (this.abi.structs[type]) return { kind: 'struct', struct: type };
    // What is left are enums: an int that is never negative.
    if (/^hsa_\w+_t$/.test(type)) return { kind: 'u32' };
    throw new Error(`no kind for ${cType}`);
  }

  /** TypeScript name of a callback type, or undefined for other types. */
  callbackOf(cType) {
    return CALLBACKS[cType]?.[0];
  }
}

/** The callback types by their C type: name and type in TypeScript, which has the parameters of C in their order. */
const CALLBACKS = {
  'hsa_status_t (*)(hsa_agent_t, void *)': ['AgentCallback', '(agent: bigint, data: unknown) => number'],
  'hsa_status_t (*)(hsa_region_t, void *)': ['RegionCallback', '(region: bigint, data: unknown) => number'],
  'hsa_status_t (*)(hsa_cache_t, void *)': ['CacheCallback', '(cache: bigint, data: unknown) => number'],
  'hsa_status_t (*)(hsa_isa_t, void *)': ['IsaCallback', '(isa: bigint, data: unknown) => number'],
  'hsa_status_t (*)(hsa_wavefront_t, void *)': ['WavefrontCallback', '(wavefront: bigint, data: unknown) => number'],
  'hsa_status_t (*)(hsa_amd_memory_pool_t, void *)': ['MemoryPoolCallback', '(pool: bigint, data: unknown) => number'],
  'hsa_status_t (*)(hsa_code_object_t, hsa_code_symbol_t, void *)': [
    'CodeSymbolCallback',
    '(codeObject: bigint, symbol: bigint, data: unknown) => number',
  ],
  'hsa_status_t (*)(hsa_executable_t, hsa_executable_symbol_t, void *)': [
    'ProgramSymbolCallback',
    '(executable: bigint, symbol: bigint, data: unknown) => number',
  ],
  'hsa_status_t (*)(hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t, void *)': [
    'AgentSymbolCallback',
    '(executable: bigint, agent: bigint, symbol: bigint, data: unknown) => number',
  ],
  'hsa_status_t (*)(hsa_ext_program_t, hsa_ext_module_t, void *)': [
    'ModuleCallback',
    '(program: bigint, module: bigint, data: unknown) => number',
  ],
  'hsa_status_t (*)(size_t, hsa_callback_data_t, void **)': [
    'SerializeAllocCallback',
    '(size: bigint, data: unknown, address: Ref<bigint>) => number',
  ],
  'void (*)(hsa_status_t, hsa_queue_t *, void *)': [
    'QueueErrorCallback',
    '(status: number, queue: bigint, data: unknown) => void',
  ],
  'void (*)(void *)': ['AsyncFunctionCallback', '(arg: unknown) => void'],
  'void *(*)(size_t)': ['AllocCallback', '(size: bigint) => bigint'],
  hsa_amd_signal_handler: ['SignalHandler', '(value: bigint, arg: unknown) => boolean'],
  hsa_amd_system_event_callback_t: ['SystemEventCallback', '(event: hsa_amd_event_t, data: unknown) => number'],
  hsa_amd_deallocation_callback_t: ['DeallocationCallback', '(ptr: bigint, data: unknown) => void'],
  hsa_amd_queue_intercept_packet_writer: ['PacketWriter', '(packets: Memory, count: bigint) => void'],
  hsa_amd_queue_intercept_handler: [
    'PacketInterceptHandler',
    '(packets: Memory, count: bigint, firstIndex: bigint, data: unknown, writer: PacketWriter) => void',
  ],
  hsa_amd_runtime_queue_notifier: ['QueueCreateCallback', '(queue: bigint, agent: bigint, data: unknown) => void'],
  hsa_ven_amd_pcs_data_copy_callback_t: [
    'PcSamplingCopyCallback',
    '(context: unknown, sizeBytes: bigint, destination: Memory) => number',
  ],
  hsa_ven_amd_pcs_data_ready_callback_t: [
    'PcSamplingReadyCallback',
    '(data: unknown, sizeBytes: bigint, lostSamples: bigint, copy: PcSamplingCopyCallback, context: unknown) => void',
  ],
  hsa_ven_amd_pcs_iterate_configuration_callback_t: [
    'PcSamplingConfigurationCallback',
    '(configuration: hsa_ven_amd_pcs_configuration_t, data: unknown) => number',
  ],
};

const TS_TYPES = {
  u8: 'number',
  u16: 'number',
  u32: 'number',
  i32: 'number',
  u64: 'bigint',
  i64: 'bigint',
  handle: 'bigint',
  pointer: 'bigint',
  memory: 'Memory',
  bool: 'boolean',
  string: 'string',
  'user-data': 'unknown',
  'out-any': 'Ref<unknown>',
};

/** @param {Param} param */
function tsType(param) {
  const base = tsBase(param);
  return param.nullable ? `${base} | null` : base;
}

function tsBase({ kind, element, struct, callback }) {
  const inner = element === 'struct' ? struct : TS_TYPES[element];
  switch (kind) {
    case 'array':
      return `readonly ${inner}[]`;
    case 'out-array':
      return `Ref<readonly ${inner}[]>`;
    case 'out':
    case 'in-out':
      return `Ref<${inner}>`;
    case 'struct':
      return struct;
    case 'callback':
      return callback;
    default:
      return TS_TYPES[kind];
  }
}

const RETURN_TYPES = {
  hsa_status_t: 'number',
  uint32_t: 'number',
  uint64_t: 'bigint',
  hsa_signal_value_t: 'bigint',
  bool: 'boolean',
  void: 'void',
  'void *': 'bigint',
};

/** `generated/hsa-functions.ts`: every signature as data, and the slots of each table in order. */
export function functionsSource(signatures, { tables, root }) {
  const names = Object.values(tables).flatMap(({ slots }) => slots);
  const lines = names.map((name) => {
    const { returns, params } = signatures.of(name);
    return `  ${name}: function () {\n    return {\n    name: '${name}',\n    returns: '${returns}',\n    params: [${params.map(paramSource).join('')}${params.length ? '\n    ' : ''}],\n    };\n  },`;
  });
  return [
    'export const HSA_FUNCTIONS: { readonly [K in HsaFunctionName]: HsaFunction } = /* @__PURE__ */ lazyRecord<HsaFunctionName, HsaFunction>({',
    ...lines,
    '});',
    '',
    'export const HSA_CALLBACKS: { readonly [K in HsaCallbackName]: HsaCallback } = {',
    ...callbackData(signatures),
    '};',
    '',
    'export const HSA_TABLES: { readonly [K in HsaTableName]: HsaTable } = {',
    ...Object.entries(tables).map(([table, { major, step, slots }]) =>
      [
        `  ${table}: {`,
        `    major: ${major},`,
        `    step: ${step},`,
        '    slots: [',
        ...slots.map((slot) => `      '${slot}',`),
        '    ],',
        '  },',
      ].join('\n'),
    ),
    '};',
    '',
    `export const HSA_API_TABLE_MAJOR_VERSION = ${root.major};`,
    `export const HSA_API_TABLE_STEP_VERSION = ${root.step};`,
  ];
}

function callbackData({ abi }) {
  return Object.entries(CALLBACKS).map(([cType, [name]]) => {
    const spelled = /^(.+?) ?\(\*\)\((.*)\)$/.exec(cType);
    const { returns, params } = spelled ? { returns: spelled[1], params: spelled[2].split(', ') } : abi.callbacks[cType];
    return `  ${name}: { cType: '${cType}', returns: '${returns}', params: [${params.map((param) => `'${param}'`).join(', ')}] },`;
  });
}

function paramSource({ name, cType, kind, element, struct, callback, nullable }) {
  const extra = Object.entries({ element, struct, callback })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `, ${key}: '${value}'`)
    .join('');
  return `\n      { name: '${name}', cType: '${cType}', kind: '${kind}'${extra}${nullable ? ', nullable: true' : ''} },`;
}

const TABLE_TYPES = {
  core: 'CoreApi',
  amdExt: 'AmdExtApi',
  finalizerExt: 'FinalizerExtApi',
  imageExt: 'ImageExtApi',
  tools: 'ToolsApi',
  pcSamplingExt: 'PcSamplingExtApi',
};

/** `generated/hsa-tables.ts`: one interface per table, callback types, the union of all names. */
export function tablesSource(signatures, tables) {
  const structs = new Set();
  const body = [];
  for (const [cType, [name, type]] of Object.entries(CALLBACKS)) {
    for (const [struct] of type.matchAll(/hsa_\w+_t/g)) structs.add(struct);
    body.push(`/** C: \`${cType}\`. */\nexport type ${name} = ${type};\n`);
  }
  for (const [table, { slots }] of Object.entries(tables)) {
    body.push(`/** Slots of the table, in their order, as C declares them. */`, `export interface ${TABLE_TYPES[table]} {`);
    for (const slot of slots) body.push(`  ${slotSource(signatures, slot, table, structs)}`);
    body.push('}', '');
  }
  body.push(
    `export interface HsaTableTypes {`,
    ...Object.keys(tables).map((table) => `  readonly ${table}: ${TABLE_TYPES[table]};`),
    '}',
    '',
    `export type HsaTableName = keyof HsaTableTypes;`,
    '',
    `export type HsaCallbackName = ${Object.values(CALLBACKS)
      .map(([name]) => `'${name}'`)
      .join(' | ')};`,
    '',
    `export type HsaFunctionName = ${Object.values(TABLE_TYPES)
      .map((type) => `keyof ${type}`)
      .join(' | ')};`,
  );
  const imports = [
    `import type { Memory, Ref } from '../ref.js';`,
    `import type { ${[...structs].sort().join(', ')} } from './hsa-structs.js';`,
    '',
  ];
  return [...imports, ...body];
}

function slotSource(signatures, slot, table, structs) {
  const { returns, params } = signatures.of(slot);
  for (const { struct } of params) if (struct) structs.add(struct);
  const list = params.map((param) => `${param.name}: ${tsType(param)}`).join(', ');
  const type = `(${list}) => ${RETURN_TYPES[returns]}`;
  // Slots of the tools table are callbacks that a tool hands in: C has NULL there until then.
  return table === 'tools' ? `${slot}: (${type}) | null;` : `${slot}: ${type};`;
}
