/** The decoded instruction: what every consumer (disassembler, emulator, HotSwap) sees of the bytes. */

/** Encoding format, as AMD's ISA documents and LLVM name them. */
export type Format =
  | 'SOP1'
  | 'SOP2'
  | 'SOPK'
  | 'SOPC'
  | 'SOPP'
  | 'SMEM'
  | 'VOP1'
  | 'VOP2'
  | 'VOPC'
  | 'VOP3'
  | 'VOP3SD'
  | 'VOP3P'
  | 'VOP3P_MAI'
  | 'VOP3PX2'
  | 'VOPD'
  | 'VOPD3'
  | 'VINTERP'
  | 'VINTRP'
  | 'LDSDIR'
  | 'EXP'
  | 'DS'
  | 'FLAT'
  | 'GLOBAL'
  | 'SCRATCH'
  | 'MUBUF'
  | 'MTBUF'
  | 'MIMG'
  | 'VIMAGE'
  | 'VSAMPLE';

/** What extends the base encoding; '' for none. */
export type Extension = '' | 'DPP16' | 'DPP8' | 'SDWA' | 'LIT' | 'LIT64' | 'NSA' | 'TENSOR' | 'MFMA' | 'WMMA';

/**
 * Where an operand's value lives.
 * - `sgpr`, `vgpr`, `agpr`, `ttmp`: register file; `index` is the first register.
 * - `special`: a scalar source or destination outside the files (vcc, exec, m0, null, scc, src_shared_base, …); `code` is the
 *   hardware operand number, `name` of the register through {@link Operand.special}.
 * - `inline`: an inline constant; `low`/`high` hold its bits for the operand's type.
 * - `literal`: the literal that follows the instruction, already extended for the operand's type.
 * - `immediate`: a field that is a number in itself (offset, cache policy, simm16, dpp_ctrl, clamp, …): `value`.
 */
export type OperandKind = 'sgpr' | 'vgpr' | 'agpr' | 'ttmp' | 'special' | 'inline' | 'literal' | 'immediate';

export interface Operand {
  /** Field name of the tables: `vdst`, `sdst`, `src0`, `saddr`, `offset`, … */
  readonly name: string;
  readonly kind: OperandKind;
  /** Written by the instruction. */
  readonly isResult: boolean;
  /** Also read although it is a result: v_fmac's accumulator, a DPP `old` value, a 16-bit half write. */
  readonly isRead: boolean;
  /** First register of the range; 0 for kinds that are not registers. */
  readonly index: number;
  /** Hardware operand number as encoded (0…511), -1 for immediates. */
  readonly code: number;
  /** Width in bits: 16, 32, 64, …; wave masks 32 or 64. */
  readonly bits: number;
  /** Data type where the tables know it: `f16`, `f32`, `f64`, `i32`, `u16`, `b32`, `bf16`, …; else ''. */
  readonly type: string;
  /** Name of a `special` register as llvm-mc prints it, e.g. `vcc_lo`; else ''. */
  readonly special: string;
  /** Bits of an inline constant or literal, for the operand's type: dwords 0 and 1, as unsigned numbers. */
  readonly low: number;
  readonly high: number;
  /** Value of an immediate field: sign-extended where the field is signed. */
  readonly value: number;
  /** Class of an immediate field, as the tables name it: `hwreg`, `swaitcnt`, `cpol`, `flat_offset`, …; else ''. */
  readonly immediate: string;
  /** 16-bit register operands of gfx11+: the high half is meant. */
  readonly isHighHalf: boolean;
  /** Source modifiers; for packed operands neg/abs are neg_lo/neg_hi. */
  readonly neg: boolean;
  readonly abs: boolean;
  /** op_sel bit of this source (destination: op_sel[3]). */
  readonly opSel: boolean;
  readonly opSelHi: boolean;
  /** Whether the encoding has an op_sel bit for this operand. */
  readonly selectsHalf: boolean;
  /** SDWA sign extension. */
  readonly sext: boolean;
}

/** One of the two operations of a VOPD pair. */
export interface VopdHalf {
  /** As printed: `v_dual_fmac_f32`. */
  readonly mnemonic: string;
  /** The operation's name without `dual_`: `v_fmac_f32`; the same key as for the single instruction. */
  readonly name: string;
  readonly operands: readonly Operand[];
}

export interface Instruction {
  /** As llvm-mc prints it: `v_add_f32_e64`. */
  readonly mnemonic: string;
  /** Operation without encoding suffix (`_e32`, `_e64`, `_dpp`, `_e64_dpp`, `_sdwa`): `v_add_f32`; the key of the semantics. */
  readonly name: string;
  readonly format: Format;
  readonly extension: Extension;
  /** Index into the generation's table; stable within one table only. */
  readonly entry: number;
  /** Bytes including literal, DPP and SDWA dwords. */
  readonly sizeBytes: number;
  /** The encoding, little-endian dwords, unsigned. */
  readonly words: readonly number[];
  /** In assembly order, results first; modifiers are folded into their source operand. Decoded on first use. */
  readonly operands: readonly Operand[];
  /** The two halves of a VOPD or VOPD3 pair. */
  readonly vopd?: readonly [VopdHalf, VopdHalf];
  /** Registers read and written beyond the operands: `exec`, `vcc`, `scc`, `m0`, `mode`, … */
  readonly implicitReads: readonly string[];
  readonly implicitWrites: readonly string[];
  /** The table's flags: `isBranch`, `isTerminator`, `mayLoad`, `mayStore`, `SALU`, `VALU`, … */
  hasFlag(flag: string): boolean;
  /** The operand of this field name, or undefined. */
  operand(name: string): Operand | undefined;
}

/** Why bytes are not an instruction. */
export interface DecodeFailure {
  readonly reason: 'truncated' | 'unknown-opcode' | 'invalid-operand';
  readonly message: string;
  /** How many bytes to step over: 4, or what is left (1–3) at the end. */
  readonly sizeBytes: number;
  readonly words: readonly number[];
}

export type Decoded =
  | { readonly ok: true; readonly instruction: Instruction }
  | { readonly ok: false; readonly failure: DecodeFailure };

/** A decoder for one processor and wave size. */
export interface Decoder {
  /** `gfx1100`, … */
  readonly processor: string;
  readonly waveSize: 32 | 64;
  /** Decodes the instruction at `offset` of `bytes`; never throws, never reads outside. */
  decode(bytes: Uint8Array, offset: number): Decoded;
}
