/** Which agents may use a pool (rocr amd_memory_region.cpp GetAccessInfo). */
import type { Agent, MemoryPool } from './agent-types.js';

/** `default`: at once; `on-request`: after hsa_amd_agents_allow_access; `never`: not at all. */
export type PoolAccess = 'default' | 'on-request' | 'never';

/** Access of `agent` to a pool of `owner`. */
export function poolAccess(agent: Agent, { owner, pool }: { readonly owner: Agent; readonly pool: MemoryPool }): PoolAccess {
  if (owner.id === agent.id) return 'default';
  const isSameNode = owner.nodeId === agent.nodeId;
  const link = agent.links.find(({ nodeId }) => nodeId === owner.nodeId);
  if (link === undefined && !isSameNode) return 'never';
  if (pool.kind === 'system') return agent.kind === 'cpu' ? 'default' : 'on-request';
  if (pool.kind === 'group') return 'never';
  // Memory that the CPU's bus cannot address stays the GPU's, and its peers'.
  if (agent.kind === 'cpu' && !pool.hostVisible) return 'never';
  if (pool.coherence !== 'fine') return 'on-request';
  const isSameHive = agent.kind === 'gpu' && owner.kind === 'gpu' && owner.hiveId !== 0n && agent.hiveId === owner.hiveId;
  return isSameHive ? 'on-request' : 'never';
}
