/** Encodings of every implemented instruction: those of the tables with random operands that the tests' waves have. */
import { createDecoder, type Decoder, type Instruction } from '@doorbell/isa';
import type { InstructionTable } from '../../../isa/src/table/instruction-table.js';
import { instructionTable } from '../../../isa/src/table/processors.js';
import type { Block } from '../../src/ir/block.js';
import type { FloatMode } from '../../src/ir/float-mode.js';
import { decodeMode } from '../../src/semantics/mode-register.js';
import { buildBlock, generationOf, semanticsOf } from '../../src/semantics/index.js';
import { computeEntries, type Target } from '../semantics/support/encodings.js';
import { encodeSmall } from '../semantics/support/operand-fields.js';
import type { Random } from './harness.js';
import { BUFFER, BUFFER_BYTES, MODE, VGPRS } from './harness.js';
import { GPU_BASE_HIGH } from '../../src/memory-map.js';

export interface Sample {
  readonly instruction: Instruction;
  readonly block: Block;
  readonly mode: FloatMode;
}

/** Encodings that are tried before an entry, or a pair of operations, counts as one without. */
const ATTEMPTS = 48;

/**
 * Up to `variants` encodings of each implemented instruction in each format and extension, with registers below the test's: the first
 * for the usual MODE, each other for a random one.
 *
 * @param isWanted leaves names out before anything is encoded; pairs have the names of both halves.
 */
export function findSamples(
  target: Target,
  variants: number,
  random: Random,
  isWanted: (name: string) => boolean = () => true,
): Map<string, Sample[]> {
  const { processor, waveSize } = target;
  const decoder = createDecoder(processor, { waveSize });
  const table = instructionTable(processor);
  const semantics = semanticsOf(generationOf(processor));
  const samples = new Map<string, Sample[]>();
  const add = (encode: () => Uint8Array, key: string, isExpected: (instruction: Instruction) => boolean): void => {
    const list = samples.get(key) ?? [];
    for (let attempt = 0; attempt < ATTEMPTS * variants && list.length < variants; attempt++) {
      const mode = list.length === 0 ? MODE : randomMode(processor, random);
      const sample = trySample(decoder, mode, encode(), isExpected);
      if (sample !== undefined) list.push(sample);
    }
    if (list.length > 0) samples.set(key, list);
  };
  for (const entry of computeEntries(target)) {
    const name = table.name(entry);
    if (!semantics.has(name) || !isWanted(name)) continue;
    const extension = table.extension(entry);
    const key = `${table.format(entry)}${extension === '' ? '' : `/${extension}`} ${name}`;
    add(
      () => encodeSmall(table, entry, random),
      key,
      (instruction) => instruction.name === name,
    );
  }
  if (waveSize === 32) addPairs(table, random, (name) => semantics.has(name) && isWanted(name), add);
  return samples;
}

/** Each operation of each half of the dual formats, with a random other half. */
function addPairs(
  table: InstructionTable,
  random: Random,
  isWanted: (name: string) => boolean,
  add: (encode: () => Uint8Array, key: string, isExpected: (instruction: Instruction) => boolean) => void,
): void {
  for (const [format, description] of Object.entries(table.parts.vopd ?? {})) {
    const pair = table.facts.pairs[format]!;
    for (const [half, operations] of [
      ['X', description.X],
      ['Y', description.Y],
    ] as const) {
      for (const [opcode, mnemonic] of operations) {
        const name = mnemonic.replace('v_dual_', 'v_');
        if (!isWanted(name)) continue;
        const encode = (): Uint8Array => {
          const others = half === 'X' ? description.Y : description.X;
          const other = others[random.below(others.length)]![0];
          const words = new Uint32Array(6);
          const fields = description.layout['12']!;
          for (const [field, slices] of Object.entries(fields)) {
            const value = field.startsWith('src0')
              ? random.below(3) === 0
                ? 128 + random.below(64)
                : 256 + random.below(VGPRS)
              : field.includes('modifiers')
                ? random.below(4)
                : field === 'imm' || field === 'bitop3'
                  ? random.bits()
                  : random.below(VGPRS);
            for (const [bit, width, low] of slices) {
              const part = Math.floor(value / 2 ** low) % 2 ** width;
              words[bit >>> 5] = (words[bit >>> 5]! | (part << (bit & 31))) >>> 0;
            }
          }
          words[0] = ((words[0]! & ~pair.mask) | pair.value) >>> 0;
          setBits(words, pair.opX, half === 'X' ? opcode : other);
          setBits(words, pair.opY, half === 'Y' ? opcode : other);
          return new Uint8Array(words.buffer);
        };
        add(encode, `${format}${half} ${name}`, (instruction) => instruction.vopd?.[half === 'X' ? 0 : 1].name === name);
      }
    }
  }
}

function setBits(words: Uint32Array, [bit, width]: readonly [number, number], value: number): void {
  const mask = (2 ** width - 1) << (bit & 31);
  words[bit >>> 5] = ((words[bit >>> 5]! & ~mask) | (value << (bit & 31))) >>> 0;
}

/** Rounding, denormals and, where the generation has them, DX10_CLAMP and IEEE. */
function randomMode(processor: string, random: Random): FloatMode {
  const bits = random.below(0x400);
  return decodeMode(generationOf(processor).isGfx12OrLater ? (bits & 0xff) | 0x100 : bits);
}

function trySample(
  decoder: Decoder,
  mode: FloatMode,
  bytes: Uint8Array,
  isExpected: (instruction: Instruction) => boolean,
): Sample | undefined {
  const decoded = decoder.decode(bytes, 0);
  if (!decoded.ok || decoded.instruction.format === 'SOPP') return undefined;
  const { instruction } = decoded;
  if (!isExpected(instruction) || !instruction.operands.every(isSmall)) return undefined;
  const block = buildBlock([{ offset: 0, instruction }], {
    waveSize: decoder.waveSize,
    mode,
    processor: decoder.processor,
    codeBase: 0n,
    vgprCount: VGPRS,
  });
  if (block.exit.kind !== 'fall' || block.modeAfter !== undefined) return undefined;
  if (block.effects.some((effect) => effect.kind === 'clock')) return undefined;
  return { instruction, block, mode };
}

/** All registers are there in the test's waves. */
function isSmall(operand: Instruction['operands'][number]): boolean {
  if (operand.kind === 'vgpr') return operand.index + Math.ceil(operand.bits / 32) <= VGPRS;
  return operand.kind !== 'agpr';
}

/** Registers for a memory instruction: addresses in the buffer. */
export function addressRegister(index: number, waveSize: number, random: Random): number {
  const vgpr = Math.floor(index / waveSize);
  if (vgpr === 0 || vgpr === 2) return BUFFER + 512 + (random.word() % (BUFFER_BYTES - 1024) & ~7);
  if (vgpr === 1 || vgpr === 3) return GPU_BASE_HIGH;
  return random.bits();
}
