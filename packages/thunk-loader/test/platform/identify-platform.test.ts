import type { SysfsSource } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { describePlatform, identifyPlatform } from '../../src/platform/identify-platform.js';
import type { PlatformIdentity, Uname } from '../../src/platform/platform.js';

interface Machine {
  /** Texts by path; a path alone, with an empty text, is there. */
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly uname?: Partial<Uname>;
}

function identify({ files = {}, links = {}, env = {}, uname = {} }: Machine): PlatformIdentity {
  const missing = { ok: false, errno: 'ENOENT' } as const;
  const paths = [...Object.keys(files), ...Object.keys(links)];
  const below = (path: string): string[] => paths.filter((other) => other.startsWith(`${path}/`));
  const sysfs: SysfsSource = {
    readText: (path) => (path in files ? { ok: true, value: files[path]! } : missing),
    list: (path) => {
      const names = below(path).map((other) => other.slice(path.length + 1).split('/')[0]!);
      return names.length === 0 ? missing : { ok: true, value: [...new Set(names)] };
    },
    stat: (path) =>
      path in files || below(path).length > 0 ? { ok: true, value: { kind: 'file', mode: 0o644, uid: 0, gid: 0 } } : missing,
    readLink: (path) => (path in links ? { ok: true, value: links[path]! } : missing),
  };
  return identifyPlatform({
    sysfs,
    env,
    uname: { sysname: 'Linux', release: '6.8.0-40-generic', version: '#40', machine: 'x86_64', ...uname },
  });
}

const names = ({ surroundings }: PlatformIdentity): string[] => surroundings.map(({ kind, name }) => `${kind}:${name}`);
const TOPOLOGY = { '/sys/devices/virtual/kfd/kfd/topology/nodes/0/gpu_id': '0\n' };
const WSL2 = { release: '5.15.153.1-microsoft-standard-WSL2' };

describe('identifyPlatform', () => {
  it('calls a machine native where nothing speaks against it', () => {
    const platform = identify({
      files: { ...TOPOLOGY, '/dev/kfd': '', '/proc/1/cgroup': '0::/init.scope\n', '/proc/1/environ': 'TERM=linux\0' },
    });
    expect(platform).toMatchObject({ system: 'linux', isNative: true, surroundings: [], gpuDevice: '/dev/kfd', notes: [] });
    expect(platform.topology).toMatchObject({ kind: 'files', state: 'present' });
    expect(describePlatform(platform)).toBe('Linux 6.8.0-40-generic x86_64, native');
  });

  it.each<[string, Machine]>([
    ['docker', { files: { '/.dockerenv': '' } }],
    ['docker', { files: { '/proc/1/cgroup': '12:devices:/docker/0123456789abcdef\n' } }],
    ['docker', { files: { '/proc/self/cgroup': '0::/system.slice/docker-0123.scope\n' } }],
    ['podman', { files: { '/run/.containerenv': '' } }],
    ['podman', { env: { container: 'podman' } }],
    ['podman', { files: { '/proc/1/cgroup': '0::/machine.slice/libpod-12ab.scope\n' } }],
    ['apptainer', { files: { '/.singularity.d/runscript': '' } }],
    ['apptainer', { env: { APPTAINER_NAME: 'rocm.sif' } }],
    ['apptainer', { env: { SINGULARITY_NAME: 'rocm.sif' } }],
    ['kubernetes', { env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' } }],
    ['kubernetes', { files: { '/var/run/secrets/kubernetes.io/serviceaccount/token': '' } }],
    ['kubernetes', { files: { '/proc/1/cgroup': '3:cpu:/kubepods.slice/kubepods-pod12.slice\n' } }],
    ['lxc', { files: { '/proc/1/environ': 'PATH=/bin\0container=lxc\0' } }],
    ['lxc', { files: { '/dev/incus/sock': '' } }],
    ['systemd-nspawn', { files: { '/run/host/container-manager': 'systemd-nspawn' } }],
    ['toolbox', { files: { '/run/.toolboxenv': '' } }],
    ['oci', { env: { container: 'oci' } }],
  ])('recognises %s (%#)', (name, machine) => {
    const platform = identify(machine);
    expect(names(platform)).toEqual([`container:${name}`]);
    expect(platform.surroundings[0]!.evidence.length).toBeGreaterThan(0);
    expect(platform.isNative).toBe(false);
  });

  it('does not take a folder of the host for a container', () => {
    expect(names(identify({ files: { '/proc/1/cgroup': '0::/user.slice/my-docker-tools.service\n' } }))).toEqual([]);
  });

  it('says how to hand the devices into the container at hand, and that the host has the driver (O4)', () => {
    const { notes } = identify({ files: { ...TOPOLOGY, '/run/.containerenv': '' } });
    expect(notes).toEqual([expect.stringContaining('the host has the driver')]);
    expect(notes[0]).toContain('podman run --device=/dev/kfd --device=/dev/dri --group-add=keep-groups');
    expect(identify({ files: { '/.dockerenv': '', '/dev/kfd': '' } }).notes).toEqual([]);
  });

  it('tells WSL 2 from WSL 1', () => {
    const two = identify({ uname: WSL2, files: { '/dev/dxg': '' }, env: { WSL_DISTRO_NAME: 'Ubuntu' } });
    expect(names(two)).toEqual(['wsl:wsl2']);
    expect(two.gpuDevice).toBe('/dev/dxg');
    expect(two.surroundings[0]!.evidence.map(({ where }) => where)).toEqual(['uname', '/dev/dxg', '$WSL_DISTRO_NAME']);
    const one = identify({
      uname: { release: '4.4.0-19041-Microsoft' },
      files: { '/proc/version': 'Linux version 4.4.0-19041-Microsoft' },
    });
    expect(names(one)).toEqual(['wsl:wsl1']);
    expect(one.notes[0]).toContain('WSL 1 has no GPU devices');
  });

  it('recognises a container in WSL, and what it lacks', () => {
    const platform = identify({ uname: WSL2, files: { '/.dockerenv': '' } });
    expect(names(platform)).toEqual(['container:docker', 'wsl:wsl2']);
    expect(platform.notes).toEqual(['WSL 2 without /dev/dxg: start the container with --device=/dev/dxg.']);
    expect(describePlatform(platform)).toContain('docker container, wsl2');
  });

  it.each<[string, Record<string, string>]>([
    ['kvm', { '/sys/class/dmi/id/sys_vendor': 'Amazon EC2\n', '/proc/cpuinfo': 'flags\t\t: fpu hypervisor lahf\n' }],
    ['qemu', { '/sys/class/dmi/id/sys_vendor': 'QEMU\n' }],
    ['vmware', { '/sys/class/dmi/id/product_name': 'VMware Virtual Platform\n' }],
    ['virtualbox', { '/sys/class/dmi/id/product_name': 'VirtualBox\n' }],
    [
      'hyper-v',
      { '/sys/class/dmi/id/sys_vendor': 'Microsoft Corporation\n', '/sys/class/dmi/id/product_name': 'Virtual Machine\n' },
    ],
    ['xen', { '/sys/hypervisor/type': 'xen\n' }],
    ['unknown hypervisor', { '/proc/cpuinfo': 'processor : 0\nflags : fpu vme hypervisor\n' }],
  ])('recognises a virtual machine of %s', (name, files) => {
    const platform = identify({ files });
    expect(names(platform)).toEqual([`virtual-machine:${name}`]);
    expect(platform.notes[0]).toContain('vfio-pci');
  });

  it('does not take a computer of Microsoft for a virtual machine', () => {
    expect(
      names(
        identify({
          files: {
            '/sys/class/dmi/id/sys_vendor': 'Microsoft Corporation\n',
            '/sys/class/dmi/id/product_name': 'Surface Laptop\n',
          },
        }),
      ),
    ).toEqual([]);
  });

  it('recognises a virtio GPU, by PCI and by its render node', () => {
    const pci = '/sys/bus/pci/devices/0000:00:02.0';
    const platform = identify({
      files: { [`${pci}/vendor`]: '0x1af4\n', [`${pci}/device`]: '0x1050\n', '/sys/class/dmi/id/sys_vendor': 'QEMU\n' },
      links: { '/sys/class/drm/renderD128/device/driver': '/sys/bus/virtio/drivers/virtio_gpu' },
    });
    expect(names(platform)).toEqual(['virtual-machine:qemu', 'virtio-gpu:virtio-gpu']);
    expect(platform.surroundings[1]!.evidence.map(({ where }) => where)).toEqual([pci, '/dev/dri/renderD128']);
    expect(platform.notes).toEqual([expect.stringContaining('native context')]);
  });

  it('knows where the trees of FreeBSD are, and tells a driver that is not there from a port that is not whole', () => {
    const uname = { sysname: 'FreeBSD', release: '15.0-RELEASE', machine: 'amd64' };
    const without = identify({ uname });
    expect(without).toMatchObject({
      system: 'freebsd',
      gpuDevice: '/dev/kfd',
      topology: { kind: 'sysctl', root: 'sys.class.kfd.kfd.topology' },
    });
    expect(without.notes[0]).toContain('kldstat');
    expect(identify({ uname, files: { '/dev/kfd': '' } }).notes[0]).toContain('sysctl tree sys.class.kfd.kfd.topology');
  });

  it.each([
    ['Windows_NT', 'windows', 'WSL 2'],
    ['Darwin', 'macos', 'macOS'],
    ['SunOS', 'other', 'emulated'],
  ])('has no way to a GPU on %s', (sysname, system, note) => {
    const platform = identify({ uname: { sysname } });
    expect(platform).toMatchObject({ system, topology: { kind: 'none' } });
    expect(platform.gpuDevice).toBeUndefined();
    expect(platform.notes[0]).toContain(note);
  });

  it('looks at this machine without failing', () => {
    expect(identifyPlatform().description).toMatch(/\S+ \S+ \S+/);
  });
});
