/** Values in C's memory, by their kind in the signature data. */
import type { Fields, HsaValueKind, StructInit, StructLayout } from '@doorbell/abi';
import { defineStruct, hsa, hsaStructs, InternalError } from '@doorbell/abi';
import type { CScalar, CSignature, CValue } from '@doorbell/thunk-loader';

/** What lies behind a pointer: a kind, and the structure's C name for `struct`. */
export interface ElementType {
  readonly kind: HsaValueKind;
  readonly struct?: string | undefined;
}

const BYTES: Readonly<Record<CScalar, number>> = { bool: 1, u8: 1, u16: 2, u32: 4, i32: 4, u64: 8, i64: 8 };

/** hsa_ext_amd.h of interface version 1.11, which is later than the headers of the other structures. */
const LATER: Readonly<Record<string, StructLayout<Fields>>> = {
  hsa_amd_clock_counters_t: defineStruct('hsa_amd_clock_counters_t', 32, {
    gpu_clock_counter: { offset: 0, type: 'u64' },
    cpu_clock_counter: { offset: 8, type: 'u64' },
    system_clock_counter: { offset: 16, type: 'u64' },
    system_clock_frequency: { offset: 24, type: 'u64' },
  }),
};

/** How a kind travels in a register; strings and structures go as their address. */
export function scalarOf(kind: HsaValueKind): CScalar {
  switch (kind) {
    case 'handle':
    case 'pointer':
    case 'string':
    case 'struct':
      return 'u64';
    default:
      return kind;
  }
}

export function elementBytes({ kind, struct }: ElementType): number {
  return kind === 'struct' ? layoutOf(struct).sizeBytes : BYTES[scalarOf(kind)];
}

/** Reads one value; a `string` is given as its address. */
export function readElement(bytes: Uint8Array, offset: number, type: ElementType): unknown {
  if (type.kind === 'struct') return layoutOf(type.struct).read(bytes, offset);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scalar = scalarOf(type.kind);
  switch (scalar) {
    case 'bool':
      return view.getUint8(offset) !== 0;
    case 'u8':
      return view.getUint8(offset);
    case 'u16':
      return view.getUint16(offset, true);
    case 'u32':
      return view.getUint32(offset, true);
    case 'i32':
      return view.getInt32(offset, true);
    case 'u64':
      return view.getBigUint64(offset, true);
    case 'i64':
      return view.getBigInt64(offset, true);
  }
}

/** Writes one value; a number may stand for a 64-bit one and the other way round, as information functions give them. */
export function writeElement(bytes: Uint8Array, offset: number, type: ElementType, value: unknown): void {
  if (type.kind === 'struct') {
    const fields = Object.entries<unknown>({ ...(value as object) }).map(([name, field]): [string, unknown] => [
      name,
      typeof field === 'boolean' ? Number(field) : field,
    ]);
    // Safe, both times: the layout checks every field that it writes.
    layoutOf(type.struct).write(bytes, Object.fromEntries(fields) as StructInit<Fields>, offset);
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scalar = scalarOf(type.kind);
  const wide = toBigInt(value);
  switch (scalar) {
    case 'bool':
    case 'u8':
      view.setUint8(offset, Number(BigInt.asUintN(8, wide)));
      return;
    case 'u16':
      view.setUint16(offset, Number(BigInt.asUintN(16, wide)), true);
      return;
    case 'u32':
    case 'i32':
      view.setUint32(offset, Number(BigInt.asUintN(32, wide)), true);
      return;
    case 'u64':
    case 'i64':
      view.setBigUint64(offset, BigInt.asUintN(64, wide), true);
  }
}

/** The value that an out-parameter has before the call: 0 of its kind. */
export function zeroOf({ kind, struct }: ElementType): unknown {
  if (kind === 'struct') {
    const layout = layoutOf(struct);
    return layout.read(new Uint8Array(layout.sizeBytes));
  }
  if (kind === 'string') return '';
  const scalar = scalarOf(kind);
  return scalar === 'bool' ? false : scalar === 'u64' || scalar === 'i64' ? 0n : 0;
}

/** A result for C; HSA_STATUS_ERROR, 0 or `false` where TypeScript gave a value of another kind. */
export function resultForC(returns: CSignature['returns'], result: unknown): CValue {
  switch (returns) {
    case 'void':
      return undefined;
    case 'bool':
      return result === true;
    case 'u64':
    case 'i64':
      return typeof result === 'bigint' ? result : 0n;
    default:
      return typeof result === 'number' ? result >>> 0 : hsa.HSA_STATUS_ERROR;
  }
}

/** The layout of a structure that a signature names. */
export function layoutOf(name: string | undefined): StructLayout<Fields> {
  const layouts: Readonly<Record<string, unknown>> = hsaStructs;
  const layout = name === undefined ? undefined : (layouts[name] ?? LATER[name]);
  if (layout === undefined) throw new InternalError(`no structure is ${String(name)}`);
  // Safe: the module exports nothing but layouts.
  return layout as StructLayout<Fields>;
}

function toBigInt(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return BigInt(value);
  throw new InternalError(`${typeof value} where C has a number`);
}
