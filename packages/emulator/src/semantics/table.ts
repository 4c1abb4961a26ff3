/** All semantics in one table. */
import { COMPARE } from './compare.js';
import { CONTROL } from './control.js';
import { CONVERT } from './convert.js';
import { DIVISION } from './division.js';
import { LANE } from './lane.js';
import { MEMORY_GLOBAL } from './memory-global.js';
import { MEMORY_LDS } from './memory-lds.js';
import type { Semantic } from './operation.js';
import { REGISTER_INDEXING } from './register-indexing.js';
import { SALU_ARITHMETIC } from './salu-arithmetic.js';
import { SALU_FLOAT } from './salu-float.js';
import { SALU_LOGIC } from './salu-logic.js';
import { SMEM } from './smem.js';
import { VALU_16 } from './valu-16.js';
import { VALU_FLOAT } from './valu-float.js';
import { VALU_INT } from './valu-int.js';
import { VALU_PACKED } from './valu-packed.js';

/** By instruction name without encoding suffix: `v_add_f32`. */
export const SEMANTICS: ReadonlyMap<string, Semantic> = new Map(
  [
    CONTROL,
    SALU_ARITHMETIC,
    SALU_LOGIC,
    SALU_FLOAT,
    SMEM,
    VALU_INT,
    VALU_FLOAT,
    VALU_16,
    VALU_PACKED,
    COMPARE,
    CONVERT,
    DIVISION,
    LANE,
    REGISTER_INDEXING,
    MEMORY_GLOBAL,
    MEMORY_LDS,
  ].flatMap((table) => Object.entries(table)),
);
