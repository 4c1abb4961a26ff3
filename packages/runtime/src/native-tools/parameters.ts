/** What the signature data does not say about parameters, and C code has to know. */
import type { HsaFunction, HsaFunctionName, HsaParam } from '@doorbell/abi';
import { InternalError } from '@doorbell/abi';
import type { CScalar, CSignature } from '@doorbell/thunk-loader';
import { scalarOf } from './elements.js';

/** hsa_ext_amd.h: `num_cu_mask_count` counts bits; the mask is of 32-bit words. */
const BITS_OF_WORD = 32;

/**
 * The parameter that says how many elements a pointer has, by the pointer's name; the same in all functions. `size` counts bytes of
 * `memory` parameters.
 */
const COUNTED_BY: Readonly<Record<string, string>> = {
  accessible: 'num_agents_accessible',
  attribute_list: 'attribute_count',
  code_object: 'size',
  conds: 'signal_count',
  consumers: 'num_consumers',
  cu_mask: 'num_cu_mask_count',
  dep_signals: 'num_dep_signals',
  desc: 'desc_cnt',
  dst: 'size',
  mapping_agents: 'num_agents',
  satisfying_values: 'signal_count',
  serialized_code_object: 'serialized_code_object_size',
  src: 'size',
  values: 'signal_count',
};
/** Where the name alone does not tell: the counts to look for, in order. */
const AGENTS: readonly string[] = ['num_agents', 'num_agent'];
const SIGNALS: readonly string[] = ['num_signals', 'signal_count'];
/** `flags` of hsa_amd_agents_allow_access is reserved; of hsa_amd_enable_logging it has 8 bytes. */
const FLAGS: Partial<Record<HsaFunctionName, number>> = { hsa_amd_agents_allow_access: 1, hsa_amd_enable_logging: 8 };

/** Slots that have no native form, and why. */
export const INEXPRESSIBLE: Partial<Record<HsaFunctionName, string>> = {
  hsa_signal_group_wait_any_scacquire: 'how many conditions there are is known of the group alone',
  hsa_signal_group_wait_any_relaxed: 'how many conditions there are is known of the group alone',
  hsa_system_get_extension_table: 'the table that it fills has C function pointers of an extension',
  hsa_system_get_major_extension_table: 'the table that it fills has C function pointers of an extension',
  hsa_ext_program_finalize: 'it takes a structure of 144 bytes by value',
};

/** Functions that keep callback and user data after they have returned. */
const KEEPS: ReadonlySet<HsaFunctionName> = new Set<HsaFunctionName>([
  'hsa_queue_create',
  'hsa_amd_signal_async_handler',
  'hsa_amd_async_function',
  'hsa_amd_register_system_event_handler',
  'hsa_amd_queue_intercept_create',
  'hsa_amd_queue_intercept_register',
  'hsa_amd_runtime_queue_create_register',
  'hsa_amd_register_deallocation_callback',
  'hsa_amd_deregister_deallocation_callback',
  'hsa_ven_amd_pcs_create',
  'hsa_ven_amd_pcs_create_from_id',
]);

export function keepsCallbacks(name: HsaFunctionName): boolean {
  return KEEPS.has(name);
}

/** The C type of a function. */
export function signatureOf({ returns, params }: HsaFunction): CSignature {
  return { returns: RETURNS[returns], params: params.map(scalarOfParam) };
}

const RETURNS: Readonly<Record<HsaFunction['returns'], CSignature['returns']>> = {
  hsa_status_t: 'u32',
  uint32_t: 'u32',
  uint64_t: 'u64',
  hsa_signal_value_t: 'i64',
  void: 'void',
};

function scalarOfParam(param: HsaParam): CScalar {
  if (isPointerToHandle(param)) return 'u64';
  switch (param.kind) {
    case 'memory':
    case 'user-data':
    case 'callback':
    case 'array':
    case 'out':
    case 'in-out':
    case 'out-array':
    case 'out-any':
      return 'u64';
    default:
      return scalarOf(param.kind);
  }
}

/** A handle that may be absent goes by its address (hsa_executable_get_symbol_by_name's agent). */
export function isPointerToHandle({ kind, cType }: HsaParam): boolean {
  return kind === 'handle' && cType.endsWith('*');
}

/** Elements behind a pointer parameter (bytes for `memory`), by the arguments of the call. */
export function countOf(signature: HsaFunction, param: HsaParam, args: readonly unknown[]): number {
  const reserved = param.name === 'flags' ? FLAGS[signature.name] : undefined;
  if (reserved !== undefined) return reserved;
  const names = param.name === 'agents' ? AGENTS : param.name === 'signals' ? SIGNALS : [COUNTED_BY[param.name]];
  const index = signature.params.findIndex(({ name }) => names.includes(name));
  const count = args[index];
  if (typeof count !== 'number' && typeof count !== 'bigint')
    throw new InternalError(`nothing tells how many ${param.name} ${signature.name} takes`);
  return param.name === 'cu_mask' ? Math.ceil(Number(count) / BITS_OF_WORD) : Number(count);
}
