import type { Expression } from '@doorbell/isa';
import { vgprEncodeGranule } from '../kernel/kernel-descriptor.js';
import type { SourcePlace } from '../write/link-types.js';
import {
  COMPUTED_FIELDS,
  type DescriptorWord,
  instructionPrefetchField,
  KERNEL_FIELDS,
  type KernelField,
} from './kernel-fields.js';
import type { KernelTarget } from './kernel-target.js';
import { SourceError } from './problems.js';

/** The value of a directive: a number, or an expression whose symbols come later. */
export interface KernelValue {
  readonly value: bigint | Expression;
  readonly origin: SourcePlace;
}

/** Looks an expression up when everything is known. */
export type ValueReader = (value: KernelValue) => bigint;

/** Highest SGPR number of gfx8 and gfx9 plus one. */
const ADDRESSABLE_SGPRS = 102;
const PREFIX = '.amdhsa_';

/** One `.amdhsa_kernel` … `.end_amdhsa_kernel`. */
export class KernelBlock {
  readonly name: string;
  readonly origin: SourcePlace;
  readonly #target: KernelTarget;
  readonly #values = new Map<string, KernelValue>();

  constructor(name: string, target: KernelTarget, origin: SourcePlace) {
    this.name = name;
    this.origin = origin;
    this.#target = target;
  }

  /**
   * Takes one directive, with its dot.
   *
   * @throws {SourceError} there is none of this name, the target does not have it, or it is there twice.
   */
  set(directive: string, value: KernelValue): void {
    const key = directive.slice(PREFIX.length);
    const field = this.#field(key) ?? (Object.hasOwn(COMPUTED_FIELDS, key) ? COMPUTED_FIELDS[key] : undefined);
    if (!field) throw new SourceError(`there is no directive ${directive}`);
    const reason = field.missing?.(this.#target);
    if (reason !== undefined) throw new SourceError(`${this.#target.processor} does not take ${directive}: ${reason}`);
    if (this.#values.has(key)) throw new SourceError(`${directive} is there twice`);
    if (typeof value.value === 'bigint') checkRange(directive, value.value, field.width);
    this.#values.set(key, value);
  }

  /** The 64 bytes, without the offset of the entry. @throws {SourceError} values contradict each other. */
  encode(read: ValueReader): Uint8Array {
    const words = this.#defaults();
    for (const [key, value] of this.#values) {
      const field = this.#field(key);
      if (field) words.set(field, checkRange(PREFIX + key, read(value), field.width));
    }
    const number = (key: string, preset: number): number => {
      const value = this.#values.get(key);
      return value ? Number(checkRange(PREFIX + key, read(value), 32)) : preset;
    };
    this.#setRegisters(words, number);
    this.#checkWhole(words, number);
    return words.finish();
  }

  #field(key: string): KernelField | undefined {
    if (key === 'inst_pref_size') return instructionPrefetchField(this.#target);
    return Object.hasOwn(KERNEL_FIELDS, key) ? KERNEL_FIELDS[key] : undefined;
  }

  /** What a kernel gets without a directive (LLVM, getDefaultAmdhsaKernelDescriptor). */
  #defaults(): DescriptorWords {
    const { hasFloatModes, hasWorkgroupProcessorMode, major, waveSize } = this.#target;
    const words = new DescriptorWords();
    const on = (key: string, value = 1n): void => {
      const field = this.#field(key);
      if (field) words.set(field, value);
    };
    on('float_denorm_mode_16_64', 3n);
    on('system_sgpr_workgroup_id_x');
    if (hasFloatModes) {
      on('dx10_clamp');
      on('ieee_mode');
    }
    if (hasWorkgroupProcessorMode) on('workgroup_processor_mode');
    if (major >= 10) {
      on('memory_ordered');
      on('forward_progress');
      on('wavefront_size32', waveSize === 32 ? 1n : 0n);
    }
    return words;
  }

  #setRegisters(words: DescriptorWords, number: (key: string, preset: number) => number): void {
    const { isGfx90a, isGfx1250Plus, generation, maxUserSgprs, waveSize } = this.#target;
    for (const key of ['next_free_vgpr', 'next_free_sgpr', ...(isGfx90a ? ['accum_offset'] : [])]) {
      if (!this.#values.has(key)) throw new SourceError(`${PREFIX}${key} is missing from the kernel ${this.name}`);
    }
    const wave32 = number('wavefront_size32', waveSize === 32 ? 1 : 0) !== 0;
    const vgprs = number('next_free_vgpr', 0);
    const vgprBlocks = blocks(vgprs, vgprEncodeGranule(generation, wave32 ? 32 : 64));
    words.setNumber({ word: 'rsrc1', shift: 0, width: 6 }, vgprBlocks, `${PREFIX}next_free_vgpr ${vgprs}`);
    const userSgprs = this.#userSgprs(number);
    if (userSgprs > maxUserSgprs) {
      throw new SourceError(`the kernel ${this.name} has ${userSgprs} user SGPRs; ${this.#target.processor} has ${maxUserSgprs}`);
    }
    words.setNumber({ word: 'rsrc1', shift: 6, width: 4 }, this.#sgprBlocks(number, userSgprs), `${PREFIX}next_free_sgpr`);
    words.setNumber({ word: 'rsrc2', shift: 1, width: isGfx1250Plus ? 6 : 5 }, userSgprs, `${PREFIX}user_sgpr_count`);
    if (isGfx90a) {
      const offset = number('accum_offset', 0);
      if (offset < 4 || offset > 256 || offset % 4 !== 0) {
        throw new SourceError(`${PREFIX}accum_offset is ${offset}, not a multiple of 4 from 4 to 256`);
      }
      if (offset > Math.ceil(Math.max(1, vgprs) / 4) * 4) {
        throw new SourceError(`${PREFIX}accum_offset ${offset} lies behind the ${vgprs} VGPRs of the kernel`);
      }
      words.setNumber({ word: 'rsrc3', shift: 0, width: 6 }, offset / 4 - 1, `${PREFIX}accum_offset`);
    }
  }

  /** SGPRs set up before the kernel runs: as counted, or as the items that are on need. */
  #userSgprs(number: (key: string, preset: number) => number): number {
    let implied = number('user_sgpr_kernarg_preload_length', 0);
    for (const key of this.#values.keys()) {
      const count = this.#field(key)?.userSgprs;
      if (count !== undefined && number(key, 0) !== 0) implied += count;
    }
    const count = number('user_sgpr_count', implied);
    if (count < implied) throw new SourceError(`${PREFIX}user_sgpr_count is ${count}, but the items that are on need ${implied}`);
    return count;
  }

  #sgprBlocks(number: (key: string, preset: number) => number, userSgprs: number): number {
    const { major, hasArchitectedFlatScratch, isXnackOnOrAny } = this.#target;
    const wanted = number('next_free_sgpr', 0);
    if (major >= 10) return 0;
    const named = number('user_sgpr_kernarg_preload_length', 0) > 0 ? Math.max(wanted, userSgprs) : wanted;
    if (named > ADDRESSABLE_SGPRS)
      throw new SourceError(`${PREFIX}next_free_sgpr is ${named}; there are ${ADDRESSABLE_SGPRS} SGPRs`);
    const usesFlatScratch = hasArchitectedFlatScratch || number('reserve_flat_scratch', 1) !== 0;
    // VCC lies at the end, behind XNACK_MASK and FLAT_SCRATCH where those are (AMDGPUUsage, "SGPR").
    const usesVcc = number('reserve_vcc', 1) !== 0;
    const extra = usesFlatScratch ? 6 : isXnackOnOrAny ? 4 : usesVcc ? 2 : 0;
    return blocks(named + extra, 8);
  }

  #checkWhole(words: DescriptorWords, number: (key: string, preset: number) => number): void {
    const { major, waveSize, isXnackOnOrAny, processor } = this.#target;
    if (this.#values.has('reserve_xnack_mask') && (number('reserve_xnack_mask', 0) !== 0) !== isXnackOnOrAny) {
      throw new SourceError(
        `${PREFIX}reserve_xnack_mask does not agree with the target ${processor} (xnack ${isXnackOnOrAny ? 'on or any' : 'off'})`,
      );
    }
    const preloadLength = number('user_sgpr_kernarg_preload_length', 0);
    const preloadEnd = (preloadLength + number('user_sgpr_kernarg_preload_offset', 0)) * 4;
    const kernargBytes = number('kernarg_size', 0);
    if (preloadLength > 0 && kernargBytes > 0 && preloadEnd > kernargBytes) {
      throw new SourceError(
        `the preloaded kernel arguments end at ${preloadEnd}, behind the kernarg segment of ${kernargBytes} bytes`,
      );
    }
    if (major !== 10 && major !== 11) return;
    const shared = number('shared_vgpr_count', 0);
    const wave32 = number('wavefront_size32', waveSize === 32 ? 1 : 0) !== 0;
    if (shared > 0 && this.#values.has('wavefront_size32') && wave32) {
      throw new SourceError(`${PREFIX}shared_vgpr_count is for waves of 64`);
    }
    if (shared * 2 + words.get({ word: 'rsrc1', shift: 0, width: 6 }) > 63) {
      throw new SourceError('the shared VGPRs and the others together are more than there are');
    }
  }
}

/** Whether a directive belongs into a kernel block. */
export function isKernelDirective(name: string): boolean {
  return name.startsWith(PREFIX) && name !== '.amdhsa_kernel' && name !== '.amdhsa_code_object_version';
}

type Place = Pick<KernelField, 'word' | 'shift' | 'width'>;

/** Where the words lie in a descriptor (AMDHSAKernelDescriptor.h, kernel_descriptor_t). */
const WORD_OFFSETS: Readonly<Record<DescriptorWord, number>> = {
  groupBytes: 0,
  privateBytes: 4,
  kernargBytes: 8,
  rsrc3: 44,
  rsrc1: 48,
  rsrc2: 52,
  properties: 56,
  kernargPreload: 58,
};

class DescriptorWords {
  readonly #view = new DataView(new ArrayBuffer(64));

  get({ word, shift, width }: Place): number {
    return Math.floor(this.#word(word) / 2 ** shift) % 2 ** width;
  }

  set(place: Place, value: bigint): void {
    const { word, shift, width } = place;
    const cleared = this.#word(word) - this.get({ word, shift, width }) * 2 ** shift;
    const result = cleared + Number(value) * 2 ** shift;
    if (word === 'properties' || word === 'kernargPreload') this.#view.setUint16(WORD_OFFSETS[word], result, true);
    else this.#view.setUint32(WORD_OFFSETS[word], result, true);
  }

  /** With a check that it fits; `what` is said where it does not. */
  setNumber(place: Place, value: number, what: string): void {
    if (value < 0 || value >= 2 ** place.width) throw new SourceError(`${what} is more than the descriptor can say`);
    this.set(place, BigInt(value));
  }

  finish(): Uint8Array {
    return new Uint8Array(this.#view.buffer);
  }

  #word(word: DescriptorWord): number {
    if (word === 'properties' || word === 'kernargPreload') return this.#view.getUint16(WORD_OFFSETS[word], true);
    return this.#view.getUint32(WORD_OFFSETS[word], true);
  }
}

/** Granules beyond the first. */
function blocks(registers: number, granule: number): number {
  return Math.ceil(Math.max(1, registers) / granule) - 1;
}

function checkRange(what: string, value: bigint, width: number): bigint {
  if (value < 0n || value >= 1n << BigInt(width)) {
    throw new SourceError(`${what} is ${value}`, { expected: [`a number from 0 to ${(1n << BigInt(width)) - 1n}`] });
  }
  return value;
}
