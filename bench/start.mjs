// `node bench/start.mjs [rounds]`: how long a whole process takes from its start to a verified vector-add on the emulated GPU, beside a
// process that does nothing, in turn; then where the time goes. Build first (`npm run build`).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROUNDS = Number(process.argv[2] ?? 15);
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
// With NODE_EXTRA_CA_CERTS Node 20 reads the system's certificates before it runs anything: 60 ms here that no program of ours asks for.
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const env = { ...inherited, DOORBELL_DEVICE: 'emulated', DOORBELL_LOG: 'error' };

function run(args) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}:\n${stderr}`);
  return { ms: performance.now() - started, stdout };
}

const median = (values) => values.toSorted((x, y) => x - y)[values.length >> 1];
const times = { 'node -e 0': [], 'vector-add': [] };
const steps = new Map();
for (let round = 0; round < ROUNDS; round++) {
  times['node -e 0'].push(run(['-e', '0']).ms);
  times['vector-add'].push(run([path('../apps/vector-add/dist/main.js')]).ms);
  let [lastMs, lastCpuMs] = [0, 0];
  for (const [step, ms, cpuMs] of JSON.parse(run([path('start-steps.mjs')]).stdout)) {
    // The kernel's own time is in the name of its step.
    const name = step.replace(/ \(.*/, '');
    const entry = steps.get(name) ?? { at: [], ms: [], cpuMs: [], kernelMs: [] };
    entry.at.push(ms);
    entry.ms.push(ms - lastMs);
    entry.cpuMs.push(cpuMs - lastCpuMs);
    const kernelMs = /itself (\d+)/.exec(step)?.[1];
    if (kernelMs !== undefined) entry.kernelMs.push(Number(kernelMs));
    steps.set(name, entry);
    [lastMs, lastCpuMs] = [ms, cpuMs];
  }
}

console.log(`Node ${process.version}, ${ROUNDS} rounds, milliseconds`);
console.table(
  Object.entries(times).map(([process, ms]) => ({ process, best: Math.min(...ms).toFixed(0), median: median(ms).toFixed(0) })),
);
console.table(
  [...steps].map(([step, { at, ms, cpuMs, kernelMs }]) => ({
    step,
    at: median(at).toFixed(0),
    took: median(ms).toFixed(0),
    'processor, all threads': median(cpuMs).toFixed(0),
    ...(kernelMs.length > 0 ? { 'of that the kernel': median(kernelMs).toFixed(0) } : {}),
  })),
);
