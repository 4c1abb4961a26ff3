// `node bench/agents.mjs [rounds]`: how long it takes to know the agents of a machine with 8 GPUs, without device threads: from the driver's
// tree, which is to take 15 ms at most, and with all that opening the runtime on an emulated device does. Build first (`npm run build`).
import { Runtime } from '@doorbell/runtime';
import { emulator, topology } from '@doorbell/runtime/layers';

const ROUNDS = Number(process.argv[2] ?? 60);
/** Rounds that only warm up: V8 compiles what is hot. */
const WARM_UP = 10;
const LIMIT_MS = 15;
const MACHINES = {
  '8 × gfx90a, xGMI, 2 sockets': { gpus: Array(8).fill('gfx90a'), links: 'xgmi', cpuNodes: 2 },
  '8 × gfx942, xGMI, 2 sockets': { gpus: Array(8).fill('gfx942'), links: 'xgmi', cpuNodes: 2 },
  '8 × gfx1100, 2 sockets': { gpus: Array(8).fill('gfx1100'), cpuNodes: 2 },
};

/** From a tree that is there to the agents: what topology does. */
function discoverIn(machine) {
  const source = emulator.createEmulatedSysfs(emulator.describeMachine(machine));
  return () => {
    const drivers = topology.discoverDrivers(source);
    const { gpus } = topology.discoverAgents(topology.readTopology(source), { source, drivers });
    topology.chooseDefaultDevice(gpus);
    return gpus.length;
  };
}

/** From nothing to the agents: the emulated device with its tree, the thunk, the topology, the runtime's tables. */
function openRuntimeOn(machine) {
  return async () => {
    const { gpus, ...emulatedMachine } = machine;
    const runtime = await Runtime.acquire({
      backend: 'emulated',
      emulatedProcessor: gpus,
      emulatedMachine,
      emulatedThreads: 'when-needed',
    });
    const count = runtime.discovery.gpus.length;
    return { count, close: () => runtime.release() };
  };
}

const median = (values) => values.toSorted((x, y) => x - y)[values.length >> 1];

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

async function measure(name, step) {
  const [wall, cpu] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const [startedAt, cpuAt] = [performance.now(), cpuMs()];
    const result = await step();
    wall.push(performance.now() - startedAt);
    cpu.push(cpuMs() - cpuAt);
    const count = result.count ?? result;
    if (count !== 8) throw new Error(`${name}: ${count} GPUs instead of 8`);
    await result.close?.();
  }
  const of = (values) => {
    const warm = values.slice(WARM_UP);
    return `median ${median(warm).toFixed(1)}, best ${Math.min(...warm).toFixed(1)}, first ${values[0].toFixed(1)}`;
  };
  console.log(`${name}: ${of(wall)} ms; processor time ${of(cpu)} ms`);
}

console.log(`Node ${process.version}, ${ROUNDS - WARM_UP} rounds after ${WARM_UP} to warm up; wanted: ${LIMIT_MS} ms`);
for (const [name, machine] of Object.entries(MACHINES)) {
  await measure(`tree to agents, ${name}`, discoverIn(machine));
  await measure(`runtime opened on the emulated device, ${name}`, openRuntimeOn(machine));
}
