import { HsaError } from '@doorbell/runtime';
import type { thunkLoader } from '@doorbell/runtime';
import { describe, expect, it } from 'vitest';
import { openNodeEmulatedDevice } from '../../emulator/src/node/index.js';
import type { Check, Diagnosis, DiagnoseOptions } from '../src/diagnose.js';
import { diagnose } from '../src/diagnose.js';
import { run } from './support.js';
import type { Tree } from './tree.js';
import { sourceOf } from './tree.js';

const ROOT = '/sys/devices/virtual/kfd/kfd/topology';

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
    platform: { os: 'linux', arch: 'x64', node: 'v20.20.2' },
    sysfs: sourceOf(tree),
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

describe('diagnose', () => {
  it('runs every check in order, whatever is missing', async () => {
    const diagnosis = await look({});
    expect(diagnosis.checks.map(({ name }) => name)).toEqual([
      'platform',
      'environment',
      'drivers',
      '/dev/kfd',
      'topology',
      'thunks',
      'agents',
      'emulated GPU',
    ]);
    expect(diagnosis.checks.map(({ result }) => result)).toEqual([
      'ok',
      'ok',
      'failed',
      'skipped',
      'failed',
      'failed',
      'skipped',
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

  it('goes on when opening fails, and keeps the reason (O2, O3)', async () => {
    const message = '/dev/kfd: open failed with ENOMEM (12): the kernel driver does not support this card for compute';
    const diagnosis = await look(
      { files: CPU_ONLY, devices: { '/dev/kfd': { mode: 0o666, uid: 0, gid: 105 } } },
      {
        openDevice: () => {
          throw new HsaError('ERR_KFD_UNSUPPORTED', { message, errno: 12, hint: 'sudo dmesg | grep -i kfd' });
        },
      },
    );
    expect(check(diagnosis, '/dev/kfd').result).toBe('ok');
    expect(check(diagnosis, 'thunks').evidence).toContain(`kfd: ${message}`);
    expect(check(diagnosis, 'thunks').hint).toContain('dmesg');
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

  it('fails the environment for a DOORBELL_DEVICE that names no device', async () => {
    const { checks } = await look({}, { env: { DOORBELL_DEVICE: 'cuda:0' } });
    const [, environment] = checks;
    expect(environment).toMatchObject({ name: 'environment', result: 'failed' });
    expect(environment!.evidence[0]).toContain('DOORBELL_DEVICE=cuda:0');
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
    expect(check(diagnosis, 'drivers')).toEqual({ name: 'drivers', result: 'failed', evidence: ['broken source'] });
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

describe('doorbell doctor', () => {
  it('ends with the verdict and exit code 0 where the emulated GPU comes up', async () => {
    const { code, out, err } = await run(['doctor']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\n(No GPU|A GPU) is usable; programs run on (the emulated GPU|it)\.\n$/);
  });

  it('gives the same as JSON', async () => {
    const { out } = await run(['doctor', '--json']);
    const { checks, usable } = JSON.parse(out) as Diagnosis;
    expect(checks).toHaveLength(8);
    expect(['gpu', 'emulated']).toContain(usable);
  });
});
