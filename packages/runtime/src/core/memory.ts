import { hsa, HsaError } from '@doorbell/abi';
import type { Thunk, ThunkMemory } from '@doorbell/thunk-loader';
import type { MemoryPool } from '@doorbell/topology';
import type { RuntimeAgent } from './agents.js';

/** An allocation as the runtime keeps it: where it came from, for pointer queries and fault reports. */
export interface Allocation {
  readonly address: bigint;
  /** As asked for; {@link memory} holds the rounded size. */
  readonly sizeBytes: number;
  readonly agent: RuntimeAgent;
  readonly pool: MemoryPool;
  readonly memory: ThunkMemory;
  /** For messages: a buffer's label, a code object's name. */
  label: string | undefined;
}

/** What to allocate; see {@link MemoryManager.allocate}. */
export interface AllocationRequest {
  readonly agent: RuntimeAgent;
  readonly pool: MemoryPool;
  readonly sizeBytes: number;
  readonly executable?: boolean;
  readonly label?: string;
}

/** Every allocation of a runtime, found by any address inside it. */
export class MemoryManager {
  readonly #thunk: Thunk;
  /** Sorted by address; few thousand at most, found by bisection. */
  readonly #allocations: Allocation[] = [];
  readonly #gpuIds: () => readonly number[];

  /** `gpuIds`: the GPUs that system memory is mapped to. */
  constructor(thunk: Thunk, gpuIds: () => readonly number[]) {
    this.#thunk = thunk;
    this.#gpuIds = gpuIds;
  }

  /** @throws {HsaError} ERR_OUT_OF_MEMORY, ERR_INVALID_ARGUMENT. */
  allocate(request: AllocationRequest): Allocation {
    const { agent, pool, sizeBytes } = request;
    if (!pool.runtimeAllocAllowed) {
      throw new HsaError('ERR_INVALID_ARGUMENT', {
        message: `memory pool ${pool.kind} of ${agent.name} cannot be allocated from`,
        hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_ALLOCATION,
      });
    }
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes <= 0 || BigInt(sizeBytes) > pool.allocMaxBytes) {
      throw new HsaError('ERR_OUT_OF_MEMORY', {
        message: `${sizeBytes} bytes asked of a ${pool.kind} pool of ${agent.name} whose largest allocation is ${pool.allocMaxBytes} bytes`,
        hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_ALLOCATION,
        details: { sizeBytes, allocMaxBytes: pool.allocMaxBytes },
      });
    }
    const memory = this.#thunk.allocate({
      kind: pool.kind === 'vram' ? 'vram' : 'gtt',
      gpuIds: this.#reach(agent),
      sizeBytes,
      hostVisible: pool.hostVisible,
      executable: request.executable ?? false,
      coherent: pool.coherence !== 'coarse',
      uncached: pool.kernarg,
    });
    const allocation: Allocation = { address: memory.address, sizeBytes, agent, pool, memory, label: request.label };
    this.#allocations.splice(this.#indexAfter(memory.address), 0, allocation);
    return allocation;
  }

  /** @throws {HsaError} ERR_INVALID_ADDRESS when no allocation begins there. */
  free(address: bigint): void {
    const index = this.#indexAfter(address) - 1;
    const allocation = this.#allocations[index];
    if (allocation?.address !== address) {
      throw new HsaError('ERR_INVALID_ADDRESS', { message: `no allocation begins at 0x${address.toString(16)}` });
    }
    this.#thunk.free(allocation.memory);
    this.#allocations.splice(index, 1);
  }

  /** The allocation that `address` lies in. */
  find(address: bigint): Allocation | undefined {
    const candidate = this.#allocations[this.#indexAfter(address) - 1];
    return candidate !== undefined && address < candidate.address + BigInt(candidate.memory.sizeBytes) ? candidate : undefined;
  }

  /** The allocation nearest to an address that lies in none, with the distance in bytes: what a stray access probably meant. */
  nearest(address: bigint): { readonly allocation: Allocation; readonly distanceBytes: bigint } | undefined {
    const index = this.#indexAfter(address);
    const below = this.#allocations[index - 1];
    const above = this.#allocations[index];
    const toBelow = below === undefined ? undefined : address - (below.address + BigInt(below.sizeBytes)) + 1n;
    const toAbove = above === undefined ? undefined : above.address - address;
    if (below !== undefined && toBelow !== undefined && (toAbove === undefined || toBelow <= toAbove)) {
      return { allocation: below, distanceBytes: toBelow > 0n ? toBelow : 0n };
    }
    return above !== undefined && toAbove !== undefined ? { allocation: above, distanceBytes: toAbove } : undefined;
  }

  /**
   * The host's view of `sizeBytes` bytes at `address`; valid until the allocation is freed.
   * @throws {HsaError} ERR_INVALID_ADDRESS, ERR_NOT_HOST_VISIBLE.
   */
  view(address: bigint, sizeBytes: number): Uint8Array {
    const allocation = this.find(address);
    const offset = allocation === undefined ? 0 : Number(address - allocation.address);
    if (allocation === undefined || offset + sizeBytes > allocation.memory.sizeBytes) {
      throw new HsaError('ERR_INVALID_ADDRESS', {
        message: `0x${address.toString(16)} … +${sizeBytes} bytes does not lie in one allocation`,
        details: { address, sizeBytes },
      });
    }
    const { bytes } = allocation.memory;
    if (bytes === undefined) {
      throw new HsaError('ERR_NOT_HOST_VISIBLE', {
        message: `the host cannot see the ${allocation.pool.kind} memory of ${allocation.agent.name}`,
      });
    }
    return bytes.subarray(offset, offset + sizeBytes);
  }

  all(): readonly Allocation[] {
    return this.#allocations;
  }

  #reach(agent: RuntimeAgent): readonly [number, ...number[]] {
    const [first, ...rest] = this.#gpuIds();
    if (agent.agent.kind === 'gpu') return [agent.agent.gpuId];
    if (first === undefined) throw new HsaError('ERR_NO_DEVICE', { message: 'there is no GPU that could reach the memory' });
    return [first, ...rest];
  }

  /** Index of the first allocation that begins above `address`. */
  #indexAfter(address: bigint): number {
    let low = 0;
    let high = this.#allocations.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const allocation = this.#allocations[middle];
      if (allocation !== undefined && allocation.address <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
