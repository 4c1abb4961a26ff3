import { chooseDevice } from '@doorbell/runtime';
import type { CheckContext, Finding } from './check.js';
import { finding } from './check.js';

/** Variables that change what a program sees. */
const VARIABLES: readonly string[] = [
  'DOORBELL_DEVICE',
  'DOORBELL_WORKERS',
  'ROCR_VISIBLE_DEVICES',
  'HIP_VISIBLE_DEVICES',
  'GPU_DEVICE_ORDINAL',
  'HSA_FORCE_FINE_GRAIN_PCIE',
  'HSA_MAX_QUEUES',
  'HSA_HOTSWAP_DISABLE',
  'HSA_ENABLE_DTIF',
  'HSA_ENABLE_DXG_DETECTION',
  'HSA_XNACK',
  'LD_LIBRARY_PATH',
  'ROCM_PATH',
];
const OVERRIDE = /^HSA_OVERRIDE_GFX_VERSION(_\d+)?$/;

/** Variables that choose, hide or rename devices. */
export function checkEnvironment({ env }: CheckContext): Finding {
  // Throws for a value that names no device: every program would fail with it.
  chooseDevice({}, env);
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== '';
  const overrides = Object.keys(env).filter((name) => OVERRIDE.test(name) && isSet(name));
  const set = [...VARIABLES.filter(isSet), ...overrides.sort()];
  const evidence = set.map((name) => `${name}=${env[name] ?? ''}`);
  if (env['ROCR_VISIBLE_DEVICES'] === '') evidence.push('ROCR_VISIBLE_DEVICES is set and empty, which hides all GPUs');
  if (evidence.length === 0) return finding('ok', ['no variable is set that changes devices']);
  if (env['ROCR_VISIBLE_DEVICES'] === '') return finding('warning', evidence, 'Unset ROCR_VISIBLE_DEVICES to see all GPUs.');
  if (overrides.length === 0) return finding('ok', evidence);
  return finding(
    'warning',
    evidence,
    'HSA_OVERRIDE_GFX_VERSION makes runtimes run code that was made for another GPU. Unset it when kernels fault.',
  );
}
