/** Which device a program asks for. */
import { HsaError } from '@doorbell/abi/core';
import { inspect } from 'node:util';
import type { Env } from '../core/flags.js';
import type { Backend, OpenDeviceOptions } from './types.js';

/** All of them: that is what the type asks for. */
const NAMES: Readonly<Record<Backend, true>> = { auto: true, kfd: true, libhsakmt: true, dtif: true, dxg: true, emulated: true };

/** What `backend` can be. */
// Safe: the object has no other keys.
export const BACKENDS: readonly Backend[] = Object.keys(NAMES) as Backend[];

/** A device by backend, index and target, each where it is named. */
export interface DeviceChoice {
  readonly backend: Backend;
  readonly index?: number;
  readonly isa?: string;
}

/**
 * Which device options and `DOORBELL_DEVICE` name; the variable counts where no option does.
 * @throws {HsaError} ERR_INVALID_ARGUMENT
 */
export function chooseDevice(
  { backend, index, isa }: Pick<OpenDeviceOptions, 'backend' | 'index' | 'isa'>,
  env: Env,
): DeviceChoice {
  const text = env['DOORBELL_DEVICE'];
  if (text && backend === undefined && index === undefined && isa === undefined) return parseDeviceVariable(text);
  if (index !== undefined && (!Number.isInteger(index) || index < 0)) {
    throw new HsaError('ERR_INVALID_ARGUMENT', { message: `index is a whole number from 0 on, not ${inspect(index)}` });
  }
  if (isa !== undefined && (typeof isa !== 'string' || isa === ''))
    throw new HsaError('ERR_INVALID_ARGUMENT', { message: `isa is a target id such as gfx1100, not ${inspect(isa)}` });
  return {
    backend: requireBackend(backend ?? 'auto'),
    ...(index === undefined ? {} : { index }),
    ...(isa === undefined ? {} : { isa }),
  };
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT the name is no backend. */
export function requireBackend(name: string): Backend {
  const known = BACKENDS.find((candidate) => candidate === name);
  if (known) return known;
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `backend is one of ${BACKENDS.join(', ')}, not ${name}`,
    details: { backend: name },
  });
}

/** `backend`, `backend:index` or `backend:target`; the target may have features, which are written with colons too. */
function parseDeviceVariable(text: string): DeviceChoice {
  const [, name = '', detail] = /^([^:]*)(?::(.+)?)?$/.exec(text) ?? [];
  const backend = BACKENDS.find((candidate) => candidate === name);
  if (backend !== undefined && detail === undefined) return { backend };
  if (backend !== undefined && /^\d+$/.test(detail ?? '')) return { backend, index: Number(detail) };
  if (backend !== undefined && detail !== undefined && /^gfx[0-9a-z-]+(:[a-z]+[+-])*$/.test(detail))
    return { backend, isa: detail };
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `DOORBELL_DEVICE=${text}: it is a backend (${BACKENDS.join(', ')}), alone or with an index or a target: emulated:gfx1100, kfd:0`,
    details: { DOORBELL_DEVICE: text },
  });
}
