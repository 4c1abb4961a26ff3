import { chooseDevice, isHsaError, Runtime, thunkLoader, topology } from '@doorbell/runtime';
import type { abi } from '@doorbell/runtime';
import { count } from './text.js';

/** How a check came out. */
export type CheckResult = 'ok' | 'warning' | 'failed' | 'skipped';

/** One check of the doctor, with what was looked at. */
export interface Check {
  readonly name: string;
  readonly result: CheckResult;
  /** What was found, a line each. */
  readonly evidence: readonly string[];
  /** One action the reader can take. */
  readonly hint?: string;
}

/** The doctor's answer. */
export interface Diagnosis {
  readonly checks: readonly Check[];
  /** What programs can run on here. */
  readonly usable: 'gpu' | 'emulated' | 'none';
  readonly verdict: string;
}

/** What the doctor looks at; a test hands in its own. */
export interface DiagnoseOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: { readonly os: string; readonly arch: string; readonly node: string };
  readonly sysfs?: abi.SysfsSource;
  readonly caller?: thunkLoader.Caller;
  /** Opens the real device. */
  readonly openDevice?: thunkLoader.LoadThunkOptions['openDevice'];
  /** Opens the emulated GPU, says what it is, and closes it. */
  readonly probeEmulated?: () => Promise<string>;
}

const KFD = '/dev/kfd';
const REAL_BACKENDS: readonly thunkLoader.ThunkBackend[] = thunkLoader.THUNK_BACKENDS.filter((backend) => backend !== 'emulated');
/** Variables that change what a program sees. */
const VARIABLES: readonly string[] = [
  'DOORBELL_DEVICE',
  'DOORBELL_WORKERS',
  'ROCR_VISIBLE_DEVICES',
  'HSA_OVERRIDE_GFX_VERSION',
  'HSA_FORCE_FINE_GRAIN_PCIE',
  'HSA_MAX_QUEUES',
  'HSA_HOTSWAP_DISABLE',
  'HSA_TOOLS_LIB',
];

type Context = Required<Omit<DiagnoseOptions, 'openDevice'>> & Pick<DiagnoseOptions, 'openDevice'>;

/** Checks, in order, everything between a program and a GPU. Nothing that is missing makes it throw. */
export async function diagnose(options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const context: Context = {
    env: process.env,
    platform: { os: process.platform, arch: process.arch, node: process.version },
    sysfs: thunkLoader.createLinuxSysfs(),
    caller: thunkLoader.currentCaller(),
    probeEmulated,
    ...options,
  };
  const checks: Check[] = [];
  const run = async (name: string, check: () => Omit<Check, 'name'> | Promise<Omit<Check, 'name'>>): Promise<Check> => {
    const done = { name, ...(await guard(check)) };
    checks.push(done);
    return done;
  };
  await run('platform', () => checkPlatform(context));
  await run('environment', () => checkEnvironment(context));
  await run('drivers', () => checkDrivers(context));
  await run(KFD, () => checkNode(context));
  await run('topology', () => checkTopology(context));
  const found: FoundAgents[] = [];
  await run('thunks', () => checkThunks(context, found));
  const agents = await run('agents', () => checkAgents(found));
  const emulated = await run('emulated GPU', async () => ({ result: 'ok', evidence: [await context.probeEmulated()] }));
  return { checks, ...conclude(agents, emulated) };
}

/** A check that cannot be made is a failed one. */
async function guard(check: () => Omit<Check, 'name'> | Promise<Omit<Check, 'name'>>): Promise<Omit<Check, 'name'>> {
  try {
    return await check();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = isHsaError(error) ? error.hint : undefined;
    return { result: 'failed', evidence: [message], ...(hint === undefined ? {} : { hint }) };
  }
}

function checkPlatform({ platform }: Context): Omit<Check, 'name'> {
  const { os, arch, node } = platform;
  const evidence = [`${os} ${arch}, Node ${node}`];
  if (os === 'linux' && arch === 'x64') return { result: 'ok', evidence };
  return { result: 'warning', evidence, hint: 'AMD GPUs are reached on Linux x64; elsewhere only the emulated GPU is there.' };
}

function checkEnvironment({ env }: Context): Omit<Check, 'name'> {
  // Throws for a value that names no device: every program would fail with it.
  chooseDevice({}, env);
  const set = VARIABLES.filter((name) => env[name] !== undefined && env[name] !== '');
  const evidence =
    set.length === 0 ? ['no variable is set that changes devices'] : set.map((name) => `${name}=${env[name] ?? ''}`);
  if (!set.includes('HSA_OVERRIDE_GFX_VERSION')) return { result: 'ok', evidence };
  return {
    result: 'warning',
    evidence,
    hint: 'HSA_OVERRIDE_GFX_VERSION makes other runtimes run code that was made for another GPU; Doorbell does not apply it. Unset it when kernels fault.',
  };
}

function checkDrivers({ sysfs }: Context): Omit<Check, 'name'> {
  const drivers = topology.discoverDrivers(sysfs);
  const evidence = drivers.map(({ driver, state, reason }) => `${driver}: ${state}, ${reason}`);
  if (drivers.some(({ state }) => state === 'usable')) return { result: 'ok', evidence };
  const hint = drivers.find((driver) => driver.hint !== undefined)?.hint;
  return { result: 'failed', evidence, ...(hint === undefined ? {} : { hint }) };
}

/** Whether the caller may open the device node, by owner, group and mode; the group that the node really has is named. */
function checkNode({ sysfs, caller }: Context): Omit<Check, 'name'> {
  const stat = sysfs.stat(KFD);
  if (!stat.ok && stat.errno === 'ENOENT') return { result: 'skipped', evidence: [`${KFD} does not exist`] };
  const { meaning, hint } = thunkLoader.describeNodeAccess(sysfs, KFD, caller);
  if (!stat.ok) return { result: 'failed', evidence: [meaning], hint };
  if (mayOpen(stat.value, caller)) return { result: 'ok', evidence: [meaning] };
  return { result: 'failed', evidence: [meaning], hint };
}

function mayOpen({ mode, uid, gid }: abi.SysfsStat, caller: thunkLoader.Caller): boolean {
  if (caller.uid === 0) return true;
  // Of the three sets of permission bits, the first that applies counts: path_resolution(7).
  const shift = caller.uid === uid ? 6 : caller.gids.includes(gid) ? 3 : 0;
  return ((mode >> shift) & 6) === 6;
}

function checkTopology({ sysfs }: Context): Omit<Check, 'name'> {
  let tree: topology.Topology;
  try {
    tree = topology.readTopology(sysfs);
  } catch (error) {
    if (!isHsaError(error)) throw error;
    const { message, hint } = error;
    return { result: 'failed', evidence: [message, describePci(sysfs)], ...(hint === undefined ? {} : { hint }) };
  }
  const problems = [
    ...tree.problems,
    ...tree.nodes.flatMap((node) => node.problems),
    ...tree.refusedNodes.flatMap((node) => node.problems),
  ];
  const evidence = [topology.summarizeTopology(tree, sysfs), ...problems.map(({ reason }) => reason)];
  const hasGpu = tree.nodes.some(({ gpuId }) => gpuId !== 0);
  const hint =
    problems.find((problem) => problem.hint !== undefined)?.hint ??
    (hasGpu ? undefined : 'The kernel log says why a card was left out: sudo dmesg | grep -i -e kfd -e amdgpu.');
  const result = !hasGpu ? 'failed' : problems.length > 0 ? 'warning' : 'ok';
  return { result, evidence, ...(hint === undefined ? {} : { hint }) };
}

function describePci(sysfs: abi.SysfsSource): string {
  const gpus = topology.listPciGpus(sysfs);
  if (gpus.length === 0) return 'PCI shows no AMD GPU';
  const list = gpus.map(({ address, deviceId, driver }) => {
    const id = `1002:${deviceId.toString(16).padStart(4, '0')}`;
    return `${id} (${address}) ${driver === undefined ? 'without a driver' : `bound to ${driver}`}`;
  });
  return `PCI shows ${list.join(', ')}`;
}

interface FoundAgents {
  readonly backend: thunkLoader.ThunkBackend;
  readonly discovery: topology.AgentDiscovery;
}

/** Opens each real thunk, and looks for agents behind those that come up. */
async function checkThunks({ sysfs, caller, env, openDevice }: Context, found: FoundAgents[]): Promise<Omit<Check, 'name'>> {
  const evidence: string[] = [];
  let hint: string | undefined;
  for (const backend of REAL_BACKENDS) {
    try {
      const loaded = await thunkLoader.loadThunk({ backend, kfd: { sysfs, caller }, ...(openDevice ? { openDevice } : {}) });
      const { thunk } = loaded;
      evidence.push(`${backend}: ${loaded.candidates[0]?.reason ?? thunk.path}`);
      try {
        found.push({ backend, discovery: discover(thunk, env) });
      } finally {
        await thunk[Symbol.asyncDispose]();
      }
    } catch (error) {
      if (!isHsaError(error)) throw error;
      evidence.push(`${backend}: ${error.message}`);
      hint ??= error.hint;
    }
  }
  if (found.length > 0) return { result: 'ok', evidence };
  return { result: 'failed', evidence, ...(hint === undefined ? {} : { hint }) };
}

function discover(thunk: thunkLoader.Thunk, env: Context['env']): topology.AgentDiscovery {
  const visibleDevices = env['ROCR_VISIBLE_DEVICES'];
  const visibility = visibleDevices === undefined ? {} : { visibleDevices };
  return topology.discoverAgents(topology.readTopology(thunk.sysfs), { source: thunk.sysfs, thunk, ...visibility });
}

function checkAgents(found: readonly FoundAgents[]): Omit<Check, 'name'> {
  const [first] = found;
  if (first === undefined) return { result: 'skipped', evidence: ['no thunk came up'] };
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
    const hint = skipped.find((node) => node.hint !== undefined)?.hint;
    return { result: 'failed', evidence, ...(hint === undefined ? {} : { hint }) };
  }
  if (choice.gpu === undefined) {
    return { result: 'warning', evidence, hint: 'An integrated GPU is used by explicit choice: DOORBELL_DEVICE=kfd:0.' };
  }
  return { result: skipped.length > 0 ? 'warning' : 'ok', evidence };
}

function conclude(agents: Check, emulated: Check): Pick<Diagnosis, 'usable' | 'verdict'> {
  if (agents.result === 'ok' || agents.result === 'warning') {
    return { usable: 'gpu', verdict: 'A GPU is usable; programs run on it.' };
  }
  if (emulated.result === 'ok') {
    return { usable: 'emulated', verdict: 'No GPU is usable; programs run on the emulated GPU.' };
  }
  return { usable: 'none', verdict: 'No GPU is usable, and the emulated GPU does not come up.' };
}

async function probeEmulated(): Promise<string> {
  const runtime = await Runtime.acquire({ backend: 'emulated' });
  try {
    const [gpu] = runtime.discovery.gpus;
    return `${gpu?.isa.targetId ?? 'no GPU'} came up on ${runtime.thunk.path}`;
  } finally {
    await runtime.release();
  }
}
