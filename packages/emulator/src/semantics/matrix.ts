/**
 * Matrix instructions: MFMA and SMFMAC of CDNA, WMMA and SWMMAC of gfx11 and later (semantics.md §13, §14). Where elements live and
 * what the fields do to them becomes the operation; source modifiers are done to the operands' registers here. EXEC plays no part.
 */
import { InternalError } from '@doorbell/abi';
import type { Operand } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import type { ElementFormat, ResultFormat, SmallFloatName } from '../matrix/element-format.js';
import { isInteger } from '../matrix/element-format.js';
import type { MatrixLayout, MatrixRow } from '../matrix/layout.js';
import { matrixRows } from '../matrix/layout.js';
import type { MatrixOp, MatrixScale, ScaleFormat, ScalePlaces, SumOrder } from '../matrix/matrix-op.js';
import type { Family } from './generation.js';
import type { Operation, Semantic } from './operation.js';

/** Element formats of the format fields (LLVM, MatrixFMT and the cbsz of f8f6f4). */
const FIELD_FORMATS: readonly SmallFloatName[] = ['fp8', 'bf8', 'fp6', 'bf6', 'fp4'];
const SCALE_FORMATS: readonly ScaleFormat[] = ['e8m0', 'e5m3', 'e4m3'];

const ELEMENT_TYPES: Readonly<Record<string, ElementFormat>> = {
  fp32: 'f32',
  xf32: 'xf32',
  fp64: 'f64',
  fp16: 'f16',
  bf16: 'bf16',
  int8: 's8',
  fp8: 'fp8',
  bf8: 'bf8',
  fp4: 'fp4',
  amd_fp8: 'fp8fnuz',
  amd_bf8: 'bf8fnuz',
};
const RESULT_TYPES: Readonly<Record<string, ResultFormat>> = {
  fp32: 'f32',
  fp64: 'f64',
  fp16: 'f16',
  bf16: 'bf16',
  int32: 'i32',
};

/** Tables that a processor's instructions are looked up in: gfx950 and gfx1250 have those of their predecessors too. */
function rowsOf({ generation, b }: Operation): readonly MatrixRow[] {
  const { processor, family } = generation;
  const tables = processor.startsWith('gfx95') ? ['gfx950', 'gfx940'] : family === 'gfx1250' ? ['gfx1250', 'gfx12'] : [family];
  return tables.flatMap((table) => matrixRows(table, b.waveSize));
}

/** The tables with the instructions of a family's processors. */
const TABLES: Readonly<Partial<Record<Family, readonly string[]>>> = {
  gfx90a: ['gfx90a'],
  gfx940: ['gfx940', 'gfx950'],
  gfx11: ['gfx11'],
  gfx12: ['gfx12'],
  gfx1250: ['gfx1250', 'gfx12'],
};

/** Matrix instructions of a family. */
export function matrixSemantics(family: Family): Readonly<Record<string, Semantic>> {
  const rows = (TABLES[family] ?? []).flatMap((table) => [...matrixRows(table, 32), ...matrixRows(table, 64)]);
  const names = new Set(rows.map(({ name }) => name));
  for (const name of [...names]) {
    // The scaled forms, and a form with C in f32, lie as the plain ones do.
    if (name.endsWith('_f8f6f4')) names.add(name.replace('_f32', '_scale_f32'));
    if (name === 'v_wmma_f32_16x16x128_f8f6f4') names.add('v_wmma_scale16_f32_16x16x128_f8f6f4');
    if (name === 'v_wmma_bf16_16x16x32_bf16') names.add('v_wmma_bf16f32_16x16x32_bf16');
  }
  return Object.fromEntries([...names].map((name) => [name, multiply]));
}

function multiply(o: Operation): void {
  const { op: whole, isHighHalf } = matrixOp(o);
  // 32 rows of which the upper ones lie in registers of their own: twice the lower ones.
  const isTall = whole.a.bits.i.at(-1)?.where === 'r';
  const op = isTall ? lowerRows(whole) : whole;
  const named = (name: string): Operand => {
    const operand = o.find(name);
    if (operand === undefined) throw new InternalError(`${o.name} has no ${name}`);
    return operand;
  };
  const isSparse = op.index !== undefined;
  const rowsOfA = signed(o, registers(o, named('src0'), whole.a.registers), named('src0'), op.formats[0], 0);
  const rowsOfC = accumulator(o, isSparse ? o.result() : named('src2'), whole, isSparse);
  const shared = [
    ...(op.index === undefined ? [] : registers(o, o.find('idx') ?? named('src2'), op.index.registers)),
    ...(op.scale === undefined ? [] : scaleRegisters(o, op.scale)),
  ];
  const columnsOfB = signed(o, registers(o, named('src1'), op.b.registers), named('src1'), op.formats[1], 1);
  const results = Array.from({ length: isTall ? 2 : 1 }, (_, half) => {
    const part = (values: readonly Value[], { registers: count }: MatrixLayout): Value[] =>
      values.slice(half * count, (half + 1) * count);
    return o.b.matrix(op, [...part(rowsOfA, op.a), ...columnsOfB, ...part(rowsOfC, op.c), ...shared]);
  }).flat();
  const first = registerIndex(o, o.result());
  for (const [n, value] of results.entries()) {
    o.b.setVgprAllLanes(first + n, isHighHalf === undefined ? value : merged(o, first + n, value, isHighHalf));
  }
}

/** The operation on the lower half of the rows, which the lower half of the registers of A, C and D hold. */
function lowerRows(op: MatrixOp): MatrixOp {
  const lower = ({ registers: count, bits, ...layout }: MatrixLayout): MatrixLayout => ({
    ...layout,
    registers: count / 2,
    bits: { ...bits, i: bits.i.slice(0, -1) },
  });
  const d = lower(op.d);
  return { ...op, m: op.m / 2, a: lower(op.a), c: op.c === op.d ? d : lower(op.c), d };
}

// Operands

function registerIndex(o: Operation, operand: Operand): number {
  return o.vectorIndex(operand) ?? o.unsupported(`a matrix in ${operand.kind}`);
}

function registers(o: Operation, operand: Operand, count: number): Value[] {
  const first = registerIndex(o, operand);
  return Array.from({ length: count }, (_, n) => o.b.vgprAllLanes(first + n));
}

/** A or B with its signs changed: neg_lo the elements in low halves, neg_hi those in high halves; for f64 of CDNA the blgp field. */
function signed(o: Operation, values: Value[], operand: Operand, format: ElementFormat, side: 0 | 1): Value[] {
  if (format === 'f64') return (o.immediate('blgp') >> side) & 1 ? negatedHigh(o, values) : values;
  if (isInteger(format) || (!operand.neg && !operand.abs)) return values;
  if (format === 'f32') {
    if (operand.abs) o.unsupported('neg_hi of f32 elements');
    return values.map((value) => o.b.op('xor32', value, o.b.i32(0x8000_0000)));
  }
  const mask = (operand.neg ? 0x8000 : 0) | (operand.abs ? 0x8000_0000 : 0);
  return values.map((value) => o.b.op('xor32', value, o.b.i32(mask)));
}

function negatedHigh({ b }: Operation, values: readonly Value[]): Value[] {
  return values.map((value, n) => (n % 2 === 0 ? value : b.op('xor32', value, b.i32(0x8000_0000))));
}

/** C: registers or a constant in every element; neg_lo negates it, neg_hi takes its absolute value first. */
function accumulator(o: Operation, operand: Operand, op: MatrixOp, isSparse: boolean): Value[] {
  const { b } = o;
  const count = op.c.registers;
  const isHalf = op.cFormat === 'f16' || op.cFormat === 'bf16';
  let values: Value[];
  if (operand.kind === 'inline')
    values = Array.from({ length: count }, (_, n) => b.i32(constantDword(operand, op.cFormat, n % 2)));
  else {
    values = registers(o, operand, count);
    // gfx11 keeps 16-bit elements one to a register, in the half that op_sel names.
    if (isHalf && o.generation.family === 'gfx11' && operand.opSel)
      values = values.map((value) => b.op('shrU32', value, b.i32(16)));
  }
  if (isSparse || op.cFormat === 'i32') return values;
  if (op.cFormat === 'f64') return (o.immediate('blgp') >> 2) & 1 ? negatedHigh(o, values) : values;
  const sign = isHalf ? 0x8000_8000 : 0x8000_0000;
  return values.map((value) => {
    const size = operand.abs ? b.op('and32', value, b.i32(~sign >>> 0)) : value;
    return operand.neg ? b.op('xor32', size, b.i32(sign)) : size;
  });
}

/** Inline float constants by operand number (ISA documents, operand encoding). */
const FIRST_FLOAT = 240;
const FLOATS = [0.5, -0.5, 1, -1, 2, -2, 4, -4, 0.15915494309189532] as const;
const HALVES: Readonly<Record<'f16' | 'bf16', readonly number[]>> = {
  f16: [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118],
  bf16: [0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e22],
};
const dwords = new DataView(new ArrayBuffer(8));

/** A constant as an element of C in every slot of a register; `part`: which dword of a pair. */
function constantDword(operand: Operand, format: ResultFormat, part: number): number {
  const float = FLOATS[operand.code - FIRST_FLOAT];
  if (format === 'f64') {
    if (float === undefined) return part === 0 ? operand.low : operand.low >> 31;
    dwords.setFloat64(0, float);
    return dwords.getUint32(part === 0 ? 4 : 0);
  }
  if (format === 'f16' || format === 'bf16') {
    const half = HALVES[format][operand.code - FIRST_FLOAT] ?? operand.low & 0xffff;
    return half | (half << 16);
  }
  if (float === undefined) return operand.low;
  dwords.setFloat32(0, float);
  return dwords.getUint32(0);
}

/** The scale operands' registers; a scalar one is the same in every lane. */
function scaleRegisters(o: Operation, scale: MatrixScale): Value[] {
  return scale.places.flatMap((places, side) => {
    const operand = o.find(`scale_src${side}`);
    if (operand === undefined) throw new InternalError(`${o.name} has no scale operand`);
    const count = 1 + Math.max(...places.map(({ byte }) => byte >> 2));
    if (operand.kind === 'vgpr') return registers(o, operand, count);
    return Array.from({ length: count }, (_, n) => o.read32(operand, n));
  });
}

/** 16 bits into a half of a register; the other half stays. */
function merged({ b }: Operation, index: number, value: Value, isHighHalf: boolean): Value {
  const kept = b.op('and32', b.vgprAllLanes(index), b.i32(isHighHalf ? 0xffff : 0xffff_0000));
  return b.op('or32', kept, isHighHalf ? b.op('shl32', value, b.i32(16)) : value);
}

// The operation

interface ChosenOp {
  readonly op: MatrixOp;
  /** gfx11's 16-bit results: which half of the registers they go to; undefined: whole registers. */
  readonly isHighHalf: boolean | undefined;
}

function matrixOp(o: Operation): ChosenOp {
  const { generation, b } = o;
  const name = o.name.replace('bf16f32', 'bf16').replace(/_scale(?:16)?/, '');
  const [rowOfA, rowOfB] = chooseRows(o, name);
  const isMixed = o.name.includes('bf16f32');
  const dFormat = RESULT_TYPES[rowOfA.types[2]] ?? o.unsupported(`results of type ${rowOfA.types[2]}`);
  const cRow = isMixed ? rowsOf(o).find((row) => row.name === name.replace('bf16', 'f32')) : rowOfA;
  if (cRow === undefined) throw new InternalError(`no row for C of ${o.name}`);
  const formats = [elementFormat(o, rowOfA, 0), elementFormat(o, rowOfB, 1)] as const;
  const isHalf = formats[0] === 'f16' || formats[0] === 'bf16';
  const scale = scaleOf(o, rowOfA);
  const flush = generation.family === 'gfx90a' && isHalf;
  const chosen: Omit<MatrixOp, 'key'> = {
    waveSize: b.waveSize,
    m: rowOfA.m,
    n: rowOfA.n,
    k: rowOfA.k,
    blocks: rowOfA.blocks,
    formats,
    a: rowOfA.a,
    b: rowOfB.b,
    c: cRow.d,
    d: rowOfA.d,
    cFormat: isMixed ? 'f32' : dFormat,
    dFormat,
    index: rowOfA.index,
    indexSet: rowOfA.index === undefined ? 0 : indexSet(o, rowOfA.index),
    aBlocks: aBlocks(o, rowOfA),
    bLanes: bLanes(o, rowOfA),
    scale,
    order: flush ? sumOrder(o.name, formats[0]) : 'chain',
    flush,
    clamp: o.immediate('clamp') === 1,
  };
  const isHighHalf = generation.family === 'gfx11' && isHalfResult(dFormat) ? (o.find('src2')?.opSel ?? false) : undefined;
  return { op: { key: keyOf(o, chosen), ...chosen }, isHighHalf };
}

function isHalfResult(format: ResultFormat): boolean {
  return format === 'f16' || format === 'bf16';
}

/** The rows for A and for B: two where fields choose the formats. */
function chooseRows(o: Operation, name: string): readonly [MatrixRow, MatrixRow] {
  const rows = rowsOf(o).filter((row) => row.name === name);
  const choose = (code: number): MatrixRow =>
    rows.find(({ formats }) => formats.length === 0 || formats.includes(code)) ??
    o.unsupported(`element format ${FIELD_FORMATS[code] ?? code}: its layout is not published`);
  return [choose(formatCode(o, 0)), choose(formatCode(o, 1))];
}

/** The fields that choose element formats: of gfx1250 their own, of gfx950 those of broadcast and permutation. */
function formatCode(o: Operation, side: 0 | 1): number {
  const own = o.find(side === 0 ? 'matrix_a_fmt' : 'matrix_b_fmt');
  return own?.value ?? o.immediate(side === 0 ? 'cbsz' : 'blgp');
}

function elementFormat(o: Operation, row: MatrixRow, side: 0 | 1): ElementFormat {
  if (row.formats.length > 0) return FIELD_FORMATS[formatCode(o, side)] ?? o.unsupported('element format');
  const type = row.types[side];
  if (type === 'iu8' || type === 'iu4') {
    const isSigned = o.find(`src${side}`)?.neg === true;
    return type === 'iu8' ? (isSigned ? 's8' : 'u8') : isSigned ? 's4' : 'u4';
  }
  const small = /_([fb][fp]8)_([fb][fp]8)$/.exec(row.name);
  // The tables of gfx1250 and gfx950 name OCP formats; so do gfx940's instructions on gfx950.
  const isOcp = !type.startsWith('amd_') || o.generation.processor.startsWith('gfx95');
  if (small !== null && isOcp) return small[side + 1] === 'fp8' ? 'fp8' : 'bf8';
  return ELEMENT_TYPES[type] ?? o.unsupported(`elements of type ${type}`);
}

/** MI200 adds f16 and bf16 products in groups of four, those of its older bf16 instructions in groups of two. */
function sumOrder(name: string, format: ElementFormat): SumOrder {
  return format === 'bf16' && !name.endsWith('_1k') ? 'pairs2' : 'pairs4';
}

/** Which of the index register's sets: a field of its own, or on CDNA abid, unless cbsz is set. */
function indexSet(o: Operation, index: MatrixLayout): number {
  const key = ['index_key_8bit', 'index_key_16bit', 'index_key_32bit']
    .map((name) => o.find(name))
    .find((field) => field !== undefined);
  if (key !== undefined) return key.value < index.sets ? key.value : o.unsupported(`index_key:${key.value} of ${o.name}`);
  return o.immediate('cbsz') === 0 ? o.immediate('abid') % index.sets : 0;
}

/** cbsz: groups of 2^cbsz blocks read one block of A, that of number abid among them. */
function aBlocks(o: Operation, { blocks, formats }: MatrixRow): number[] {
  const group = formats.length > 0 ? 1 : 1 << o.immediate('cbsz');
  if (blocks === 1 || group === 1) return Array.from({ length: blocks }, (_, block) => block);
  if (group > blocks || o.immediate('abid') >= group) o.unsupported('broadcast of a block that is not there');
  return Array.from({ length: blocks }, (_, block) => (block & ~(group - 1)) + o.immediate('abid'));
}

/** blgp: the lane that the B values of each 16 lanes come from. */
function bLanes(o: Operation, { permutesB, formats, types }: MatrixRow): number[] {
  const code = formats.length > 0 || types[0] === 'fp64' ? 0 : o.immediate('blgp');
  const groups = Array.from({ length: o.b.waveSize / 16 }, (_, group) => group * 16);
  if (code === 0) return groups;
  if (!permutesB) o.unsupported(`blgp of ${o.name}`);
  switch (code) {
    case 1:
      return groups.map((lane) => lane % 32);
    case 2:
      return groups.map((lane) => (lane % 32) + 32);
    case 3:
      return groups.map((lane) => (lane + 16) % 64);
    default:
      return groups.map(() => (code - 4) * 16);
  }
}

function scaleOf(o: Operation, row: MatrixRow): MatrixScale | undefined {
  if (!o.name.includes('_scale')) return undefined;
  const block = o.name.includes('scale16') ? 16 : 32;
  const count = row.k / block;
  const side = (n: 0 | 1): ScalePlaces => {
    const own = o.find(n === 0 ? 'matrix_a_scale' : 'matrix_b_scale');
    const source = o.find(`src${n}`);
    // gfx950: each block of k in other lanes, the byte by op_sel; gfx1250: one lane, a byte for each block.
    if (own === undefined) {
      const byte = (source?.opSelHi === true ? 2 : 0) + (source?.opSel === true ? 1 : 0);
      return Array.from({ length: count }, (_, kb) => ({ lane: kb * row.m, byte }));
    }
    return Array.from({ length: count }, (_, byte) => ({ lane: own.value * 16, byte }));
  };
  const format = (n: 0 | 1): ScaleFormat =>
    SCALE_FORMATS[o.immediate(n === 0 ? 'matrix_a_scale_fmt' : 'matrix_b_scale_fmt')] ?? o.unsupported('scale format');
  return { block, formats: [format(0), format(1)], places: [side(0), side(1)] };
}

function keyOf(o: Operation, op: Omit<MatrixOp, 'key'>): string {
  const { formats, indexSet: set, aBlocks: blocks, bLanes: lanes, scale, order, flush, clamp, waveSize } = op;
  return JSON.stringify([o.generation.family, o.name, waveSize, formats, set, blocks, lanes, scale, order, flush, clamp]);
}
