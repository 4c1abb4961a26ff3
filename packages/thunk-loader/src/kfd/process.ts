/**
 * What the driver keeps for a process as long as the device is open: acquired VMs, the event page, doorbell mappings.
 * The driver ties them to the process, not to a session (a second ACQUIRE_VM with another file is EBUSY, a second event page
 * EINVAL), so they live with the device object and outlast each thunk on it.
 */
import type { DoorbellPage, HsaError, KfdDevice } from '@doorbell/abi';
import { HsaError as HsaErrorClass, kfd } from '@doorbell/abi';
import { describeNodeAccess } from '../access.js';
import { EACCES, EBUSY, ENOTTY, EPERM, systemCallError } from '../errno.js';
import type { InterfaceVersion, ProcessApertures, ThunkGpu, ThunkMemory, XnackMode } from '../thunk.js';
import { SINCE_MINOR } from '../driver-constants.js';
import { callKfd, ioctlError, tryKfd } from './ioctl.js';
import type { KfdNode } from '../kfd-nodes.js';
import { readKfdNodes } from '../kfd-nodes.js';

const GET_VERSION = { name: 'GET_VERSION', request: kfd.AMDKFD_IOC_GET_VERSION, layout: kfd.kfd_ioctl_get_version_args };
const GET_PROCESS_APERTURES_NEW = {
  name: 'GET_PROCESS_APERTURES_NEW',
  request: kfd.AMDKFD_IOC_GET_PROCESS_APERTURES_NEW,
  layout: kfd.kfd_ioctl_get_process_apertures_new_args,
};
const ACQUIRE_VM = { name: 'ACQUIRE_VM', request: kfd.AMDKFD_IOC_ACQUIRE_VM, layout: kfd.kfd_ioctl_acquire_vm_args };
const SET_XNACK_MODE = {
  name: 'SET_XNACK_MODE',
  request: kfd.AMDKFD_IOC_SET_XNACK_MODE,
  layout: kfd.kfd_ioctl_set_xnack_mode_args,
};

/** State of one device that lasts until the device is closed. */
export interface KfdProcess {
  readonly version: InterfaceVersion;
  readonly gpus: readonly ThunkGpu[];
  /** Render node descriptors of the acquired GPUs, by gpu id. */
  readonly renderFiles: ReadonlyMap<number, number>;
  xnack: XnackMode;
  /** Set with the first event. */
  eventPage?: ThunkMemory;
  /** Doorbells by gpu id, mapped with the first queue. */
  readonly doorbells: Map<number, DoorbellPage>;
}

const processes = new WeakMap<KfdDevice, KfdProcess>();

/**
 * Brings the driver up for this process, or finds that it is. A GPU that cannot be acquired is there with its problem.
 * @throws {HsaError} ERR_KFD_UNSUPPORTED for another interface, ERR_NO_DEVICE when no GPU can be used, ERR_TOPOLOGY.
 */
export function openKfdProcess(device: KfdDevice): KfdProcess {
  const known = processes.get(device);
  if (known) return known;
  const version = readVersion(device);
  const nodes = readKfdNodes(device.sysfs);
  const renderFiles = new Map<number, number>();
  try {
    const gpus = acquireGpus(device, nodes, renderFiles);
    const process: KfdProcess = { version, gpus, renderFiles, xnack: readXnackMode(device, version), doorbells: new Map() };
    processes.set(device, process);
    return process;
  } catch (error) {
    for (const file of renderFiles.values()) device.closeRenderNode(file);
    throw error;
  }
}

/** A GPU that this process acquired, with its render node's file. @throws {HsaError} ERR_INVALID_ARGUMENT when there is none. */
export function usableGpu(
  device: KfdDevice,
  process: KfdProcess,
  gpuId: number,
): { readonly gpu: ThunkGpu; readonly file: number } {
  const gpu = process.gpus.find((candidate) => candidate.gpuId === gpuId);
  const file = process.renderFiles.get(gpuId);
  if (gpu !== undefined && file !== undefined) return { gpu, file };
  throw new HsaErrorClass('ERR_INVALID_ARGUMENT', {
    message: `${device.path}: there is no usable GPU ${gpuId}; usable are ${[...process.renderFiles.keys()].join(', ')}`,
    details: { gpuId },
  });
}

/** @throws {HsaError} ERR_NOT_SUPPORTED when the driver's interface is older than `minor`. */
export function requireMinor(device: KfdDevice, { version }: KfdProcess, minor: number, what: string): void {
  if (version.minor >= minor) return;
  throw new HsaErrorClass('ERR_NOT_SUPPORTED', {
    message: `${device.path}: ${what} needs interface version ${version.major}.${minor}; the driver has ${version.major}.${version.minor}`,
    details: { needed: minor, found: version.minor },
  });
}

/** Switches recoverable page faults. */
export function setXnackMode(device: KfdDevice, process: KfdProcess, mode: 'on' | 'off'): void {
  requireMinor(device, process, SINCE_MINOR.XNACK, 'SET_XNACK_MODE');
  callKfd(device, SET_XNACK_MODE, {
    args: { xnack_enabled: mode === 'on' ? 1 : 0 },
    purpose: {
      doing: `switching recoverable page faults ${mode}`,
      errnos: {
        [EBUSY]: { meaning: 'the process has queues; it must be done before the first one' },
        [EPERM]: {
          code: 'ERR_NOT_SUPPORTED',
          meaning: 'a GPU of this process cannot, or the driver has no shared virtual memory',
        },
      },
    },
  });
  process.xnack = mode;
}

function readVersion(device: KfdDevice): InterfaceVersion {
  const notKfd = { code: 'ERR_KFD_UNSUPPORTED', meaning: 'it is not the device node of the amdkfd driver' } as const;
  const purpose = { doing: 'asking for the interface version', errnos: { [ENOTTY]: notKfd } };
  const { major_version: major, minor_version: minor } = callKfd(device, GET_VERSION, { args: {}, purpose });
  if (major === kfd.KFD_IOCTL_MAJOR_VERSION) return { major, minor };
  throw new HsaErrorClass('ERR_KFD_UNSUPPORTED', {
    message: `${device.path}: the driver's interface is version ${major}.${minor}; version ${kfd.KFD_IOCTL_MAJOR_VERSION}.x is needed`,
    details: { path: device.path, major, minor },
  });
}

function acquireGpus(device: KfdDevice, nodes: readonly KfdNode[], renderFiles: Map<number, number>): readonly ThunkGpu[] {
  const gpuNodes = nodes.filter((node) => node.gpuId !== 0);
  const apertures = gpuNodes.length === 0 ? new Map<number, ProcessApertures>() : readApertures(device, nodes.length);
  const gpus = gpuNodes.map((node) => acquireGpu(device, { node, apertures: apertures.get(node.gpuId), renderFiles }));
  if (gpus.some((gpu) => gpu.problem === undefined)) return gpus;
  const problems = [...gpus, ...nodes].flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  const list = problems.map((problem) => problem.message).join('; ');
  throw new HsaErrorClass('ERR_NO_DEVICE', {
    message:
      `${device.path} is there, but no GPU can be used: ${nodes.length} topology nodes, ${gpus.length} of them GPUs` +
      (list === '' ? '' : ` (${list})`),
    details: { path: device.path, nodes: nodes.length, gpus: gpus.length },
    ...hintOf(problems),
    ...(problems.length === 0 ? {} : { cause: new AggregateError(problems, 'GPUs that cannot be used') }),
  });
}

function hintOf(problems: readonly Error[]): { readonly hint?: string } {
  const hint = problems.find((problem): problem is HsaError => 'hint' in problem && problem.hint !== undefined)?.hint;
  return hint === undefined ? {} : { hint };
}

function acquireGpu(
  device: KfdDevice,
  gpu: { readonly node: KfdNode; readonly apertures: ProcessApertures | undefined; readonly renderFiles: Map<number, number> },
): ThunkGpu {
  const { nodeId, gpuId, properties, problem } = gpu.node;
  const renderMinor = Number(properties.get('drm_render_minor') ?? 0n);
  const facts = { gpuId, nodeId, renderMinor, properties };
  if (problem !== undefined) return { ...facts, problem };
  if (gpu.apertures === undefined)
    return { ...facts, problem: unusable(device, facts, 'the driver reports no apertures for it') };
  if (renderMinor < 128) return { ...facts, problem: unusable(device, facts, 'it has no render node') };
  const file = device.openRenderNode(renderMinor);
  if (file < 0) return { ...facts, problem: renderNodeError(device, renderMinor, -file) };
  const args = { drm_fd: file, gpu_id: gpuId };
  const { errno } = tryKfd(device, ACQUIRE_VM, args);
  if (errno !== 0) {
    device.closeRenderNode(file);
    const purpose = {
      doing: `acquiring the address space of GPU ${gpuId}`,
      errnos: { [EBUSY]: { meaning: 'this process acquired it before through another file' } },
    };
    return { ...facts, problem: ioctlError(device, ACQUIRE_VM.name, { errno, purpose, args }) };
  }
  gpu.renderFiles.set(gpuId, file);
  return { ...facts, apertures: gpu.apertures };
}

function unusable(
  device: KfdDevice,
  { gpuId, nodeId }: { readonly gpuId: number; readonly nodeId: number },
  why: string,
): HsaError {
  return new HsaErrorClass('ERR_KFD_UNSUPPORTED', {
    message: `${device.path}: GPU ${gpuId} (node ${nodeId}) cannot be used: ${why}`,
    details: { gpuId, nodeId },
  });
}

function renderNodeError(device: KfdDevice, minor: number, errno: number): HsaError {
  const path = `/dev/dri/renderD${minor}`;
  const access = errno === EACCES || errno === EPERM ? describeNodeAccess(device.sysfs, path) : undefined;
  return systemCallError({
    code: access === undefined ? 'ERR_DEVICE_FILE' : 'ERR_KFD_PERMISSION',
    call: 'open',
    path,
    errno,
    doing: 'opening the render node',
    meaning: access?.meaning,
    hint: access?.hint,
    details: access?.details,
  });
}

function readApertures(device: KfdDevice, nodeCount: number): Map<number, ProcessApertures> {
  const layout = kfd.kfd_process_device_apertures;
  using buffer = device.hostBuffer(nodeCount * layout.sizeBytes);
  const { num_of_nodes: count } = callKfd(device, GET_PROCESS_APERTURES_NEW, {
    args: { kfd_process_device_apertures_ptr: buffer.address, num_of_nodes: nodeCount },
    purpose: { doing: 'reading the apertures' },
  });
  const byGpu = new Map<number, ProcessApertures>();
  for (let i = 0; i < Math.min(count, nodeCount); i++) {
    const entry = layout.read(buffer.bytes, i * layout.sizeBytes);
    byGpu.set(entry.gpu_id, {
      ldsBase: entry.lds_base,
      ldsLimit: entry.lds_limit,
      scratchBase: entry.scratch_base,
      scratchLimit: entry.scratch_limit,
      gpuvmBase: entry.gpuvm_base,
      gpuvmLimit: entry.gpuvm_limit,
    });
  }
  return byGpu;
}

function readXnackMode(device: KfdDevice, version: InterfaceVersion): XnackMode {
  if (version.minor < SINCE_MINOR.XNACK) return 'unsupported';
  // A negative value asks; the answer stands in its place.
  const { value, errno } = tryKfd(device, SET_XNACK_MODE, { xnack_enabled: -1 });
  // EPERM: a driver without SVM. Others mean the same for us: no mode to speak of.
  if (errno !== 0) return 'unsupported';
  return value.xnack_enabled === 0 ? 'off' : 'on';
}
