import type { Backend } from '@doorbell/runtime';
import type { Command } from 'commander';
import { UsageError } from './failures.js';

/** Options that choose a device; see {@link addDeviceOptions}. */
export interface DeviceOptions {
  readonly backend?: Backend;
  readonly isa?: string;
}

const BACKENDS: readonly Backend[] = ['auto', 'kfd', 'libhsakmt', 'dxg', 'emulated'];

/** Adds `--backend` and `--isa`. */
export function addDeviceOptions(command: Command): Command {
  return command
    .option(
      '--backend <name>',
      `where the device comes from: ${BACKENDS.join(', ')} (default: DOORBELL_DEVICE, else auto)`,
      toBackend,
    )
    .option('--isa <target>', 'target of the emulated GPU, or what a GPU must have: gfx1100');
}

/** Options win; without any, `DOORBELL_DEVICE` (`emulated:gfx942`, `kfd:0`) says it. */
export function chooseBackend(
  { backend, isa }: DeviceOptions,
  env: Readonly<Record<string, string | undefined>>,
): { readonly backend: Backend; readonly isa: string | undefined } {
  const fromOutside = env['DOORBELL_DEVICE'] ?? '';
  if (backend !== undefined || isa !== undefined || fromOutside === '') return { backend: backend ?? 'auto', isa };
  const [name = '', detail = ''] = fromOutside.split(':');
  return { backend: toBackend(name), isa: /^gfx/.test(detail) ? detail : undefined };
}

function toBackend(name: string): Backend {
  const known = BACKENDS.find((candidate) => candidate === name);
  if (known) return known;
  throw new UsageError(`a backend is one of ${BACKENDS.join(', ')}, not ${name}`);
}
