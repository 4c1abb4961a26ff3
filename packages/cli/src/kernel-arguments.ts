import { type ScalarType } from '@doorbell/runtime';
import { codeObject } from '@doorbell/runtime/layers';
import { UsageError } from './failures.js';

type ArgSlot = codeObject.ArgSlot;

/** What `--arg name=…` says of one argument. */
export type ArgRequest =
  | { readonly kind: 'scalar'; readonly text: string; readonly type?: ScalarType }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'lds'; readonly ldsBytes: number }
  | { readonly kind: 'in'; readonly type: ScalarType; readonly inputPath: string }
  | { readonly kind: 'out'; readonly type: ScalarType; readonly length: number; readonly outputPath?: string }
  | { readonly kind: 'inout'; readonly type: ScalarType; readonly inputPath: string; readonly outputPath?: string }
  | { readonly kind: 'zero'; readonly type: ScalarType; readonly length: number }
  | { readonly kind: 'rand'; readonly type: ScalarType; readonly length: number; readonly seed: number };

/** A request that needs a buffer. */
export type BufferRequest = Extract<ArgRequest, { readonly type: ScalarType; readonly kind: BufferKind }>;

/** A request with its argument's name. */
export interface NamedRequest {
  readonly name: string;
  readonly request: ArgRequest;
}

type BufferKind = 'in' | 'out' | 'inout' | 'zero' | 'rand';

const TYPES: readonly ScalarType[] = codeObject.SCALAR_TYPES;
const BUFFER_KINDS: readonly BufferKind[] = ['in', 'out', 'inout', 'zero', 'rand'];
const DEFAULT_SEED = 1;

/** Forms of `--arg`, for help and messages. */
export const ARG_FORMS: string = [
  'NAME=VALUE             scalar, or TYPE:VALUE where the code object does not say the type (f32:1.5)',
  'NAME=in:TYPE:FILE      buffer with the bytes of FILE (little-endian)',
  'NAME=out:TYPE:COUNT[:FILE]    zeroed buffer that is written to FILE, or summarised',
  'NAME=inout:TYPE:FILE[:FILE]   buffer with the bytes of the first FILE, written to the second, or summarised',
  'NAME=zero:TYPE:COUNT   zeroed buffer, summarised',
  'NAME=rand:TYPE:COUNT[:SEED]   buffer of random numbers: floats in [0, 1), integers over their whole range',
  'NAME=hex:BYTES         struct by value, in hexadecimal',
  'NAME=lds:BYTES         dynamic LDS of so many bytes',
].join('\n  ');

/** Reads one `--arg`. @throws {UsageError} */
export function parseArgRequest(text: string): NamedRequest {
  const equals = text.indexOf('=');
  if (equals <= 0) throw new UsageError(`--arg ${text}: it has the form NAME=VALUE`, FORMS_HINT);
  const name = text.slice(0, equals);
  return { name, request: parseRequest(name, text.slice(equals + 1)) };
}

const FORMS_HINT = 'doorbell run --help lists the forms.';

function parseRequest(name: string, text: string): ArgRequest {
  const [kind, rest] = splitFirst(text);
  if (rest === undefined) return { kind: 'scalar', text };
  const scalarType = TYPES.find((type) => type === kind);
  if (scalarType) return { kind: 'scalar', text: rest, type: scalarType };
  if (kind === 'hex') return { kind: 'bytes', bytes: parseHex(name, rest) };
  if (kind === 'lds') return { kind, ldsBytes: parseCount(name, rest, 'a size in bytes') };
  const bufferKind = BUFFER_KINDS.find((candidate) => candidate === kind);
  if (bufferKind === undefined) throw bad(name, `"${kind}" is no kind of argument`);
  return parseBuffer(name, bufferKind, rest);
}

function parseBuffer(name: string, kind: BufferKind, text: string): BufferRequest {
  const [typeName, rest] = splitFirst(text);
  const type = TYPES.find((candidate) => candidate === typeName);
  if (type === undefined) throw bad(name, `"${typeName}" is no element type (${TYPES.join(', ')})`);
  if (rest === undefined || rest === '')
    throw bad(name, `${kind} needs ${kind.startsWith('in') ? 'a file' : 'a count'} after ${type}`);
  if (kind === 'in') return { kind, type, inputPath: rest };
  const [first, second] = splitFirst(rest);
  if (second === '') throw bad(name, 'nothing follows the last colon');
  const outputPath = second === undefined ? {} : { outputPath: second };
  switch (kind) {
    case 'inout':
      return { kind, type, inputPath: first, ...outputPath };
    case 'out':
      return { kind, type, length: parseCount(name, first, 'a count of elements'), ...outputPath };
    case 'zero':
      if (second !== undefined) throw bad(name, 'zero takes no file; out does');
      return { kind, type, length: parseCount(name, first, 'a count of elements') };
    case 'rand': {
      const seed = second === undefined ? DEFAULT_SEED : parseCount(name, second, 'a seed', 0);
      return { kind, type, length: parseCount(name, first, 'a count of elements'), seed };
    }
  }
}

/**
 * The value to launch with, for a request that needs no buffer: checked against the type that the code object's metadata gives.
 *
 * @throws {UsageError}
 */
export function scalarValue(slot: ArgSlot, request: Exclude<ArgRequest, BufferRequest>): unknown {
  const { name, type } = slot;
  switch (request.kind) {
    case 'lds':
      if (type !== 'lds') throw bad(name, `it is ${describeSlot(slot)}, not dynamic LDS`);
      return { ldsBytes: request.ldsBytes };
    case 'bytes':
      if (request.bytes.length !== slot.sizeBytes)
        throw bad(name, `it has ${slot.sizeBytes} bytes; ${request.bytes.length} are given`);
      return request.bytes;
    case 'scalar': {
      if (type === 'global') return parsePointer(name, request);
      if (type === 'lds') throw bad(name, 'it is dynamic LDS', 'Give its size: lds:BYTES.');
      if (type === 'struct') throw bad(name, `it is a struct of ${slot.sizeBytes} bytes`, 'Give its bytes: hex:BYTES.');
      if (type === 'integer') return untypedValue(slot, request);
      if (request.type !== undefined && request.type !== type) throw bad(name, `it is ${type}, not ${request.type}`);
      return parseScalar(name, type, request.text);
    }
  }
}

/** Whether the argument takes a buffer. @throws {UsageError} */
export function requirePointer(slot: ArgSlot): void {
  if (slot.type !== 'global') throw bad(slot.name, `it is ${describeSlot(slot)}, not a pointer to a buffer`);
}

/** Without a type in the metadata, `TYPE:VALUE` says it; a plain whole number is an integer of the argument's size. */
function untypedValue(slot: ArgSlot, request: Extract<ArgRequest, { readonly kind: 'scalar' }>): unknown {
  const { name, sizeBytes } = slot;
  if (request.type !== undefined) return { type: request.type, value: parseScalar(name, request.type, request.text) };
  if (!INTEGER.test(request.text)) {
    throw bad(
      name,
      `the code object does not say its type, and ${request.text} is no whole number`,
      `Say the type: ${name}=f32:${request.text}.`,
    );
  }
  return sizeBytes === 8 ? BigInt(request.text) : Number(request.text);
}

const INTEGER = /^-?\d+$|^0[xX][0-9a-fA-F]+$/;
const FLOAT = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function parseScalar(name: string, type: ScalarType, text: string): number | bigint {
  if (type.startsWith('f') || type === 'bf16') {
    const special = { inf: Infinity, '-inf': -Infinity, nan: NaN }[text.toLowerCase()];
    if (special !== undefined) return special;
    if (!FLOAT.test(text)) throw bad(name, `it is ${type}; "${text}" is no number`);
    return Number(text);
  }
  if (!INTEGER.test(text)) throw bad(name, `it is ${type}; "${text}" is no whole number`);
  const value = BigInt(text);
  const bits = Number(type.slice(1));
  const [low, high] = type.startsWith('u')
    ? [0n, 2n ** BigInt(bits) - 1n]
    : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  if (value < low || value > high) throw bad(name, `${text} is out of the range of ${type} (${low} … ${high})`);
  return bits === 64 ? value : Number(value);
}

function parsePointer(name: string, { text, type }: Extract<ArgRequest, { readonly kind: 'scalar' }>): bigint {
  if (type !== undefined || !INTEGER.test(text) || text.startsWith('-')) {
    throw bad(
      name,
      'it is a pointer to a buffer',
      'Give a buffer: in:TYPE:FILE, out:TYPE:COUNT, inout:…, zero:…, rand:…; or an address.',
    );
  }
  return BigInt(text);
}

function describeSlot({ type, sizeBytes }: ArgSlot): string {
  switch (type) {
    case 'global':
      return 'a pointer to a buffer';
    case 'lds':
      return 'dynamic LDS';
    case 'struct':
      return `a struct of ${sizeBytes} bytes`;
    case 'integer':
      return `a value of ${sizeBytes} bytes`;
    default:
      return type;
  }
}

function parseHex(name: string, text: string): Uint8Array {
  if (!/^([0-9a-fA-F]{2})+$/.test(text)) throw bad(name, `"${text}" is no sequence of bytes in hexadecimal`);
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

function parseCount(name: string, text: string, what: string, least = 1): number {
  const value = INTEGER.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value) || value < least) throw bad(name, `"${text}" is not ${what}`);
  return value;
}

function splitFirst(text: string): readonly [string, string | undefined] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)];
}

function bad(name: string, problem: string, hint: string = FORMS_HINT): UsageError {
  return new UsageError(`argument ${name}: ${problem}`, hint);
}
