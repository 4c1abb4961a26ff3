import type { SysfsSource } from '@doorbell/abi';

/** What uname(2) says. */
export interface Uname {
  /** `Linux`, `FreeBSD`, `Windows_NT`, `Darwin`. */
  readonly sysname: string;
  readonly release: string;
  readonly version: string;
  readonly machine: string;
}

/** What the identity of a platform is read from; a test hands in its own. */
export interface PlatformSource {
  /** `/sys`, `/proc`, `/dev` and whatever else is asked for by its path. */
  readonly sysfs: SysfsSource;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uname: Uname;
}

/** The operating system. */
export type SystemName = 'linux' | 'freebsd' | 'windows' | 'macos' | 'other';

/** A surrounding that a process is in; several hold at once, as in a container of WSL. */
export type SurroundingKind = 'container' | 'wsl' | 'virtual-machine' | 'virtio-gpu';

/** Something that was looked at and says something. */
export interface Evidence {
  /** A path, `uname`, or a variable with `$`. */
  readonly where: string;
  readonly found: string;
}

/** A surrounding with what speaks for it. */
export interface Surrounding {
  readonly kind: SurroundingKind;
  /** `docker`, `wsl2`, `kvm`, `virtio-gpu`. */
  readonly name: string;
  readonly evidence: readonly Evidence[];
}

/** Where the kernel driver's topology is: files, FreeBSD's sysctl tree, or nowhere. */
export interface TopologyRoot {
  readonly kind: 'files' | 'sysctl' | 'none';
  /** A folder, or the first name of the sysctl tree. */
  readonly root: string;
  /** Whether it is there; unknown for sysctl, which is no file. */
  readonly state: 'present' | 'absent' | 'unknown';
}

/** The platform: system, surroundings, and where a GPU would be reached. */
export interface PlatformIdentity {
  readonly system: SystemName;
  /** `Linux 6.18.44 x86_64`. */
  readonly description: string;
  readonly surroundings: readonly Surrounding[];
  /** Whether nothing speaks for a container, WSL or a virtual machine. */
  readonly isNative: boolean;
  /** The device node by which GPUs are reached here; absent where there is no way. */
  readonly gpuDevice?: '/dev/kfd' | '/dev/dxg';
  readonly topology: TopologyRoot;
  /** What follows for GPUs, in sentences. */
  readonly notes: readonly string[];
}
