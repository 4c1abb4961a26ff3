import { HsaError, isHsaError } from '@doorbell/abi';
import type { GpuAgent } from '@doorbell/topology';
import { chooseDefaultDevice } from '@doorbell/topology';
import type { ThunkBackend } from '@doorbell/thunk-loader';
import { Runtime } from '../core/runtime.js';
import { OpenDevice } from './device.js';
import { deviceName } from './device-name.js';
import type { Backend, Device, DeviceInfo, OpenDeviceOptions } from './types.js';

const BACKENDS: readonly Backend[] = ['auto', 'kfd', 'libhsakmt', 'dxg', 'emulated'];
const REAL_BACKENDS: readonly ThunkBackend[] = ['kfd', 'libhsakmt', 'dxg'];

/** What `DOORBELL_DEVICE` says: `emulated`, `emulated:gfx942`, `kfd:0`. */
interface DeviceChoice {
  readonly backend: Backend;
  readonly index?: number;
  readonly isa?: string;
}

let isFallbackTold = false;

/**
 * Opens a GPU: the discrete one with the largest VRAM, else the emulated one. Dispose the device when done.
 * @throws {HsaError} for a named backend that is not there: ERR_KFD_MISSING, ERR_KFD_PERMISSION, …; ERR_NO_DEVICE for an index or
 * target that no device has; ERR_ABORTED.
 * @example
 * await using device = await openDevice();
 */
export async function openDevice(options: OpenDeviceOptions = {}): Promise<Device> {
  const choice = readChoice(options);
  const { signal } = options;
  const abortIfAsked = (): void => {
    if (signal?.aborted) throw new HsaError('ERR_ABORTED', { message: 'opening the device was aborted', cause: signal.reason });
  };
  abortIfAsked();
  const runtime = await acquireFor(choice);
  try {
    abortIfAsked();
    const gpu = chooseGpu(runtime, choice);
    const agent = runtime.registry.list.find((candidate) => candidate.agent === gpu);
    if (agent === undefined) throw new HsaError('ERR_NO_DEVICE', { message: `${gpu.name} is no agent of this runtime` });
    return new OpenDevice(runtime, agent, gpu);
  } catch (error) {
    await runtime.release();
    throw error;
  }
}

/**
 * Lists what {@link openDevice} could open, real GPUs first, then the emulated one. Nothing missing makes it throw: what is not
 * there is not listed.
 */
export async function listDevices({ backend = 'auto' }: { readonly backend?: Backend } = {}): Promise<readonly DeviceInfo[]> {
  requireBackend(backend);
  const wanted: readonly ThunkBackend[] = backend === 'auto' ? [...REAL_BACKENDS, 'emulated'] : [backend];
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

function readChoice({ backend, index, isa }: OpenDeviceOptions): DeviceChoice {
  const fromOutside =
    backend === undefined && index === undefined && isa === undefined ? process.env['DOORBELL_DEVICE'] : undefined;
  if (fromOutside) {
    const [name = '', detail] = fromOutside.split(':');
    const known = requireBackend(name);
    if (detail === undefined || detail === '') return { backend: known };
    return /^\d+$/.test(detail) ? { backend: known, index: Number(detail) } : { backend: known, isa: detail };
  }
  if (index !== undefined && (!Number.isInteger(index) || index < 0)) {
    throw new HsaError('ERR_INVALID_ARGUMENT', { message: `index is a whole number from 0 on, not ${String(index)}` });
  }
  return {
    backend: requireBackend(backend ?? 'auto'),
    ...(index === undefined ? {} : { index }),
    ...(isa === undefined ? {} : { isa }),
  };
}

function requireBackend(name: string): Backend {
  const known = BACKENDS.find((candidate) => candidate === name);
  if (known) return known;
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `backend is one of ${BACKENDS.join(', ')}, not ${name}`,
    details: { backend: name },
  });
}

/** The runtime that has the wanted device; `auto` goes on to the emulated GPU when no real one does. */
async function acquireFor({ backend, isa, index }: DeviceChoice): Promise<Runtime> {
  const emulated = { backend: 'emulated' as const, ...(isa === undefined ? {} : { emulatedProcessor: processorOf(isa) }) };
  if (backend === 'emulated') return Runtime.acquire(emulated);
  if (backend !== 'auto') return Runtime.acquire({ backend });
  const reasons: string[] = [];
  for (const real of REAL_BACKENDS) {
    try {
      const runtime = await Runtime.acquire({ backend: real });
      const gpus = runtime.discovery.gpus.filter((gpu) => isa === undefined || hasTarget(gpu, isa));
      if (gpus.some(({ integrated }) => !integrated) || (index !== undefined && gpus.length > 0)) return runtime;
      reasons.push(`${real}: no ${isa === undefined ? 'discrete GPU' : `GPU with ${isa}`}`);
      await runtime.release();
    } catch (error) {
      if (!isHsaError(error)) throw error;
      reasons.push(`${real}: ${error.message}`);
    }
  }
  const runtime = await Runtime.acquire(emulated);
  if (!isFallbackTold) {
    isFallbackTold = true;
    runtime.events.notice({
      source: 'runtime',
      name: 'emulated-fallback',
      message: `no AMD GPU is usable here; running on the emulated ${runtime.discovery.gpus[0]?.name ?? 'GPU'} (doorbell doctor says more; DOORBELL_LOG=error silences this)`,
      details: { reasons },
    });
  }
  return runtime;
}

function chooseGpu(runtime: Runtime, { index, isa }: DeviceChoice): GpuAgent {
  const { gpus } = runtime.discovery;
  const suitable = isa === undefined ? gpus : gpus.filter((gpu) => hasTarget(gpu, isa));
  if (suitable.length === 0) {
    throw new HsaError('ERR_NO_DEVICE', {
      message: `${runtime.thunk.path} has no ${isa === undefined ? 'GPU' : `GPU with target ${isa}`}; it has ${gpus.map((gpu) => gpu.isa.targetId).join(', ') || 'none'}`,
      details: { isa, targets: gpus.map((gpu) => gpu.isa.targetId) },
    });
  }
  if (index !== undefined) {
    const gpu = suitable[index];
    if (gpu) return gpu;
    throw new HsaError('ERR_NO_DEVICE', {
      message: `there is no GPU ${index}; there are ${suitable.length}`,
      details: { index, devices: suitable.length },
    });
  }
  const choice = chooseDefaultDevice(suitable);
  runtime.events.publish({ source: 'runtime', name: 'device-chosen', level: 'info', message: choice.reason, details: {} });
  if (choice.gpu) return choice.gpu;
  throw new HsaError('ERR_NO_DEVICE', { message: choice.reason, hint: 'Name it by index to use it.' });
}

/** A target id names the processor alone (`gfx90a`) or with features (`gfx90a:xnack-`). */
function hasTarget({ isa }: GpuAgent, wanted: string): boolean {
  return isa.processor === wanted || isa.targetId === wanted;
}

function processorOf(isa: string): string {
  return isa.split(':')[0] ?? isa;
}
