/** Work-item ids at a kernel's start: packed in v0, or an axis each in v0, v1, v2 (semantics.md §16). */

/** The ids in one register. */
export interface ItemShape {
  /** Where they are in the packed ids: shifted down by that, these bits. */
  readonly shift: number;
  readonly mask: number;
  /** A wave's first id plus this, lane by lane, in every wave; absent: in no such order. */
  readonly pattern?: readonly number[];
  /** Bits that are 0 in every wave's first id. */
  readonly zeros: number;
}

/** Where a kernel wants the ids. */
export interface ItemIds {
  /** Packed in v0, or in v0, v1 and v2. */
  readonly kind: 'packed' | 'separate';
  /** The last axis that it asks for, 0 to 2; ids of later ones are 0. */
  readonly lastAxis: number;
}

/** By register, from v0: where the ids are in the packed ids, shifted down by that, these bits. */
export function itemFields({ kind, lastAxis }: ItemIds): readonly { readonly shift: number; readonly mask: number }[] {
  if (kind === 'packed') return [{ shift: 0, mask: lastAxis > 1 ? -1 : 2 ** (10 * (lastAxis + 1)) - 1 }];
  return [0, 1, 2].map((axis) => ({ shift: axis * 10, mask: axis > lastAxis ? 0 : 1023 }));
}

/** By register, from v0. @param itemIds packed ids of a workgroup, whole waves. */
export function itemShapes(itemIds: Uint32Array, waveSize: number, wanted: ItemIds): ItemShape[] {
  return itemFields(wanted).map(({ shift, mask }) => {
    const id = (index: number): number => ((itemIds[index] ?? 0) >>> shift) & mask;
    const pattern = Array.from({ length: waveSize }, (_, lane) => (id(lane) - id(0)) | 0);
    let zeros = -1;
    let isShaped = true;
    for (let wave = 0; wave < itemIds.length; wave += waveSize) {
      zeros &= ~id(wave);
      for (let lane = 0; lane < waveSize && isShaped; lane++) isShaped = ((id(wave + lane) - id(wave)) | 0) === pattern[lane];
    }
    return { shift, mask, zeros, ...(isShaped ? { pattern } : {}) };
  });
}
