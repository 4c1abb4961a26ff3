/** Matrix instructions, element by element: what the compiled form is compared with. */
import { OP_FUNCTIONS, wide } from '../ir/op-functions.js';
import type { ElementFormat, ResultFormat } from '../matrix/element-format.js';
import { SMALL_FLOATS, decodeInteger, decodeSmallFloat, elementBits, isInteger, isSmallFloat } from '../matrix/element-format.js';
import type { MatrixPlace } from '../matrix/layout.js';
import { placeOf } from '../matrix/layout.js';
import type { MatrixOp, MatrixScale } from '../matrix/matrix-op.js';
import { decodeScale, matrixOperands, storedValues } from '../matrix/matrix-op.js';

const MIN_NORMAL_F32 = 2 ** -126;
const NAN_F32 = 0x7fc0_0000;
const NAN_F64_HIGH = 0x7ff8_0000;

const bits = new DataView(new ArrayBuffer(8));

function bitsOfF32(value: number): number {
  if (Number.isNaN(value)) return NAN_F32;
  bits.setFloat32(0, value);
  return bits.getUint32(0);
}

function f32OfBits(value: number): number {
  bits.setUint32(0, value);
  return bits.getFloat32(0);
}

/** The results, register by register, one dword per lane. `registers` holds the operands in the same form. */
export function evaluateMatrix(op: MatrixOp, registers: Uint32Array): Uint32Array {
  return new MatrixEvaluation(op, registers).run();
}

class MatrixEvaluation {
  readonly #op: MatrixOp;
  readonly #registers: Uint32Array;
  /** First dword of A, B, C, index, scales of A, of B. */
  readonly #starts: readonly number[];
  readonly #result: Uint32Array;

  constructor(op: MatrixOp, registers: Uint32Array) {
    this.#op = op;
    this.#registers = registers;
    let next = 0;
    this.#starts = matrixOperands(op)
      .map((count) => (next += count) - count)
      .map((start) => start * op.waveSize);
    this.#result = new Uint32Array(op.d.registers * op.waveSize);
  }

  run(): Uint32Array {
    const { blocks, m, n, dFormat } = this.#op;
    for (let b = 0; b < blocks; b++) {
      const columns = this.#columns(b);
      for (let i = 0; i < m; i++) {
        const row = this.#row(b, i);
        for (let j = 0; j < n; j++) {
          const place = placeOf(this.#op.d, { b, i, j });
          if (dFormat === 'i32') this.#put(place, 32, this.#integer(row, columns, { b, i, j }));
          else if (dFormat === 'f64') this.#double(place, row, columns, { b, i, j });
          else this.#put(place, dFormat === 'f32' ? 32 : 16, this.#single(row, columns, { b, i, j }));
        }
      }
    }
    return this.#result;
  }

  #dword(operand: number, { register, lane }: MatrixPlace, next = 0): number {
    return this.#registers[(this.#starts[operand] ?? 0) + (register + next) * this.#op.waveSize + lane] ?? 0;
  }

  /** Bits of a slot of up to 32 bits; 6-bit slots may go on in the next register. */
  #slot(operand: number, place: MatrixPlace, width: number): number {
    const low = this.#dword(operand, place) >>> place.bit;
    const isSplit = place.bit + width > 32;
    const high = isSplit ? this.#dword(operand, place, 1) << (32 - place.bit) : 0;
    return width === 32 ? low : (low | high) & ((1 << width) - 1);
  }

  #put({ register, lane, bit }: MatrixPlace, width: number, value: number): void {
    const at = register * this.#op.waveSize + lane;
    const kept = width === 32 ? 0 : (this.#result[at] ?? 0);
    this.#result[at] = kept | (value << bit);
  }

  /** A's values of a row, and which k each belongs to, in the order in which they are added. */
  #row(block: number, i: number): readonly StoredValue[] {
    const op = this.#op;
    const b = op.aBlocks[block] ?? block;
    return Array.from({ length: storedValues(op) }, (_, s): StoredValue => {
      if (op.index === undefined) {
        const place = placeOf(op.a, { b, i, k: s });
        return { k: s, value: this.#element(0, op.formats[0], place, place.bit) };
      }
      const g = s >> 1;
      const width = elementBits(op.formats[0]);
      const place = placeOf(op.a, { b, i, g });
      const at = placeOf(op.index, { i, g });
      const nibble = this.#dword(3, at) >>> (op.indexSet * op.index.setBits + at.bit);
      const position = (s & 1) === 0 ? nibble & 3 : (nibble >>> 2) & 3;
      return { k: 4 * g + position, value: this.#element(0, op.formats[0], place, place.bit + (s & 1) * width) };
    });
  }

  #element(operand: number, format: ElementFormat, place: MatrixPlace, bit: number): number {
    if (format === 'f64') {
      bits.setUint32(0, this.#dword(operand, place, 1));
      bits.setUint32(4, this.#dword(operand, place));
      return bits.getFloat64(0);
    }
    const code = this.#slot(operand, { ...place, bit }, elementBits(format));
    if (isInteger(format)) return decodeInteger(format, code);
    const value = isSmallFloat(format)
      ? decodeSmallFloat(SMALL_FLOATS[format], code)
      : f32OfBits(format === 'xf32' ? code & 0xffff_e000 : code);
    const minimum = format === 'f16' ? 2 ** -14 : MIN_NORMAL_F32;
    return this.#op.flush && Math.abs(value) < minimum ? value * 0 : value;
  }

  /** B of a block, row by row. */
  #columns(b: number): Float64Array {
    const { k, n } = this.#op;
    return Float64Array.from({ length: k * n }, (_, at) => this.#bElement(b, Math.floor(at / n), at % n));
  }

  #bElement(b: number, k: number, j: number): number {
    const { b: layout, formats, bLanes } = this.#op;
    const place = placeOf(layout, { b, k, j });
    const lane = (bLanes[place.lane >> 4] ?? 0) + (place.lane & 15);
    return this.#element(1, formats[1], { ...place, lane }, place.bit);
  }

  #integer(row: readonly StoredValue[], columns: Float64Array, at: Element): number {
    const c = this.#dword(2, placeOf(this.#op.c, at)) | 0;
    let sum = c;
    for (const { k, value } of row) sum += value * (columns[k * this.#op.n + at.j] ?? 0);
    return this.#op.clamp ? Math.min(0x7fff_ffff, Math.max(-0x8000_0000, sum)) : sum | 0;
  }

  #double(place: MatrixPlace, row: readonly StoredValue[], columns: Float64Array, element: Element): void {
    const at = placeOf(this.#op.c, element);
    let [low, high] = [this.#dword(2, at), this.#dword(2, at, 1)];
    for (const { k, value } of row) {
      const [a, x] = [bitsOfF64(value), bitsOfF64(columns[k * this.#op.n + element.j] ?? 0)];
      low = OP_FUNCTIONS.fmaF64?.(a.low, a.high, x.low, x.high, low, high) ?? 0;
      high = wide.high;
    }
    const isNan = (high & 0x7ff0_0000) === 0x7ff0_0000 && ((high & 0x000f_ffff) | low) !== 0;
    this.#put(place, 32, isNan ? 0 : low);
    this.#put({ ...place, register: place.register + 1 }, 32, isNan ? NAN_F64_HIGH : high);
  }

  /** The code of an f32, f16 or bf16 result. */
  #single(row: readonly StoredValue[], columns: Float64Array, element: Element): number {
    const op = this.#op;
    const place = placeOf(op.c, element);
    let sum = this.#flushed(this.#cElement(op.cFormat, place));
    const product = (s: number): number => {
      const { k, value } = row[s] ?? NOTHING_STORED;
      return this.#flushed(Math.fround(value * (columns[k * op.n + element.j] ?? 0)));
    };
    const add = (x: number, y: number): number => this.#flushed(Math.fround(x + y));
    if (op.scale !== undefined) sum = this.#scaled(op.scale, row, columns, sum, element);
    else if (op.order === 'pairs2') for (let s = 0; s < row.length; s += 2) sum = add(sum, add(product(s), product(s + 1)));
    else if (op.order === 'pairs4') {
      for (let s = 0; s < row.length; s += 4) {
        sum = add(sum, add(add(product(s), product(s + 1)), add(product(s + 2), product(s + 3))));
      }
    } else for (const { k, value } of row) sum = fma(value, columns[k * op.n + element.j] ?? 0, sum);
    sum = this.#flushed(sum);
    if (op.dFormat === 'f32') return bitsOfF32(sum);
    const whole = bitsOfF32(sum);
    if (op.dFormat === 'f16') return OP_FUNCTIONS.f32ToF16?.(whole, 0, 0, 0, 0, 0) ?? 0;
    return Number.isNaN(sum) ? NAN_F32 >>> 16 : (whole + 0x7fff + ((whole >>> 16) & 1)) >>> 16;
  }

  #cElement(format: ResultFormat, place: MatrixPlace): number {
    const code = this.#dword(2, place) >>> place.bit;
    if (format === 'f32') return f32OfBits(code);
    return decodeSmallFloat(SMALL_FLOATS[format === 'f16' ? 'f16' : 'bf16'], code & 0xffff);
  }

  /** Partial sums from 0 of the k that share factors, each times its factors added to the sum in f64, then rounded to f32. */
  #scaled(scale: MatrixScale, row: readonly StoredValue[], columns: Float64Array, c: number, at: Element): number {
    let sum = c;
    for (let first = 0; first < row.length; first += scale.block) {
      let part = 0;
      for (const { k, value } of row.slice(first, first + scale.block))
        part = fma(value, columns[k * this.#op.n + at.j] ?? 0, part);
      const block = first / scale.block;
      sum = Math.fround(sum + part * this.#factor(scale, 0, block, at.i) * this.#factor(scale, 1, block, at.j));
    }
    return sum;
  }

  #factor(scale: MatrixScale, side: 0 | 1, block: number, row: number): number {
    const { lane = 0, byte = 0 } = scale.places[side][block] ?? {};
    const dword = this.#dword(4 + side, { register: byte >> 2, lane: lane + row, bit: 0 });
    return decodeScale(scale.formats[side], (dword >>> (8 * (byte & 3))) & 0xff);
  }

  #flushed(value: number): number {
    return this.#op.flush && Math.abs(value) < MIN_NORMAL_F32 ? value * 0 : value;
  }
}

interface Element {
  readonly b: number;
  readonly i: number;
  readonly j: number;
}

interface StoredValue {
  readonly k: number;
  readonly value: number;
}
const NOTHING_STORED: StoredValue = { k: 0, value: 0 };

/** f32, one rounding: in f64 where the sum of the exact product and `c` is exact, else by the operation. */
function fma(a: number, b: number, c: number): number {
  const product = a * b;
  const sum = product + c;
  const rest = sum - product;
  if (product - (sum - rest) + (c - rest) === 0) return Math.fround(sum);
  return f32OfBits(OP_FUNCTIONS.fmaF32?.(bitsOfF32(a), 0, bitsOfF32(b), 0, bitsOfF32(c), 0) ?? 0);
}

function bitsOfF64(value: number): { readonly low: number; readonly high: number } {
  bits.setFloat64(0, value);
  return { high: bits.getUint32(0), low: bits.getUint32(4) };
}
