import { HsaError } from '@doorbell/abi/core';
import type { DecodeContext } from '../decode/decode-context.js';
import { DecodedInstruction } from '../decode/decoded-instruction.js';
import type { DecodedOperand } from '../decode/decoded-operand.js';
import { PairInstruction } from '../decode/pairs.js';
import type { Instruction } from '../instruction.js';
import {
  formatDelayAlu,
  formatDepctr,
  formatExportTarget,
  formatGprIndexMode,
  formatHwreg,
  formatInterpolationSlot,
  formatVersion,
  formatWaitcnt,
} from './immediates.js';
import { formatSendmsg } from './messages.js';
import { MIXED, STORE_FROM_LDS, formatBitop, formatModifiers, signedHex } from './modifiers.js';
import { decimalOrHex, formatValue, hex } from './values.js';
import { formatBank } from './vgpr-banks.js';

export interface FormatOptions {
  /** Address of the instruction; with {@link FormatOptions.symbolAt}, branch targets are printed by name. */
  readonly pc?: bigint;
  /** Name of an address, or undefined where it has none. */
  readonly symbolAt?: (address: bigint) => string | undefined;
  /** The low byte of the last s_set_vgpr_msb (gfx1250): registers above v255 are named in comments. Default 0. */
  readonly vgprBanks?: number;
}

/**
 * The text of an instruction as llvm-mc 22 prints it, without indentation.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT the instruction was not made by a decoder of this package.
 */
export function formatInstruction(instruction: Instruction, options: FormatOptions = {}): string {
  if (instruction instanceof PairInstruction) return formatPair(instruction, options);
  if (!(instruction instanceof DecodedInstruction)) {
    throw new HsaError('ERR_INVALID_ARGUMENT', { message: 'the instruction was not made by a decoder of @doorbell/isa' });
  }
  const printer = new Printer(instruction, options);
  const operands = printer.operands();
  const gap = hasExtraSpace(instruction) ? '  ' : ' ';
  const text = operands.length > 0 ? `${instruction.mnemonic}${gap}${operands.join(', ')}` : instruction.mnemonic;
  const modifiers = formatModifiers(instruction, instruction.context);
  return instruction.name === 'tensor_stop' && modifiers !== '' ? `${text} ${modifiers}` : text + modifiers;
}

/** llvm-mc's image forms with separate addresses and a sampler have two spaces. */
function hasExtraSpace(instruction: Instruction): boolean {
  return instruction.extension === 'NSA' && instruction.operand('ssamp') !== undefined;
}

function formatPair(pair: PairInstruction, { vgprBanks = 0 }: FormatOptions): string {
  return pair.vopd
    .map((half) => {
      const values = half.operands.filter(({ kind }) => kind !== 'immediate');
      const texts = values.map((operand) => {
        const bank = formatBank(operand, pair.format, half.mnemonic, vgprBanks);
        return withSigns(operand, formatValue(operand, pair.words) + bank);
      });
      return `${half.mnemonic} ${texts.join(', ')}${formatBitop(half.operands)}`;
    })
    .join(' :: ');
}

/** Prints the operands of one instruction. */
class Printer {
  readonly #instruction: DecodedInstruction;
  readonly #context: DecodeContext;
  readonly #options: FormatOptions;

  constructor(instruction: DecodedInstruction, options: FormatOptions) {
    this.#instruction = instruction;
    this.#context = instruction.context;
    this.#options = options;
  }

  /** The texts between the commas. */
  operands(): string[] {
    const instruction = this.#instruction;
    const texts = instruction.operands.map((operand) => this.#operand(operand)).filter((text) => text !== undefined);
    switch (instruction.format) {
      case 'VOPC':
        return instruction.implicitWrites.includes('vcc') && !instruction.operand('sdst') ? [this.#vcc(), ...texts] : texts;
      case 'VOP2':
        if (instruction.implicitWrites.includes('vcc')) texts.splice(1, 0, this.#vcc());
        if (instruction.implicitReads.includes('vcc')) texts.push(this.#vcc());
        return texts;
      case 'GLOBAL':
        // Cache control has no operands.
        return instruction.operand('saddr') || texts.length === 0 ? texts : [...texts, 'off'];
      case 'SCRATCH':
        return this.#scratch(texts);
      case 'MUBUF':
      case 'MTBUF':
        if (!instruction.operand('vaddr') && instruction.operand('srsrc') && instruction.name !== STORE_FROM_LDS) {
          texts.splice(instruction.operand('vdata') ? 1 : 0, 0, 'off');
        }
        return texts;
      case 'EXP':
        return this.#exportOperands(texts);
      case 'MIMG':
      case 'VIMAGE':
      case 'VSAMPLE':
        return this.#imageOperands();
      default:
        return texts;
    }
  }

  #vcc(): string {
    return this.#context.waveSize === 64 ? 'vcc' : 'vcc_lo';
  }

  /** `vdst, vaddr, saddr` or `vaddr, vdata, saddr`, `off` for what is not there. */
  #scratch(texts: readonly string[]): string[] {
    const get = (name: string): string => {
      const index = this.#instruction.operands.findIndex((operand) => operand.name === name);
      return texts[index] ?? 'off';
    };
    if (this.#instruction.operand('vdst')) return [get('vdst'), get('vaddr'), get('saddr')];
    // Loads into LDS have no register for the data.
    const data = this.#instruction.operand('vdata') ? [get('vdata')] : [];
    return [get('vaddr'), ...data, get('saddr')];
  }

  /** The target comes without a comma; sources whose enable bit is 0 are off. */
  #exportOperands([target = '', ...sources]: readonly string[]): string[] {
    const enabled = this.#instruction.operand('en')?.value ?? 0;
    // Compressed: each of the first two registers holds two values.
    const isCompressed = this.#instruction.operand('compr')?.value === 1;
    const printed = sources.map((_, i) => (((enabled >>> i) & 1) === 1 ? (sources[isCompressed ? i >> 1 : i] ?? '') : 'off'));
    return [`${target} ${printed[0] ?? 'off'}`, ...printed.slice(1)];
  }

  /** Separate addresses are printed as one list. */
  #imageOperands(): string[] {
    const registers = this.#instruction.operands.filter((operand) => operand.kind !== 'immediate' && operand.bits > 0);
    const addresses = registers.filter((operand) => operand.name.startsWith('vaddr'));
    const { format, extension } = this.#instruction;
    const isList = format === 'MIMG' ? extension === 'NSA' : extension === '' && addresses.length > 1;
    if (!isList) return registers.map((operand) => formatValue(operand, []));
    const list = `[${addresses.map((operand) => formatValue(operand, [])).join(', ')}]`;
    const others = registers.filter((operand) => !operand.name.startsWith('vaddr')).map((operand) => formatValue(operand, []));
    return [others[0] ?? '', list, ...others.slice(1)];
  }

  /** The text of one operand; undefined for what is a modifier. */
  #operand(operand: DecodedOperand): string | undefined {
    if (operand.kind === 'immediate') return this.#immediate(operand);
    const { words, format, name } = this.#instruction;
    const text = formatValue(operand, words) + formatBank(operand, format, name, this.#options.vgprBanks ?? 0);
    // Packed operations print their signs as lists behind the operands.
    if (format === 'VOP3PX2' || format === 'VOP3P_MAI' || (format === 'VOP3P' && !MIXED.test(name))) return text;
    return withSigns(operand, text);
  }

  #immediate(operand: DecodedOperand): string | undefined {
    const { value } = operand;
    switch (operand.immediate) {
      case 's16imm':
        return hex(value & 0xffff);
      case 'u16imm':
        return hex(value);
      case 'i16imm':
      case 'i32imm':
        return operand.name === 'en' ? undefined : decimalOrHex(operand.name === 'imm' ? value | 0 : value);
      case 'i8imm':
        return decimalOrHex(value);
      case 'endpgm':
        return value === 0 ? undefined : String(value);
      case 'hwreg':
        return formatHwreg(value, this.#context);
      case 'sendmsg':
        return formatSendmsg(value, this.#context);
      case 'swaitcnt':
        return formatWaitcnt(value, this.#context);
      case 'depctr':
        return formatDepctr(value, this.#context);
      case 'sdelayalu':
        return formatDelayAlu(value);
      case 'versionimm':
        return formatVersion(value);
      case 'soppbrtarget':
        return this.#branchTarget(value);
      case 'exp_tgt':
        return formatExportTarget(value, this.#context);
      case 'gpridxmode':
        return formatGprIndexMode(value);
      case 'interpslot':
        return formatInterpolationSlot(value);
      case 'interpattr':
        return `attr${value}.${'xyzw'[this.#instruction.operand('attrchan')?.value ?? 0] ?? ''}`;
      case 'smemoffset':
        return signedHex(value);
      default:
        return undefined;
    }
  }

  /** The symbol at the target, or the encoded distance as llvm-mc prints it. */
  #branchTarget(distance: number): string {
    const { pc, symbolAt } = this.#options;
    const symbol = pc === undefined ? undefined : symbolAt?.(pc + BigInt(this.#instruction.sizeBytes + distance * 4));
    return symbol ?? String(distance & 0xffff);
  }
}

/** `-|v1|`; a constant with a sign before it is put into `neg()`, so that it does not look like a negative constant. */
function withSigns(operand: DecodedOperand, text: string): string {
  if (operand.sext) return `sext(${text})`;
  if (operand.abs) return operand.neg ? `-|${text}|` : `|${text}|`;
  if (!operand.neg) return text;
  const isConstant = operand.kind === 'inline' || (operand.kind === 'literal' && !text.startsWith('lit'));
  return isConstant ? `neg(${text})` : `-${text}`;
}
