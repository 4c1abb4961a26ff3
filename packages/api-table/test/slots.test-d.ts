import type { Ref } from '@doorbell/abi';
import { ref } from '@doorbell/abi';
import type { HsaApiTable } from '../src/index.js';
import { createApiTables, intercept } from '../src/index.js';

declare const tables: HsaApiTable;
const queue: Ref<bigint> = ref(0n);

// Slots have C's parameters in C's order, and return the status as a number.
export const status: number = tables.core.hsa_queue_create(1n, 64, 0, null, undefined, 0, 0, queue);
export const value: bigint = tables.core.hsa_signal_wait_scacquire(1n, 2, 0n, 5n, 1);
tables.core.hsa_iterate_agents((agent: bigint, data: unknown) => Number(agent === data), {});
tables.amdExt.hsa_amd_memory_async_copy_rect(
  { base: 0n, pitch: 0n, slice: 0n },
  { x: 0, y: 0, z: 0 },
  { base: 0n, pitch: 0n, slice: 0n },
  { x: 0, y: 0, z: 0 },
  { x: 1, y: 1, z: 1 },
  1n,
  0,
  0,
  null,
  0n,
);

// @ts-expect-error handles are bigint
tables.core.hsa_queue_create(1, 64, 0, null, undefined, 0, 0, queue);
// @ts-expect-error an out-parameter is a Ref
tables.core.hsa_queue_create(1n, 64, 0, null, undefined, 0, 0, 0n);
// @ts-expect-error an out-parameter has the type of what it gets
tables.core.hsa_queue_create(1n, 64, 0, null, undefined, 0, 0, ref('x'));
// @ts-expect-error the last argument is missing
tables.core.hsa_queue_create(1n, 64, 0, null, undefined, 0, 0);
// @ts-expect-error no such slot
export const missing = tables.core.hsa_queue_make as unknown;
// @ts-expect-error slots of the tools table may be null
tables.tools.hsa_amd_tool_scratch_event_alloc_start({ kind: 0, queue: 0n, flags: 0, dispatch_id: 0n });
// @ts-expect-error a callback returns a status
tables.core.hsa_iterate_agents(() => 'x', null);

// A tool may assign a slot, with a function of the slot's type only.
tables.core.hsa_init = () => 0;
// @ts-expect-error not a status
tables.core.hsa_init = () => 'x';

intercept(
  tables.core,
  'hsa_queue_create',
  (next) =>
    (agent, size, ...rest) =>
      next(agent, size * 2, ...rest),
);
// @ts-expect-error no such slot
intercept(tables.core, 'hsa_amd_queue_set_priority', (next) => next);
// @ts-expect-error the version is no slot
intercept(tables.core, 'version', (next) => next);
// @ts-expect-error the wrapper has the slot's type
intercept(tables.core, 'hsa_queue_create', () => (agent: string) => agent.length);

createApiTables({ hsa_agent_get_info: (agent, attribute, info) => Number((info.value = agent + BigInt(attribute)) === 0n) });
// @ts-expect-error no such function
createApiTables({ hsa_nothing: () => 0 });
// @ts-expect-error wrong parameter type
createApiTables({ hsa_queue_destroy: (queue: number) => queue });
