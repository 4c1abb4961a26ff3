import { chooseDevice, isHsaError } from '@doorbell/runtime';
import { findFlagProblems } from '@doorbell/runtime/layers';
import { emulator, topology } from '@doorbell/runtime/layers';
import type { CheckContext, CheckResult, Finding } from './check.js';
import { finding } from './check.js';

/** Variables that change what a program sees. */
const VARIABLES: readonly string[] = [
  'DOORBELL_DEVICE',
  'DOORBELL_WORKERS',
  'DOORBELL_LOG',
  'ROCR_VISIBLE_DEVICES',
  'HIP_VISIBLE_DEVICES',
  'GPU_DEVICE_ORDINAL',
  'HSA_FORCE_FINE_GRAIN_PCIE',
  'HSA_MAX_QUEUES',
  'HSA_HOTSWAP_DISABLE',
  'HSA_HOTSWAP_STRICT_MODE',
  'AMD_COMGR_HOTSWAP_ENTRY_TRAMPOLINES',
  'DOORBELL_HOTSWAP_RETARGET',
  'HSA_ENABLE_DTIF',
  'HSA_ENABLE_DXG_DETECTION',
  'HSA_MODEL_TOPOLOGY',
  'HSA_MODEL_LIB',
  'HSA_MODEL_MEMFILE',
  'HSA_XNACK',
  'LD_LIBRARY_PATH',
  'ROCM_PATH',
  'HIP_PATH',
];

/** Something that is set and should be known of. */
interface Remark {
  readonly result: CheckResult;
  readonly evidence: string;
  readonly hint: string;
}

/** Variables that choose, hide or rename devices, and those that are malformed. */
export function checkEnvironment({ env }: CheckContext): Finding {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== '';
  const overrides = topology.listGfxOverrides(topology.readGfxOverrides(env) ?? { byNode: new Map() });
  const names = [...VARIABLES.filter(isSet), ...overrides.map(({ variable }) => variable)];
  const set = names.map((name) => `${name}=${env[name] ?? ''}`);
  const remarks = [...fatalProblems(env), ...malformed(env), ...effects(env, overrides)];
  if (set.length === 0 && remarks.length === 0) return finding('ok', ['no variable is set that changes devices']);
  const result = remarks.find((remark) => remark.result === 'failed')?.result ?? (remarks.length === 0 ? 'ok' : 'warning');
  return finding(result, [...set, ...remarks.map(({ evidence }) => evidence)], remarks[0]?.hint);
}

/** Values with which programs fail. */
function fatalProblems(env: CheckContext['env']): readonly Remark[] {
  return [
    attempt(() => chooseDevice({}, env), 'Unset DOORBELL_DEVICE, or name a backend: auto, kfd:0, emulated:gfx1100.'),
    attempt(() => emulator.workerCountOf(undefined, { env, cores: 1 }), 'Unset DOORBELL_WORKERS, or set it to a small number.'),
  ].flat();
}

function attempt(read: () => unknown, hint: string): readonly Remark[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!isHsaError(error, 'ERR_INVALID_ARGUMENT')) throw error;
    return [{ result: 'failed', evidence: error.message, hint }];
  }
}

function malformed(env: CheckContext['env']): readonly Remark[] {
  return findFlagProblems(env).map(({ variable, value, reason, hint }) => ({
    result: 'warning',
    evidence: `${variable}=${value}: ${reason}`,
    hint,
  }));
}

function effects(env: CheckContext['env'], overrides: readonly topology.GfxSetting[]): readonly Remark[] {
  const remarks: Remark[] = [];
  const warn = (evidence: string, hint: string): void => void remarks.push({ result: 'warning', evidence, hint });
  if (env['ROCR_VISIBLE_DEVICES'] === '')
    warn('ROCR_VISIBLE_DEVICES is set and empty, which hides all GPUs', 'Unset ROCR_VISIBLE_DEVICES to see all GPUs.');
  if (env['HSA_MODEL_TOPOLOGY'] !== undefined)
    warn(
      "HSA_MODEL_TOPOLOGY makes AMD's libhsakmt (since ROCm 7.0) take the tree that it names for the machine's",
      'Unset HSA_MODEL_TOPOLOGY to see the GPUs of this machine through libhsakmt.',
    );
  const renaming = overrides.filter(({ isVersion }) => isVersion).map(({ variable }) => variable);
  if (renaming.length > 0)
    warn(
      `${renaming.join(', ')}: GPUs run as others`,
      'HSA_OVERRIDE_GFX_VERSION makes runtimes run code that was made for another GPU. Unset it when kernels fault.',
    );
  return remarks;
}
