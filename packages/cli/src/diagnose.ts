import { release } from 'node:os';
import { chooseDevice, HsaError, Runtime } from '@doorbell/runtime';
import { thunkLoader } from '@doorbell/runtime/layers';
import type { Backend } from '@doorbell/runtime';
import type { abi } from '@doorbell/runtime/layers';
import type { Check, CheckContext, Finding, FoundAgents } from './checks/check.js';
import { finding, guard } from './checks/check.js';
import { checkDrivers, checkKfdNode, checkRenderNodes } from './checks/device-nodes.js';
import { runFirstDispatch } from './checks/dispatch.js';
import { checkEnvironment } from './checks/environment.js';
import { checkKernelModule } from './checks/kernel-module.js';
import { checkLibraries } from './checks/libraries.js';
import { checkPlatform } from './checks/platform.js';
import { checkAgents, checkThunks } from './checks/thunks.js';
import { checkTools } from './checks/tools.js';
import { checkTopology } from './checks/topology.js';

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
  readonly node?: { readonly os: string; readonly arch: string; readonly version: string };
  readonly uname?: thunkLoader.Uname;
  readonly sysfs?: abi.SysfsSource;
  readonly libraries?: thunkLoader.LibrarySource;
  readonly caller?: thunkLoader.Caller;
  /** Opens the real device. */
  readonly openDevice?: thunkLoader.LoadThunkOptions['openDevice'];
  /** Loads the native module, and names it. */
  readonly nativeModule?: () => string;
  /** Opens the emulated GPU, says what it is, and closes it. */
  readonly probeEmulated?: () => Promise<string>;
  /** Launches a kernel, and says what ran. */
  readonly dispatch?: (backend: Backend) => Promise<string>;
  /** Takes every step of loading as it happens. */
  readonly trace?: thunkLoader.TraceSink;
  /** Takes each check as it begins. */
  readonly onCheck?: (name: string) => void;
}

/** Checks, in order, everything between a program and its first dispatch on a GPU. Nothing that is missing makes it throw. */
export async function diagnose(options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const {
    openDevice,
    trace,
    nativeModule = () => thunkLoader.requireNativeModule(),
    dispatch = (backend: Backend) => runFirstDispatch(backend),
  } = options;
  const probeEmulated = options.probeEmulated ?? (() => probeEmulatedRuntime(trace));
  const checks: Check[] = [];
  const run = async (name: string, check: () => Finding | Promise<Finding>): Promise<Check> => {
    options.onCheck?.(name);
    const done = { name, ...(await guard(check)) };
    checks.push(done);
    return done;
  };
  const context = createContext(options);
  const found: FoundAgents[] = [];
  await run('platform', () => checkPlatform(context));
  await run('kernel module', () => checkKernelModule(context));
  await run('drivers', () => checkDrivers(context));
  await run('/dev/kfd', () => checkKfdNode(context));
  await run('render nodes', () => checkRenderNodes(context));
  await run('topology', () => checkTopology(context));
  await run('libraries', () => checkLibraries(context, nativeModule));
  const environment = await run('environment', () => checkEnvironment(context));
  await run('tools', () => checkTools(context));
  await run('thunks', () => checkThunks(context, { openDevice, found }));
  const agents = await run('agents', () => checkAgents(found));
  const emulated = await run('emulated GPU', async () => finding('ok', [await probeEmulated()]));
  const hasGpu = agents.result === 'ok' || agents.result === 'warning';
  const backend: Backend = hasGpu ? (found[0]?.backend ?? 'auto') : 'emulated';
  const first = await run('first dispatch', async () => {
    if (!hasGpu && emulated.result !== 'ok') return finding('skipped', ['there is no device to run on']);
    return finding('ok', [await dispatch(backend)]);
  });
  const refusal = refusedChoice(context.env, { environment, found });
  return { checks, ...(refusal === undefined ? conclude({ hasGpu, emulated, first }) : { usable: 'none', verdict: refusal }) };
}

/** The first action that a failed or doubtful check asks for. */
export function firstAction({ checks }: Diagnosis): Check | undefined {
  const withHint = checks.filter(({ hint }) => hint !== undefined);
  return withHint.find(({ result }) => result === 'failed') ?? withHint.find(({ result }) => result === 'warning');
}

function createContext(options: DiagnoseOptions): CheckContext {
  const env = options.env ?? process.env;
  const given = options.sysfs ?? thunkLoader.createLinuxSysfs();
  const { trace } = options;
  return {
    env,
    node: options.node ?? { os: process.platform, arch: process.arch, version: process.version },
    platform: identify(given, { env, uname: options.uname }),
    kernelRelease: options.uname?.release ?? release(),
    sysfs: given,
    libraries: options.libraries ?? thunkLoader.systemLibraries(env),
    caller: options.caller ?? thunkLoader.currentCaller(),
    trace,
  };
}

function identify(
  sysfs: abi.SysfsSource,
  { env, uname }: { readonly env: CheckContext['env']; readonly uname: thunkLoader.Uname | undefined },
): thunkLoader.PlatformIdentity {
  const rest = { env, ...(uname === undefined ? {} : { uname }) };
  try {
    return thunkLoader.identifyPlatform({ sysfs, ...rest });
  } catch {
    // A tree that breaks says nothing of the platform; the checks that read it fail by themselves.
    return thunkLoader.identifyPlatform({ sysfs: NOTHING, ...rest });
  }
}

const ABSENT = { ok: false, errno: 'EIO' } as const;
const NOTHING: abi.SysfsSource = { readText: () => ABSENT, list: () => ABSENT, stat: () => ABSENT, readLink: () => ABSENT };

function conclude({
  hasGpu,
  emulated,
  first,
}: {
  readonly hasGpu: boolean;
  readonly emulated: Check;
  readonly first: Check;
}): Pick<Diagnosis, 'usable' | 'verdict'> {
  if (hasGpu && first.result === 'ok') return { usable: 'gpu', verdict: 'A GPU is usable; programs run on it.' };
  if (hasGpu) return { usable: 'gpu', verdict: 'A GPU comes up, but the first kernel on it failed.' };
  if (emulated.result === 'ok' && first.result === 'ok') {
    return { usable: 'emulated', verdict: 'No GPU is usable; programs run on the emulated GPU.' };
  }
  if (emulated.result === 'ok') {
    return { usable: 'none', verdict: 'No GPU is usable; the emulated GPU comes up, but the first kernel on it failed.' };
  }
  return { usable: 'none', verdict: 'No GPU is usable, and the emulated GPU does not come up.' };
}

/** Why programs that name no device themselves fail, whatever is usable; undefined: they do not. */
function refusedChoice(
  env: CheckContext['env'],
  { environment, found }: { readonly environment: Check; readonly found: readonly FoundAgents[] },
): string | undefined {
  if (environment.result === 'failed') return 'Programs fail with a variable that is set: see «environment».';
  const { backend } = chooseDevice({}, env);
  if (backend === 'auto' || backend === 'emulated') return undefined;
  if (found.some((agents) => agents.backend === backend && agents.discovery.gpus.length > 0)) return undefined;
  return `DOORBELL_DEVICE=${env['DOORBELL_DEVICE'] ?? ''} asks for a device that does not come up; programs fail until it is unset.`;
}

async function probeEmulatedRuntime(trace: thunkLoader.TraceSink | undefined): Promise<string> {
  const runtime = await Runtime.acquire({ backend: 'emulated', ...(trace ? { trace } : {}) });
  try {
    const { gpus, hiddenGpus, skipped } = runtime.discovery;
    const [gpu] = gpus;
    if (gpu !== undefined) return `${gpu.isa.targetId} came up on ${runtime.thunk.path}`;
    const variable = hiddenGpus.length > 0 ? 'ROCR_VISIBLE_DEVICES' : 'HSA_OVERRIDE_GFX_VERSION';
    const reasons = [
      ...hiddenGpus.map(({ nodeId }) => `node ${nodeId}: hidden by ROCR_VISIBLE_DEVICES`),
      ...skipped.map(({ sysfsId, reason }) => `node ${sysfsId} left out: ${reason}`),
    ];
    throw new HsaError('ERR_NO_DEVICE', {
      message: [`${runtime.thunk.path} is open, but no GPU came up on it`, ...reasons].join('\n'),
      hint: `Unset ${variable} or give it another value: it applies to the emulated GPU too.`,
    });
  } finally {
    await runtime.release();
  }
}
