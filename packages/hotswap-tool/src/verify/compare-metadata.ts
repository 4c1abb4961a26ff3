import type { CodeObject, ElfNote } from '@doorbell/code-object';
import { isMetadataNote } from '@doorbell/code-object';
import { areEqual } from '../equal-bytes.js';

/** What of the notes is not as it was, beside the target that the metadata names. */
export function compareMetadata(before: CodeObject, after: CodeObject): readonly string[] {
  const problems: string[] = [];
  const [old, now] = [before.elf.notes, after.elf.notes];
  if (old.length !== now.length) problems.push(`there are ${now.length} notes, not ${old.length}`);
  const names = { old: before.metadata?.target ?? '', now: after.metadata?.target ?? '' };
  for (const [i, note] of old.entries()) {
    const other = now[i];
    if (other === undefined || isSameNote(note, other)) continue;
    const isRenamed = isMetadataNote(note) && isMetadataNote(other) && isReplaced(note.description, other.description, names);
    if (!isRenamed) problems.push(`note ${i} (${note.name}, type ${note.type}) says more than another target`);
  }
  return problems;
}

function isSameNote(a: ElfNote, b: ElfNote): boolean {
  if (a.name !== b.name || a.type !== b.type || a.description.length !== b.description.length) return false;
  return areEqual(a.description, b.description);
}

/** MessagePack strings: up to 31 bytes with the length in the head, else with a byte for it. ISA names are ASCII. */
function encodeString(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return Uint8Array.from([...(bytes.length < 32 ? [0xa0 | bytes.length] : [0xd9, bytes.length]), ...bytes]);
}

/** Whether `after` is `before` with one string in it replaced. */
function isReplaced(before: Uint8Array, after: Uint8Array, names: { readonly old: string; readonly now: string }): boolean {
  const [old, now] = [encodeString(names.old), encodeString(names.now)];
  if (after.length - before.length !== now.length - old.length) return false;
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  if (at === before.length) return before.length === after.length;
  // The first difference lies in the string.
  for (let start = Math.max(0, at - old.length); start <= at; start++) {
    const rest = before.subarray(start + old.length);
    const isHere =
      areEqual(before.subarray(start, start + old.length), old) && areEqual(after.subarray(start, start + now.length), now);
    if (isHere && areEqual(rest, after.subarray(start + now.length))) return true;
  }
  return false;
}
