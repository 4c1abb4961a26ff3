/** ROCR_VISIBLE_DEVICES: which GPUs a program sees, and in which order (rocr amd_filter_device.cpp). */
import type { GpuAgent } from './agent-types.js';

/** What the variable left. */
export interface VisibleGpus {
  /** In the order of the variable. */
  readonly visible: readonly GpuAgent[];
  readonly hidden: readonly GpuAgent[];
  /** Why the list ended early, or what was left out. */
  readonly notes: readonly string[];
}

/** `GPU-` and at most 16 hex digits. */
const MIN_UUID_LENGTH = 5;
const MAX_UUID_LENGTH = 20;

/**
 * Applies the variable: indexes among the GPUs and prefixes of UUIDs, separated by commas. The first token that names no
 * GPU, or one twice, ends the list; the ones before it count. An empty value hides all.
 */
export function filterVisibleGpus(gpus: readonly GpuAgent[], value: string): VisibleGpus {
  const visible: GpuAgent[] = [];
  const notes: string[] = [];
  const tokens = value.trim() === '' ? [] : value.split(',').map((token) => token.trim());
  for (const token of tokens) {
    const found = token.toUpperCase().startsWith('G') ? findByUuid(gpus, token) : findByIndex(gpus, token);
    const wrong = typeof found === 'string' ? found : visible.includes(found) ? 'it is in the list already' : undefined;
    if (wrong !== undefined || typeof found === 'string') {
      notes.push(`ROCR_VISIBLE_DEVICES ends at ${JSON.stringify(token)}: ${wrong ?? ''}`);
      break;
    }
    visible.push(found);
  }
  const hidden = gpus.filter((gpu) => !visible.includes(gpu));
  for (const gpu of hidden) notes.push(`ROCR_VISIBLE_DEVICES hides ${gpu.name} (${gpu.uuid}, ${gpu.pciAddress})`);
  return { visible, hidden, notes };
}

function findByUuid(gpus: readonly GpuAgent[], token: string): GpuAgent | string {
  const prefix = token.toUpperCase();
  if (prefix.length < MIN_UUID_LENGTH || prefix.length > MAX_UUID_LENGTH) return 'it is no UUID';
  const matches = gpus.filter(({ uniqueId, uuid }) => uniqueId !== 0n && uuid.toUpperCase().startsWith(prefix));
  const [only] = matches;
  if (only === undefined) return 'no GPU has this UUID';
  return matches.length === 1 ? only : `${matches.length} GPUs have UUIDs that start so`;
}

/** As strtol with base 0: decimal, 0x hex, 0 octal. */
function findByIndex(gpus: readonly GpuAgent[], token: string): GpuAgent | string {
  const match = /^\+?(?:0x([0-9a-f]{1,8})|(0[0-7]{0,10})|([1-9]\d{0,9}))$/i.exec(token);
  if (match === null) return 'it is neither an index nor a UUID';
  const [, hexadecimal, octal, decimal] = match;
  const index =
    hexadecimal !== undefined
      ? Number.parseInt(hexadecimal, 16)
      : octal !== undefined
        ? Number.parseInt(octal, 8)
        : Number(decimal);
  return gpus[index] ?? `there are ${gpus.length} GPUs`;
}
