/**
 * Register counts of image instructions, which fields decide (AMD RDNA3 ISA document, "Image Instructions"; LLVM
 * AMDGPUDisassembler::convertMIMGInst, AMDGPU::getAddrSizeMIMGOp).
 */
import type { InstructionTable } from '../table/instruction-table.js';
import type { ImageProperties } from '../table/packed-table.js';
import type { OperandPlan } from './operand-plan.js';
import { readField } from './operand-plan.js';

/** Coordinates and gradients by the dim field: 1D, 2D, 3D, CUBE, 1D_ARRAY, 2D_ARRAY, 2D_MSAA, 2D_MSAA_ARRAY. */
const COORDINATES = [1, 2, 3, 3, 2, 3, 3, 4];
const GRADIENTS = [2, 4, 6, 4, 2, 4, 4, 4];
/** What samplers take at most: no multisample dimension. */
const MAX_SAMPLER_COORDINATES = 3;
const MAX_GRADIENTS = 6;
const MAX_PACKED_GRADIENTS = 4;
const MAX_PLAIN_ADDRESS = 4;
/** Above this an address tuple has 16 registers. */
const LARGEST_ODD_ADDRESS = 12;
const VGPRS = 256;

export interface ImageRegisters {
  readonly dataDwords: number;
  /** In registers of their own, or all in one tuple. */
  readonly addressDwords: number;
}

/** Whether fields decide how many registers an instruction has; the ray intersections of gfx12 have fixed numbers. */
export function isSizedByFields(table: InstructionTable, entry: number): boolean {
  return table.operandSet(entry).some(({ w }) => w === 'dmask') && table.image(entry) !== undefined;
}

/** Registers that data and address take. Where the instruction has no form with the sizes its fields ask for: those of the table's form. */
export function imageRegisters(table: InstructionTable, entry: number, words: ArrayLike<number>): ImageRegisters {
  const properties = table.image(entry) ?? {};
  if (properties['BVH']) return bvhRegisters(table, entry, properties);
  const layout = table.layout(entry);
  const field = (name: string): number => {
    const slices = layout.get(name);
    return slices === undefined ? 0 : readField(slices, words);
  };
  const isSeparate = table.extension(entry) === 'NSA' || table.format(entry) !== 'MIMG';
  const dataDwords = countData(properties, field);
  const defaults = { dataDwords: properties['DataDwords'] ?? 1, addressDwords: properties['AddressDwords'] ?? 1 };
  // gfx9 has no dim field: only the descriptor says how many coordinates there are.
  const addressDwords = layout.has('dim') ? countAddress(properties, field, isSeparate) : defaults.addressDwords;
  // MIMG has separate addresses from two on.
  const isTooShort = table.extension(entry) === 'NSA' && addressDwords < 2;
  // Before gfx11 the last register cannot stand for several.
  const isTooLong = table.extension(entry) === 'NSA' && table.family === 'gfx10' && addressDwords > defaults.addressDwords;
  if (isTooShort || isTooLong || !hasDataSize(properties, dataDwords) || !hasAddressSize(properties, addressDwords, isSeparate))
    return defaults;
  return { dataDwords, addressDwords };
}

/** Whether data and address lie within v0…v255. */
export function hasImageRegisters(table: InstructionTable, candidate: ImageCandidate, words: ArrayLike<number>): boolean {
  const registers = imageRegisters(table, candidate.entry, words);
  const { operands } = candidate.plan;
  const addressFields = countAddressFields(operands);
  return operands.every((plan) => {
    const { k } = plan.description;
    if (k !== 'vgpr' && k !== 'av') return true;
    const first = readField(plan.slices, words) % VGPRS;
    const count = imageOperandBits(plan, registers, addressFields) / 32;
    return first + count <= VGPRS && !(table.facts.hasEvenTuples && count > 1 && first % 2 !== 0);
  });
}

interface ImageCandidate {
  readonly entry: number;
  readonly plan: { readonly operands: readonly OperandPlan[] };
}

/** How many address registers the encoding has fields for. */
export function countAddressFields(operands: readonly OperandPlan[]): number {
  return operands.filter(({ name }) => name.startsWith('vaddr')).length;
}

/** Width of one operand in bits; 0 for an address register that the instruction does not use. */
export function imageOperandBits(plan: OperandPlan, registers: ImageRegisters, addressFields: number): number {
  if (plan.description.w === 'dmask') return registers.dataDwords * 32;
  if (plan.description.w === 'dim') return registers.addressDwords * 32;
  const number = /^vaddr(\d+)$/.exec(plan.name)?.[1];
  if (number === undefined || plan.bits !== 32) return plan.bits;
  const index = Number(number);
  if (index >= registers.addressDwords) return 0;
  // The last field holds what has no field of its own.
  return index === addressFields - 1 ? (registers.addressDwords - index) * 32 : 32;
}

function countData(properties: ImageProperties, field: (name: string) => number): number {
  let components = 0;
  for (let rest = field('dmask'); rest !== 0; rest &= rest - 1) components++;
  let dwords = properties['Gather4'] ? 4 : Math.max(components, 1);
  if (field('d16') === 1) dwords = (dwords + 1) >> 1;
  return field('tfe') === 1 ? dwords + 1 : dwords;
}

function countAddress(properties: ImageProperties, field: (name: string) => number, isSeparate: boolean): number {
  const dimension = field('dim');
  const components = (properties['Coordinates'] ? (COORDINATES[dimension] ?? 0) : 0) + (properties['LodOrClampOrMip'] ?? 0);
  let dwords = (properties['NumExtraArgs'] ?? 0) + (field('a16') === 1 ? (components + 1) >> 1 : components);
  if (properties['Gradients']) {
    const gradients = GRADIENTS[dimension] ?? 0;
    // Packed: the gradients of each direction begin at a dword of their own.
    dwords += properties['G16'] ? 2 * Math.ceil(gradients / 4) : gradients;
  }
  return !isSeparate && dwords > LARGEST_ODD_ADDRESS ? 16 : dwords;
}

function hasDataSize(properties: ImageProperties, dwords: number): boolean {
  if (properties['Atomic']) return properties['AtomicX2'] ? dwords >= 2 : dwords <= 3;
  return !(properties['Gather4'] && properties['Sampler']) || dwords !== 3;
}

function hasAddressSize(properties: ImageProperties, dwords: number, isSeparate: boolean): boolean {
  if (!properties['Sampler']) return dwords <= MAX_PLAIN_ADDRESS;
  const gradients = properties['Gradients'] ? (properties['G16'] ? MAX_PACKED_GRADIENTS : MAX_GRADIENTS) : 0;
  const most = (properties['NumExtraArgs'] ?? 0) + MAX_SAMPLER_COORDINATES + (properties['LodOrClampOrMip'] ?? 0) + gradients;
  // Tuples of 4 and 8 registers stand in for 3 and 7.
  const isRoundedUp = !isSeparate && (most === 3 || most === 7);
  return dwords <= (isRoundedUp ? most + 1 : most);
}

/** Ray: node pointer, extent, origin, direction, inverse direction; a16 packs the two directions. */
function bvhRegisters(table: InstructionTable, entry: number, properties: ImageProperties): ImageRegisters {
  const pointer = table.name(entry).includes('bvh64') ? 2 : 1;
  return { dataDwords: 4, addressDwords: pointer + 1 + 3 + (properties['A16'] ? 3 : 6) };
}
