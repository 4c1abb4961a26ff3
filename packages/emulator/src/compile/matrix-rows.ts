/**
 * A and B as rows: for each k one row with the elements of all blocks side by side, whatever the layout of the registers. In every
 * layout the low lanes are the elements of a row, so that a dword's slots are elements of different rows and four lanes are done at once.
 */
import { InternalError } from '@doorbell/abi';
import type { ElementFormat } from '../matrix/element-format.js';
import { elementBits } from '../matrix/element-format.js';
import type { MatrixLayout, PlaceBit } from '../matrix/layout.js';
import type { MatrixOp, MatrixScale } from '../matrix/matrix-op.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, OP, V128, VOID } from '../wasm/opcodes.js';
import { Dag } from './dag.js';
import { LocalPool } from './local-pool.js';
import { elementBytes, matrixArea, rowBytes, rowForm } from './matrix-area.js';
import { floatElement, integerElement, integerPair, scaleFactor } from './matrix-elements.js';
import type { MatrixContext } from './matrix-functions.js';
import type { OpContext } from './vector-ops.js';
import { shiftBy } from './vector-ops.js';

/** One call: offsets of the first dword and of the first element from the control block. */
interface RowStep {
  readonly source: number;
  readonly target: number;
}

/** What an unpacking function does for each group of four lanes, and the calls of it. */
export interface RowUnpacking {
  /** Same key: same function. */
  readonly key: string;
  /** Distance of the registers that are read together. */
  readonly registerBytes: number;
  readonly registers: number;
  /** Groups of four lanes. */
  readonly groups: number;
  /** Bytes of the elements of one group. */
  readonly groupBytes: number;
  readonly slots: readonly { readonly offset: number; readonly make: (x: OpContext, dwords: readonly number[]) => number }[];
  readonly steps: readonly RowStep[];
}

/** A number whose bit n lies at `bits[n]`, read from the parts of a place. */
function numberAt(bits: readonly PlaceBit[], at: { readonly l: number; readonly r: number; readonly e: number }): number {
  let value = 0;
  for (const [n, { where, bit }] of bits.entries()) value |= ((at[where === 't' ? 'e' : where] >> bit) & 1) << n;
  return value;
}

/** k of A or B as bits of places; of a sparse A the number of the stored value. Slots are single elements. */
function rowBits(layout: MatrixLayout, isSparse: boolean): readonly PlaceBit[] {
  if (!isSparse) return layout.bits.k;
  // A slot holds two values: the lowest bit of the number tells them apart.
  return [
    { where: 'e', bit: 0 },
    ...layout.bits.g.map((place): PlaceBit => (place.where === 'e' ? { where: 'e', bit: place.bit + 1 } : place)),
  ];
}

/** Registers read together, and slots in them. */
function slotShape(format: ElementFormat): { readonly registers: number; readonly slots: number } {
  const bits = elementBits(format);
  if (bits === 6) return { registers: 3, slots: 16 };
  return bits === 64 ? { registers: 2, slots: 1 } : { registers: 1, slots: 32 / bits };
}

export function rowUnpacking(op: MatrixOp, side: 0 | 1): RowUnpacking {
  const area = matrixArea(op);
  const layout = side === 0 ? op.a : op.b;
  const format = op.formats[side];
  const width = op.blocks * (side === 0 ? op.m : op.n);
  checkLowLanes(layout, side === 0 ? 'i' : 'j', width);
  const form = rowForm(op);
  const bytes = elementBytes(op);
  const rowSize = rowBytes(op)[side];
  const { registers, slots } = slotShape(format);
  let bits = rowBits(layout, side === 0 && op.index !== undefined);
  let slotCount = slots;
  if (form === 'pairs') {
    // The two halves of a dword hold the slots of one pair: the bit of k that tells them apart goes.
    const half = Math.log2(slots / 2);
    bits = bits.filter(({ where, bit }) => where !== 'e' || bit !== half);
    slotCount = slots / 2;
  }
  // 6-bit slots are numbered over the whole tuple: sixteen of them fill three registers.
  const rowOf = (group: number, lane: number, slot: number): number =>
    numberAt(
      bits,
      elementBits(format) === 6 ? { l: lane, r: 0, e: group * 16 + slot } : { l: lane, r: group * registers, e: slot },
    );
  const make = maker(op, format, form);
  const lanesAtOnce = side === 1 && !isIdentity(op.bLanes) ? Math.min(16, width) : width;
  const start = side === 0 ? area.a : area.b;
  const target = side === 0 ? area.rowsOfA : area.rowsOfB;
  const steps: RowStep[] = [];
  for (let group = 0; group < layout.registers / registers; group++) {
    for (const upper of upperLanes(bits, width)) {
      for (let low = 0; low < width; low += lanesAtOnce) {
        const lane = upper + low;
        const from = side === 0 ? lane : (op.bLanes[lane >> 4] ?? 0) + (lane & 15);
        steps.push({
          source: start + (group * registers * op.waveSize + from) * 4,
          target: target + rowOf(group, upper, 0) * rowSize + low * bytes,
        });
      }
    }
  }
  return {
    key: [op.waveSize, format, form, op.flush, registers, rowSize, lanesAtOnce, ...bits.map((b) => `${b.where}${b.bit}`)].join(
      ' ',
    ),
    registerBytes: op.waveSize * 4,
    registers,
    groups: lanesAtOnce / 4,
    groupBytes: bytes * 4,
    slots:
      form === 'f64'
        ? [
            { offset: 0, make: ({ dag }, [low = 0, high = 0]) => dag.shuffle(low, high, 0, 4, 1, 5) },
            { offset: 16, make: ({ dag }, [low = 0, high = 0]) => dag.shuffle(low, high, 2, 6, 3, 7) },
          ]
        : Array.from({ length: slotCount }, (_, slot) => ({
            offset: rowOf(0, 0, slot) * rowSize,
            make: (x: OpContext, dwords: readonly number[]) => make(x, dwords, slot),
          })),
    steps,
  };
}

type Maker = (x: OpContext, dwords: readonly number[], slot: number) => number;

function maker(op: MatrixOp, format: ElementFormat, form: string): Maker {
  const bits = elementBits(format);
  if (form === 'pairs') return ({ dag }, [dword = 0], slot) => integerPair(dag, format, dword, slot * bits);
  if (form === 'i32') return ({ dag }, [dword = 0], slot) => integerElement(dag, format, dword, slot * bits);
  return (x, dwords, slot) => {
    const bit = slot * bits;
    const low = dwords[bit >> 5] ?? 0;
    return floatElement(x, format, op.flush, { low, high: dwords[(bit >> 5) + 1] ?? low, first: bit & 31 });
  };
}

/** The position of each stored value in its group of four, as the distance of B's row from the group's first. */
export function positionUnpacking(op: MatrixOp, index: MatrixLayout): RowUnpacking {
  const area = matrixArea(op);
  checkLowLanes(index, 'i', op.m);
  const [rowOfA, rowOfB] = rowBytes(op);
  const shift = Math.log2(rowOfB);
  const nibbles = 1 << index.bits.g.filter(({ where }) => where === 'e').length;
  const first = op.indexSet * index.setBits;
  const slots = Array.from({ length: nibbles }, (_, nibble) =>
    [0, 1].map((which) => ({
      offset: (2 * numberAt(index.bits.g, { l: 0, r: 0, e: nibble }) + which) * rowOfA,
      make: ({ dag }: OpContext, [dword = 0]: readonly number[]): number => {
        const bits = dag.binary(OP.v128And, shiftBy(dag, OP.i32x4ShrU, dword, first + 4 * nibble + 2 * which), dag.splatConst(3));
        return shiftBy(dag, OP.i32x4Shl, bits, shift);
      },
    })),
  ).flat();
  const steps = Array.from({ length: index.registers }, (_, r) =>
    upperLanes(index.bits.g, op.m).map((lane) => ({
      source: area.index + (r * op.waveSize + lane) * 4,
      target: area.positions + 2 * numberAt(index.bits.g, { l: lane, r, e: 0 }) * rowOfA,
    })),
  ).flat();
  return {
    key: ['positions', rowOfA, shift, first, ...slots.map(({ offset }) => offset)].join(' '),
    registerBytes: op.waveSize * 4,
    registers: 1,
    groups: op.m / 4,
    groupBytes: 16,
    slots,
    steps,
  };
}

/** The scale factors of A or B as rows of f32, one for each block of k. */
export function factorUnpacking(op: MatrixOp, scale: MatrixScale, side: 0 | 1): readonly RowUnpacking[] {
  const area = matrixArea(op);
  const rowSize = rowBytes(op)[side];
  return scale.places[side].map(({ lane, byte }, block) => ({
    key: ['factors', scale.formats[side], byte & 3, rowSize].join(' '),
    registerBytes: op.waveSize * 4,
    registers: 1,
    groups: rowSize / 16,
    groupBytes: 16,
    slots: [{ offset: 0, make: (x, [dword = 0]) => scaleFactor(x, scale.formats[side], dword, byte & 3) }],
    steps: [
      {
        source: area.scales[side] + ((byte >> 2) * op.waveSize + lane) * 4,
        target: area.factors[side] + block * rowSize,
      },
    ],
  }));
}

/** Parameters: address of the first dword, of the first element. */
export function emitUnpacking(body: FunctionBody, unpacking: RowUnpacking, context: MatrixContext): void {
  const [source, target] = [0, 1];
  const count = body.local(I32);
  const dwords = Array.from({ length: unpacking.registers }, () => body.local(V128));
  const dag = new Dag();
  dag.body = body;
  dag.pool = new LocalPool(body);
  const x: OpContext = { dag, relaxed: context.relaxed, exactNan: false, imported: context.imported };
  body.i32(unpacking.groups);
  body.set(count);
  body.open(OP.loop, VOID);
  for (const [n, local] of dwords.entries()) {
    body.get(source);
    body.access(OP.v128Load, 2, n * unpacking.registerBytes);
    body.set(local);
  }
  const nodes = dwords.map((local) => dag.get(local, V128));
  for (const { offset, make } of unpacking.slots) {
    const value = make(x, nodes);
    body.get(target);
    dag.emit(value);
    body.access(OP.v128Store, 2, offset);
  }
  advance(body, source, 16);
  advance(body, target, unpacking.groupBytes);
  body.get(count);
  body.i32(-1);
  body.op(OP.i32Add);
  body.tee(count);
  body.brIf(0);
  body.end();
}

/** Adds a constant to a local. */
export function advance(body: FunctionBody, local: number, bytes: number): void {
  body.get(local);
  body.i32(bytes);
  body.op(OP.i32Add);
  body.set(local);
}

function isIdentity(lanes: readonly number[]): boolean {
  return lanes.every((lane, n) => lane === n * 16);
}

/** The lanes above the row's that hold other rows. */
function upperLanes(bits: readonly PlaceBit[], width: number): number[] {
  let lanes = [0];
  for (const { where, bit } of bits) {
    if (where === 'l' && 1 << bit >= width) lanes = lanes.flatMap((lane) => [lane, lane | (1 << bit)]);
  }
  return lanes;
}

/** What the whole scheme rests on: lane n below `width` is element n of a row. */
function checkLowLanes(layout: MatrixLayout, coordinate: 'i' | 'j', width: number): void {
  const places = [...layout.bits[coordinate], ...layout.bits.b];
  const isPlain = places.every(({ where, bit }, n) => where === 'l' && bit === n) && 1 << places.length === width;
  if (!isPlain) throw new InternalError('the lanes of a matrix operand are not its rows');
}
