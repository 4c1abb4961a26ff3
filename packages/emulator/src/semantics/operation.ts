/**
 * One operation being given its meaning: its operands as values of the builder, modifiers applied, and its results written where
 * they belong. Semantic functions see nothing of encodings.
 */
import { InternalError } from '@doorbell/abi';
import { bankOf, type Instruction, type Operand } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import { FIRST_AGPR, SGPR_EXEC, SGPR_FLAT_SCRATCH, SGPR_M0, SGPR_TTMP, SGPR_VCC, SGPR_XNACK_MASK } from '../ir/block.js';
import { PRIVATE_BASE_HIGH, PRIVATE_LANES_HIGH, SHARED_BASE_HIGH } from '../ir/apertures.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { Unsupported } from '../ir/wave-builder.js';
import type { Generation } from './generation.js';
import { dppSource, dppWriteMask } from './dpp.js';
import { readIndexed, writeIndexed } from './indexed-registers.js';
import { sdwaResult, sdwaSource } from './sdwa.js';
import { BANK_REGISTERS, vgprBanksOf } from './vgpr-banks.js';
import {
  absF16,
  absF32,
  absF64,
  clampF32,
  clampF64,
  flushF16,
  flushF32,
  flushF64,
  modifiesOutput,
  negF16,
  negF32,
  negF64,
  OMOD_F32,
  OMOD_F64_HIGH,
  outputF32,
} from './float-bits.js';

/** An instruction's meaning: calls of the builder through the operation. */
export type Semantic = (o: Operation) => void;

/** Scalar registers outside the file by llvm-mc name: the first register's number; -1: reads 0, writes are dropped. */
const SPECIAL_REGISTERS: Readonly<Record<string, number>> = {
  vcc: SGPR_VCC,
  vcc_lo: SGPR_VCC,
  vcc_hi: SGPR_VCC + 1,
  exec: SGPR_EXEC,
  exec_lo: SGPR_EXEC,
  exec_hi: SGPR_EXEC + 1,
  m0: SGPR_M0,
  flat_scratch: SGPR_FLAT_SCRATCH,
  flat_scratch_lo: SGPR_FLAT_SCRATCH,
  flat_scratch_hi: SGPR_FLAT_SCRATCH + 1,
  xnack_mask: SGPR_XNACK_MASK,
  xnack_mask_lo: SGPR_XNACK_MASK,
  xnack_mask_hi: SGPR_XNACK_MASK + 1,
  null: -1,
};

/**
 * 16-bit operations of gfx9 that leave the other half of their result alone, beside those that can choose the half (op_sel); all
 * others clear it (LLVM GCNSubtarget.cpp, zeroesHigh16BitsOfDest).
 */
const KEEPS_HALF_ON_GFX9: ReadonlySet<string> = new Set([
  'v_mac_f16',
  'v_fmac_f16',
  'v_madak_f16',
  'v_madmk_f16',
  'v_fmaak_f16',
  'v_fmamk_f16',
]);

/** Bits of MODE's `indexed` by operand name (ir/float-mode.ts). */
const INDEXED_OPERANDS: Readonly<Record<string, number>> = { src0: 1, src1: 2, src2: 4, vdst: 8 };

export class Operation {
  readonly b: WaveBuilder;
  /** Meanings that differ between generations look here. */
  readonly generation: Generation;
  /** VGPRs that the wave has. */
  readonly vgprCount: number;
  name = '';
  /** Sources in assembly order: what is read and no plain number. */
  readonly sources: Operand[] = [];
  readonly results: Operand[] = [];
  #operands: readonly Operand[] = [];
  #instruction: Instruction | undefined;
  #writeMask: Value | undefined;

  constructor(builder: WaveBuilder, generation: Generation, vgprCount: number) {
    this.b = builder;
    this.generation = generation;
    this.vgprCount = vgprCount;
  }

  /** Turns to the next operation: an instruction, or a half of a dual one. */
  reset(name: string, operands: readonly Operand[], instruction: Instruction): void {
    this.name = name;
    this.#operands = this.#inBanks(name, operands, instruction);
    this.#instruction = instruction;
    this.#writeMask = undefined;
    this.sources.length = this.results.length = 0;
    const all = this.#operands;
    for (let i = 0; i < all.length; i++) {
      const operand = all[i];
      if (operand?.isResult === true) this.results.push(operand);
      else if (operand !== undefined && operand.kind !== 'immediate') this.sources.push(operand);
    }
  }

  /** gfx1250: MODE says which VGPRs above v255 operands mean. */
  #inBanks(name: string, operands: readonly Operand[], { format }: Instruction): readonly Operand[] {
    if (this.generation.family !== 'gfx1250') return operands;
    const banks = vgprBanksOf(this.b.mode);
    if (banks === 0) return operands;
    return operands.map((operand) => {
      const bank = bankOf(operand, format, name, banks);
      return bank === 0 ? operand : { ...operand, index: operand.index + bank * BANK_REGISTERS };
    });
  }

  get instruction(): Instruction {
    if (this.#instruction === undefined) throw new InternalError('no instruction');
    return this.#instruction;
  }

  /** Ends the block before this instruction with an `illegal` exit. */
  unsupported(reason: string): never {
    throw new Unsupported(reason);
  }

  // Operands

  source(n: number): Operand {
    const operand = this.sources[n];
    if (operand === undefined) throw new InternalError(`${this.name} has no source ${n}`);
    return operand;
  }

  result(n: number = 0): Operand {
    const operand = this.results[n];
    if (operand === undefined) throw new InternalError(`${this.name} has no result ${n}`);
    return operand;
  }

  find(name: string): Operand | undefined {
    return this.#operands.find((operand) => operand.name === name);
  }

  /** A field that is a number in itself; 0 where the encoding has none. */
  immediate(name: string): number {
    return this.find(name)?.value ?? 0;
  }

  /** Number of a scalar register operand; -1 for NULL; undefined for what is not a register. */
  scalarIndex(operand: Operand): number | undefined {
    if (operand.kind === 'sgpr') return operand.index;
    if (operand.kind === 'ttmp') return SGPR_TTMP + operand.index;
    return operand.kind === 'special' ? SPECIAL_REGISTERS[operand.special] : undefined;
  }

  // Reading bits

  /** 32 bits of an operand, dword `part` of wider ones; no modifiers. */
  read32(operand: Operand, part: number = 0): Value {
    const value = this.#read(operand, part);
    return this.instruction.extension === 'SDWA' && !operand.isResult ? sdwaSource(this, operand, value) : value;
  }

  #read(operand: Operand, part: number): Value {
    switch (operand.kind) {
      case 'vgpr':
      case 'agpr':
        return this.#readVector(operand, part);
      case 'inline':
      case 'literal':
        return this.b.i32(part === 0 ? operand.low : operand.high);
      case 'immediate':
        return this.b.i32(operand.value);
      default: {
        const index = this.scalarIndex(operand);
        if (index === -1) return this.b.i32(0);
        return index === undefined ? this.#readSpecial(operand, part) : this.b.sgpr(index + part);
      }
    }
  }

  /** Number of a vector register operand in the file of both kinds; undefined for others. */
  vectorIndex(operand: Operand): number | undefined {
    if (operand.kind === 'vgpr') return operand.index;
    return operand.kind === 'agpr' ? FIRST_AGPR + operand.index : undefined;
  }

  /** Whether gfx9's M0 is added to the number of a vector register (ir/float-mode.ts, `indexed`). */
  #isIndexed(operand: Operand): boolean {
    const { indexed } = this.b.mode;
    if (indexed === undefined || operand.kind !== 'vgpr' || !this.instruction.format.startsWith('VOP')) return false;
    if ((indexed & (INDEXED_OPERANDS[operand.name] ?? 0)) === 0) return false;
    if (this.instruction.extension !== '') this.unsupported(`${this.instruction.extension} with an indexed register`);
    return true;
  }

  #index(): Value {
    return this.b.op('and32', this.b.sgpr(SGPR_M0), this.b.i32(0xff));
  }

  #readVector(operand: Operand, part: number): Value {
    if (this.#isIndexed(operand)) return readIndexed(this, operand.index + part, this.#index());
    if (this.#isDpp(operand)) return dppSource(this, operand, part);
    const index = operand.kind === 'agpr' ? FIRST_AGPR + operand.index : operand.index;
    return this.b.vgpr(index + part);
  }

  read64(operand: Operand): Value {
    return this.b.op('pack64', this.read32(operand, 0), this.read32(operand, 1));
  }

  /** 16 bits of an operand, zero-extended, the half that it means. */
  read16(operand: Operand): Value {
    const { b } = this;
    const value = this.read32(operand);
    return isHighHalf(operand) ? b.op('shrU32', value, b.i32(16)) : b.op('and32', value, b.i32(0xffff));
  }

  #readSpecial(operand: Operand, part: number): Value {
    const { b } = this;
    const asNumber = (condition: Value): Value => (part === 0 ? b.op('select32', condition, b.i32(1), b.i32(0)) : b.i32(0));
    switch (operand.special) {
      case 'scc':
      case 'src_scc':
        return asNumber(b.scc());
      case 'src_vccz':
        return asNumber(b.op('eq64', b.waveMask(SGPR_VCC), b.i64(0, 0)));
      case 'src_execz':
        return asNumber(b.op('eq64', b.waveMask(SGPR_EXEC), b.i64(0, 0)));
      case 'src_flat_scratch_base':
      case 'src_flat_scratch_base_lo':
        return b.i32(part === 0 ? 0 : PRIVATE_LANES_HIGH);
      case 'src_flat_scratch_base_hi':
        return b.i32(PRIVATE_LANES_HIGH);
      // As a 32-bit operand only the low dword, which is 0 (semantics.md §10).
      case 'src_shared_base':
        return b.i32(part === 0 ? 0 : SHARED_BASE_HIGH);
      case 'src_private_base':
        return b.i32(part === 0 ? 0 : PRIVATE_BASE_HIGH);
      case 'src_shared_limit':
      case 'src_private_limit':
        return part === 0
          ? b.i32(0xffff_ffff)
          : b.i32(operand.special === 'src_shared_limit' ? SHARED_BASE_HIGH : PRIVATE_BASE_HIGH);
      default:
        return this.unsupported(`source ${operand.special}`);
    }
  }

  // Sources by number

  u32(n: number): Value {
    return this.read32(this.source(n));
  }

  u64(n: number): Value {
    return this.read64(this.source(n));
  }

  u16(n: number): Value {
    return this.read16(this.source(n));
  }

  /** 16 bits, sign-extended. */
  s16(n: number): Value {
    return this.signExtend(this.u16(n), 16);
  }

  /** f32 bits: abs, neg, then denormals flushed as MODE says. */
  f32(n: number): Value {
    return this.f32Of(this.source(n));
  }

  f32Of(operand: Operand): Value {
    return flushF32(this.b, this.f32Unflushed(operand), 'input');
  }

  /** f32 bits with abs and neg only. */
  f32Unflushed(operand: Operand): Value {
    return this.modify32(operand, this.read32(operand));
  }

  /** abs and neg of an f32 operand. */
  modify32(operand: Operand, value: Value): Value {
    const positive = operand.abs ? absF32(this.b, value) : value;
    return operand.neg ? negF32(this.b, positive) : positive;
  }

  f64(n: number): Value {
    return this.f64Of(this.source(n));
  }

  f64Of(operand: Operand): Value {
    return flushF64(this.b, this.f64Unflushed(operand), 'input');
  }

  f64Unflushed(operand: Operand): Value {
    const value = this.read64(operand);
    const positive = operand.abs ? absF64(this.b, value) : value;
    return operand.neg ? negF64(this.b, positive) : positive;
  }

  /** f16 bits in the low half: abs, neg, denormals flushed as MODE says. */
  f16(n: number): Value {
    return flushF16(this.b, this.f16Unflushed(this.source(n)), 'input');
  }

  f16Unflushed(operand: Operand): Value {
    const value = this.read16(operand);
    const positive = operand.abs ? absF16(this.b, value) : value;
    return operand.neg ? negF16(this.b, positive) : positive;
  }

  signExtend(value: Value, bits: number): Value {
    const shift = this.b.i32(32 - bits);
    return this.b.op('shrS32', this.b.op('shl32', value, shift), shift);
  }

  // The result's register before the operation: the accumulator of v_fmac and the like

  old32(): Value {
    return this.#old(0);
  }

  old16(): Value {
    const { b } = this;
    return isHighHalf(this.result()) ? b.op('shrU32', this.#old(0), b.i32(16)) : b.op('and32', this.#old(0), b.i32(0xffff));
  }

  #old(part: number): Value {
    const operand = this.result();
    if (this.#isIndexed(operand)) return readIndexed(this, operand.index + part, this.#index());
    const index = this.vectorIndex(operand);
    return index === undefined ? this.read32(operand, part) : this.b.vgpr(index + part);
  }

  // Results

  /** Lanes that a vector result is written in: EXEC, with DPP those of them that its masks leave. */
  writeMask(): Value {
    if (this.#writeMask === undefined) {
      const exec = this.b.execMask();
      const extension = this.instruction.extension;
      this.#writeMask = extension === 'DPP16' ? this.b.op('and', dppWriteMask(this), exec) : exec;
    }
    return this.#writeMask;
  }

  set32(value: Value, operand: Operand = this.result(), part: number = 0): void {
    if (this.#isIndexed(operand)) {
      writeIndexed(this, operand.index + part, this.#index(), value);
      return;
    }
    const vector = this.vectorIndex(operand);
    if (vector !== undefined) {
      const isPart = this.instruction.extension === 'SDWA';
      const written = isPart ? sdwaResult(this, value, this.b.vgpr(vector + part)) : value;
      this.b.setVgprUnder(this.writeMask(), vector + part, written);
      return;
    }
    const index = this.scalarIndex(operand);
    if (index === undefined) this.unsupported(`result ${operand.special || operand.kind}`);
    // TTMP registers are writable in trap handlers only (semantics.md §1).
    if (index < 0 || operand.kind === 'ttmp') return;
    // What M0[15:12] says must be known: it changes by the instructions for it only.
    if (index === SGPR_M0 && this.b.mode.indexed !== undefined) this.unsupported('M0 written while it selects registers');
    this.b.setSgpr(index + part, value);
  }

  set64(value: Value, operand: Operand = this.result()): void {
    const low = this.b.op('low64', value);
    const high = this.b.op('high64', value);
    this.set32(low, operand, 0);
    this.set32(high, operand, 1);
  }

  /**
   * The low 16 bits of `value` into the half that the result means, or the one given. The other half stays; gfx9 clears it, but for
   * what is written to a given half.
   */
  set16(value: Value, operand: Operand = this.result(), half?: 'low' | 'high'): void {
    const { b } = this;
    const isHigh = half === undefined ? isHighHalf(operand) : half === 'high';
    const isWhole = half === undefined && this.generation.isGfx9 && !operand.selectsHalf && !KEEPS_HALF_ON_GFX9.has(this.name);
    if (operand.kind !== 'vgpr' || this.instruction.extension === 'SDWA' || isWhole) {
      this.set32(b.op('and32', value, b.i32(0xffff)), operand);
      return;
    }
    const old = this.#isIndexed(operand) ? readIndexed(this, operand.index, this.#index()) : b.vgpr(operand.index);
    const kept = b.op('and32', old, b.i32(isHigh ? 0xffff : 0xffff_0000));
    const part = isHigh ? b.op('shl32', value, b.i32(16)) : b.op('and32', value, b.i32(0xffff));
    this.set32(b.op('or32', kept, part), operand);
  }

  /** A wave mask, one bool per lane; 0 in lanes that are not written. */
  setMask(value: Value, operand: Operand | undefined): void {
    const index = operand === undefined ? SGPR_VCC : this.scalarIndex(operand);
    if (index === undefined) this.unsupported('mask result');
    if (index < 0) return;
    this.b.setWaveMask(index, this.b.op('ballot', this.b.op('and', value, this.writeMask())));
  }

  /** A wave mask operand as one bool per lane, for use under EXEC; undefined operand: VCC. */
  mask(operand: Operand | undefined): Value {
    if (operand === undefined) return this.b.laneMask(SGPR_VCC);
    const index = this.scalarIndex(operand);
    if (index === -1) return this.b.bool(0);
    if (index !== undefined) return this.b.laneMask(index);
    const { b } = this;
    const high = b.waveSize === 64 ? this.read32(operand, 1) : b.i32(0);
    return b.op('inverseBallot', b.op('pack64', this.read32(operand), high));
  }

  /** An f32 result: denormals flushed, output modifier, clamp. */
  setF32(value: Value): void {
    this.set32(outputF32(this.b, value, this.immediate('omod'), this.immediate('clamp')));
  }

  /** An f64 result. */
  setF64(value: Value): void {
    const { b } = this;
    const omod = this.immediate('omod');
    let result = flushF64(b, value, 'output');
    if (modifiesOutput(b, omod, b.mode.denormF16F64)) {
      result = flushF64(b, b.op('mulF64', result, b.i64(0, OMOD_F64_HIGH[omod] ?? 0)), 'output');
      result = b.op('select64', b.op('eq64', result, b.i64(0, 0x8000_0000)), b.i64(0, 0), result);
    }
    this.set64(this.immediate('clamp') === 1 ? clampF64(b, result) : result);
  }

  /** An f16 result, given as the f16 bits. */
  setF16(value: Value): void {
    this.set16(this.outputF16(value));
  }

  /** Denormals flushed, output modifier, clamp of an f16 result. */
  outputF16(value: Value): Value {
    const { b } = this;
    const omod = this.immediate('omod');
    let result = flushF16(b, value, 'output');
    if (modifiesOutput(b, omod, b.mode.denormF16F64)) {
      const scaled = b.op('mulF32', b.op('f16ToF32', result), b.i32(OMOD_F32[omod] ?? 0));
      result = flushF16(b, b.op('f32ToF16', scaled), 'output');
      result = b.op('select32', b.op('eq32', result, b.i32(0x8000)), b.i32(0), result);
    }
    return this.immediate('clamp') === 1 ? b.op('f32ToF16', clampF32(b, b.op('f16ToF32', result))) : result;
  }

  #isDpp(operand: Operand): boolean {
    const extension = this.instruction.extension;
    return (extension === 'DPP16' || extension === 'DPP8') && operand === this.sources[0];
  }
}

/** Whether a 16-bit operand is the high half of its register: by the register's name, or by op_sel. */
function isHighHalf(operand: Operand): boolean {
  return operand.isHighHalf || (operand.selectsHalf && operand.opSel) || (operand.kind !== 'vgpr' && operand.opSel);
}
