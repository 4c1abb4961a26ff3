import { isHsaError } from '@doorbell/runtime';
import { thunkLoader, topology } from '@doorbell/runtime/layers';
import { count } from '../text.js';
import type { CheckContext, FoundAgents, Finding } from './check.js';
import { finding } from './check.js';

/** Opens each thunk that this machine may have, and looks for agents behind those that come up. */
export async function checkThunks(
  context: CheckContext,
  { openDevice, found }: { readonly openDevice: thunkLoader.LoadThunkOptions['openDevice']; readonly found: FoundAgents[] },
): Promise<Finding> {
  const { sysfs, caller, libraries, trace } = context;
  const evidence: string[] = [];
  let hint: string | undefined;
  for (const backend of thunkLoader.autoBackends(libraries).filter((name) => name !== 'emulated')) {
    try {
      const loaded = await thunkLoader.loadThunk({
        backend,
        libraries,
        search: 'thorough',
        kfd: { sysfs, caller },
        ...(openDevice ? { openDevice } : {}),
        ...(trace ? { trace } : {}),
      });
      const { thunk } = loaded;
      const [candidate] = loaded.candidates;
      evidence.push(
        `${backend}: ${candidate?.reason ?? thunk.path}`,
        ...(candidate?.warnings ?? []).map((text) => `${backend}: ${text}`),
      );
      try {
        found.push({ backend, discovery: discover(thunk, context) });
      } finally {
        await thunk[Symbol.asyncDispose]();
      }
    } catch (error) {
      if (!isHsaError(error)) throw error;
      evidence.push(`${backend}: ${error.message}`);
      hint ??= error.hint;
    }
  }
  return found.length > 0 ? finding('ok', evidence) : finding('failed', evidence, hint);
}

function discover(thunk: thunkLoader.Thunk, { env }: CheckContext): topology.AgentDiscovery {
  const visibleDevices = env['ROCR_VISIBLE_DEVICES'];
  const gfxOverrides = topology.readGfxOverrides(env);
  return topology.discoverAgents(topology.readTopology(thunk.sysfs), {
    source: thunk.sysfs,
    thunk,
    ...(visibleDevices === undefined ? {} : { visibleDevices }),
    ...(gfxOverrides === undefined ? {} : { gfxOverrides }),
  });
}

/** What programs would see, and which device they would get. */
export function checkAgents(found: readonly FoundAgents[]): Finding {
  const [first] = found;
  if (first === undefined) return finding('skipped', ['no thunk came up']);
  const { gpus, cpus, hiddenGpus, skipped, notes } = first.discovery;
  const choice = topology.chooseDefaultDevice(gpus);
  const evidence = [
    `${first.backend}: ${count(cpus.length, 'CPU agent')}, ${count(gpus.length, 'GPU agent')}`,
    ...gpus.map(({ nodeId, isa, marketingName, name }) => `node ${nodeId}: ${isa.targetId} ${marketingName || name}`),
    ...hiddenGpus.map(({ nodeId, name }) => `node ${nodeId}: ${name} is hidden by ROCR_VISIBLE_DEVICES`),
    ...skipped.map(({ sysfsId, reason }) => `node ${sysfsId} left out: ${reason}`),
    ...notes,
    `default: ${choice.reason}`,
  ];
  if (gpus.length === 0) {
    const hint =
      hiddenGpus.length > 0
        ? 'Unset ROCR_VISIBLE_DEVICES to see all GPUs.'
        : skipped.find((node) => node.hint !== undefined)?.hint;
    return finding('failed', evidence, hint);
  }
  if (choice.gpu === undefined)
    return finding('warning', evidence, 'An integrated GPU is used by explicit choice: DOORBELL_DEVICE=kfd:0.');
  return finding(skipped.length > 0 ? 'warning' : 'ok', evidence);
}
