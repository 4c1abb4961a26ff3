import { HsaError } from '@doorbell/abi/core';
import { checkDispatch, type KernargDispatch, writeHiddenArguments } from './hidden-arguments.js';
import type { ArgSlot, KernargLayout } from './layout.js';
import { isScalarType, SCALARS, type ScalarType, writeInteger, writeScalar } from './scalar-types.js';

/** A scalar with its type, for arguments whose type neither metadata nor signature names. */
export interface TypedValue {
  readonly type: ScalarType;
  readonly value: number | bigint;
}

/** Dynamic LDS for a pointer argument. */
export interface LdsBlock {
  readonly ldsBytes: number;
}

/**
 * A value for an argument: numbers and bigints for scalars, a bigint address for pointers, bytes (or any typed array of the
 * size) for structs and vectors, {@link LdsBlock} for dynamic LDS pointers.
 */
export type ArgValue = number | bigint | ArrayBufferView | TypedValue | LdsBlock;

/** By name, or in order. Values are checked, whatever their static type. */
export type ArgValues = Readonly<Record<string, unknown>> | readonly unknown[];

/** A filled kernarg segment. */
export interface PackedKernarg {
  readonly bytes: Uint8Array;
  /** LDS of a workgroup: static, the blocks of LDS arguments, and the dynamic rest; for the packet's group segment size. */
  readonly groupSegmentBytes: number;
}

/**
 * Fills a kernarg segment: explicit arguments from `values`, hidden ones from `dispatch`, the rest with zeros.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT that names the argument, what it expects and what it got.
 */
export function packKernarg(layout: KernargLayout, values: ArgValues, dispatch: KernargDispatch): PackedKernarg {
  checkDispatch(dispatch);
  if (!layout.hasMetadata && layout.sizeBytes > 0) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `the code object does not describe the arguments of ${layout.kernelName}; give the ${layout.sizeBytes} bytes of its kernarg segment instead`,
      hint: 'Pass kernarg: Uint8Array in place of args.',
    });
  }
  const ordered = orderValues(layout, values);
  const bytes = new Uint8Array(layout.sizeBytes);
  const view = new DataView(bytes.buffer);
  const lds = new LdsCursor(layout.staticLdsBytes);
  layout.slots.forEach((slot, index) => {
    const expected = writeValue(bytes, view, slot, ordered[index], lds);
    if (expected !== undefined) throw badValue(layout, slot, expected, ordered[index]);
  });
  const groupSegmentBytes = lds.end(dispatch.dynamicLdsBytes ?? 0);
  writeHiddenArguments(view, layout.hidden, dispatch, { from: 0, dynamicLdsBytes: groupSegmentBytes - layout.staticLdsBytes });
  return { bytes, groupSegmentBytes };
}

/**
 * Completes kernarg bytes that the caller made: hidden arguments behind their end are filled in, those within are left as
 * given.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT when the bytes are too many, end inside an argument or lack an explicit one.
 */
export function packRawKernarg(layout: KernargLayout, kernarg: Uint8Array, dispatch: KernargDispatch): PackedKernarg {
  checkDispatch(dispatch);
  const fail = (problem: string): HsaError =>
    new HsaError('ERR_INVALID_ARGUMENT', {
      message: `kernarg of ${layout.kernelName} has ${kernarg.byteLength} bytes: ${problem}`,
      details: { kernel: layout.kernelName, given: kernarg.byteLength, segment: layout.sizeBytes },
    });
  // Without metadata and with a size of 0 in the descriptor, the caller alone knows the size.
  const isSizeKnown = layout.hasMetadata || layout.sizeBytes > 0;
  if (isSizeKnown && kernarg.byteLength > layout.sizeBytes) throw fail(`the kernarg segment has only ${layout.sizeBytes}`);
  for (const slot of layout.slots) {
    if (slot.offset + slot.sizeBytes > kernarg.byteLength) {
      throw fail(`argument ${slot.name} lies at ${slot.offset} … ${slot.offset + slot.sizeBytes - 1}`);
    }
  }
  for (const arg of layout.hidden) {
    if (arg.offset < kernarg.byteLength && arg.offset + arg.sizeBytes > kernarg.byteLength) {
      throw fail(`they end inside ${arg.kind} at ${arg.offset} … ${arg.offset + arg.sizeBytes - 1}`);
    }
  }
  const bytes = new Uint8Array(Math.max(layout.sizeBytes, kernarg.byteLength));
  bytes.set(kernarg);
  const dynamicLdsBytes = dispatch.dynamicLdsBytes ?? 0;
  writeHiddenArguments(new DataView(bytes.buffer), layout.hidden, dispatch, { from: kernarg.byteLength, dynamicLdsBytes });
  return { bytes, groupSegmentBytes: layout.staticLdsBytes + dynamicLdsBytes };
}

/** Hands out dynamic LDS behind the static LDS, in argument order. */
class LdsCursor {
  #end: number;

  constructor(staticBytes: number) {
    this.#end = staticBytes;
  }

  take(sizeBytes: number, align: number): number {
    const start = Math.ceil(this.#end / align) * align;
    this.#end = start + sizeBytes;
    return start;
  }

  end(dynamicBytes: number): number {
    return this.#end + dynamicBytes;
  }
}

function orderValues(layout: KernargLayout, values: ArgValues): readonly unknown[] {
  const names = layout.slots.map((slot) => slot.name);
  const fail = (problem: string, details: Readonly<Record<string, unknown>>): HsaError =>
    new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${layout.kernelName} takes ${names.length} arguments (${names.join(', ')}): ${problem}`,
      details: { kernel: layout.kernelName, expected: names, ...details },
    });
  if (isList(values)) {
    if (values.length !== names.length) throw fail(`${values.length} are given`, { got: values.length });
    return values;
  }
  const missing = names.filter((name) => !Object.hasOwn(values, name) || values[name] === undefined);
  if (missing.length > 0) throw fail(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`, { missing });
  const unknown = Object.keys(values).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw fail(`there is no ${unknown.join(', ')}`, { unknown });
  return names.map((name) => values[name]);
}

function isList(values: ArgValues): values is readonly unknown[] {
  return Array.isArray(values);
}

/** Writes one argument, or says what it expects. */
function writeValue(bytes: Uint8Array, view: DataView, slot: ArgSlot, value: unknown, lds: LdsCursor): string | undefined {
  const { type, offset, sizeBytes } = slot;
  switch (type) {
    case 'global':
      if (typeof value !== 'bigint' || value < 0n || value >> BigInt(sizeBytes * 8) !== 0n) return 'a pointer (a bigint address)';
      return writeInteger(view, offset, sizeBytes === 4 ? 4 : 8, sizeBytes === 4 ? Number(value) : value);
    case 'lds': {
      const size = typeof value === 'object' && value !== null && 'ldsBytes' in value ? value.ldsBytes : undefined;
      if (typeof size !== 'number' || !Number.isInteger(size) || size < 0 || size > 0xffff_ffff) {
        return 'dynamic LDS: { ldsBytes } with a size in bytes';
      }
      return writeInteger(view, offset, sizeBytes === 8 ? 8 : 4, lds.take(size, slot.ldsAlign));
    }
    case 'struct':
      return writeBytes(bytes, slot, value) ? undefined : `${sizeBytes} bytes (a Uint8Array or typed array)`;
    case 'integer': {
      if (writeBytes(bytes, slot, value)) return undefined;
      const typed = typedValue(value);
      if (typed) return writeTyped(view, slot, typed);
      const size = sizeBytes === 1 || sizeBytes === 2 || sizeBytes === 4 ? sizeBytes : 8;
      const expected = writeInteger(view, offset, size, value);
      return expected && `${expected}; for another type use a signature or { type, value }`;
    }
    default: {
      if (writeBytes(bytes, slot, value)) return undefined;
      const typed = typedValue(value);
      if (!typed) return writeScalar(view, offset, type, value);
      return typed.type === type ? writeTyped(view, slot, typed) : type;
    }
  }
}

function writeTyped(
  view: DataView,
  slot: ArgSlot,
  typed: { readonly type: ScalarType; readonly value: unknown },
): string | undefined {
  if (SCALARS[typed.type].sizeBytes !== slot.sizeBytes) return `a value of ${slot.sizeBytes} bytes`;
  return writeScalar(view, slot.offset, typed.type, typed.value);
}

function typedValue(value: unknown): { readonly type: ScalarType; readonly value: unknown } | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('value' in value)) return undefined;
  return isScalarType(value.type) ? { type: value.type, value: value.value } : undefined;
}

function writeBytes(bytes: Uint8Array, slot: ArgSlot, value: unknown): boolean {
  if (!ArrayBuffer.isView(value) || value.byteLength !== slot.sizeBytes) return false;
  bytes.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), slot.offset);
  return true;
}

function badValue(layout: KernargLayout, slot: ArgSlot, expected: string, got: unknown): HsaError {
  return new HsaError('ERR_INVALID_ARGUMENT', {
    message: `argument ${slot.name} (number ${slot.index}) of ${layout.kernelName} expects ${expected}; got ${describe(got)}`,
    details: { kernel: layout.kernelName, argument: slot.name, index: slot.index, expected },
  });
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return `the string "${value.slice(0, 40)}"`;
    case 'number':
    case 'boolean':
      return `the ${typeof value} ${value}`;
    case 'bigint':
      return `the bigint ${value}n`;
    case 'object':
      if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`;
      return typedValue(value)
        ? `a ${typedValue(value)?.type ?? ''} value`
        : `an object with keys ${Object.keys(value).slice(0, 6).join(', ')}`;
    default:
      return typeof value;
  }
}
