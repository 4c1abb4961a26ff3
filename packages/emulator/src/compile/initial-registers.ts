/** How the waves of a kernel begin: what is in which register. */
import type { Pattern } from './shapes.js';

/** Where an SGPR's value at the kernel's start comes from. */
export type InitialSgpr =
  | { readonly kind: 'user'; readonly index: number }
  | { readonly kind: 'group'; readonly axis: 0 | 1 | 2 }
  /** Workgroup ids y and z in one register, 16 bits each (gfx12). */
  | { readonly kind: 'groups-yz' }
  /** Wave in the group << 25 (gfx12, ttmp8). */
  | { readonly kind: 'wave' };

/** Work-item ids in one VGPR: bits of the packed ids. */
interface InitialItems {
  readonly shift: number;
  readonly mask: number;
  /** A wave's first id plus this pattern; undefined: from the table. */
  readonly pattern: Pattern | undefined;
  /** Known zero bits of the first ids. */
  readonly zeros: number;
}

/** How a wave begins. */
export interface KernelStart {
  readonly sgprs: ReadonlyMap<number, InitialSgpr>;
  /** Work-item ids, from v0 on. */
  readonly items: readonly InitialItems[];
  /** Every wave of the dispatch has all its lanes. */
  readonly fullWaves: boolean;
}
