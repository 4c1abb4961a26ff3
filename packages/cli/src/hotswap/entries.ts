import { HsaError, isHsaError } from '@doorbell/runtime';
import { codeObject, hotswapTool } from '@doorbell/runtime/layers';
import { UsageError } from '../failures.js';

type DeviceFileEntry = codeObject.DeviceFileEntry;

/** A code object for AMD GPUs in a file. */
export interface DeviceEntry {
  /** From 0, in the order of the file; what `--entry` takes. */
  readonly index: number;
  readonly entry: DeviceFileEntry;
  /** What the code object says of itself; undefined where it cannot be read. */
  readonly identity?: hotswapTool.CodeObjectIdentity;
  /** Why it cannot be read, or how header and metadata contradict each other. */
  readonly problem?: string;
}

/** The entries of a file that are for AMD GPUs and hold something. */
export function listDeviceEntries(file: codeObject.DeviceFile): readonly DeviceEntry[] {
  const entries = file.entries.filter(({ id, bytes }) => bytes.length > 0 && !/^host-/.test(id));
  return entries.map((entry, index) => ({ index, entry, ...identify(entry) }));
}

function identify({ bytes }: DeviceFileEntry): Pick<DeviceEntry, 'identity' | 'problem'> {
  try {
    const identity = hotswapTool.readIdentity(bytes);
    return { identity, ...(identity.mismatch === undefined ? {} : { problem: identity.mismatch.message }) };
  } catch (error) {
    if (isHsaError(error)) return { problem: error.message };
    throw error;
  }
}

/** The entries that can be read, ranked for a target, best first. */
export function rankDeviceEntries(
  entries: readonly DeviceEntry[],
  target: codeObject.TargetId,
): readonly { readonly item: DeviceEntry; readonly fit: codeObject.EntryFit }[] {
  return codeObject.rankEntries(readable(entries), target).map(({ entry, fit }) => ({ item: entry.item, fit }));
}

function readable(
  entries: readonly DeviceEntry[],
): readonly { readonly item: DeviceEntry; readonly target: codeObject.CodeObjectTarget }[] {
  return entries.flatMap((item) => (item.identity === undefined ? [] : [{ item, target: item.identity.target }]));
}

/** The entry that `--entry` names: its number, its id, or its target where only one has it. */
function findEntry(entries: readonly DeviceEntry[], name: string): DeviceEntry {
  const found = entries.filter(
    ({ index, entry }) =>
      `${index}` === name ||
      entry.id === name ||
      (entry.target !== undefined && codeObject.formatTargetId(entry.target) === name),
  );
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const problem = found.length === 0 ? `no entry ${name}` : `${found.length} entries ${name}`;
  throw new UsageError(`the file has ${problem}`, `Choose one: ${describeEntries(entries)}.`);
}

/**
 * What to make a code object for `target` of, best first: the entry that `--entry` names, else those that suit the target, else
 * those that a retarget may help, else the only one.
 *
 * @throws {HsaError} ERR_ISA_MISMATCH where none is related to the target.
 */
export function candidatesFor(
  entries: readonly DeviceEntry[],
  target: codeObject.TargetId,
  name: string | undefined,
): readonly DeviceEntry[] {
  if (name !== undefined) return [findEntry(entries, name)];
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return [only];
  const ranked = rankDeviceEntries(entries, target);
  if (ranked.length > 0) return ranked.map(({ item }) => item);
  throw codeObject.isaMismatch(
    readable(entries).map((entry) => entry.target),
    target,
  );
}

/** The one entry of a file, or the one that `--entry` names. */
export function onlyEntry(entries: readonly DeviceEntry[], name: string | undefined): DeviceEntry {
  if (name !== undefined) return findEntry(entries, name);
  const [first] = entries;
  if (first === undefined) throw new HsaError('ERR_CODE_OBJECT', { message: 'the file has no code object for AMD GPUs' });
  if (entries.length === 1) return first;
  throw new UsageError(`the file has ${entries.length} code objects`, `Choose one: ${describeEntries(entries)}.`);
}

function describeEntries(entries: readonly DeviceEntry[]): string {
  return entries.map(({ index, entry }) => `--entry ${index} (${entry.id})`).join(', ');
}
