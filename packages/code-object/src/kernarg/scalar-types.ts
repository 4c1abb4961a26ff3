/** Scalar argument types and how their values become bytes. */

/** Names of the types of scalars, and of elements of buffers. */
export const SCALAR_TYPES = ['i8', 'u8', 'i16', 'u16', 'f16', 'bf16', 'i32', 'u32', 'f32', 'i64', 'u64', 'f64'] as const;

export type ScalarType = (typeof SCALAR_TYPES)[number];

interface ScalarInfo {
  readonly sizeBytes: 1 | 2 | 4 | 8;
  readonly kind: 'integer' | 'float';
  /** Range of integers. */
  readonly min: bigint;
  readonly max: bigint;
}

const integer = (sizeBytes: 1 | 2 | 4 | 8, min: bigint, max: bigint): ScalarInfo => ({ sizeBytes, kind: 'integer', min, max });
const float = (sizeBytes: 2 | 4 | 8): ScalarInfo => ({ sizeBytes, kind: 'float', min: 0n, max: 0n });

/** Size, kind and range of each type. */
export const SCALARS: Readonly<Record<ScalarType, ScalarInfo>> = {
  i8: integer(1, -0x80n, 0x7fn),
  u8: integer(1, 0n, 0xffn),
  i16: integer(2, -0x8000n, 0x7fffn),
  u16: integer(2, 0n, 0xffffn),
  i32: integer(4, -0x8000_0000n, 0x7fff_ffffn),
  u32: integer(4, 0n, 0xffff_ffffn),
  i64: integer(8, -0x8000_0000_0000_0000n, 0x7fff_ffff_ffff_ffffn),
  u64: integer(8, 0n, 0xffff_ffff_ffff_ffffn),
  f16: float(2),
  bf16: float(2),
  f32: float(4),
  f64: float(8),
};

/** Whether `text` names a scalar type. */
export function isScalarType(text: unknown): text is ScalarType {
  return typeof text === 'string' && Object.hasOwn(SCALARS, text);
}

/** C and OpenCL names, as `.type_name` has them, with their width on AMD GPUs (LP64). */
const C_TYPES: ReadonlyMap<string, ScalarType> = new Map([
  ['char', 'i8'],
  ['signed char', 'i8'],
  ['int8_t', 'i8'],
  ['uchar', 'u8'],
  ['unsigned char', 'u8'],
  ['uint8_t', 'u8'],
  ['bool', 'u8'],
  ['_Bool', 'u8'],
  ['short', 'i16'],
  ['int16_t', 'i16'],
  ['ushort', 'u16'],
  ['unsigned short', 'u16'],
  ['uint16_t', 'u16'],
  ['half', 'f16'],
  ['_Float16', 'f16'],
  ['__bf16', 'bf16'],
  ['int', 'i32'],
  ['int32_t', 'i32'],
  ['uint', 'u32'],
  ['unsigned int', 'u32'],
  ['unsigned', 'u32'],
  ['uint32_t', 'u32'],
  ['float', 'f32'],
  ['long', 'i64'],
  ['long long', 'i64'],
  ['int64_t', 'i64'],
  ['ptrdiff_t', 'i64'],
  ['ulong', 'u64'],
  ['unsigned long', 'u64'],
  ['unsigned long long', 'u64'],
  ['uint64_t', 'u64'],
  ['size_t', 'u64'],
  ['double', 'f64'],
]);

/** The scalar type of a C type name of this size, or undefined. */
export function scalarOfTypeName(typeName: string, sizeBytes: number): ScalarType | undefined {
  const type = C_TYPES.get(typeName.replace(/\b(?:const|volatile)\b/g, '').trim());
  return type !== undefined && SCALARS[type].sizeBytes === sizeBytes ? type : undefined;
}

/** The bytes of a scalar, or what is wrong with the value (`a whole number from 0 to 255`). */
export function writeScalar(view: DataView, offset: number, type: ScalarType, value: unknown): string | undefined {
  const info = SCALARS[type];
  if (info.kind === 'float') {
    if (typeof value !== 'number') return `${type} (a number)`;
    writeFloat(view, offset, type, value);
    return undefined;
  }
  const whole = toWhole(value, info.sizeBytes);
  if (whole === undefined || whole < info.min || whole > info.max) {
    return `${type} (${info.sizeBytes === 8 ? 'a bigint or safe integer' : 'a whole number'} from ${info.min} to ${info.max})`;
  }
  writeWhole(view, offset, info.sizeBytes, whole);
  return undefined;
}

/** As {@link writeScalar} for an integer of which only the size is known: signed and unsigned values are taken. */
export function writeInteger(view: DataView, offset: number, sizeBytes: 1 | 2 | 4 | 8, value: unknown): string | undefined {
  const whole = toWhole(value, sizeBytes);
  const bits = BigInt(sizeBytes * 8);
  const [min, max] = [-(1n << (bits - 1n)), (1n << bits) - 1n];
  if (whole === undefined || whole < min || whole > max) return `a whole number of ${bits} bits, from ${min} to ${max}`;
  writeWhole(view, offset, sizeBytes, whole);
  return undefined;
}

/** 64-bit types take bigints and safe integers, the others numbers. */
function toWhole(value: unknown, sizeBytes: number): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'bigint' && sizeBytes === 8 ? value : undefined;
}

function writeWhole(view: DataView, offset: number, sizeBytes: 1 | 2 | 4 | 8, whole: bigint): void {
  switch (sizeBytes) {
    case 1:
      view.setUint8(offset, Number(BigInt.asUintN(8, whole)));
      return;
    case 2:
      view.setUint16(offset, Number(BigInt.asUintN(16, whole)), true);
      return;
    case 4:
      view.setUint32(offset, Number(BigInt.asUintN(32, whole)), true);
      return;
    case 8:
      view.setBigUint64(offset, BigInt.asUintN(64, whole), true);
  }
}

function writeFloat(view: DataView, offset: number, type: ScalarType, value: number): void {
  if (type === 'f64') view.setFloat64(offset, value, true);
  else if (type === 'f32') view.setFloat32(offset, value, true);
  else view.setUint16(offset, type === 'f16' ? toHalf(value) : toBfloat16(value), true);
}

/** IEEE 754 binary16, rounded once to nearest even. */
export function toHalf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 0x7e00;
  // Half of the last place above the largest finite value, 65504, rounds to infinity.
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | roundHalfEven(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  // log2 may be off by one next to a power of two.
  const exact = size >= 2 ** (exponent + 1) ? exponent + 1 : size < 2 ** exponent ? exponent - 1 : exponent;
  // A mantissa that rounds up to 2048 carries into the exponent, as it should.
  return sign | (((exact + 15) << 10) + roundHalfEven(size * 2 ** (10 - exact)) - 1024);
}

/** bfloat16: the upper half of binary32, rounded once to nearest even. */
export function toBfloat16(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 0x7fc0;
  if (size >= 2 ** 127 * (2 - 2 ** -8)) return sign | 0x7f80;
  if (size < 2 ** -126) return sign | roundHalfEven(size * 2 ** 133);
  const exponent = Math.floor(Math.log2(size));
  const exact = size >= 2 ** (exponent + 1) ? exponent + 1 : size < 2 ** exponent ? exponent - 1 : exponent;
  return sign | (((exact + 127) << 7) + roundHalfEven(size * 2 ** (7 - exact)) - 128);
}

/** Both callers scale by powers of two, exactly. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest > 0.5) return floor + 1;
  return rest < 0.5 || floor % 2 === 0 ? floor : floor + 1;
}
