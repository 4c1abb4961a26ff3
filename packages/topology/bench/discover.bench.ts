/** From a tree to agents: the time that a program waits before it knows what is in the machine. */
import { bench, describe } from 'vitest';
// The emulator is no dependency of this package: its tree is the fixture.
import { createEmulatedSysfs, describeMachine } from '../../emulator/src/sysfs/index.js';
import { chooseDefaultDevice, discoverAgents, discoverDrivers, readTopology } from '../src/index.js';

function discover(source: ReturnType<typeof createEmulatedSysfs>): void {
  const drivers = discoverDrivers(source);
  const { gpus } = discoverAgents(readTopology(source), { source, drivers });
  chooseDefaultDevice(gpus);
}

describe.each([
  ['1 × gfx1100', { gpus: ['gfx1100'] }],
  ['8 × gfx90a, xGMI, 2 sockets', { gpus: Array<string>(8).fill('gfx90a'), links: 'xgmi', cpuNodes: 2 }],
  ['8 × gfx942, xGMI, 2 sockets', { gpus: Array<string>(8).fill('gfx942'), links: 'xgmi', cpuNodes: 2 }],
  ['8 × gfx1100, 2 sockets', { gpus: Array<string>(8).fill('gfx1100'), cpuNodes: 2 }],
] as const)('%s', (_name, shape) => {
  const warm = createEmulatedSysfs(describeMachine(shape));
  bench('tree to agents', () => {
    discover(warm);
  });
  bench('tree made anew, to agents', () => {
    discover(createEmulatedSysfs(describeMachine(shape)));
  });
});
