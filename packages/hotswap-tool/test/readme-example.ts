import { createApiTables } from '@doorbell/api-table';
import { parseTargetId } from '@doorbell/code-object';
import { decideHotSwap, installHotSwap } from '@doorbell/hotswap-tool';

// Made for the agent, covered by a generic target, made for a relative.
const agent = { isaName: 'amdgcn-amd-amdhsa--gfx1100' };
for (const name of ['gfx1100', 'gfx11-generic', 'gfx1101']) {
  const codeObject = { ...parseTargetId(name), genericVersion: 1 };
  const { action, reason } = decideHotSwap({ codeObject, agent, env: {} });
  console.log(`${name}: ${action} (${reason})`);
}

// In the tables of a runtime, it decides on every load.
const { public: tables } = createApiTables({});
const events = { publish: ({ message }: { message: string }) => console.log(message) };
using _hotSwap = installHotSwap(tables, { env: { HSA_HOTSWAP_VERBOSE: '1' }, events });
