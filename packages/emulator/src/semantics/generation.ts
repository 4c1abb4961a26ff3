/** What the generations of processors do differently, as facts that semantics ask for. */
import { findProcessor } from '@doorbell/abi';

/** Instruction-set families in order of age; CDNA's (`gfx90a`, `gfx940`) branch off gfx9. gfx942 and gfx950 are `gfx940`. */
export type Family = 'gfx9' | 'gfx90a' | 'gfx940' | 'gfx10' | 'gfx11' | 'gfx12' | 'gfx1250';

export interface Generation {
  /** `gfx1100`, …: where steppings of one family differ. */
  readonly processor: string;
  readonly family: Family;
  /** gfx9 and CDNA: 64 lanes, no NULL, SDWA, `v_addc_co_u32`, 16-bit results that clear the other half. */
  readonly isGfx9: boolean;
  /** Accumulation registers and matrix instructions MFMA: gfx90a, gfx942, gfx950. */
  readonly isCdna: boolean;
  readonly isGfx10OrLater: boolean;
  readonly isGfx11OrLater: boolean;
  /** gfx12 and gfx1250: IEEE and DX10_CLAMP fixed, split wait counters, workgroup ids in TTMP registers. */
  readonly isGfx12OrLater: boolean;
}

const known = new Map<string, Generation>();

/** The generation of a processor by its name. @throws RangeError for one that has no instruction table. */
export function generationOf(processor: string): Generation {
  const found = known.get(processor);
  if (found !== undefined) return found;
  const family = familyOf(processor);
  if (family === undefined) throw new RangeError(`No generation for processor ${processor}.`);
  const isGfx9 = family === 'gfx9' || family === 'gfx90a' || family === 'gfx940';
  const isGfx12OrLater = family === 'gfx12' || family === 'gfx1250';
  const isGfx11OrLater = family === 'gfx11' || isGfx12OrLater;
  const isCdna = family === 'gfx90a' || family === 'gfx940';
  const generation = { processor, family, isGfx9, isCdna, isGfx10OrLater: !isGfx9, isGfx11OrLater, isGfx12OrLater };
  known.set(processor, generation);
  return generation;
}

function familyOf(name: string): Family | undefined {
  const generation = findProcessor(name)?.generation;
  switch (generation) {
    case 'gfx90a':
      return name === 'gfx90a' ? 'gfx90a' : 'gfx940';
    case 'gfx125':
      return 'gfx1250';
    case 'gfx9':
    case 'gfx10':
    case 'gfx11':
    case 'gfx12':
      return generation;
    default:
      return undefined;
  }
}
