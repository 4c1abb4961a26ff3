/**
 * All semantics: what a name means, on all generations that have it. Where they differ, its one function asks the generation; matrix
 * instructions have a table for each family, named barriers are gfx1250's.
 */
import { ACCUMULATION } from './accumulation.js';
import { NAMED_BARRIERS } from './barriers.js';
import { COMPARE } from './compare.js';
import { CONTROL } from './control.js';
import { CONVERT_SCALED } from './convert-scaled.js';
import { CONVERT_SMALL } from './convert-small.js';
import { CONVERT } from './convert.js';
import { DIVISION } from './division.js';
import type { Family, Generation } from './generation.js';
import { LANE } from './lane.js';
import { LANE_GROUPS } from './lane-groups.js';
import { matrixSemantics } from './matrix.js';
import { MEMORY_BUFFER } from './memory-buffer.js';
import { MEMORY_BUFFER_FORMAT } from './memory-buffer-format.js';
import { MEMORY_GLOBAL } from './memory-global.js';
import { MEMORY_LDS } from './memory-lds.js';
import { MINIMUM } from './minimum.js';
import { otherNames } from './names.js';
import type { Semantic } from './operation.js';
import { REGISTER_INDEXING } from './register-indexing.js';
import { SALU_ARITHMETIC } from './salu-arithmetic.js';
import { SALU_FLOAT } from './salu-float.js';
import { SALU_LOGIC } from './salu-logic.js';
import { SMEM } from './smem.js';
import { SMEM_WRITE } from './smem-write.js';
import { SMEM_BUFFER } from './smem-buffer.js';
import { VALU_16 } from './valu-16.js';
import { TANH } from './tanh.js';
import { TRIG_PREOP } from './trig-preop.js';
import { TRANSPOSED_LOADS } from './transposed-loads.js';
import { VALU_CUBE } from './valu-cube.js';
import { VALU_FLOAT } from './valu-float.js';
import { VALU_INT } from './valu-int.js';
import { VALU_MAD } from './valu-mad.js';
import { VALU_PACKED } from './valu-packed.js';
import { VALU_BF16 } from './valu-bf16.js';
import { VALU_GFX1250 } from './valu-gfx1250.js';
import { VALU_PACKED_F32 } from './valu-packed-f32.js';

type SemanticTable = Readonly<Record<string, Semantic>>;

const COMMON: readonly SemanticTable[] = [
  CONTROL,
  SALU_ARITHMETIC,
  SALU_LOGIC,
  SALU_FLOAT,
  SMEM,
  SMEM_WRITE,
  SMEM_BUFFER,
  VALU_INT,
  VALU_FLOAT,
  VALU_CUBE,
  TRIG_PREOP,
  TANH,
  VALU_MAD,
  VALU_16,
  VALU_PACKED,
  VALU_PACKED_F32,
  VALU_BF16,
  VALU_GFX1250,
  ACCUMULATION,
  COMPARE,
  CONVERT,
  CONVERT_SMALL,
  CONVERT_SCALED,
  DIVISION,
  MINIMUM,
  LANE,
  LANE_GROUPS,
  REGISTER_INDEXING,
  MEMORY_GLOBAL,
  MEMORY_LDS,
  TRANSPOSED_LOADS,
  MEMORY_BUFFER,
  MEMORY_BUFFER_FORMAT,
];

/** Meanings by instruction name without encoding suffix: `v_add_f32`. */
export interface Meanings {
  get(name: string): Semantic | undefined;
  has(name: string): boolean;
}

const tables = new Map<Family, Meanings>();

export function semanticsOf({ family }: Generation): Meanings {
  let table = tables.get(family);
  if (table === undefined) {
    table = new FamilyMeanings(family);
    tables.set(family, table);
  }
  return table;
}

/** Matrix instructions and other names are worked out when a name is not there without: a thread's first kernel waits for this. */
class FamilyMeanings implements Meanings {
  readonly #family: Family;
  readonly #meanings = new Map<string, Semantic>();
  #isWhole = false;

  constructor(family: Family) {
    this.#family = family;
    for (const table of COMMON) this.#addAll(table);
    if (family === 'gfx1250') this.#addAll(NAMED_BARRIERS);
  }

  get(name: string): Semantic | undefined {
    const found = this.#meanings.get(name);
    if (found !== undefined || this.#isWhole) return found;
    this.#addAll(matrixSemantics(this.#family));
    this.#addOtherNames();
    this.#isWhole = true;
    return this.#meanings.get(name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Without pairs, which take longer. */
  #addAll(more: SemanticTable): void {
    for (const name in more) {
      const semantic = more[name];
      if (semantic !== undefined) this.#meanings.set(name, semantic);
    }
  }

  /** A meaning also counts under the other name, unless that has one of its own. */
  #addOtherNames(): void {
    const meanings = this.#meanings;
    for (const [older, newer] of otherNames()) {
      const semantic = meanings.get(newer) ?? meanings.get(older);
      if (semantic === undefined) continue;
      if (!meanings.has(older)) meanings.set(older, semantic);
      if (!meanings.has(newer)) meanings.set(newer, semantic);
    }
  }
}
