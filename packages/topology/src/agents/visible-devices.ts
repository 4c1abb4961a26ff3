/** ROCR_VISIBLE_DEVICES: which GPUs a program sees, and in which order (rocr amd_filter_device.cpp). */

/** A GPU node as the variable can name it: nodes that gave no agent are counted too. */
export interface NamedGpu {
  /** Serial number; 0 unknown. */
  readonly uniqueId: bigint;
  /** `GPU-` and 16 hex digits. */
  readonly uuid: string;
  /** For notes: `gfx1100 (GPU-…, 0000:03:00.0)`. */
  readonly label: string;
}

/** What the variable left. */
export interface VisibleGpus<T extends NamedGpu> {
  /** In the order of the variable. */
  readonly visible: readonly T[];
  readonly hidden: readonly T[];
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
export function filterVisibleGpus<T extends NamedGpu>(gpus: readonly T[], value: string): VisibleGpus<T> {
  const visible: T[] = [];
  const notes: string[] = [];
  const tokens = value === '' ? [] : value.split(',').map((token) => token.trim());
  // As many tokens as there are GPUs are looked at; more could not name another one.
  for (const token of tokens.slice(0, gpus.length)) {
    const found = isUuid(token) ? findByUuid(gpus, token) : findByIndex(gpus, token);
    if (typeof found === 'string' || visible.includes(found)) {
      notes.push(`ROCR_VISIBLE_DEVICES ${endsAt(token, typeof found === 'string' ? found : 'it is in the list already')}`);
      break;
    }
    visible.push(found);
  }
  if (value === '' && gpus.length > 0)
    notes.push('ROCR_VISIBLE_DEVICES is set and empty, which hides every GPU; unset it to see them');
  const hidden = gpus.filter((gpu) => !visible.includes(gpu));
  for (const gpu of hidden) notes.push(`ROCR_VISIBLE_DEVICES hides ${gpu.label}`);
  return { visible, hidden, notes };
}

/** What is wrong with a value of the variable on any machine; undefined: nothing. */
export function malformedVisibleDevices(value: string): string | undefined {
  const tokens = value === '' ? [] : value.split(',').map((token) => token.trim());
  for (const token of tokens) {
    const wrong = isUuid(token) ? malformedUuid(token) : parseIndex(token) === undefined ? NO_INDEX : undefined;
    if (wrong !== undefined) return endsAt(token, wrong);
  }
  return undefined;
}

function endsAt(token: string, wrong: string): string {
  const mistake = MISTAKES.find(({ pattern }) => pattern.test(token))?.advice;
  return `ends at ${JSON.stringify(token)}: ${wrong}${mistake === undefined ? '' : `; ${mistake}`}`;
}

/** Habits of other variables and tools, and what to write instead. */
const MISTAKES: readonly { readonly pattern: RegExp; readonly advice: string }[] = [
  { pattern: /^[0-9a-f]{4}:[0-9a-f]{2}/i, advice: 'GPUs are named by index or by UUID (GPU-…), not by PCI address' },
  { pattern: /^$/, advice: "an empty entry makes AMD's runtime fail to start" },
  { pattern: /^-/, advice: 'to hide all GPUs, set it to nothing' },
  { pattern: /[;: ]\S/, advice: 'entries are separated by commas' },
  { pattern: /^\d+-\d+$/, advice: 'there are no ranges: list each index' },
  {
    pattern: /^(all|none|void|nodevfiles)$/i,
    advice: 'there is no such word: unset the variable for all GPUs, set it to nothing for none',
  },
  { pattern: /^GPU-[0-9a-f]+-/i, advice: 'the UUIDs of AMD have 16 hex digits without dashes' },
  { pattern: /^(gfx|gpu)[0-9a-f]*$/i, advice: 'GPUs are named by index or by UUID (GPU-…), not by target' },
  { pattern: /^(0x)?[0-9a-f]{16}$/i, advice: 'a UUID starts with GPU-' },
  { pattern: /^renderD\d+$/i, advice: 'GPUs are named by index or by UUID (GPU-…), not by render node' },
  { pattern: /["']/, advice: 'quotes became part of the value' },
  { pattern: /^0\d/, advice: 'a number that starts with 0 is octal' },
];

function isUuid(token: string): boolean {
  return token.toUpperCase().startsWith('G');
}

function malformedUuid({ length }: string): string | undefined {
  return length < MIN_UUID_LENGTH || length > MAX_UUID_LENGTH ? 'it is no UUID' : undefined;
}

function findByUuid<T extends NamedGpu>(gpus: readonly T[], token: string): T | string {
  const prefix = token.toUpperCase();
  const wrong = malformedUuid(prefix);
  if (wrong !== undefined) return wrong;
  const matches = gpus.filter(({ uniqueId, uuid }) => uniqueId !== 0n && uuid.toUpperCase().startsWith(prefix));
  const [only] = matches;
  if (only === undefined) return 'no GPU has this UUID';
  return matches.length === 1 ? only : `${matches.length} GPUs have UUIDs that start so`;
}

const NO_INDEX = 'it is neither an index nor a UUID';

function findByIndex<T extends NamedGpu>(gpus: readonly T[], token: string): T | string {
  const index = parseIndex(token);
  if (index === undefined) return NO_INDEX;
  return gpus[index] ?? `there are ${gpus.length} GPUs`;
}

/** As strtol with base 0: decimal, 0x hex, 0 octal. */
function parseIndex(token: string): number | undefined {
  const match = /^\+?(?:0x([0-9a-f]{1,8})|(0[0-7]{0,10})|([1-9]\d{0,9}))$/i.exec(token);
  if (match === null) return undefined;
  const [, hexadecimal, octal, decimal] = match;
  if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16);
  return octal !== undefined ? Number.parseInt(octal, 8) : Number(decimal);
}
