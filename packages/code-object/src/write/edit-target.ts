import { encode } from '@msgpack/msgpack';
import type { CodeObject } from '../code-object.js';
import { isMetadataNote } from '../elf/metadata-note.js';
import { badMetadata, findMapValues } from '../internal/message-pack.js';
import { formatIsaName, type TargetId } from '../target/target-id.js';
import { type EditedElf, ElfEditor } from './edit-elf.js';

/** What a code object is made for instead. */
export interface CodeObjectEdit {
  /** The processor's EF_AMDGPU_MACH value and its features go into e_flags, the name into the metadata. */
  readonly target: TargetId;
  /** e_flags */
  readonly flags: number;
  /** EI_ABIVERSION */
  readonly abiVersion: number;
}

/**
 * Makes a code object name another target: in the ELF header and in `amdhsa.target` of the metadata, of which everything else stays
 * byte for byte. Code and kernel descriptors are not touched.
 *
 * @throws {HsaError} ERR_METADATA for metadata that names its target twice.
 */
export function editCodeObjectTarget(codeObject: CodeObject, { target, flags, abiVersion }: CodeObjectEdit): EditedElf {
  const editor = new ElfEditor(codeObject.elf);
  editor.setFlags(flags);
  editor.setAbiVersion(abiVersion);
  for (const { description } of codeObject.elf.notes.filter(isMetadataNote)) {
    const places = findMapValues(description, 'amdhsa.target');
    const [place] = places;
    if (place === undefined) continue;
    if (places.length > 1) throw badMetadata(`the metadata has amdhsa.target ${places.length} times`);
    const value = encode(formatIsaName(target));
    const replacement = new Uint8Array(description.length - (place.end - place.start) + value.length);
    replacement.set(description.subarray(0, place.start));
    replacement.set(value, place.start);
    replacement.set(description.subarray(place.end), place.start + value.length);
    editor.replaceNote(description, replacement, 'amdhsa.target');
  }
  return editor.finish();
}
