import type { HsaFunction, HsaParam, HsaParamKind, HsaValueKind } from '@doorbell/abi';

/**
 * What is wrong with the arguments of a call, or `undefined`: kinds and ranges by the signature. Whether handles are valid
 * is for the function to say.
 */
// hot
export function findBadArgument({ params }: HsaFunction, args: readonly unknown[]): HsaParam | undefined {
  for (let index = 0; index < params.length; index++) {
    const param = params[index];
    if (param !== undefined && !isGood(param, args[index])) return param;
  }
  return undefined;
}

function isGood({ kind, element, nullable }: HsaParam, value: unknown): boolean {
  if (value === null && nullable) return true;
  switch (kind) {
    case 'user-data':
      return true;
    case 'callback':
      return typeof value === 'function';
    case 'memory':
      return isValue('pointer', value) || value instanceof Uint8Array;
    case 'array':
      return Array.isArray(value) && (element === undefined || value.every((item) => isValue(element, item)));
    case 'out':
    case 'out-any':
    case 'out-array':
      return isRef(value);
    case 'in-out':
      return isRef(value) && (element === undefined || isValue(element, value.value));
    default:
      return isValue(kind, value);
  }
}

function isRef(value: unknown): value is { value: unknown } {
  return typeof value === 'object' && value !== null && 'value' in value;
}

const MAX_U64 = 0xffff_ffff_ffff_ffffn;
const MAX_I64 = 0x7fff_ffff_ffff_ffffn;

function isValue(kind: HsaValueKind, value: unknown): boolean {
  switch (kind) {
    case 'handle':
    case 'pointer':
    case 'u64':
      return typeof value === 'bigint' && value >= 0n && value <= MAX_U64;
    case 'i64':
      return typeof value === 'bigint' && value >= -MAX_I64 - 1n && value <= MAX_I64;
    case 'u8':
      return isInteger(value, 0, 0xff);
    case 'u16':
      return isInteger(value, 0, 0xffff);
    case 'u32':
      return isInteger(value, 0, 0xffff_ffff);
    case 'i32':
      return isInteger(value, -0x8000_0000, 0x7fff_ffff);
    case 'bool':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'struct':
      return typeof value === 'object' && value !== null;
  }
}

function isInteger(value: unknown, lowest: number, highest: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest;
}

/** What a kind of parameter takes, for messages. */
export function describeKind(kind: HsaParamKind): string {
  switch (kind) {
    case 'handle':
    case 'pointer':
    case 'u64':
    case 'i64':
      return 'a 64-bit bigint';
    case 'u8':
    case 'u16':
    case 'u32':
    case 'i32':
      return `an integer in the range of ${kind}`;
    case 'bool':
      return 'a boolean';
    case 'string':
      return 'a string';
    case 'struct':
      return 'an object';
    case 'memory':
      return 'an address or a Uint8Array';
    case 'callback':
      return 'a function';
    case 'array':
      return 'an array';
    case 'out':
    case 'in-out':
    case 'out-array':
    case 'out-any':
      return 'a Ref';
    case 'user-data':
      return 'anything';
  }
}
