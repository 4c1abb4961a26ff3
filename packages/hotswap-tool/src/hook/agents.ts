import type { CoreApi } from '@doorbell/abi';
import { hsa, ref } from '@doorbell/abi';
import { STEPPED_PROCESSOR } from '../identity.js';
import type { HotSwapAgent } from '../policy/agent.js';
import { processorOf } from '../policy/agent.js';
import { a0Gate } from '../policy/steppings.js';

/** The functions that tell about agents. */
export type AgentQueries = Pick<
  CoreApi,
  'hsa_iterate_agents' | 'hsa_agent_iterate_isas' | 'hsa_isa_get_info_alt' | 'hsa_agent_get_info'
>;

/** Whether gfx1250 A0 silicon is in the machine; unknown: an agent, or the list of them, does not tell. */
export type A0Presence = 'none' | 'possible' | 'unknown';

/** What is known of agents. Each is asked once, and remembered also when it gives no answer. */
export class AgentFacts {
  readonly #queries: AgentQueries;
  readonly #agents = new Map<bigint, HotSwapAgent | undefined>();
  #a0: A0Presence | undefined;

  constructor(queries: AgentQueries) {
    this.#queries = queries;
  }

  /** Undefined: it does not tell its ISA. */
  find(handle: bigint): HotSwapAgent | undefined {
    if (!this.#agents.has(handle)) {
      // Whatever goes wrong on the way is remembered too.
      this.#agents.set(handle, undefined);
      this.#agents.set(handle, this.#ask(handle));
    }
    return this.#agents.get(handle);
  }

  /** Asked of all agents the first time that somebody wants to know. */
  get a0(): A0Presence {
    return (this.#a0 ??= this.#lookForA0());
  }

  #lookForA0(): A0Presence {
    let presence: A0Presence = 'none';
    const status = this.#queries.hsa_iterate_agents((agent) => {
      if (this.#isCpu(agent)) return hsa.HSA_STATUS_SUCCESS;
      const facts = this.find(agent);
      const gate = facts === undefined ? 'unknown' : a0Gate(facts);
      if (gate === 'open') presence = 'possible';
      if (gate === 'unknown' && presence === 'none') presence = 'unknown';
      return hsa.HSA_STATUS_SUCCESS;
    }, null);
    return status === hsa.HSA_STATUS_SUCCESS ? presence : 'unknown';
  }

  #isCpu(handle: bigint): boolean {
    const type = ref<unknown>(undefined);
    const status = this.#queries.hsa_agent_get_info(handle, hsa.HSA_AGENT_INFO_DEVICE, type);
    return status === hsa.HSA_STATUS_SUCCESS && type.value === hsa.HSA_DEVICE_TYPE_CPU;
  }

  #ask(handle: bigint): HotSwapAgent | undefined {
    const { hsa_agent_iterate_isas, hsa_isa_get_info_alt, hsa_agent_get_info } = this.#queries;
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
    // C's name ends with NULs.
    const isaName = name.value.replace(/\0+$/, '');
    // Only one processor comes in steppings that matter; the others are not asked.
    if (processorOf(isaName) !== STEPPED_PROCESSOR) return { isaName };
    const revision = ref<unknown>(undefined);
    const told = hsa_agent_get_info(handle, hsa.HSA_AMD_AGENT_INFO_ASIC_REVISION, revision);
    return told === hsa.HSA_STATUS_SUCCESS && typeof revision.value === 'number'
      ? { isaName, asicRevision: revision.value }
      : { isaName };
  }
}
