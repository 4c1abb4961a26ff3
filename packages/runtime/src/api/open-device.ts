import { HsaError, isHsaError } from '@doorbell/abi';
import { dropSpareWorker } from '@doorbell/emulator/spare-worker';
import type { GpuAgent } from '@doorbell/topology';
import { chooseDefaultDevice } from '@doorbell/topology';
import { autoBackends, type ThunkBackend } from '@doorbell/thunk-loader/core';
import { formatProblem, takeLogProblem } from '../core/flag-problems.js';
import { Runtime } from '../core/runtime.js';
import { OpenDevice } from './device.js';
import type { DeviceChoice } from './device-choice.js';
import { deviceName } from './device-name.js';
import type { Backend, Device, DeviceInfo } from './types.js';

let isFallbackTold = false;

/** `openDevice` with a choice that was looked at. */
export async function openChosenDevice(choice: DeviceChoice, signal: AbortSignal | undefined): Promise<Device> {
  try {
    return await openFound(choice, signal);
  } finally {
    // Nobody took it when the device is a real one after all, was open already, or could not be opened.
    await dropSpareWorker();
  }
}

async function openFound(choice: DeviceChoice, signal: AbortSignal | undefined): Promise<Device> {
  const abortIfAsked = (): void => {
    if (signal?.aborted) throw new HsaError('ERR_ABORTED', { message: 'opening the device was aborted', cause: signal.reason });
  };
  abortIfAsked();
  const { runtime, index, fallback } = await acquireFor(choice);
  try {
    tellOpening(runtime, fallback);
    abortIfAsked();
    const gpu = chooseGpu(runtime, { ...choice, index });
    const agent = runtime.registry.list.find((candidate) => candidate.agent === gpu);
    if (agent === undefined) throw new HsaError('ERR_NO_DEVICE', { message: `${gpu.name} is no agent of this runtime` });
    return new OpenDevice(runtime, agent, gpu);
  } catch (error) {
    await runtime.release();
    throw error;
  }
}

/** `listDevices` for a backend that there is. */
export async function listDevicesOf(backend: Backend): Promise<readonly DeviceInfo[]> {
  const wanted: readonly ThunkBackend[] = backend === 'auto' ? autoBackends() : [backend];
  const found: DeviceInfo[] = [];
  for (const candidate of wanted) {
    for (const gpu of await gpusOf(candidate)) {
      const { uniqueId, uuid, pciAddress } = gpu;
      found.push({
        index: found.length,
        name: deviceName(gpu, candidate),
        isa: gpu.isa.targetId,
        backend: candidate,
        vramBytes: Number(gpu.vramBytes),
        ...(uniqueId === 0n ? {} : { uuid }),
        pciAddress,
      });
    }
  }
  return found;
}

async function gpusOf(backend: ThunkBackend): Promise<readonly GpuAgent[]> {
  let runtime: Runtime;
  try {
    runtime = await Runtime.acquire({ backend });
  } catch (error) {
    // Not there, or not usable: that is what a list says by leaving it out.
    if (isHsaError(error)) return [];
    throw error;
  }
  try {
    return runtime.discovery.gpus;
  } finally {
    await runtime.release();
  }
}

/** A runtime, and which of its GPUs is meant. */
interface FoundRuntime {
  readonly runtime: Runtime;
  readonly index: number | undefined;
  /** Why no real GPU is used, where `auto` goes on to the emulated one. */
  readonly fallback?: readonly string[];
}

/**
 * The runtime that has the wanted device; `auto` goes on to the emulated GPU when no real one does. An index of `auto` counts the
 * GPUs of all backends, as {@link listDevices} does.
 */
async function acquireFor({ backend, isa, index }: DeviceChoice): Promise<FoundRuntime> {
  const emulated = {
    backend: 'emulated',
    // Who opens a device launches kernels.
    emulatedThreads: 'now',
    ...(isa === undefined ? {} : { emulatedProcessor: processorOf(isa) }),
  } as const;
  if (backend === 'emulated') return { runtime: await Runtime.acquire(emulated), index };
  if (backend !== 'auto') return { runtime: await Runtime.acquire({ backend }), index };
  const reasons: string[] = [];
  let passed = 0;
  for (const real of autoBackends().filter((name) => name !== 'emulated')) {
    try {
      const runtime = await Runtime.acquire({ backend: real });
      const { gpus } = runtime.discovery;
      const wanted = gpus.filter((gpu) => isa === undefined || hasTarget(gpu, isa));
      if (index === undefined ? wanted.some(({ integrated }) => !integrated) : index - passed < gpus.length)
        return { runtime, index: index === undefined ? undefined : index - passed };
      reasons.push(`${real}: no ${isa === undefined ? 'discrete GPU' : `discrete GPU with ${isa}`}`);
      passed += gpus.length;
      await runtime.release();
    } catch (error) {
      if (!isHsaError(error)) throw error;
      reasons.push(`${real}: ${error.message}`);
    }
  }
  const runtime = await Runtime.acquire(emulated);
  const isFallback = index === undefined || passed === 0;
  return { runtime, index: index === undefined ? undefined : index - passed, ...(isFallback ? { fallback: reasons } : {}) };
}

/** The one line that a program gets without asking: that the GPU is emulated, and that DOORBELL_LOG is malformed. */
function tellOpening({ events, discovery, flags }: Runtime, fallback: readonly string[] | undefined): void {
  const lines: string[] = [];
  if (fallback !== undefined && !isFallbackTold) {
    isFallbackTold = true;
    const message = `no AMD GPU is usable here; running on the emulated ${discovery.gpus[0]?.name ?? 'GPU'} (doorbell doctor says more; DOORBELL_LOG=error silences this)`;
    events.publish({ source: 'runtime', name: 'emulated-fallback', level: 'warn', message, details: { reasons: fallback } });
    lines.push(message);
  }
  const problem = takeLogProblem(flags.problems);
  if (problem !== undefined) lines.push(problem);
  if (lines.length > 0) events.tell(lines.join('; '));
}

function chooseGpu(runtime: Runtime, { index, isa }: { readonly index: number | undefined; readonly isa?: string }): GpuAgent {
  const { gpus } = runtime.discovery;
  const suitable = isa === undefined ? gpus : gpus.filter((gpu) => hasTarget(gpu, isa));
  if (suitable.length === 0) {
    const { skipped, hiddenGpus } = runtime.discovery;
    const hints = deviceHints(runtime.flags, hiddenGpus.length > 0);
    throw new HsaError('ERR_NO_DEVICE', {
      message:
        `${runtime.thunk.path} has no ${isa === undefined ? 'GPU' : `GPU with target ${isa}`}; it has ${gpus.map((gpu) => gpu.isa.targetId).join(', ') || 'none'}` +
        skipped.map(({ sysfsId, reason }) => `\n  node ${sysfsId} left out: ${reason}`).join(''),
      ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
      details: { isa, targets: gpus.map((gpu) => gpu.isa.targetId) },
    });
  }
  if (index !== undefined) {
    const gpu = gpus[index];
    if (gpu !== undefined && suitable.includes(gpu)) return gpu;
    throw new HsaError('ERR_NO_DEVICE', {
      message:
        gpu === undefined
          ? `there is no GPU ${index}; ${runtime.thunk.path} has ${gpus.length}`
          : `GPU ${index} of ${runtime.thunk.path} is ${gpu.isa.targetId}, not ${isa ?? ''}`,
      details: { index, devices: gpus.length },
    });
  }
  const choice = chooseDefaultDevice(suitable);
  runtime.events.publish({ source: 'runtime', name: 'device-chosen', level: 'info', message: choice.reason, details: {} });
  if (choice.gpu) return choice.gpu;
  throw new HsaError('ERR_NO_DEVICE', { message: choice.reason, hint: 'Name it by index to use it.' });
}

/** What variables have to do with a GPU that is not there: malformed ones first. */
function deviceHints({ visibleDevices, overrideHint, problems }: Runtime['flags'], isHiding: boolean): readonly string[] {
  const malformed = problems.filter(({ variable }) => /^(ROCR_VISIBLE_DEVICES|HSA_OVERRIDE_GFX_VERSION)/.test(variable));
  const isMalformed = malformed.some(({ variable }) => variable === 'ROCR_VISIBLE_DEVICES');
  return [
    ...malformed.map(formatProblem),
    ...(isHiding && visibleDevices !== undefined && !isMalformed
      ? [`ROCR_VISIBLE_DEVICES=${visibleDevices} hides the GPUs that it does not name; unset it to see all.`]
      : []),
    ...(overrideHint === undefined ? [] : [overrideHint]),
  ];
}

/** A target id names the processor alone (`gfx90a`) or with features (`gfx90a:xnack-`). */
function hasTarget({ isa }: GpuAgent, wanted: string): boolean {
  return isa.processor === wanted || isa.targetId === wanted;
}

function processorOf(isa: string): string {
  return isa.split(':')[0] ?? isa;
}
