import { hsa, HsaError, ref } from '@doorbell/abi';
import type { GpuAgent } from '@doorbell/topology';
import type { RuntimeAgent, RuntimePool } from '../core/agents.js';
import type { ApiTable } from '../core/api.js';
import type { Runtime } from '../core/runtime.js';
import { HsaCaller } from './hsa-call.js';
import type { BufferOptions } from './types.js';

/** Which pool an allocation comes from. */
export type PoolName = NonNullable<BufferOptions['pool']>;

/** What queues, modules and buffers of one device share: the runtime, the agent, and memory by the public table. */
export class DeviceContext {
  readonly runtime: Runtime;
  readonly agent: RuntimeAgent;
  readonly gpu: GpuAgent;
  readonly hsa: HsaCaller;
  readonly #pools: Readonly<Record<PoolName, RuntimePool>>;

  constructor(runtime: Runtime, agent: RuntimeAgent, gpu: GpuAgent) {
    this.runtime = runtime;
    this.agent = agent;
    this.gpu = gpu;
    this.hsa = new HsaCaller(runtime);
    const cpu = runtime.registry.list.find(
      (candidate) => candidate.agent.kind === 'cpu' && candidate.agent.nodeId === gpu.nearestCpuNodeId,
    );
    const system = cpu ?? runtime.registry.list.find((candidate) => candidate.agent.kind === 'cpu');
    this.#pools = {
      vram: findPool(agent, 'VRAM', ({ pool }) => pool.kind === 'vram' && pool.coherence === 'coarse'),
      gtt: findPool(system, 'system', ({ pool }) => pool.kind === 'system' && pool.coherence === 'fine' && !pool.kernarg),
      kernarg: findPool(system, 'kernarg', ({ pool }) => pool.kind === 'system' && pool.kernarg),
    };
  }

  get table(): ApiTable {
    return this.runtime.tables.public;
  }

  /** Allocates through the public table and makes it reachable for the GPU. @throws {HsaError} ERR_OUT_OF_MEMORY. */
  allocate(pool: PoolName, { sizeBytes, label }: { readonly sizeBytes: number; readonly label?: string | undefined }): bigint {
    if (!Object.hasOwn(this.#pools, pool)) {
      throw new HsaError('ERR_INVALID_ARGUMENT', {
        message: `pool is one of ${Object.keys(this.#pools).join(', ')}, not ${String(pool)}`,
        details: { pool },
      });
    }
    const address = ref(0n);
    const { amdExt } = this.table;
    this.hsa.check(`allocating ${sizeBytes} bytes of ${pool}`, () =>
      amdExt.hsa_amd_memory_pool_allocate(this.#pools[pool].handle, BigInt(sizeBytes), 0, address),
    );
    try {
      this.hsa.check('giving the GPU access', () =>
        amdExt.hsa_amd_agents_allow_access(1, [this.agent.handle], null, address.value),
      );
    } catch (error) {
      amdExt.hsa_amd_memory_pool_free(address.value);
      throw error;
    }
    const allocation = this.runtime.memory.find(address.value);
    if (allocation) allocation.label = label;
    return address.value;
  }

  free(address: bigint): void {
    this.hsa.check('freeing memory', () => this.table.amdExt.hsa_amd_memory_pool_free(address));
  }

  /** The host's view. @throws {HsaError} ERR_NOT_HOST_VISIBLE. */
  view(address: bigint, sizeBytes: number): Uint8Array {
    return this.runtime.memory.view(address, sizeBytes);
  }

  /** A signal with value 1, as a launch's completion. */
  createSignal(): bigint {
    const signal = ref(0n);
    this.hsa.check('creating a signal', () => this.table.core.hsa_signal_create(1n, 0, null, signal));
    return signal.value;
  }
}

function findPool(agent: RuntimeAgent | undefined, name: string, matches: (pool: RuntimePool) => boolean): RuntimePool {
  const pool = agent?.pools.find(matches);
  if (pool === undefined) {
    throw new HsaError('ERR_TOPOLOGY', {
      message: `there is no ${name} memory pool`,
      hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_MEMORY_POOL,
    });
  }
  return pool;
}
