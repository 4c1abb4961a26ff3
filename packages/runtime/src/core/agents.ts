import type { Agent, AgentCommon, MemoryPool } from '@doorbell/topology';
import { HANDLE_KINDS, HandleTable } from './handles.js';

type Cache = AgentCommon['caches'][number];

/** An agent with its handles. */
export interface RuntimeAgent {
  readonly handle: bigint;
  readonly name: string;
  readonly agent: Agent;
  readonly pools: readonly RuntimePool[];
  readonly isas: readonly RuntimeIsa[];
  readonly caches: readonly RuntimeCache[];
}

export interface RuntimePool {
  readonly handle: bigint;
  readonly agent: RuntimeAgent;
  readonly pool: MemoryPool;
}

export interface RuntimeIsa {
  readonly handle: bigint;
  /** `amdgcn-amd-amdhsa--gfx1100`. */
  readonly name: string;
  readonly wavefrontSize: number;
}

export interface RuntimeCache {
  readonly handle: bigint;
  readonly cache: Cache;
}

/** All agents of a runtime, with the tables that their handles are looked up in. */
export class AgentRegistry {
  readonly agents: HandleTable<RuntimeAgent> = new HandleTable(HANDLE_KINDS.agent);
  readonly pools: HandleTable<RuntimePool> = new HandleTable(HANDLE_KINDS.pool);
  readonly isas: HandleTable<RuntimeIsa> = new HandleTable(HANDLE_KINDS.isa);
  readonly caches: HandleTable<RuntimeCache> = new HandleTable(HANDLE_KINDS.cache);
  /** In the order of hsa_iterate_agents. */
  readonly list: readonly RuntimeAgent[];

  constructor(agents: readonly Agent[]) {
    this.list = agents.map((agent) => this.#register(agent));
  }

  #register(agent: Agent): RuntimeAgent {
    const pools: RuntimePool[] = [];
    const isas: RuntimeIsa[] = [];
    const caches: RuntimeCache[] = [];
    const entry = { handle: 0n, name: agent.name, agent, pools, isas, caches };
    entry.handle = this.agents.add(entry);
    for (const pool of agent.pools) {
      const registered = { handle: 0n, agent: entry, pool };
      registered.handle = this.pools.add(registered);
      pools.push(registered);
    }
    if (agent.kind === 'gpu') {
      for (const name of agent.isa.isaNames) {
        const isa = { handle: 0n, name, wavefrontSize: agent.wavefrontSize };
        isa.handle = this.isas.add(isa);
        isas.push(isa);
      }
    }
    for (const cache of agent.caches) {
      const registered = { handle: 0n, cache };
      registered.handle = this.caches.add(registered);
      caches.push(registered);
    }
    return entry;
  }
}
