import type { EventSink } from '@doorbell/abi';
import { hsa, HsaError } from '@doorbell/abi';
import type { HsaApiTable } from '@doorbell/api-table';
import { hasSlot, intercept } from '@doorbell/api-table';
import type { Env } from '../environment.js';
import { readHotSwapEnvironment } from '../environment.js';
import type { RewriteCacheStatistics } from '../rewrite-cache.js';
import { RewriteCache } from '../rewrite-cache.js';
import type { HotSwapRewriter } from '../rewriter.js';
import { HOTSWAP_TOOL_ID } from '../tool-id.js';
import type { HotSwapHost } from './host.js';
import { HotSwapHook } from './hot-swap-hook.js';
import { HotSwapLog } from './log.js';
import { RetainedBytes } from './retained-bytes.js';

export interface HotSwapHookOptions {
  readonly env: Env;
  /** What the runtime can do beyond its tables. Default: nothing. */
  readonly host?: HotSwapHost;
  /**
   * Gets `load-refused`, `rewrite-refused`, `callback-failed`, `reader-left-behind`, and under HSA_HOTSWAP_VERBOSE `installed`,
   * `reader-created`, `load-decided`, `load-rewritten`, `inspection-failed`.
   */
  readonly events?: EventSink;
  readonly rewriter: HotSwapRewriter;
  /** Default: one of its own, of 256 MiB. */
  readonly cache?: RewriteCache;
}

/** HotSwap in a table. Dispose takes it out. */
export interface InstalledHotSwap extends Disposable {
  /** False: the kill switch is set, or it was disposed. */
  readonly isActive: boolean;
  /** Whether code for a relative of the agent is retargeted at load: DOORBELL_HOTSWAP_RETARGET, while it is active. */
  readonly retargets: boolean;
  readonly statistics: {
    /** Executables whose loader got other bytes than the caller's, and how many bytes. */
    readonly retained: { readonly executables: number; readonly bytes: number };
    readonly cache: RewriteCacheStatistics;
  };
}

/** The slots that HotSwap wraps. */
export const HOTSWAP_SLOTS = [
  'hsa_code_object_reader_create_from_file',
  'hsa_code_object_reader_create_from_memory',
  'hsa_code_object_reader_destroy',
  'hsa_executable_destroy',
  'hsa_executable_load_agent_code_object',
  'hsa_executable_load_program_code_object',
  'hsa_executable_load_code_object',
  'hsa_system_get_major_extension_table',
] as const;

/** What a table remembers of HotSwap, also after it was taken out. */
interface TableState {
  isInstalled: boolean;
  readonly retained: RetainedBytes;
}

const states = new WeakMap<HsaApiTable, TableState>();

/**
 * `installHotSwap` with a rewriter that is handed in: loads nothing of the rewriter that retargets.
 *
 * @throws {HsaError} ERR_TOOL when HotSwap is in the table already, or the table lacks one of the slots.
 */
export function installHotSwapHook(table: HsaApiTable, options: HotSwapHookOptions): InstalledHotSwap {
  const { env, host = {}, events, rewriter, cache = new RewriteCache() } = options;
  const flags = readHotSwapEnvironment(env);
  const state = states.get(table) ?? { isInstalled: false, retained: new RetainedBytes() };
  states.set(table, state);
  if (flags.disabled) return handle({ isActive: () => false, retargets: false, state, cache, remove: () => undefined });
  requireRoom(table, state);
  const { core } = table;
  const log = new HotSwapLog({ events, isVerbose: flags.verbose });
  const hook = new HotSwapHook({
    // Frozen: what others put into the table later is not called from in here.
    originals: Object.freeze({
      hsa_iterate_agents: core.hsa_iterate_agents,
      hsa_agent_iterate_isas: core.hsa_agent_iterate_isas,
      hsa_isa_get_info_alt: core.hsa_isa_get_info_alt,
      hsa_agent_get_info: core.hsa_agent_get_info,
      hsa_code_object_reader_create_from_memory: core.hsa_code_object_reader_create_from_memory,
      hsa_code_object_reader_destroy: core.hsa_code_object_reader_destroy,
    }),
    env: flags,
    log,
    host,
    rewriter,
    cache,
    retained: state.retained,
  });
  const wrapping = { removedStatus: hsa.HSA_STATUS_ERROR, ...(events === undefined ? {} : { events }) };
  const wrappers = [
    intercept(core, 'hsa_code_object_reader_create_from_file', (next) => hook.createFromFile(next), wrapping),
    intercept(core, 'hsa_code_object_reader_create_from_memory', (next) => hook.createFromMemory(next), wrapping),
    intercept(core, 'hsa_code_object_reader_destroy', (next) => hook.destroyReader(next), wrapping),
    intercept(core, 'hsa_executable_destroy', (next) => hook.destroyExecutable(next), wrapping),
    intercept(core, 'hsa_executable_load_agent_code_object', (next) => hook.loadForAgent(next), wrapping),
    intercept(core, 'hsa_executable_load_program_code_object', (next) => hook.loadForProgram(next), wrapping),
    intercept(core, 'hsa_executable_load_code_object', (next) => hook.loadDeprecated(next), wrapping),
    intercept(core, 'hsa_system_get_major_extension_table', (next) => hook.extensionTable(next), wrapping),
  ];
  state.isInstalled = true;
  let isActive = true;
  log.tell('installed', 'HotSwap stands between programs and the loader', { tool: HOTSWAP_TOOL_ID });
  return handle({
    isActive: () => isActive,
    retargets: flags.retarget,
    state,
    cache,
    remove: () => {
      if (!isActive) return;
      isActive = false;
      for (const wrapper of wrappers.reverse()) wrapper[Symbol.dispose]();
      hook.remove();
      state.isInstalled = false;
    },
  });
}

/** Checked before anything is touched. */
function requireRoom(table: HsaApiTable, { isInstalled }: TableState): void {
  if (isInstalled) throw new HsaError('ERR_TOOL', { message: 'HotSwap is in this API table already: dispose it first' });
  const missing = HOTSWAP_SLOTS.find((slot) => !hasSlot(table.core, slot) || typeof table.core[slot] !== 'function');
  if (missing !== undefined)
    throw new HsaError('ERR_TOOL', { message: `HotSwap cannot be installed: the table has no ${missing}` });
}

function handle({
  isActive,
  retargets,
  state,
  cache,
  remove,
}: {
  readonly isActive: () => boolean;
  readonly retargets: boolean;
  readonly state: TableState;
  readonly cache: RewriteCache;
  readonly remove: () => void;
}): InstalledHotSwap {
  return {
    get isActive() {
      return isActive();
    },
    get retargets() {
      return retargets && isActive();
    },
    get statistics() {
      return { retained: state.retained.statistics, cache: cache.statistics };
    },
    [Symbol.dispose]: remove,
  };
}
