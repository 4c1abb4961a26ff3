/**
 * libhsakmt's state in this process: the open driver, the snapshot of the topology, which node is which GPU. The library counts its
 * users and keeps one snapshot for all of them, so that thunks on one library share a session.
 */
import type { HsaError, SysfsSource } from '@doorbell/abi';
import { HsaError as HsaErrorClass, hsakmt, kfd } from '@doorbell/abi';
import { isHsaError } from '@doorbell/abi';
import type { KfdNode } from '../kfd-nodes.js';
import { readKfdNodes } from '../kfd-nodes.js';
import { openError } from '../linux/open-error.js';
import type { InterfaceVersion, ProcessApertures, ThunkGpu, XnackMode } from '../thunk.js';
import type { HsakmtLibrary } from './hsakmt-library.js';
import { nodePropertiesOf } from './node-properties.js';
import { hsakmtError, isSuccess } from './status.js';

/** What one library has open in this process. */
export interface HsakmtSession {
  readonly library: HsakmtLibrary;
  readonly version: InterfaceVersion;
  readonly gpus: readonly ThunkGpu[];
  /** Node of each usable GPU, by gpu id. */
  readonly nodes: ReadonlyMap<number, number>;
  /** First node with a CPU: where the library allocates system memory. */
  readonly cpuNode: number | undefined;
  /** The page of HDP flush registers of each GPU that has one, by gpu id. */
  readonly mmioPages: ReadonlyMap<number, bigint>;
  xnack: XnackMode;
}

/** How to open a session. */
export interface SessionOptions {
  readonly sysfs: SysfsSource;
  /** What the library opens, for the message when it cannot. */
  readonly devicePath: string;
}

interface OpenSession {
  readonly session: HsakmtSession;
  users: number;
}

const sessions = new Map<string, OpenSession>();

/**
 * Opens the driver through the library, or joins the session that is open.
 * @throws {HsaError} what opening the device node would say, ERR_KFD_UNSUPPORTED, ERR_NO_DEVICE, ERR_TOPOLOGY.
 */
export async function openSession(library: HsakmtLibrary, options: SessionOptions): Promise<HsakmtSession> {
  const known = sessions.get(library.path);
  if (known !== undefined) {
    known.users++;
    return known.session;
  }
  openDriver(library, options);
  try {
    const session = await readSession(library, options);
    sessions.set(library.path, { session, users: 1 });
    return session;
  } catch (error) {
    closeDriver(library);
    throw error;
  }
}

/** Leaves a session; the last one out gives the snapshot and the driver back. */
export function closeSession({ library }: HsakmtSession): void {
  const open = sessions.get(library.path);
  if (open === undefined) return;
  open.users--;
  if (open.users > 0) return;
  sessions.delete(library.path);
  library.call('hsaKmtReleaseSystemProperties', [], { doing: 'giving the snapshot of the topology back' });
  closeDriver(library);
}

/** The node of a usable GPU. @throws {HsaError} ERR_INVALID_ARGUMENT when there is none. */
export function nodeOf({ library, nodes }: HsakmtSession, gpuId: number): number {
  const node = nodes.get(gpuId);
  if (node !== undefined) return node;
  throw new HsaErrorClass('ERR_INVALID_ARGUMENT', {
    message: `${library.path}: there is no usable GPU ${gpuId}; usable are ${[...nodes.keys()].join(', ')}`,
    details: { gpuId },
  });
}

/** The typed error for what libhsakmt has no way to do. */
export function notSupported({ path }: HsakmtLibrary, what: string, why: string): HsaError {
  return new HsaErrorClass('ERR_NOT_SUPPORTED', { message: `${path}: ${what} is not possible: ${why}`, details: { path } });
}

function openDriver(library: HsakmtLibrary, { sysfs, devicePath }: SessionOptions): void {
  const result = library.tryCall('hsaKmtOpenKFD', []);
  if (isSuccess(result.status)) return;
  const base = { ...result, call: 'hsaKmtOpenKFD', path: library.path, doing: `opening ${devicePath}` };
  if (result.status !== hsakmt.HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED || result.errno === 0 || devicePath !== '/dev/kfd') {
    throw hsakmtError(base);
  }
  const cause = openError({ path: devicePath, errno: result.errno, sysfs });
  const { code, hint, details } = cause;
  throw hsakmtError({ ...base, code, meaning: cause.message, hint, details, cause });
}

function closeDriver(library: HsakmtLibrary): void {
  library.call('hsaKmtCloseKFD', [], { doing: 'closing the driver' });
}

async function readSession(library: HsakmtLibrary, { sysfs }: SessionOptions): Promise<HsakmtSession> {
  const version = readVersion(library);
  const system = library.layouts.HsaSystemProperties.create();
  // It reads the whole topology and acquires every GPU.
  const acquired = await library.callAsync('hsaKmtAcquireSystemProperties', [system]);
  if (!isSuccess(acquired.status)) {
    const doing = 'reading the topology';
    throw hsakmtError({ ...acquired, call: 'hsaKmtAcquireSystemProperties', path: library.path, doing });
  }
  const { NumNodes: count } = library.layouts.HsaSystemProperties.read(system);
  const found = Array.from({ length: count }, (_, nodeId) => readNode(library, nodeId));
  const gpus = found.filter(({ isGpu }) => isGpu).map((node) => gpuOf(library, node, sysfs));
  const usable = gpus.filter(({ problem }) => problem === undefined);
  if (usable.length === 0) throw noGpu(library, count, gpus);
  const mmioPages = new Map<number, bigint>();
  for (const { gpuId, nodeId } of usable) {
    const page = found[nodeId]?.mmioPage;
    if (page !== undefined) mmioPages.set(gpuId, page);
  }
  return {
    library,
    version,
    gpus,
    nodes: new Map(usable.map(({ gpuId, nodeId }) => [gpuId, nodeId])),
    cpuNode: found.find(({ hasCpu }) => hasCpu)?.nodeId,
    mmioPages,
    xnack: readXnack(library),
  };
}

function readVersion(library: HsakmtLibrary): InterfaceVersion {
  const layout = library.layouts.HsaVersionInfo;
  const bytes = layout.create();
  library.call('hsaKmtGetVersion', [bytes], { doing: 'asking for the interface version' });
  const { KernelInterfaceMajorVersion: major, KernelInterfaceMinorVersion: minor } = layout.read(bytes);
  if (major === kfd.KFD_IOCTL_MAJOR_VERSION) return { major, minor };
  throw new HsaErrorClass('ERR_KFD_UNSUPPORTED', {
    message: `${library.path}: the driver's interface is version ${major}.${minor}; version ${kfd.KFD_IOCTL_MAJOR_VERSION}.x is needed`,
    details: { path: library.path, major, minor },
  });
}

interface FoundNode {
  readonly nodeId: number;
  readonly isGpu: boolean;
  readonly hasCpu: boolean;
  readonly renderMinor: number;
  /** 0 where the library does not tell. */
  readonly gpuId: number;
  readonly properties: ReadonlyMap<string, bigint>;
  readonly apertures: ProcessApertures | undefined;
  readonly mmioPage: bigint | undefined;
}

function readNode(library: HsakmtLibrary, nodeId: number): FoundNode {
  const layout = library.layouts.HsaNodeProperties;
  const bytes = new Uint8Array(layout.sizeBytes + SLACK_BYTES).fill(SLACK_FILL, layout.sizeBytes);
  library.call('hsaKmtGetNodeProperties', [nodeId, bytes], { doing: `reading the properties of node ${nodeId}` });
  requireKnownSize(library, bytes, layout.sizeBytes);
  const node = layout.read(bytes);
  const banks = readBanks(library, nodeId, node.NumMemoryBanks);
  return {
    nodeId,
    isGpu: node.NumFComputeCores > 0,
    hasCpu: node.NumCPUCores > 0,
    renderMinor: node.DrmRenderMinor,
    gpuId: 'KFDGpuID' in node ? node.KFDGpuID : 0,
    properties: nodePropertiesOf(node),
    apertures: aperturesOf(banks),
    mmioPage: banks.find(({ HeapType }) => HeapType === hsakmt.HSA_HEAPTYPE_MMIO_REMAP)?.VirtualBaseAddress,
  };
}

/** Room behind the structure that grew with nearly every release: a library that writes there has another layout than was thought. */
const SLACK_BYTES = 256;
const SLACK_FILL = 0xa5;

function requireKnownSize({ path, generation }: HsakmtLibrary, bytes: Uint8Array, sizeBytes: number): void {
  const last = bytes.findLastIndex((byte, i) => i >= sizeBytes && byte !== SLACK_FILL);
  if (last < 0) return;
  throw new HsaErrorClass('ERR_NOT_SUPPORTED', {
    message: `${path}: HsaNodeProperties has ${last + 1} bytes or more there; ${sizeBytes} of generation ${generation} are known`,
    details: { path, generation, knownBytes: sizeBytes, foundBytes: last + 1 },
  });
}

interface MemoryBank {
  readonly HeapType: number;
  readonly SizeInBytes: bigint;
  readonly VirtualBaseAddress: bigint;
}

function readBanks(library: HsakmtLibrary, nodeId: number, count: number): readonly MemoryBank[] {
  const layout = library.layouts.HsaMemoryProperties;
  const bytes = new Uint8Array(Math.max(1, count) * layout.sizeBytes);
  const doing = `reading the memories of node ${nodeId}`;
  library.call('hsaKmtGetNodeMemoryProperties', [nodeId, count, bytes], { doing });
  return Array.from({ length: count }, (_, i) => layout.read(bytes, i * layout.sizeBytes)).filter(
    // A bank that the library left out is zero, which no bank is.
    ({ SizeInBytes }) => SizeInBytes > 0n,
  );
}

/** The LDS aperture of gfx9 and later has 4 GiB (kfd_flat_memory.c); the library tells the size of LDS in its place. */
const LDS_APERTURE_LAST = 0xffff_ffffn;

/** Apertures are among the memories of a node, as heaps of their own. */
function aperturesOf(banks: readonly MemoryBank[]): ProcessApertures | undefined {
  const bank = (type: number): MemoryBank | undefined => banks.find(({ HeapType }) => HeapType === type);
  const lds = bank(hsakmt.HSA_HEAPTYPE_GPU_LDS);
  const scratch = bank(hsakmt.HSA_HEAPTYPE_GPU_SCRATCH);
  const svm = bank(hsakmt.HSA_HEAPTYPE_DEVICE_SVM);
  if (lds === undefined || scratch === undefined || svm === undefined) return undefined;
  return {
    ldsBase: lds.VirtualBaseAddress,
    ldsLimit: lds.VirtualBaseAddress + LDS_APERTURE_LAST,
    scratchBase: scratch.VirtualBaseAddress,
    scratchLimit: scratch.VirtualBaseAddress + scratch.SizeInBytes - 1n,
    gpuvmBase: svm.VirtualBaseAddress,
    gpuvmLimit: svm.VirtualBaseAddress + svm.SizeInBytes - 1n,
  };
}

function gpuOf(library: HsakmtLibrary, node: FoundNode, sysfs: SysfsSource): ThunkGpu {
  const { nodeId, renderMinor, properties, apertures } = node;
  const gpuId = node.gpuId === 0 ? gpuIdFromSysfs(sysfs, renderMinor) : node.gpuId;
  const facts = { nodeId, renderMinor, properties };
  const unusable = (why: string): HsaError =>
    new HsaErrorClass('ERR_TOPOLOGY', {
      message: `${library.path}: the GPU of node ${nodeId} (renderD${renderMinor}) cannot be used: ${why}`,
      details: { path: library.path, nodeId },
    });
  if (gpuId === undefined) {
    const why = 'libraries of generation A do not tell its id, and the topology in sysfs has no such node';
    return { ...facts, gpuId: 0, problem: unusable(why) };
  }
  if (apertures === undefined) return { ...facts, gpuId, problem: unusable('the library reports no apertures for it') };
  return { ...facts, gpuId, apertures };
}

/** The library numbers nodes anew where it leaves some out; the render node is what both know. */
function gpuIdFromSysfs(sysfs: SysfsSource, renderMinor: number): number | undefined {
  let nodes: readonly KfdNode[];
  try {
    nodes = readKfdNodes(sysfs);
  } catch (error) {
    if (!isHsaError(error, 'ERR_TOPOLOGY')) throw error;
    return undefined;
  }
  const gpu = nodes.find(({ gpuId, properties }) => gpuId !== 0 && properties.get('drm_render_minor') === BigInt(renderMinor));
  return gpu?.gpuId;
}

function noGpu(library: HsakmtLibrary, nodes: number, gpus: readonly ThunkGpu[]): HsaError {
  const problems = gpus.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  const list = problems.map(({ message }) => message).join('; ');
  return new HsaErrorClass('ERR_NO_DEVICE', {
    message: `${library.path}: no GPU can be used: ${nodes} nodes, ${gpus.length} of them GPUs${list === '' ? '' : ` (${list})`}`,
    details: { path: library.path, nodes, gpus: gpus.length },
    ...(problems.length === 0 ? {} : { cause: new AggregateError(problems, 'GPUs that cannot be used') }),
  });
}

function readXnack(library: HsakmtLibrary): XnackMode {
  if (!library.has('hsaKmtGetXNACKMode')) return 'unsupported';
  const mode = new Int32Array(1);
  const { status } = library.tryCall('hsaKmtGetXNACKMode', [mode]);
  // Any failure means the same here: there is no mode to speak of.
  if (!isSuccess(status)) return 'unsupported';
  return mode[0] === 0 ? 'off' : 'on';
}
