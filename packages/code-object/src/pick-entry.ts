import { findProcessor } from '@doorbell/abi/core';
import { type CodeObject, parseCodeObject } from './code-object.js';
import { parseDeviceFile } from './device-file.js';
import type { BundleEntry } from './offload-bundle.js';
import { type CodeObjectTarget, isaMismatch, targetsCompatible } from './target/compatibility.js';
import type { TargetId } from './target/target-id.js';

/**
 * How an entry suits an agent: made for its processor with its features fixed, made for its processor whatever the features are,
 * generic; or it cannot be loaded, but is of the same family, so that a retarget may be possible.
 */
export type EntryFit = 'native' | 'native-any' | 'generic' | 'retarget';

/** An entry with its fit. */
export interface RankedEntry<E> {
  readonly entry: E;
  readonly fit: EntryFit;
}

/** The entries that suit an agent or may be retargeted for it, best first; of equal ones the first in the file. */
export function rankEntries<E extends Pick<BundleEntry, 'target'>>(entries: readonly E[], agent: TargetId): RankedEntry<E>[] {
  const ranked = entries.flatMap((entry) => {
    const rank = entry.target === undefined ? undefined : rankTarget(entry.target, agent);
    return rank === undefined ? [] : [{ entry, ...rank }];
  });
  ranked.sort((a, b) => b.score - a.score);
  return ranked.map(({ entry, fit }) => ({ entry, fit }));
}

/**
 * The entry for an agent: of its own processor before a generic one, with fixed features before indifferent ones.
 *
 * @throws {HsaError} ERR_ISA_MISMATCH that lists the targets in the bundle.
 */
export function pickBundleEntry<E extends Pick<BundleEntry, 'target'>>(
  bundle: { readonly entries: readonly E[] },
  agent: TargetId,
): E {
  const best = rankEntries(bundle.entries, agent)[0];
  if (best !== undefined && best.fit !== 'retarget') return best.entry;
  throw isaMismatch(
    bundle.entries.flatMap((entry) => entry.target ?? []),
    agent,
  );
}

/**
 * The code object for an agent in `bytes`: an ELF code object, offload bundles, or a host file that holds some; parsed and
 * checked to be compatible.
 *
 * @throws {HsaError} ERR_ISA_MISMATCH, and what parsing throws.
 */
export function parseCodeObjectFor(bytes: Uint8Array, agent: TargetId): CodeObject {
  const { format, entries } = parseDeviceFile(bytes);
  const codeObject = parseCodeObject(format === 'code-object' ? bytes : pickBundleEntry({ entries }, agent).bytes);
  if (!targetsCompatible(codeObject.target, agent).compatible) throw isaMismatch([codeObject.target], agent);
  return codeObject;
}

function rankTarget(target: CodeObjectTarget, agent: TargetId): { readonly fit: EntryFit; readonly score: number } | undefined {
  const isNative = target.processor === agent.processor;
  if (targetsCompatible(target, agent).compatible) {
    const fixed = countFixed(target);
    if (!isNative) return { fit: 'generic', score: 10 + fixed };
    return { fit: fixed === countFixed(agent) ? 'native' : 'native-any', score: 20 + fixed };
  }
  const family = findProcessor(agent.processor)?.generic;
  if (isNative) return { fit: 'retarget', score: 2 };
  return family !== undefined && findProcessor(target.processor)?.generic === family ? { fit: 'retarget', score: 1 } : undefined;
}

/** Features that are on or off. */
function countFixed({ sramecc, xnack }: TargetId): number {
  return [sramecc, xnack].filter((setting) => setting === 'on' || setting === 'off').length;
}
