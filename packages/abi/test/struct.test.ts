import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field, Fields, FieldType, ScalarType, StructLayout } from '../src/index.js';
import {
  AMD_QUEUE,
  AMD_SIGNAL,
  defineStruct,
  drm,
  hsakmtA,
  hsakmtB,
  hsaStructs,
  isHsaError,
  kfd,
  readU64AsNumber,
  writeU64FromNumber,
} from '../src/index.js';
import { layoutsOf } from './layout-facts.js';

const sampleFields = {
  tag: { offset: 0, type: 'u8' },
  small: { offset: 1, type: 'i8' },
  half: { offset: 2, type: 'i16' },
  low: { offset: 4, type: 'u32', bit: 3, bits: 5 },
  top: { offset: 4, type: 'u32', bit: 31, bits: 1 },
  word: { offset: 8, type: 'i32' },
  address: { offset: 12, type: 'u64' },
  wide: { offset: 20, type: 'u64', bit: 12, bits: 52 },
  point: { offset: 28, type: { sizeBytes: 8, struct: { x: { offset: 0, type: 'f32' }, y: { offset: 4, type: 'u32' } } } },
  list: { offset: 36, type: { array: 'u16', length: 3 } },
  signed: { offset: 42, type: 'i64' },
} as const;
const sample: StructLayout<typeof sampleFields> = defineStruct('sample', 50, sampleFields);

describe('a structure layout', () => {
  it('writes little-endian bytes at the offsets of its fields', () => {
    const bytes = sample.create({ tag: 0x7f, half: -2, word: -1, address: 0x1122_3344_5566_7788n, list: [1, 0x203] });
    expect([...bytes.subarray(0, 4)]).toEqual([0x7f, 0, 0xfe, 0xff]);
    expect([...bytes.subarray(8, 20)]).toEqual([0xff, 0xff, 0xff, 0xff, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]);
    expect([...bytes.subarray(36, 42)]).toEqual([1, 0, 3, 2, 0, 0]);
  });

  it('puts bit-fields at their bits and leaves their neighbours alone', () => {
    const bytes = sample.create({ low: 0b10101, top: 1, wide: 1n });
    expect(new DataView(bytes.buffer).getUint32(4, true)).toBe(0x8000_00a8);
    expect(new DataView(bytes.buffer).getBigUint64(20, true)).toBe(0x1000n);
    sample.write(bytes, { low: 1 });
    expect(sample.read(bytes)).toMatchObject({ low: 1, top: 1, wide: 1n });
  });

  it('writes only the fields it is given', () => {
    const bytes = new Uint8Array(60).fill(0xaa);
    sample.write(bytes, { point: { y: 5 } }, 4);
    expect(bytes.filter((byte) => byte !== 0xaa)).toEqual(new Uint8Array([5, 0, 0, 0]));
    expect(bytes[4 + 32]).toBe(5);
  });

  it('works on a view into a larger, shared buffer', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(128), 16, 64);
    sample.write(shared, { signed: -5n }, 8);
    expect(sample.read(shared, 8).signed).toBe(-5n);
    expect(sample.read(new Uint8Array(shared.buffer), 24).signed).toBe(-5n);
  });

  it('gives offsets of fields and of members', () => {
    expect(sample.fields.address.offset).toBe(12);
    expect(sample.offsetOf('point.y')).toBe(32);
    expect(() => sample.offsetOf('point.z')).toThrow('sample has no field point.z');
  });

  it.each([
    ['an offset past the end', () => sample.read(new Uint8Array(50), 1)],
    ['a negative offset', () => sample.read(new Uint8Array(50), -1)],
    ['a fractional offset', () => sample.read(new Uint8Array(60), 0.5)],
    ['a short buffer', () => sample.write(new Uint8Array(49), {})],
    ['a number out of range', () => sample.create({ tag: 256 })],
    ['a fraction', () => sample.create({ word: 1.5 })],
    ['NaN', () => sample.create({ half: Number.NaN })],
    ['a negative u64', () => sample.create({ address: -1n })],
    ['an i64 of 64 bits', () => sample.create({ signed: 2n ** 63n })],
    ['a bit-field that is too wide', () => sample.create({ low: 32 })],
    ['a wide bit-field that is too wide', () => sample.create({ wide: 1n << 52n })],
    ['too long an array', () => sample.create({ list: [1, 2, 3, 4] })],
    ['a number for a u64', () => sample.create({ address: 1 as unknown as bigint })],
    ['an unknown field', () => sample.create({ nothing: 1 } as object)],
    ['a name of Object.prototype', () => sample.create({ toString: 1 } as object)],
  ])('refuses %s', (_, action) => {
    expect(action).toThrow(expect.toSatisfy((error) => isHsaError(error, 'ERR_INVALID_ARGUMENT')));
  });

  it('refuses a description whose fields do not fit', () => {
    expect(() => defineStruct('bad', 4, { a: { offset: 2, type: 'u32' } })).toThrow('bad.a does not fit 4 bytes');
  });
});

describe('every layout of the package', () => {
  const all: readonly [string, StructLayout<Fields>][] = [
    ...[kfd, drm, hsakmtA, hsakmtB, hsaStructs].flatMap((module) => Object.entries(layoutsOf(module))),
    ['AMD_QUEUE', AMD_QUEUE],
    ['AMD_SIGNAL', AMD_SIGNAL],
  ];

  it('reads back what it wrote, and touches nothing else', () => {
    const layout = fc.constantFrom(...all.map(([, entry]) => entry));
    const cases = layout.chain((entry) => fc.tuple(fc.constant(entry), valueOf(entry.fields)));
    fc.assert(
      fc.property(cases, ([entry, value]) => {
        const bytes = new Uint8Array(entry.sizeBytes + 16).fill(0x5a);
        entry.write(bytes, value as object, 8);
        // Members of a union share bytes: what was written last is what all views show, so each is compared on its own.
        for (const [key, member] of Object.entries(value)) {
          const alone = new Uint8Array(entry.sizeBytes);
          entry.write(alone, { [key]: member } as object);
          expect(entry.read(alone), `${entry.name}.${key}`).toMatchObject({ [key]: member });
        }
        expect([...bytes.subarray(0, 8), ...bytes.subarray(entry.sizeBytes + 8)]).toEqual(Array.from({ length: 16 }, () => 0x5a));
      }),
      { numRuns: 400 },
    );
  });

  it('rebuilds the bytes of all its fields from what it read', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all.map(([, entry]) => entry)), fc.infiniteStream(fc.nat(255)), (entry, stream) => {
        const bytes = Uint8Array.from({ length: entry.sizeBytes }, () => stream.next().value as number);
        const first = entry.read(bytes);
        expect(entry.read(entry.create(first))).toEqual(first);
      }),
      { numRuns: 300 },
    );
  });
});

describe('u64 as a number', () => {
  it('agrees with BigInt for every safe integer', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const view = new DataView(new ArrayBuffer(12));
        writeU64FromNumber(view, 3, value);
        expect(view.getBigUint64(3, true)).toBe(BigInt(value));
        expect(readU64AsNumber(view, 3)).toBe(value);
      }),
    );
  });

  it('refuses what a number cannot hold', () => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, 2n ** 53n, true);
    expect(() => readU64AsNumber(view, 0)).toThrow('is not a safe integer');
  });
});

/** Random values for all fields; a union gets one of its members only. */
function valueOf(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries(fields);
  const overlap = members.some(([, a], index) => members.some(([, b], other) => index < other && overlaps(a, b)));
  const chosen = overlap ? fc.constantFrom(...members).map((member) => [member]) : fc.constant(members);
  return chosen.chain((list) => fc.record(Object.fromEntries(list.map(([key, field]) => [key, fieldValue(field)]))));
}

function overlaps(a: Field, b: Field): boolean {
  const range = (field: Field): [number, number] =>
    field.bits === undefined
      ? [field.offset * 8, (field.offset + widthOf(field.type)) * 8]
      : [field.offset * 8 + (field.bit ?? 0), field.offset * 8 + (field.bit ?? 0) + field.bits];
  const [aStart, aEnd] = range(a);
  const [bStart, bEnd] = range(b);
  return aStart < bEnd && bStart < aEnd;
}

const WIDTHS: Record<ScalarType, number> = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, u64: 8, i64: 8, f32: 4, f64: 8 };

function widthOf(type: FieldType): number {
  if (typeof type === 'string') return WIDTHS[type];
  return 'array' in type ? widthOf(type.array) * type.length : type.sizeBytes;
}

function fieldValue({ type, bits }: Field): fc.Arbitrary<unknown> {
  if (bits === undefined) return typeValue(type);
  return type === 'u64' ? fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }) : fc.integer({ min: 0, max: 2 ** bits - 1 });
}

function typeValue(type: FieldType): fc.Arbitrary<unknown> {
  if (typeof type !== 'string') {
    return 'array' in type
      ? fc.array(typeValue(type.array), { minLength: type.length, maxLength: type.length, size: 'max' })
      : valueOf(type.struct);
  }
  const bitCount = WIDTHS[type] * 8;
  if (type === 'u64') return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  if (type === 'i64') return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  if (type === 'f32') return fc.float({ noNaN: true });
  if (type === 'f64') return fc.double({ noNaN: true });
  return type.startsWith('u')
    ? fc.integer({ min: 0, max: 2 ** bitCount - 1 })
    : fc.integer({ min: -(2 ** (bitCount - 1)), max: 2 ** (bitCount - 1) - 1 });
}
