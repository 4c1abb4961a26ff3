/**
 * The MODE register as the semantics see it: constants while a block is built (a kernel's start value comes from its descriptor;
 * s_round_mode, s_denorm_mode and s_setreg change it for the blocks after them). Encoding: ISA documents, MODE; semantics.md §1.
 */
export interface FloatMode {
  /** 0 nearest even, 1 +inf, 2 -inf, 3 toward zero. */
  readonly roundF32: 0 | 1 | 2 | 3;
  readonly roundF16F64: 0 | 1 | 2 | 3;
  /** Bit 0: keep denormal inputs; bit 1: keep denormal results. */
  readonly denormF32: 0 | 1 | 2 | 3;
  readonly denormF16F64: 0 | 1 | 2 | 3;
  readonly dx10Clamp: boolean;
  readonly ieee: boolean;
  /** A finite f16 result never becomes infinite. */
  readonly fp16Overflow: boolean;
  /** The register's other bits, in place: they are kept and read back, and change no result. */
  readonly others: number;
  /**
   * gfx9, where registers are indexed (GPR_IDX_EN): the operands whose number M0[7:0] is added to, as M0[15:12] has them: 1 S0, 2 S1,
   * 4 S2, 8 the result.
   */
  readonly indexed?: number;
}
