/**
 * The one codec for binary layouts. A layout is data: name, size, and for each field its offset and type. Byte order is
 * little-endian, as on every machine and device that this project knows.
 */
import { HsaError, InternalError } from './error.js';

/** An integer or float field; 64-bit integers are `bigint`, all others `number`. */
export type ScalarType = 'u8' | 'i8' | 'u16' | 'i16' | 'u32' | 'i32' | 'u64' | 'i64' | 'f32' | 'f64';

/** A structure (or union: fields may overlap) inside another one; offsets count from its own start. */
export interface NestedType {
  readonly sizeBytes: number;
  readonly struct: Fields;
}

/** `length` elements, one after the other. */
export interface ArrayType {
  readonly array: ScalarType | NestedType;
  readonly length: number;
}

export type FieldType = ScalarType | NestedType | ArrayType;

/** One field; with `bit` and `bits` it is a bit-field of `bits` bits at bit `bit` of the word (u32 or u64) at `offset`. */
export interface Field {
  readonly offset: number;
  readonly type: FieldType;
  readonly bit?: number;
  readonly bits?: number;
}

export type Fields = Readonly<Record<string, Field>>;

/** The value that a field of type `T` has in TypeScript. */
export type FieldValue<T> = T extends 'u64' | 'i64'
  ? bigint
  : T extends ScalarType
    ? number
    : T extends { readonly array: infer E }
      ? readonly FieldValue<E>[]
      : T extends { readonly struct: infer F }
        ? StructValue<F>
        : never;

/** All fields of a structure, as {@link StructLayout.read} gives them; overlapping fields each show their view of the bytes. */
export type StructValue<F> = {
  readonly [K in keyof F]: F[K] extends { readonly type: infer T } ? FieldValue<T> : never;
};

/** Fields to write; absent ones keep their bytes. Arrays may be shorter than the field. */
export type StructInit<F> = {
  readonly [K in keyof F]?: F[K] extends { readonly type: infer T } ? FieldInit<T> : never;
};

type FieldInit<T> = T extends 'u64' | 'i64'
  ? bigint
  : T extends ScalarType
    ? number
    : T extends { readonly array: infer E }
      ? readonly FieldInit<E>[]
      : T extends { readonly struct: infer F }
        ? StructInit<F>
        : never;

/** A binary structure: its size, its fields, and how to read and write it. */
export interface StructLayout<F extends Fields> {
  /** C name, for messages. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Offsets and types, for code that uses its own views: `layout.fields.ring_size.offset`. */
  readonly fields: F;
  /**
   * Reads the structure at `offset`.
   * @throws {HsaError} ERR_INVALID_ARGUMENT when it does not lie within `bytes`.
   */
  read(bytes: Uint8Array, offset?: number): StructValue<F>;
  /**
   * Writes the given fields at `offset` and leaves all other bytes alone.
   * @throws {HsaError} ERR_INVALID_ARGUMENT when it does not lie within `bytes`, or a value is out of the field's range.
   */
  write(bytes: Uint8Array, value: StructInit<F>, offset?: number): void;
  /** A zeroed structure with the given fields written. */
  create(value?: StructInit<F>): Uint8Array;
  /** Offset of a field by its path (`memory_exception_data.va`), from the start of this structure. */
  offsetOf(path: string): number;
}

/** Makes a layout from its description; the description is checked: every field lies within `sizeBytes`. */
export function defineStruct<const F extends Fields>(name: string, sizeBytes: number, fields: F): StructLayout<F> {
  checkFields(name, sizeBytes, fields);
  return new Layout(name, sizeBytes, () => fields);
}

/** As {@link defineStruct}, but the description is made and checked when it is first needed: a program uses few of all structures. */
export function defineLazyStruct<F extends Fields>(name: string, sizeBytes: number, describe: () => F): StructLayout<F> {
  return new Layout(name, sizeBytes, () => {
    const fields = describe();
    checkFields(name, sizeBytes, fields);
    return fields;
  });
}

class Layout<F extends Fields> implements StructLayout<F> {
  readonly name: string;
  readonly sizeBytes: number;
  readonly #describe: () => F;
  #fields: F | undefined;

  constructor(name: string, sizeBytes: number, describe: () => F) {
    this.name = name;
    this.sizeBytes = sizeBytes;
    this.#describe = describe;
  }

  get fields(): F {
    return (this.#fields ??= this.#describe());
  }

  read(bytes: Uint8Array, offset: number = 0): StructValue<F> {
    const { name, sizeBytes } = this;
    const view = viewOf(bytes, { name, sizeBytes, offset });
    // Safe: readFields makes one property per field, each of the type FieldValue gives.
    return readFields(view, 0, this.fields) as StructValue<F>;
  }

  write(bytes: Uint8Array, value: StructInit<F>, offset: number = 0): void {
    const { name, sizeBytes } = this;
    const view = viewOf(bytes, { name, sizeBytes, offset });
    writeFields(view, 0, this.fields, value, name);
  }

  create(value?: StructInit<F>): Uint8Array {
    const bytes = new Uint8Array(this.sizeBytes);
    if (value !== undefined) writeFields(new DataView(bytes.buffer), 0, this.fields, value, this.name);
    return bytes;
  }

  offsetOf(path: string): number {
    return offsetOfPath(this.name, this.fields, path);
  }
}

/** The size of a field or element in bytes. */
export function sizeOfType(type: FieldType): number {
  if (typeof type === 'string') return SCALAR_BYTES[type];
  if ('array' in type) return sizeOfType(type.array) * type.length;
  return type.sizeBytes;
}

/**
 * Reads a u64 that is known to be a safe integer (an index, a size), without BigInt.
 * @throws {HsaError} ERR_INVALID_ARGUMENT when it is 2^53 or more.
 */
// hot
export function readU64AsNumber(view: DataView, offset: number): number {
  const high = view.getUint32(offset + 4, true);
  if (high > 0x1f_ffff) throw invalid(`the 64-bit value at byte ${offset} is not a safe integer`);
  return high * 0x1_0000_0000 + view.getUint32(offset, true);
}

/** Writes a non-negative safe integer as u64, without BigInt. The value is not checked. */
// hot
export function writeU64FromNumber(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, value >>> 0, true);
  view.setUint32(offset + 4, Math.floor(value / 0x1_0000_0000), true);
}

const SCALAR_BYTES: Readonly<Record<ScalarType, number>> = {
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  u64: 8,
  i64: 8,
  f32: 4,
  f64: 8,
};

/** Smallest and largest value of each `number` integer type. */
const INTEGER_RANGE: Readonly<Partial<Record<ScalarType, readonly [number, number]>>> = {
  u8: [0, 0xff],
  i8: [-0x80, 0x7f],
  u16: [0, 0xffff],
  i16: [-0x8000, 0x7fff],
  u32: [0, 0xffff_ffff],
  i32: [-0x8000_0000, 0x7fff_ffff],
};

function invalid(message: string): HsaError {
  return new HsaError('ERR_INVALID_ARGUMENT', { message });
}

function checkFields(name: string, sizeBytes: number, fields: Fields): void {
  for (const [key, field] of Object.entries(fields)) {
    const end = field.offset + sizeOfType(field.type);
    if (field.offset < 0 || end > sizeBytes) throw new InternalError(`${name}.${key} does not fit ${sizeBytes} bytes`);
    const nested = typeof field.type === 'object' && 'array' in field.type ? field.type.array : field.type;
    if (typeof nested === 'object' && 'struct' in nested) checkFields(`${name}.${key}`, nested.sizeBytes, nested.struct);
  }
}

interface Place {
  readonly name: string;
  readonly sizeBytes: number;
  readonly offset: number;
}

function viewOf(bytes: Uint8Array, { name, sizeBytes, offset }: Place): DataView {
  if (!Number.isSafeInteger(offset) || offset < 0 || offset + sizeBytes > bytes.byteLength) {
    throw invalid(`${name} (${sizeBytes} bytes) at offset ${offset} does not lie within ${bytes.byteLength} bytes`);
  }
  return new DataView(bytes.buffer, bytes.byteOffset + offset, sizeBytes);
}

function readFields(view: DataView, base: number, fields: Fields): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    const at = base + field.offset;
    value[key] = field.bits === undefined ? readType(view, at, field.type) : readBits(view, at, field);
  }
  return value;
}

function readBits(view: DataView, at: number, { type, bit = 0, bits = 32 }: Field): number | bigint {
  if (type === 'u64') return BigInt.asUintN(bits, view.getBigUint64(at, true) >> BigInt(bit));
  return (view.getUint32(at, true) << (32 - bit - bits)) >>> (32 - bits);
}

function readType(view: DataView, at: number, type: FieldType): unknown {
  if (typeof type === 'string') return readScalar(view, at, type);
  if ('struct' in type) return readFields(view, at, type.struct);
  const { array, length } = type;
  const stride = sizeOfType(array);
  return Array.from({ length }, (_, index) => readType(view, at + index * stride, array));
}

function readScalar(view: DataView, at: number, type: ScalarType): number | bigint {
  switch (type) {
    case 'u8':
      return view.getUint8(at);
    case 'i8':
      return view.getInt8(at);
    case 'u16':
      return view.getUint16(at, true);
    case 'i16':
      return view.getInt16(at, true);
    case 'u32':
      return view.getUint32(at, true);
    case 'i32':
      return view.getInt32(at, true);
    case 'u64':
      return view.getBigUint64(at, true);
    case 'i64':
      return view.getBigInt64(at, true);
    case 'f32':
      return view.getFloat32(at, true);
    case 'f64':
      return view.getFloat64(at, true);
  }
}

function writeFields(view: DataView, base: number, fields: Fields, value: object, name: string): void {
  for (const [key, member] of Object.entries(value) as readonly (readonly [string, unknown])[]) {
    if (member === undefined) continue;
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) throw invalid(`${name} has no field ${key}`);
    const at = base + field.offset;
    if (field.bits === undefined) writeType(view, at, field.type, member, `${name}.${key}`);
    else writeBits(view, at, field, member, `${name}.${key}`);
  }
}

function writeBits(view: DataView, at: number, { type, bit = 0, bits = 32 }: Field, value: unknown, name: string): void {
  if (type === 'u64') {
    if (typeof value !== 'bigint' || BigInt.asUintN(bits, value) !== value) {
      throw invalid(`${name}: ${String(value)} is not a bigint of ${bits} bits`);
    }
    const mask = ((1n << BigInt(bits)) - 1n) << BigInt(bit);
    view.setBigUint64(at, (view.getBigUint64(at, true) & ~mask) | (value << BigInt(bit)), true);
    return;
  }
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > mask) {
    throw invalid(`${name}: ${String(value)} is not an integer of ${bits} bits`);
  }
  view.setUint32(at, (view.getUint32(at, true) & ~(mask << bit)) | (value << bit), true);
}

function writeType(view: DataView, at: number, type: FieldType, value: unknown, name: string): void {
  if (typeof type === 'string') {
    writeScalar(view, at, type, value, name);
    return;
  }
  if (typeof value !== 'object' || value === null) throw invalid(`${name}: expected an object, got ${String(value)}`);
  if ('struct' in type) {
    writeFields(view, at, type.struct, value, name);
    return;
  }
  if (!Array.isArray(value) || value.length > type.length) {
    throw invalid(`${name}: expected an array of at most ${type.length} elements`);
  }
  const stride = sizeOfType(type.array);
  value.forEach((element: unknown, index) => {
    writeType(view, at + index * stride, type.array, element, `${name}[${index}]`);
  });
}

function writeScalar(view: DataView, at: number, type: ScalarType, value: unknown, name: string): void {
  if (type === 'u64' || type === 'i64') {
    if (typeof value !== 'bigint') throw invalid(`${name}: expected a bigint, got ${typeof value}`);
    const wrapped = type === 'u64' ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value);
    if (wrapped !== value) throw invalid(`${name}: ${value} is out of the range of ${type}`);
    view.setBigUint64(at, BigInt.asUintN(64, value), true);
    return;
  }
  if (typeof value !== 'number') throw invalid(`${name}: expected a number, got ${typeof value}`);
  const range = INTEGER_RANGE[type];
  if (range !== undefined && (!Number.isInteger(value) || value < range[0] || value > range[1])) {
    throw invalid(`${name}: ${value} is out of the range of ${type}`);
  }
  switch (type) {
    case 'u8':
    case 'i8':
      view.setUint8(at, value & 0xff);
      break;
    case 'u16':
    case 'i16':
      view.setUint16(at, value & 0xffff, true);
      break;
    case 'u32':
    case 'i32':
      view.setUint32(at, value >>> 0, true);
      break;
    case 'f32':
      view.setFloat32(at, value, true);
      break;
    case 'f64':
      view.setFloat64(at, value, true);
      break;
  }
}

function offsetOfPath(name: string, fields: Fields, path: string): number {
  let members = fields;
  let offset = 0;
  for (const key of path.split('.')) {
    const field = Object.hasOwn(members, key) ? members[key] : undefined;
    if (field === undefined) throw new InternalError(`${name} has no field ${path}`);
    offset += field.offset;
    members = typeof field.type === 'object' && 'struct' in field.type ? field.type.struct : {};
  }
  return offset;
}
