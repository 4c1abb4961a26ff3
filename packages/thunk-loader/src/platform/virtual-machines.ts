/** What gives a virtual machine, its virtual GPU, and WSL away. */
import type { Evidence, PlatformSource, Surrounding } from './platform.js';

/** Text of the firmware's tables by hypervisor; systemd src/basic/virt.c has the same vendors. */
const DMI: readonly (readonly [string, RegExp])[] = [
  ['kvm', /\bKVM\b|Red Hat|OpenStack|DigitalOcean|Google Compute Engine|Amazon EC2/],
  ['qemu', /QEMU/],
  ['vmware', /VMware|VMW/],
  ['virtualbox', /VirtualBox|innotek GmbH/],
  ['xen', /\bXen\b/],
  ['hyper-v', /Microsoft Corporation.*Virtual Machine|Hyper-V/],
  ['parallels', /Parallels/],
  ['bhyve', /BHYVE/i],
  ['apple', /Apple Virtualization/],
];
const DMI_FILES = ['sys_vendor', 'product_name', 'board_vendor', 'bios_vendor', 'product_version'] as const;

/** The hypervisor, if one shows. */
export function findVirtualMachine({ sysfs }: PlatformSource): readonly Surrounding[] {
  const evidence: Evidence[] = [];
  const read = (path: string): string | undefined => {
    const file = sysfs.readText(path);
    return file.ok ? file.value.trim() : undefined;
  };
  const dmi = DMI_FILES.flatMap((name) => {
    const value = read(`/sys/class/dmi/id/${name}`);
    return value === undefined || value === '' ? [] : [{ where: `/sys/class/dmi/id/${name}`, found: value }];
  });
  const all = dmi.map(({ found }) => found).join(' ');
  let name = DMI.find(([, pattern]) => pattern.test(all))?.[0];
  if (name !== undefined) evidence.push(...dmi.filter(({ found }) => DMI.some(([, pattern]) => pattern.test(found))));
  const xen = read('/sys/hypervisor/type');
  if (xen) {
    name ??= xen;
    evidence.push({ where: '/sys/hypervisor/type', found: xen });
  }
  const cpu = read('/proc/cpuinfo');
  if (cpu !== undefined && /^flags\s*:.*\bhypervisor\b/m.test(cpu)) {
    name ??= 'unknown hypervisor';
    evidence.push({ where: '/proc/cpuinfo', found: 'flag hypervisor' });
  }
  return name === undefined ? [] : [{ kind: 'virtual-machine', name, evidence }];
}

/** Virtio's PCI vendor, and the device id of its GPU (virtio specification 4.1.2, 5.7). */
const VIRTIO_VENDOR = '0x1af4';
const VIRTIO_GPU_DEVICE = '0x1050';

/** Virtual GPUs, by which a guest may reach a GPU of its host. */
export function findVirtioGpus({ sysfs }: PlatformSource): readonly Surrounding[] {
  const root = '/sys/bus/pci/devices';
  const names = sysfs.list(root);
  const evidence: Evidence[] = [];
  for (const name of names.ok ? names.value : []) {
    const vendor = sysfs.readText(`${root}/${name}/vendor`);
    const device = sysfs.readText(`${root}/${name}/device`);
    if (!vendor.ok || !device.ok || vendor.value.trim() !== VIRTIO_VENDOR || device.value.trim() !== VIRTIO_GPU_DEVICE) continue;
    evidence.push({ where: `${root}/${name}`, found: `${VIRTIO_VENDOR}:${VIRTIO_GPU_DEVICE}` });
  }
  const cards = sysfs.list('/sys/class/drm');
  for (const name of cards.ok ? cards.value : []) {
    if (!/^renderD\d+$/.test(name)) continue;
    const driver = sysfs.readLink(`/sys/class/drm/${name}/device/driver`);
    if (driver.ok && /\/virtio[-_]gpu$/.test(driver.value))
      evidence.push({ where: `/dev/dri/${name}`, found: 'driver virtio_gpu' });
  }
  return evidence.length === 0 ? [] : [{ kind: 'virtio-gpu', name: 'virtio-gpu', evidence }];
}

/** WSL, by the kernel's name and by what WSL puts into its systems. */
export function findWsl({ sysfs, env, uname }: PlatformSource): readonly Surrounding[] {
  const evidence: Evidence[] = [];
  const isMicrosoft = /microsoft/i.test(uname.release);
  if (isMicrosoft) evidence.push({ where: 'uname', found: uname.release });
  const version = sysfs.readText('/proc/version');
  if (version.ok && /microsoft/i.test(version.value))
    evidence.push({ where: '/proc/version', found: version.value.trim().slice(0, 120) });
  for (const path of ['/dev/dxg', '/proc/sys/fs/binfmt_misc/WSLInterop', '/usr/lib/wsl/lib/libdxcore.so']) {
    const stat = sysfs.stat(path);
    if (stat.ok) evidence.push({ where: path, found: stat.value.kind });
  }
  for (const name of ['WSL_DISTRO_NAME', 'WSL_INTEROP']) {
    const value = env[name];
    if (value) evidence.push({ where: `$${name}`, found: value });
  }
  if (evidence.length === 0) return [];
  // WSL 1 has no kernel of its own: it names itself «Microsoft», with a capital, and has no /dev/dxg.
  const isWsl1 = /-Microsoft$/.test(uname.release) && !sysfs.stat('/dev/dxg').ok;
  return [{ kind: 'wsl', name: isWsl1 ? 'wsl1' : 'wsl2', evidence }];
}
