import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { gzipSync } from 'node:zlib';
import { HsaError } from '@doorbell/runtime';
import type { thunkLoader } from '@doorbell/runtime/layers';
import { abi } from '@doorbell/runtime/layers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openNodeEmulatedDevice } from '../../emulator/src/node/index.js';
import { openError } from '../../thunk-loader/src/linux/open-error.js';
import type { Check } from '../src/checks/check.js';
import type { Diagnosis, DiagnoseOptions } from '../src/diagnose.js';
import { runFirstDispatch } from '../src/checks/dispatch.js';
import { diagnose } from '../src/diagnose.js';
import { run } from './support.js';
import type { Tree } from './tree.js';
import { librariesOf, sourceOf } from './tree.js';

const ROOT = '/sys/devices/virtual/kfd/kfd/topology';

const CHECKS = [
  'platform',
  'kernel module',
  'drivers',
  '/dev/kfd',
  'render nodes',
  'topology',
  'libraries',
  'environment',
  'tools',
  'thunks',
  'agents',
  'emulated GPU',
  'first dispatch',
];

/** A desktop user: uid 1000, in a group of that number only; render is 105, video 44. */
function caller(
  gids: readonly number[],
  groups: Readonly<Record<number, string>> = { 44: 'video', 105: 'render' },
): thunkLoader.Caller {
  return {
    userName: 'ada',
    uid: 1000,
    gids,
    groupName: (gid) => groups[gid],
    ownerName: (uid) => (uid === 0 ? 'root' : undefined),
  };
}

function look(tree: Tree, options: Partial<DiagnoseOptions> = {}): Promise<Diagnosis> {
  return diagnose({
    env: {},
    node: { os: 'linux', arch: 'x64', version: 'v20.20.2' },
    uname: { sysname: 'Linux', release: '6.8.0', version: '#1', machine: 'x86_64' },
    sysfs: sourceOf(tree),
    libraries: librariesOf(tree),
    nativeModule: () => 'koffi 3',
    dispatch: (backend) => Promise.resolve(`ran on ${backend}`),
    caller: caller([1000]),
    openDevice: () => {
      throw new HsaError('ERR_KFD_MISSING', { message: '/dev/kfd: open failed with ENOENT (2)' });
    },
    probeEmulated: () => Promise.resolve('gfx1100 came up'),
    ...options,
  });
}

function check({ checks }: Diagnosis, name: string): Check {
  return checks.find((candidate) => candidate.name === name)!;
}

const CPU_ONLY = {
  [`${ROOT}/generation_id`]: '1\n',
  [`${ROOT}/system_properties`]: 'platform_oem 0\nplatform_id 0\nplatform_rev 0\n',
  [`${ROOT}/nodes/0/gpu_id`]: '0\n',
  [`${ROOT}/nodes/0/name`]: '\n',
  [`${ROOT}/nodes/0/properties`]: 'cpu_cores_count 8\nsimd_count 0\nmem_banks_count 0\ncaches_count 0\nio_links_count 0\n',
};

afterEach(() => void vi.unstubAllEnvs());

describe('diagnose', () => {
  it('runs every check in order, whatever is missing', async () => {
    const diagnosis = await look({});
    expect(diagnosis.checks.map(({ name }) => name)).toEqual(CHECKS);
    expect(diagnosis.checks.map(({ result }) => result)).toEqual([
      'ok',
      'failed',
      'failed',
      'skipped',
      'skipped',
      'failed',
      'ok',
      'ok',
      'ok',
      'failed',
      'skipped',
      'ok',
      'ok',
    ]);
    expect(diagnosis.usable).toBe('emulated');
  });

  it('names the group that the node really has (O1)', async () => {
    const node = { '/dev/kfd': { mode: 0o660, uid: 0, gid: 105 } };
    const kfd = check(await look({ devices: node }, { caller: caller([44, 1000]) }), '/dev/kfd');
    expect(kfd.result).toBe('failed');
    expect(kfd.evidence[0]).toContain('root(0):render(105) with mode 0660');
    expect(kfd.hint).toContain('sudo usermod -a -G render ada');
    expect(check(await look({ devices: node }, { caller: caller([105, 1000]) }), '/dev/kfd').result).toBe('ok');
  });

  it('gives the numeric group of a container that has no name for it (O4)', async () => {
    const tree = { devices: { '/dev/kfd': { mode: 0o660, uid: 0, gid: 992 } } };
    expect(check(await look(tree, { caller: caller([39, 105], {}) }), '/dev/kfd').hint).toContain('--group-add 992');
  });

  /** The driver's node as it is where opening it fails: what that means is read from the tree. */
  const failingOpen =
    (errno: number): NonNullable<DiagnoseOptions['openDevice']> =>
    ({ path = '/dev/kfd', sysfs = sourceOf({}) }) => {
      throw openError({ path, errno, sysfs });
    };

  it('calls ENOMEM from open with an unsupported card what it is (O2)', async () => {
    const diagnosis = await look(
      { files: CPU_ONLY, devices: { '/dev/kfd': { mode: 0o666, uid: 0, gid: 105 } } },
      { openDevice: failingOpen(constants.errno.ENOMEM) },
    );
    expect(check(diagnosis, '/dev/kfd').result).toBe('ok');
    const { evidence, hint } = check(diagnosis, 'thunks');
    expect(evidence[0]).toMatch(/^kfd: .*ENOMEM \(12\).*the kernel driver does not support this card for compute/);
    expect(evidence[0]).not.toContain('out of memory');
    expect(hint).toContain('dmesg');
  });

  it('makes every check, in order, where open answers ENOMEM although there are four GPUs (O3)', async () => {
    await using machine = await openNodeEmulatedDevice({ processor: Array<string>(4).fill('gfx90a') });
    const options = { sysfs: machine.sysfs, caller: caller([0]), openDevice: failingOpen(constants.errno.ENOMEM) };
    const diagnosis = await look({}, options);
    expect(diagnosis.checks.map(({ name }) => name)).toEqual(CHECKS);
    expect(check(diagnosis, 'topology').evidence[0]).toContain('4 GPU nodes');
    expect(check(diagnosis, '/dev/kfd').result).toBe('ok');
    expect(check(diagnosis, 'thunks').evidence[0]).toMatch(/ENOMEM \(12\).*although the topology has 4 GPU nodes/);
    expect(check(diagnosis, 'agents').result).toBe('skipped');
    expect(diagnosis.usable).toBe('emulated');
  });

  it.each([
    ['GET_VERSION', abi.kfd.AMDKFD_IOC_GET_VERSION, 'ENOTTY', 'it is not the device node of the amdkfd driver'],
    ['ACQUIRE_VM', abi.kfd.AMDKFD_IOC_ACQUIRE_VM, 'EBUSY', 'ACQUIRE_VM'],
  ] as const)('keeps the errno where the driver opens and refuses %s', async (_name, request, errno, meaning) => {
    await using machine = await openNodeEmulatedDevice({ processor: 'gfx90a' });
    const ioctl = machine.ioctl.bind(machine);
    machine.ioctl = (asked, arg) => (asked === request ? -constants.errno[errno] : ioctl(asked, arg));
    const diagnosis = await look({}, { sysfs: machine.sysfs, openDevice: () => machine });
    const { result, evidence } = check(diagnosis, 'thunks');
    expect(result).toBe('failed');
    expect(evidence[0]).toContain(errno);
    expect(evidence[0]).toContain(meaning);
  });

  it('says what is there when only the CPU has a node (O8)', async () => {
    const pci = '/sys/bus/pci/devices/0000:01:00.0';
    const tree = {
      files: { ...CPU_ONLY, [`${pci}/vendor`]: '0x1002\n', [`${pci}/class`]: '0x030000\n', [`${pci}/device`]: '0x6811\n' },
      links: { [`${pci}/driver`]: '/sys/bus/pci/drivers/amdgpu' },
    };
    const topology = check(await look(tree), 'topology');
    expect(topology.result).toBe('failed');
    expect(topology.evidence[0]).toBe('1 CPU node, 0 GPU nodes; PCI shows 1002:6811 (0000:01:00.0) bound to amdgpu');
  });

  it('has one clear result for a missing topology (O5, O6, O9)', async () => {
    const { result, evidence, hint } = check(await look({}), 'topology');
    expect(result).toBe('failed');
    expect(evidence).toEqual([expect.stringContaining('there is no KFD topology in sysfs'), 'PCI shows no AMD GPU']);
    expect(hint).toContain('CONFIG_HSA_AMD');
  });

  it('warns of HSA_OVERRIDE_GFX_VERSION (O12)', async () => {
    const environment = check(await look({}, { env: { HSA_OVERRIDE_GFX_VERSION: '10.3.0' } }), 'environment');
    expect(environment.result).toBe('warning');
    expect(environment.evidence).toContain('HSA_OVERRIDE_GFX_VERSION=10.3.0');
  });

  it('warns of ROCR_VISIBLE_DEVICES that is set and empty: it hides all GPUs', async () => {
    const environment = check(await look({}, { env: { ROCR_VISIBLE_DEVICES: '' } }), 'environment');
    expect(environment).toMatchObject({
      result: 'warning',
      hint: expect.stringContaining('Unset ROCR_VISIBLE_DEVICES') as string,
    });
  });

  it('fails the environment for a DOORBELL_DEVICE that names no device', async () => {
    const { checks } = await look({}, { env: { DOORBELL_DEVICE: 'cuda:0' } });
    const environment = checks.find(({ name }) => name === 'environment')!;
    expect(environment.result).toBe('failed');
    expect(environment.evidence[0]).toContain('DOORBELL_DEVICE=cuda:0');
  });

  it.each([
    ['HSA_OVERRIDE_GFX_VERSION', 'gfx1030', 'warning', 'not major.minor.stepping', '10.3.0'],
    ['HSA_OVERRIDE_GFX_VERSION_1', '10.3', 'warning', 'not major.minor.stepping', 'Unset HSA_OVERRIDE_GFX_VERSION_1'],
    ['ROCR_VISIBLE_DEVICES', '0,all', 'warning', 'the list ends at "all"', 'Unset ROCR_VISIBLE_DEVICES'],
    ['HSA_MAX_QUEUES', '-1', 'warning', 'no count', '1 to 128'],
    ['HSA_FORCE_FINE_GRAIN_PCIE', 'yes', 'warning', 'neither 0 nor 1', 'to 1'],
    ['DOORBELL_LOG', 'garbage', 'warning', '"garbage" is no level', 'off, error, warn'],
    ['DOORBELL_WORKERS', 'abc', 'failed', 'takes 1 to', 'Unset DOORBELL_WORKERS'],
    ['HSA_MODEL_TOPOLOGY', '/tree', 'warning', 'the tree that it names', 'Unset HSA_MODEL_TOPOLOGY'],
  ])('says what is wrong with %s=%s, and what to do', async (variable, value, result, evidence, hint) => {
    const environment = check(await look({}, { env: { [variable]: value } }), 'environment');
    expect(environment).toMatchObject({ result, hint: expect.stringContaining(hint) as string });
    expect(environment.evidence[0]).toBe(`${variable}=${value}`);
    expect(environment.evidence[1]).toContain(evidence);
    expect(environment.evidence.join()).not.toContain('GPUs run as others');
  });

  it('has no word against variables that are as they should be', async () => {
    const env = {
      DOORBELL_LOG: 'warn,queues:debug',
      HSA_MAX_QUEUES: '4',
      ROCR_VISIBLE_DEVICES: '0,GPU-12',
      DOORBELL_WORKERS: '2',
    };
    expect(check(await look({}, { env }), 'environment')).toMatchObject({ result: 'ok', evidence: { length: 4 } });
  });

  it.each([
    ['cuda:0', 'Programs fail with a variable that is set'],
    ['kfd:0', 'DOORBELL_DEVICE=kfd:0 asks for a device that does not come up'],
  ])('finds nothing usable where DOORBELL_DEVICE=%s makes programs fail', async (value, verdict) => {
    const diagnosis = await look({}, { env: { DOORBELL_DEVICE: value } });
    expect(diagnosis.usable).toBe('none');
    expect(diagnosis.verdict).toContain(verdict);
  });

  it('reports a check that breaks as failed, and never throws', async () => {
    const diagnosis = await look(
      {},
      {
        sysfs: {
          ...sourceOf({}),
          stat: () => {
            throw new Error('broken source');
          },
        },
        probeEmulated: () => Promise.reject(new HsaError('ERR_HOST', { message: 'no threads', hint: 'Use a newer Node.' })),
      },
    );
    expect(check(diagnosis, '/dev/kfd')).toEqual({ name: '/dev/kfd', result: 'failed', evidence: ['broken source'] });
    expect(check(diagnosis, 'emulated GPU')).toMatchObject({ result: 'failed', hint: 'Use a newer Node.' });
    expect(diagnosis.usable).toBe('none');
  });

  it('finds the agents behind a driver that opens', async () => {
    // The emulated device stands in for the driver: one body of code is above both.
    await using device = await openNodeEmulatedDevice({ processor: 'gfx1100' });
    const diagnosis = await look({}, { sysfs: device.sysfs, openDevice: () => device });
    expect(diagnosis.usable).toBe('gpu');
    expect(check(diagnosis, 'agents').evidence.slice(0, 2)).toEqual([
      'kfd: 1 CPU agent, 1 GPU agent',
      expect.stringContaining('gfx1100'),
    ]);
  });
});

describe('variables that hide and rename GPUs', () => {
  it('fails the emulated GPU, and skips the dispatch, where a variable leaves none', async () => {
    vi.stubEnv('ROCR_VISIBLE_DEVICES', 'garbage');
    const { code, out } = await run(['doctor', '--json']);
    expect(code).toBe(3);
    // Safe: the document of the command is a Diagnosis.
    const diagnosis = JSON.parse(out) as Diagnosis;
    expect(check(diagnosis, 'emulated GPU')).toMatchObject({
      result: 'failed',
      evidence: [expect.stringContaining('node 1: hidden by ROCR_VISIBLE_DEVICES') as string],
      hint: expect.stringContaining('Unset ROCR_VISIBLE_DEVICES') as string,
    });
    expect(diagnosis.verdict).toBe('No GPU is usable, and the emulated GPU does not come up.');
  });

  it('shows agents as programs see them under HSA_OVERRIDE_GFX_VERSION (O12)', async () => {
    await using device = await openNodeEmulatedDevice({ processor: 'gfx1030' });
    const env = { HSA_OVERRIDE_GFX_VERSION: '10.3.1' };
    const diagnosis = await look({}, { env, sysfs: device.sysfs, openDevice: () => device });
    expect(check(diagnosis, 'agents').evidence).toContainEqual(expect.stringMatching(/^node 1: gfx1031 /));
  });
});

describe('the kernel module (O5)', () => {
  const config = (text: string): Tree => ({ files: { '/boot/config-6.8.0': text } });
  const MODULE = { '/sys/module/amdgpu/initstate': 'live\n' };

  it('names CONFIG_HSA_AMD where the kernel was built without it', async () => {
    const tree = { files: { ...MODULE, ...config('CONFIG_DRM_AMDGPU=m\n# CONFIG_HSA_AMD is not set\n').files } };
    const module = check(await look(tree), 'kernel module');
    expect(module.result).toBe('failed');
    expect(module.evidence).toEqual([
      '/boot/config-6.8.0: CONFIG_DRM_AMDGPU=m, CONFIG_HSA_AMD is not set, CONFIG_HSA_AMD_SVM is not set, CONFIG_HSA_AMD_P2P is not set',
      "the amdgpu module is live, the kernel's own",
    ]);
    expect(module.hint).toContain('CONFIG_HSA_AMD=y');
    expect(module.hint).toContain('emulated GPU');
  });

  it('reads the packed configuration of the kernel itself', async () => {
    const packed = new Uint8Array(gzipSync('CONFIG_DRM_AMDGPU=y\nCONFIG_HSA_AMD=y\n'));
    const module = check(await look({ files: MODULE, binaries: { '/proc/config.gz': packed } }), 'kernel module');
    expect(module).toMatchObject({ result: 'ok' });
    expect(module.evidence[0]).toContain('/proc/config.gz: CONFIG_DRM_AMDGPU=y, CONFIG_HSA_AMD=y');
  });

  it('goes on where the packed configuration is damaged', async () => {
    const tree = {
      ...config('CONFIG_DRM_AMDGPU=m\nCONFIG_HSA_AMD=y\n'),
      binaries: { '/proc/config.gz': new Uint8Array([31, 139, 9, 9]) },
    };
    expect(check(await look(tree), 'kernel module').evidence[0]).toContain('/boot/config-6.8.0');
  });

  it('says that the module is not loaded, or did not start', async () => {
    const amdgpu = config('CONFIG_DRM_AMDGPU=m\nCONFIG_HSA_AMD=y\n').files!;
    expect(check(await look({ files: amdgpu }), 'kernel module').hint).toContain('modprobe amdgpu');
    const coming = { files: { ...amdgpu, '/sys/module/amdgpu/initstate': 'coming\n' } };
    expect(check(await look(coming), 'kernel module').hint).toContain('dmesg');
  });

  it('tells parameters that are not at their defaults', async () => {
    const files = {
      ...MODULE,
      '/sys/module/amdgpu/parameters/cwsr_enable': '0\n',
      '/sys/module/amdgpu/parameters/noretry': '-1\n',
    };
    const module = check(await look({ files }), 'kernel module');
    expect(module.result).toBe('warning');
    expect(module.evidence.at(-1)).toMatch(/^amdgpu.cwsr_enable=0 \(default 1; /);
  });
});

describe('containers (O4)', () => {
  const node = { '/dev/kfd': { mode: 0o660, uid: 0, gid: 992 } };

  it('tells a node that is not there from one that may not be opened, and from one without agents', async () => {
    const absent = await look({ files: { '/run/.containerenv': '' } });
    expect(check(absent, 'platform').hint).toContain('podman run --device=/dev/kfd');
    const closed = await look({ devices: node, files: { '/run/.containerenv': '' } });
    expect(check(closed, '/dev/kfd')).toMatchObject({ result: 'failed', hint: expect.stringContaining('keep-groups') as string });
    const pod = await look({ devices: node, files: { '/var/run/secrets/kubernetes.io/serviceaccount/token': '' } });
    expect(check(pod, '/dev/kfd').hint).toContain('supplementalGroups: [992]');
  });

  it('names the render node that the container was not given, although the topology has it', async () => {
    const tree = {
      devices: { '/dev/kfd': { mode: 0o666, uid: 0, gid: 105 }, '/dev/dri/renderD129': { mode: 0o660, uid: 0, gid: 105 } },
      files: { ...CPU_ONLY, [`${ROOT}/nodes/1/properties`]: 'simd_count 4\ndrm_render_minor 128\n' },
    };
    const render = check(await look(tree), 'render nodes');
    expect(render.result).toBe('failed');
    expect(render.evidence[0]).toBe('/dev/dri/renderD128: ENOENT, although the topology names it');
    expect(render.evidence[1]).toContain('/dev/dri/renderD129: may not be opened');
    expect(render.hint).toContain('--device=/dev/dri/renderD128');
  });
});

describe('libraries and tools', () => {
  it('tells a native module that was bundled (O25)', async () => {
    const nativeModule = () => {
      throw new HsaError('ERR_NATIVE_MODULE', { message: 'the native module koffi could not be loaded' });
    };
    expect(check(await look({}, { nativeModule }), 'libraries')).toMatchObject({
      result: 'failed',
      hint: expect.stringContaining('external') as string,
    });
  });

  it('reports a file that is no library, and does not fail for it', async () => {
    const tree = { files: { '/opt/rocm/lib/libhsakmt.so.1': 'text'.repeat(30) } };
    const libraries = check(await look(tree), 'libraries');
    expect(libraries.result).toBe('warning');
    expect(libraries.evidence).toContain('/opt/rocm/lib/libhsakmt.so.1: cannot be used, it is not an ELF file');
  });

  it('says what came of the tools that HSA_TOOLS_LIB and DOORBELL_TOOLS name (O22)', async () => {
    const tools = check(await look({}, { env: { HSA_TOOLS_LIB: '/x/tool.so', DOORBELL_TOOLS: '/x/tool.mjs' } }), 'tools');
    expect(tools.result).toBe('warning');
    expect(tools.evidence).toEqual([
      '/x/tool.so: not found in 1 places',
      expect.stringMatching(/^tool \/x\/tool.so was left out: .*No such file or directory$/) as string,
      expect.stringMatching(/^tool \/x\/tool.mjs was left out: /) as string,
    ]);
    expect(tools.hint).toContain('HSA_TOOLS_LIB');
  });
});

describe('the first dispatch', () => {
  it('fails the verdict where the emulated GPU comes up but does not run', async () => {
    const diagnosis = await look({}, { dispatch: () => Promise.reject(new HsaError('ERR_TIMEOUT', { message: 'no progress' })) });
    expect(diagnosis.usable).toBe('none');
    expect(check(diagnosis, 'first dispatch')).toMatchObject({ result: 'failed', evidence: ['no progress'] });
  });

  it.each(['gfx90a', 'gfx1030', 'gfx1201', 'gfx1250'])('runs a kernel made for %s', async (target) => {
    expect(await runFirstDispatch('emulated', target)).toMatch(
      new RegExp(`^64 work-items ran on .*\\(${target}[:,].*wrote what they should$`),
    );
  });
});

describe('doorbell doctor', () => {
  it('prints each step as it happens with --trace, and the checks after them', async () => {
    const { out, err } = await run(['doctor', '--trace']);
    expect(err).toBe('');
    expect(out).toMatch(/^ +\d+\.\d ms check platform$/m);
    expect(out).toMatch(/ms +candidate kfd$/m);
    expect(out).toMatch(/ms +candidate emulated$/m);
    expect(out).toMatch(/ms +ioctl GET_VERSION\(\) = ok \{major_version 1, minor_version \d+\}$/m);
    expect(out.indexOf('check first dispatch')).toBeLessThan(out.search(/^(ok |warning) +platform$/m));
  });

  it.skipIf(existsSync('/dev/kfd'))('ends with a sentence and an exit code where what was asked for is absent (O9)', async () => {
    const { code, out, err } = await run(['info', '--backend', 'kfd']);
    expect(code).toBe(3);
    expect(out).toBe('');
    expect(err).toMatch(/^doorbell: \/dev\/kfd: open failed with ENOENT/);
    expect(err).not.toMatch(/^ +at /m);
  });

  it('gives the steps as data with --json --trace', async () => {
    const { out } = await run(['doctor', '--json', '--trace']);
    const { trace } = JSON.parse(out) as {
      trace: readonly { readonly step: string; readonly check: string; readonly name?: string }[];
    };
    expect(trace.some(({ step, check: name }) => step === 'candidate' && name === 'thunks')).toBe(true);
    expect(trace.some(({ step, name }) => step === 'ioctl' && name === 'ACQUIRE_VM')).toBe(true);
  });

  it('ends with the verdict and exit code 0 where the emulated GPU comes up', async () => {
    const { code, out, err } = await run(['doctor']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\n(No GPU|A GPU) is usable; programs run on (the emulated GPU|it)\.\n$/);
  });

  it('ends with exit code 3 where programs fail although the emulated GPU comes up', async () => {
    const { code, out } = await run(['doctor'], { env: { DOORBELL_LOG: 'error', DOORBELL_DEVICE: 'nonsense' } });
    expect(code).toBe(3);
    expect(out).toContain('DOORBELL_DEVICE=nonsense: it is a backend');
  });

  it('gives the same as JSON', async () => {
    const { out } = await run(['doctor', '--json']);
    const { checks, usable } = JSON.parse(out) as Diagnosis;
    expect(checks).toHaveLength(13);
    expect(['gpu', 'emulated']).toContain(usable);
  });
});
