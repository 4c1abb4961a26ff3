/** Field values that name what the tests' waves have: few registers, addresses and offsets inside their memory. */
import type { InstructionTable } from '../../../../isa/src/table/instruction-table.js';
import type { FieldSlice, OperandDescription } from '../../../../isa/src/table/packed-table.js';

/** What the fields can be made of. */
export interface FieldRandom {
  /** Below a limit. */
  below(limit: number): number;
  /** A number of 32 bits, edges of the data types among them. */
  bits(): number;
}

/** Vector registers that operands are taken from. */
export const FIELD_VGPRS = 16;
/** Scalar registers with the address of the tests' memory, and with a small offset. */
export const ADDRESS_SGPRS: readonly number[] = [16, 18, 22];
export const OFFSET_SGPR = 20;
/** Vector registers with addresses: pairs, or the first of each alone. */
export const ADDRESS_VGPRS: readonly number[] = [0, 2];

/** Scalar operand numbers and constants: registers, VCC, EXEC, SCC, integers, floats, a literal. */
const SCALARS: readonly number[] = [
  0, 2, 4, 6, 8, 12, 106, 128, 129, 133, 160, 193, 194, 208, 240, 241, 242, 243, 244, 246, 248, 255, 253, 126,
];
const DATA_VGPRS: readonly number[] = [4, 8, 12];
const MEMORY = /^(?:DS|FLAT|GLOBAL|SCRATCH|SMEM|MUBUF|MTBUF)$/;

/** A random encoding of the entry with such operands. It may be one that the decoder refuses. */
export function encodeSmall(table: InstructionTable, entry: number, random: FieldRandom): Uint8Array {
  const bytes = new Uint8Array(24);
  const words = new Uint32Array(bytes.buffer);
  for (let word = 0; word < 4; word++) words[word] = table.value(entry, word);
  const descriptions = new Map(table.operandSet(entry).map((operand) => [operand.n, operand]));
  const put = (slices: readonly FieldSlice[], value: number): void => {
    for (const [bit, width, target] of slices) {
      const word = bit >>> 5;
      const fixed = word < 4 ? table.mask(entry, word) : 0;
      const part = (Math.floor(value / 2 ** target) % 2 ** width) * 2 ** (bit & 31);
      words[word] = (words[word]! | (part & ~fixed)) >>> 0;
    }
  };
  for (const [name, slices] of table.layout(entry)) {
    const operand = descriptions.get(name);
    const width = slices.reduce((top, [, size, target]) => Math.max(top, size + target), 0);
    if (operand !== undefined) put(slices, fieldValue(table, entry, operand, width, random));
  }
  // A literal, which need not be there.
  const size = table.sizeBytes(entry) / 4;
  if (table.extension(entry) === '') words.set([random.bits(), random.bits()], size);
  return bytes;
}

function fieldValue(
  table: InstructionTable,
  entry: number,
  operand: OperandDescription,
  width: number,
  random: FieldRandom,
): number {
  const registers = typeof operand.w === 'number' ? Math.ceil(operand.w / 32) : 1;
  const pick = (list: readonly number[]): number => list[random.below(list.length)]!;
  const vgpr = (): number => {
    const index = random.below(Math.max(1, FIELD_VGPRS - registers + 1));
    return registers > 1 ? index & ~1 : index;
  };
  const scalar = (count: number): number => {
    const alignment = count > 2 ? 4 : 2;
    return random.below(32 / alignment) * alignment;
  };
  const isMemory = MEMORY.test(table.format(entry));
  switch (operand.k) {
    case 'imm':
      return immediate(table, entry, operand, width, random);
    case 'lit':
      return random.bits();
    case 'mods':
      if (random.below(3) === 0) return random.below(16);
      return table.format(entry).startsWith('VOP3P') ? 8 : 0;
    case 'vgpr':
    case 'av':
    case 'agpr':
      if (isMemory) return memoryRegister(operand, registers, random);
      return vgpr() + (operand.t16 === 1 && random.below(2) === 1 ? 128 : 0);
    case 'vgpr9':
    case 'agpr9':
    case 'av10':
    case 'vgpr_or_lds':
      return 256 + vgpr();
    case 'vgpr_inl':
    case 'agpr_inl':
      return random.below(3) === 0 ? pick([128, 129, 193, 242]) : 256 + vgpr();
    case 'vsrc':
      if (random.below(3) === 0) return pick(SCALARS);
      return 256 + vgpr() + (operand.t16 === 1 && operand.lo128 === 1 && random.below(2) === 1 ? 128 : 0);
    case 'sdwa_src':
      return random.below(3) === 0 ? 256 + pick(SCALARS) : vgpr();
    case 'sdwa_vopc_dst':
      return random.below(2) === 0 ? 0 : 128 + scalar(2);
    case 'sbool':
      return random.below(3) === 0 ? 106 : scalar(2);
    case 'sgpr':
      if (isMemory && (operand.n === 'saddr' || operand.n === 'sbase')) return pick(ADDRESS_SGPRS);
      if (isMemory && operand.n === 'soffset') return OFFSET_SGPR;
      return scalar(registers);
    default:
      return random.below(3) === 0 ? pick(SCALARS) : scalar(registers);
  }
}

function memoryRegister({ n: name }: OperandDescription, registers: number, random: FieldRandom): number {
  if (name === 'vaddr' || name === 'addr') return name === 'addr' ? 0 : ADDRESS_VGPRS[random.below(2)]!;
  if (name === 'data1') return 8;
  if (name === 'data0') return 4 * (1 + random.below(registers > 2 ? 1 : 2));
  return registers > 4 ? 0 : [0, ...DATA_VGPRS][random.below(name === 'vdst' ? 4 : 3)]!;
}

function immediate(
  table: InstructionTable,
  entry: number,
  operand: OperandDescription,
  width: number,
  random: FieldRandom,
): number {
  const any = (): number => random.bits() % 2 ** Math.min(width, 32);
  switch (operand.c) {
    case 'flat_offset': {
      const isSigned = table.format(entry) !== 'FLAT' || table.family.startsWith('gfx12');
      if (random.below(4) === 0) return 0;
      const value = random.below(64) * 4 - (isSigned ? 128 : 0);
      return value < 0 ? value + 2 ** width : value;
    }
    case 'offset':
      return random.below(4) === 0 ? any() : random.below(32) * 4;
    case 'smemoffset':
    case 'smemoffsetmod':
    case 'optsmemoffsetmod':
      return random.below(64) * 4;
    case 'cpol':
      return random.below(2) === 0 ? 0 : any();
    case 'dpprowmask':
    case 'dppbankmask':
      return random.below(2) === 0 ? 0xf : any();
    case 'gds':
      return 0;
    default:
      return any();
  }
}
