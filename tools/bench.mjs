// `npm run bench [target …] [kernel …]`: the benchmark kernels at size L on the emulated GPUs, compiled and warm, beside the same kernels
// in C and in OpenCL on one thread, in one run. Ratios count; absolute times depend on the machine.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { measureNative, measureOpenCl } from './lib/bench-native.mjs';
import { build, ensureInstalled, ROOT } from './lib/run.mjs';

ensureInstalled();
build();

const { bytesAtL, KERNELS, laneInstructionsAtL, TARGETS } = await import('../bench/kernels/inputs.mjs');

const DEFAULT_TARGETS = ['gfx1100', 'gfx90a', 'gfx1201'];
const RUNS = 5;
/** Kernels that two workers are measured with. */
const PAIRED = ['hash_loop', 'saxpy_loop', 'mandelbrot'];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !KERNELS.includes(name) && !TARGETS.includes(name));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; kernels are ${KERNELS.join(', ')}; targets are ${TARGETS.join(', ')}`);
  process.exit(2);
}
const chosen = (all, otherwise) =>
  names.some((name) => all.includes(name)) ? all.filter((name) => names.includes(name)) : otherwise;
const kernels = chosen(KERNELS, KERNELS);
const targets = chosen(TARGETS, DEFAULT_TARGETS);

/** A device in a process of its own. */
async function openProcess(target, workers) {
  const env = { ...process.env, DOORBELL_WORKERS: String(workers), DOORBELL_LOG: 'error' };
  const child = fork(join(ROOT, 'bench/device.mjs'), [target], { env });
  const ended = once(child, 'exit').then(() => [{ error: 'the process ended' }]);
  const answer = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  const opened = await answer();
  return {
    opened,
    ask: (order, argument) => {
      child.send({ order, argument });
      return answer();
    },
    close: () => child.kill(),
  };
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** Why a device's answers are no figures; undefined: they are. Asked after the launches that were measured, whose result it checks. */
async function problemOf(device, answers) {
  const failed = answers.find(({ error }) => error);
  if (failed) return failed.error;
  const { ok, error } = await device.ask('check');
  return ok ? undefined : (error ?? 'the sum is wrong');
}

/**
 * Median milliseconds by kernel. The machine does other things too: of each run the wall time or the processor time counts, whichever is
 * less. With one worker, neither is less than the kernel's own time; C and OpenCL count processor time, and the best of their runs.
 */
async function measureTarget(target) {
  const device = await openProcess(target, 1);
  const times = {};
  const problems = [];
  if (device.opened.error) problems.push(device.opened.error);
  for (const kernel of device.opened.error ? [] : kernels) {
    const ready = await device.ask('prepare', kernel);
    const runs = [];
    for (let i = 0; i < RUNS && !ready.error; i++) runs.push(await device.ask('launch'));
    const problem = await problemOf(device, [ready, ...runs]);
    if (problem === undefined) times[kernel] = median(runs.map(({ ms, cpuMs }) => Math.min(ms, cpuMs)));
    else problems.push(`${kernel}: ${problem}`);
  }
  device.close();
  return { times, problems };
}

/** How much faster two workers are, by the clock: pairs of one run each, one after the other. */
async function measurePairs(target) {
  const devices = [await openProcess(target, 1), await openProcess(target, 2)];
  const rows = [];
  const problems = devices.flatMap(({ opened }) => opened.error ?? []);
  for (const kernel of problems.length > 0 ? [] : PAIRED.filter((name) => kernels.includes(name))) {
    const answers = [[], []];
    for (const [i, device] of devices.entries()) answers[i].push(await device.ask('prepare', kernel));
    const quotients = [];
    for (let run = 0; run < RUNS; run++) {
      for (const [i, device] of devices.entries()) answers[i].push(await device.ask('launch'));
      quotients.push(answers[0].at(-1).ms / answers[1].at(-1).ms);
    }
    const found = [await problemOf(devices[0], answers[0]), await problemOf(devices[1], answers[1])].filter(Boolean);
    problems.push(...found.map((problem) => `${kernel}, in pairs: ${problem}`));
    if (found.length > 0) continue;
    const times = (value) => `${value.toFixed(2)} times one`;
    rows.push({ kernel, 'two workers, best pair': times(Math.max(...quotients)), 'median pair': times(median(quotients)) });
  }
  for (const device of devices) device.close();
  return { rows, problems };
}

const native = measureNative();
const openCl = measureOpenCl();
const byTarget = new Map();
for (const target of targets) byTarget.set(target, await measureTarget(target));

const first = byTarget.get('gfx1100')?.times ?? {};
let isRight = true;
console.log(`Node ${process.version}, one compute worker, median of ${RUNS}`);
if (native.reason) console.log(`no figures of C: ${native.reason}`);
if (openCl.reason) console.log(`no figures of OpenCL: ${openCl.reason}`);
for (const [target, { times, problems }] of byTarget) {
  console.log(`\n${target}`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) isRight = false;
  const quotients = [];
  console.table(
    kernels.map((kernel) => {
      const ms = times[kernel];
      const [inC, inOpenCl] = [native.times?.[kernel.startsWith('matmul') ? 'matmul_256' : kernel], openCl.times?.[kernel]];
      if (ms && inOpenCl) quotients.push(ms / inOpenCl);
      const ratio = (other) => (ms && other ? (ms / other).toFixed(2) : '–');
      const [lanes, bytes] = [laneInstructionsAtL(kernel), bytesAtL(kernel)];
      return {
        kernel,
        ms: ms?.toFixed(2) ?? '–',
        'C ms': inC?.toFixed(2) ?? '–',
        'of C': ratio(inC),
        'OpenCL ms': inOpenCl?.toFixed(1) ?? '–',
        'of OpenCL': ratio(inOpenCl),
        'of gfx1100': ratio(first[kernel]),
        'lane-instr/s': ms && lanes ? `${(lanes / ms / 1e6).toFixed(1)}e9` : '',
        'GB/s': ms && bytes ? (bytes / ms / 1e6).toFixed(1) : '',
      };
    }),
  );
  if (quotients.length > 0) {
    const mean = Math.exp(quotients.reduce((sum, value) => sum + Math.log(value), 0) / quotients.length);
    console.log(`geometric mean of OpenCL: ${mean.toFixed(2)}`);
  }
}
if (targets.includes('gfx1100')) {
  const { rows, problems } = await measurePairs('gfx1100');
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) isRight = false;
  if (rows.length > 0) console.table(rows);
}
process.exit(isRight ? 0 : 1);
