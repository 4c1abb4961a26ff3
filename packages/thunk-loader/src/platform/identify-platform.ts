import { arch, release, type, version } from 'node:os';
import { createLinuxSysfs } from '../linux/sysfs.js';
import { findContainers } from './containers.js';
import type { PlatformIdentity, PlatformSource, Surrounding, SystemName, TopologyRoot } from './platform.js';
import { findVirtioGpus, findVirtualMachine, findWsl } from './virtual-machines.js';

const SYSTEMS: Readonly<Record<string, SystemName>> = {
  Linux: 'linux',
  FreeBSD: 'freebsd',
  Windows_NT: 'windows',
  Darwin: 'macos',
};

const KFD = '/dev/kfd';
const DXG = '/dev/dxg';
const LINUX_TOPOLOGY = '/sys/devices/virtual/kfd/kfd/topology';
/** LinuxKPI makes sysfs attributes sysctl strings below `sys`: FreeBSD sys/compat/linuxkpi/common/include/linux/sysfs.h. */
const FREEBSD_TOPOLOGY = 'sys.class.kfd.kfd.topology';

/**
 * Which platform this process runs on, with the evidence: system, containers, WSL, virtual machine, and where a GPU would be
 * reached. Several surroundings hold at once. Nothing is opened; what cannot be read is no evidence.
 */
export function identifyPlatform(source: Partial<PlatformSource> = {}): PlatformIdentity {
  const full: PlatformSource = {
    sysfs: source.sysfs ?? createLinuxSysfs(),
    env: source.env ?? process.env,
    uname: source.uname ?? { sysname: type(), release: release(), version: version(), machine: arch() },
  };
  const { uname } = full;
  const system = SYSTEMS[uname.sysname] ?? 'other';
  const surroundings = system === 'linux' ? surroundingsOfLinux(full) : [];
  const identity = {
    system,
    description: `${uname.sysname} ${uname.release} ${uname.machine}`,
    surroundings,
    isNative: surroundings.length === 0,
  };
  return { ...identity, ...reach(full, identity) };
}

/** `Linux 6.18.44 x86_64, docker container, wsl2`. */
export function describePlatform({ description, surroundings, isNative }: PlatformIdentity): string {
  if (isNative) return `${description}, native`;
  const names = surroundings.map(({ kind, name }) => {
    switch (kind) {
      case 'container':
        return `${name} container`;
      case 'virtual-machine':
        return `virtual machine (${name})`;
      case 'wsl':
      case 'virtio-gpu':
        return name;
    }
  });
  return `${description}, ${names.join(', ')}`;
}

function surroundingsOfLinux(source: PlatformSource): readonly Surrounding[] {
  return [...findContainers(source), ...findWsl(source), ...findVirtualMachine(source), ...findVirtioGpus(source)];
}

type Reach = Pick<PlatformIdentity, 'gpuDevice' | 'topology' | 'notes'>;

/** Where a GPU is reached on this platform, and what is missing. */
function reach(source: PlatformSource, identity: Pick<PlatformIdentity, 'system' | 'surroundings'>): Reach {
  switch (identity.system) {
    case 'linux':
      return reachOnLinux(source, identity.surroundings);
    case 'freebsd':
      return reachOnFreeBsd(source);
    case 'windows':
      return nowhere(
        'AMD reaches GPUs on Windows through its graphics driver (HIP over PAL), not through a thunk; use WSL 2 for this runtime.',
      );
    case 'macos':
      return nowhere('There is no driver for AMD compute on macOS; the emulated GPU works.');
    case 'other':
      return nowhere('No driver for AMD compute is known on this system; the emulated GPU works.');
  }
}

function nowhere(note: string): Reach {
  return { topology: { kind: 'none', root: '', state: 'absent' }, notes: [note] };
}

function reachOnLinux({ sysfs, uname }: PlatformSource, surroundings: readonly Surrounding[]): Reach {
  const has = (path: string): boolean => sysfs.stat(path).ok;
  const topology: TopologyRoot = {
    kind: 'files',
    root: LINUX_TOPOLOGY,
    state: sysfs.list(`${LINUX_TOPOLOGY}/nodes`).ok ? 'present' : 'absent',
  };
  const kinds = surroundings.map(({ kind }) => kind);
  const wsl = surroundings.find(({ kind }) => kind === 'wsl');
  const notes: string[] = [];
  if (wsl?.name === 'wsl1') notes.push('WSL 1 has no GPU devices: convert the distribution to WSL 2 (wsl --set-version).');
  if (wsl?.name === 'wsl2' && !has(DXG)) {
    notes.push(
      `WSL 2 without ${DXG}: ${kinds.includes('container') ? 'start the container with --device=/dev/dxg' : 'update WSL and the Windows driver'}.`,
    );
  }
  if (kinds.includes('container') && wsl === undefined && !has(KFD)) notes.push(containerNote(surroundings, topology));
  if (kinds.includes('virtio-gpu') && !has(KFD)) {
    notes.push(
      'A virtio GPU may lead to a GPU of the host (native context); this runtime does not drive it. Pass a GPU through to the guest instead.',
    );
  } else if (kinds.includes('virtual-machine') && wsl === undefined && !has(KFD)) {
    notes.push('A virtual machine sees a GPU only when the host passes it through (vfio-pci).');
  }
  if (!['x64', 'x86_64', 'arm64', 'aarch64', 'amd64'].includes(uname.machine))
    notes.push(`AMD's driver is tested on x86_64 and arm64, not on ${uname.machine}.`);
  const gpuDevice = wsl === undefined ? KFD : DXG;
  return { gpuDevice, topology, notes };
}

/** How to hand the devices in, by the kind of container. */
const HAND_IN: Readonly<Record<string, string>> = {
  docker: 'docker run --device=/dev/kfd --device=/dev/dri --group-add=<gid of the node>',
  podman: 'podman run --device=/dev/kfd --device=/dev/dri --group-add=keep-groups',
  kubernetes: "request the resource amd.com/gpu (AMD's device plugin), with supplementalGroups for the node's gid",
  apptainer: 'apptainer exec --rocm, or --bind /dev/kfd,/dev/dri',
  lxc: 'add /dev/kfd and /dev/dri/renderD* as unix-char devices with the gid of the group inside',
};

function containerNote(surroundings: readonly Surrounding[], topology: TopologyRoot): string {
  const name = surroundings.find(({ kind }) => kind === 'container')?.name ?? 'container';
  const host = topology.state === 'present' ? 'the host has the driver (its topology shows here), but ' : '';
  return `${host}this ${name} container has no ${KFD}: ${HAND_IN[name] ?? 'hand in /dev/kfd and /dev/dri'}.`;
}

function reachOnFreeBsd({ sysfs }: PlatformSource): Reach {
  const topology: TopologyRoot = { kind: 'sysctl', root: FREEBSD_TOPOLOGY, state: 'unknown' };
  const notes = sysfs.stat(KFD).ok
    ? [`${KFD} is there; the topology is the sysctl tree ${FREEBSD_TOPOLOGY} (LinuxKPI), which this runtime does not read.`]
    : [`there is no ${KFD}: drm-kmod builds amdgpu without its compute part; check kldstat for amdgpu. The emulated GPU works.`];
  return { gpuDevice: KFD, topology, notes };
}
