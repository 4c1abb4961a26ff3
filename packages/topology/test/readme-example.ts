import { createLinuxSysfs } from '@doorbell/thunk-loader';
import { chooseDefaultDevice, discoverAgents, discoverDrivers, readTopology } from '@doorbell/topology';

const source = createLinuxSysfs();
for (const { driver, state, reason } of discoverDrivers(source)) console.log(`${driver}: ${state} (${reason})`);

try {
  const found = discoverAgents(readTopology(source), { source });
  for (const agent of found.agents) console.log(agent.nodeId, agent.kind, agent.name, agent.marketingName);
  for (const { sysfsId, reason } of found.skipped) console.log(`node ${sysfsId} left out: ${reason}`);
  console.log('default:', chooseDefaultDevice(found.gpus).reason);
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
}
