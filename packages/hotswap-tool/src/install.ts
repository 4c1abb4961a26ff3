import type { CoreApi, EventLevel, EventSink, Memory } from '@doorbell/abi';
import { hsa, ref } from '@doorbell/abi';
import type { HsaApiTable } from '@doorbell/api-table';
import { intercept } from '@doorbell/api-table';
import type { HotSwapAgent, HotSwapDecision } from './decide.js';
import { decideHotSwap } from './decide.js';
import type { Env } from './environment.js';
import { readHotSwapEnvironment } from './environment.js';
import { parseSteppedIsa, STEPPED_PROCESSOR } from './identity.js';

/** What a runtime knows this tool by, whatever file it comes from. */
export const HOTSWAP_TOOL_ID = '@doorbell/hotswap-tool';

export interface InstallHotSwapOptions {
  readonly env: Env;
  /** Gets `load-refused`, and under HSA_HOTSWAP_VERBOSE `installed`, `reader-created`, `load-decided`, `inspection-failed`. */
  readonly events?: EventSink;
}

/**
 * Stands between callers and the loader: readers are watched, and each load for an agent is decided on by {@link decideHotSwap}.
 * Calls are handed on with the very arguments they came with. Nothing is installed when HSA_HOTSWAP_DISABLE is set. Dispose takes
 * out this tool's own wrappers and touches nothing else.
 *
 * @example
 * using hotSwap = installHotSwap(tables, { env: process.env });
 */
export function installHotSwap(table: HsaApiTable, { env, events }: InstallHotSwapOptions): Disposable {
  const { disabled, verbose } = readHotSwapEnvironment(env);
  if (disabled) return { [Symbol.dispose]: () => undefined };
  const tool = new HotSwapTool(table.core, { env, events, verbose });
  const options = events === undefined ? {} : { events };
  const wrappers = [
    intercept(
      table.core,
      'hsa_code_object_reader_create_from_memory',
      (next) => (codeObject, size, reader) => {
        const status = next(codeObject, size, reader);
        if (status === hsa.HSA_STATUS_SUCCESS) tool.readerCreated(reader.value, codeObject, size);
        return status;
      },
      options,
    ),
    intercept(
      table.core,
      'hsa_code_object_reader_destroy',
      (next) => (reader) => {
        const status = next(reader);
        if (status === hsa.HSA_STATUS_SUCCESS) tool.readerDestroyed(reader);
        return status;
      },
      options,
    ),
    intercept(
      table.core,
      'hsa_executable_load_agent_code_object',
      (next) => (executable, agent, reader, loadOptions, loaded) =>
        tool.refusalOf(agent, reader) ?? next(executable, agent, reader, loadOptions, loaded),
      options,
    ),
  ];
  tool.tell('installed', 'HotSwap watches code objects at load; nothing is rewritten yet', { tool: HOTSWAP_TOOL_ID });
  return {
    [Symbol.dispose]: () => {
      for (const wrapper of wrappers.reverse()) wrapper[Symbol.dispose]();
    },
  };
}

/** The functions that the tool itself calls, as they were when it was installed. */
type Originals = Pick<CoreApi, 'hsa_agent_iterate_isas' | 'hsa_isa_get_info_alt' | 'hsa_agent_get_info'>;

class HotSwapTool {
  readonly #originals: Originals;
  readonly #env: Env;
  readonly #events: EventSink | undefined;
  readonly #isVerbose: boolean;
  /** Bytes of memory readers. They are the caller's own, as the reader's are: looked at until the reader is destroyed. */
  readonly #readers = new Map<bigint, Uint8Array>();
  /** By handle; `undefined` for agents that do not tell their ISA. Each is asked once. */
  readonly #agents = new Map<bigint, HotSwapAgent | undefined>();

  constructor(
    core: Originals,
    { env, events, verbose }: { readonly env: Env; readonly events: EventSink | undefined; readonly verbose: boolean },
  ) {
    const { hsa_agent_iterate_isas, hsa_isa_get_info_alt, hsa_agent_get_info } = core;
    this.#originals = { hsa_agent_iterate_isas, hsa_isa_get_info_alt, hsa_agent_get_info };
    this.#env = env;
    this.#events = events;
    this.#isVerbose = verbose;
  }

  readerCreated(reader: bigint, codeObject: Memory, size: bigint): void {
    // Device memory has no view here; such a code object is handed on unseen.
    if (codeObject instanceof Uint8Array) this.#readers.set(reader, codeObject.subarray(0, Number(size)));
    this.tell('reader-created', `reader over ${size} bytes`, { reader, size: Number(size) });
  }

  readerDestroyed(reader: bigint): void {
    this.#readers.delete(reader);
  }

  /** The status to refuse a load with; undefined to hand it on. Whatever goes wrong in here hands it on. */
  refusalOf(agentHandle: bigint, reader: bigint): number | undefined {
    let decision: HotSwapDecision;
    try {
      const codeObject = this.#readers.get(reader);
      const agent = codeObject === undefined ? undefined : this.#agent(agentHandle);
      if (codeObject === undefined || agent === undefined) return undefined;
      decision = decideHotSwap({ codeObject, agent, env: this.#env });
    } catch (error) {
      this.tell('inspection-failed', `handed on without a decision: ${String(error)}`, { reader, error });
      return undefined;
    }
    const { action, reason, message, identity } = decision;
    const details = { action, reason, isaName: identity?.isaName, stepping: identity?.stepping };
    if (action === 'pass') {
      this.tell('load-decided', message, details);
      return undefined;
    }
    this.#publish('load-refused', { level: 'error', message, details });
    return decision.hsaStatus ?? hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  }

  /** Something for the verbose log. */
  tell(name: string, message: string, details: Readonly<Record<string, unknown>>): void {
    if (this.#isVerbose) this.#publish(name, { level: 'info', message, details });
  }

  #publish(
    name: string,
    event: { readonly level: EventLevel; readonly message: string; readonly details: Readonly<Record<string, unknown>> },
  ): void {
    this.#events?.publish({ source: 'hotswap-tool', name, ...event });
  }

  #agent(handle: bigint): HotSwapAgent | undefined {
    if (!this.#agents.has(handle)) {
      // A failure is remembered too.
      this.#agents.set(handle, undefined);
      this.#agents.set(handle, this.#askAgent(handle));
    }
    return this.#agents.get(handle);
  }

  #askAgent(handle: bigint): HotSwapAgent | undefined {
    const { hsa_agent_iterate_isas, hsa_isa_get_info_alt, hsa_agent_get_info } = this.#originals;
    const name = ref<unknown>('');
    const status = hsa_agent_iterate_isas(
      handle,
      (isa) => {
        const inner = hsa_isa_get_info_alt(isa, hsa.HSA_ISA_INFO_NAME, name);
        // The first one is the agent's own.
        return inner === hsa.HSA_STATUS_SUCCESS ? hsa.HSA_STATUS_INFO_BREAK : inner;
      },
      null,
    );
    if (status !== hsa.HSA_STATUS_INFO_BREAK || typeof name.value !== 'string') return undefined;
    const isaName = name.value;
    // Only one processor comes in steppings that matter; the others are not asked.
    if (parseSteppedIsa(isaName).target.processor !== STEPPED_PROCESSOR) return { isaName };
    const revision = ref<unknown>(undefined);
    const told = hsa_agent_get_info(handle, hsa.HSA_AMD_AGENT_INFO_ASIC_REVISION, revision);
    return told === hsa.HSA_STATUS_SUCCESS && typeof revision.value === 'number'
      ? { isaName, asicRevision: revision.value }
      : { isaName };
  }
}
