/** The kernel's part: was it built with HSA_AMD, is amdgpu loaded, and with which parameters. */
import { gunzipSync } from 'node:zlib';
import type { CheckContext, Finding } from './check.js';
import { finding } from './check.js';

const MODULE = '/sys/module/amdgpu';
const MAX_CONFIG_BYTES = 1 << 22;
const OPTIONS = ['CONFIG_DRM_AMDGPU', 'CONFIG_HSA_AMD', 'CONFIG_HSA_AMD_SVM', 'CONFIG_HSA_AMD_P2P'] as const;

/** Parameters of amdgpu that change what a runtime can do: default, and what another value means; amdgpu_drv.c MODULE_PARM_DESC. */
const PARAMETERS: readonly (readonly [name: string, usual: string, meaning: string])[] = [
  ['sched_policy', '0', '1: no more processes than the hardware has slots for, 2: without the hardware scheduler'],
  ['cwsr_enable', '1', '0: waves are not saved, so queues cannot be preempted'],
  ['noretry', '-1', '0 and 1 set the retry of page faults (XNACK)'],
  ['halt_if_hws_hang', '0', '1: a hang halts the GPU instead of resetting it'],
  ['send_sigterm', '0', '1: a process whose wave faults is terminated'],
  ['debug_largebar', '0', '1: the driver pretends that the host sees all VRAM'],
  ['ignore_crat', '0', '1: the firmware’s table of nodes is ignored'],
  ['no_system_mem_limit', 'N', 'Y: GPUs may use all system memory'],
  ['pcie_p2p', 'Y', 'N: GPUs do not reach each other over PCIe'],
];

/** Whether the kernel has what /dev/kfd needs. */
export function checkKernelModule(context: CheckContext): Finding {
  const { platform, sysfs } = context;
  if (platform.system !== 'linux') return finding('skipped', [`there is no such module on ${platform.system}`]);
  if (platform.surroundings.some(({ kind }) => kind === 'wsl')) {
    return finding('skipped', ['WSL has no amdgpu of its own: the driver is that of Windows']);
  }
  const config = readKernelConfig(context);
  const evidence = [describeConfig(config)];
  const isLoaded = sysfs.stat(MODULE).ok;
  if (isLoaded) evidence.push(...describeModule(context));
  else evidence.push(`the amdgpu module is not loaded (${MODULE} is not there)`);
  const isOff = (option: (typeof OPTIONS)[number]): boolean => config !== undefined && !config.values.has(option);
  if (isOff('CONFIG_DRM_AMDGPU')) {
    return finding('failed', evidence, 'Boot a kernel built with CONFIG_DRM_AMDGPU and CONFIG_HSA_AMD, or use the emulated GPU.');
  }
  if (isOff('CONFIG_HSA_AMD')) {
    return finding(
      'failed',
      evidence,
      'Boot a kernel built with CONFIG_HSA_AMD=y (distribution kernels are), or use the emulated GPU.',
    );
  }
  if (!isLoaded)
    return finding('failed', evidence, 'Load it: sudo modprobe amdgpu (in a container or a guest: on the machine below).');
  const state = readLine(context, `${MODULE}/initstate`);
  if (state !== undefined && state !== 'live') {
    return finding('failed', evidence, 'The module did not start: sudo dmesg | grep -i amdgpu says why.');
  }
  const unusual = unusualParameters(context);
  if (unusual.length > 0)
    return finding(
      'warning',
      [...evidence, ...unusual],
      'Leave the parameters of amdgpu at their defaults, unless you know why not.',
    );
  return finding('ok', evidence);
}

interface KernelConfig {
  readonly path: string;
  readonly values: ReadonlyMap<string, string>;
}

/** The running kernel's configuration: from the kernel itself, else from where distributions put it. */
function readKernelConfig({ libraries, kernelRelease }: CheckContext): KernelConfig | undefined {
  const paths = [
    '/proc/config.gz',
    `/boot/config-${kernelRelease}`,
    `/lib/modules/${kernelRelease}/config`,
    `/usr/lib/kernel/config-${kernelRelease}`,
  ];
  for (const path of paths) {
    const file = libraries.readBytes(path, MAX_CONFIG_BYTES);
    if (!file.ok) continue;
    const text = path.endsWith('.gz') ? unzip(file.value) : new TextDecoder().decode(file.value);
    if (text === undefined) continue;
    const values = new Map<string, string>();
    for (const [, name, value] of text.matchAll(/^(CONFIG_\w+)=(\S*)$/gm)) {
      if (name !== undefined && value !== undefined) values.set(name, value);
    }
    return { path, values };
  }
  return undefined;
}

function unzip(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder().decode(gunzipSync(bytes, { maxOutputLength: MAX_CONFIG_BYTES }));
  } catch {
    // Not gzip, or larger than any configuration: the next place is looked at.
    return undefined;
  }
}

function describeConfig(config: KernelConfig | undefined): string {
  if (config === undefined) return "the kernel's configuration is not published (/proc/config.gz, /boot/config-*)";
  const options = OPTIONS.map(
    (option) => `${option}${config.values.has(option) ? `=${config.values.get(option) ?? ''}` : ' is not set'}`,
  );
  return `${config.path}: ${options.join(', ')}`;
}

function describeModule(context: CheckContext): readonly string[] {
  const state = readLine(context, `${MODULE}/initstate`);
  const version = readLine(context, `${MODULE}/version`);
  const origin = version === undefined ? "the kernel's own" : `version ${version} (built outside the kernel, by dkms)`;
  return [`the amdgpu module is ${state ?? 'built in'}, ${origin}`];
}

function unusualParameters(context: CheckContext): readonly string[] {
  return PARAMETERS.flatMap(([name, usual, meaning]) => {
    const value = readLine(context, `${MODULE}/parameters/${name}`);
    return value === undefined || value === usual ? [] : [`amdgpu.${name}=${value} (default ${usual}; ${meaning})`];
  });
}

function readLine({ sysfs }: CheckContext, path: string): string | undefined {
  const file = sysfs.readText(path);
  return file.ok ? file.value.trim() : undefined;
}
