import { HsaError } from '@doorbell/abi/core';
import type { KernelInfo } from '../kernel/kernel-info.js';
import type { HiddenArg, KernelArg } from '../kernel/metadata-types.js';
import { isScalarType, SCALARS, type ScalarType, scalarOfTypeName } from './scalar-types.js';

/** What a signature may say of an argument: a scalar type, a global pointer, a dynamic LDS pointer, or bytes by value. */
export type ArgType = ScalarType | 'global' | 'lds' | 'struct';

/**
 * How an argument's value is taken: as {@link ArgType}, or as an integer of its size where neither metadata nor signature names
 * the type.
 */
export type SlotType = ArgType | 'integer';

/** One argument in the kernarg segment. */
export interface ArgSlot {
  readonly name: string;
  readonly index: number;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly type: SlotType;
  /** Alignment of the LDS block of an `lds` argument. */
  readonly ldsAlign: number;
}

/** The kernarg segment of a kernel. */
export interface KernargLayout {
  readonly kernelName: string;
  readonly sizeBytes: number;
  readonly alignBytes: number;
  readonly slots: readonly ArgSlot[];
  readonly hidden: readonly HiddenArg[];
  /** Static LDS of the kernel: dynamic LDS follows it. */
  readonly staticLdsBytes: number;
  /** Whether the code object describes the arguments; without, only raw kernarg bytes can be given. */
  readonly hasMetadata: boolean;
}

/** LDS alignment where the metadata gives none: the largest of a vector type that LDS instructions access at once. */
const DEFAULT_LDS_ALIGN = 16;

/**
 * Lays out a kernel's arguments. A signature names the types; it is checked against the metadata by count, size and kind. Its
 * names must be the metadata's, or, where the compiler left them out, they name the arguments in order.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT when the signature does not fit the kernel.
 */
export function layoutKernarg(kernel: KernelInfo, signature?: Readonly<Record<string, ArgType>>): KernargLayout {
  const types = signature && matchSignature(kernel, signature);
  return {
    kernelName: kernel.name,
    sizeBytes: kernel.kernargBytes,
    alignBytes: kernel.kernargAlign,
    slots: kernel.args.map((arg, index) => {
      const given = types?.[index];
      return {
        name: given?.name ?? arg.name,
        index,
        offset: arg.offset,
        sizeBytes: arg.sizeBytes,
        type: given ? checkType(kernel, arg, index, given) : typeOf(arg),
        ldsAlign: arg.pointeeAlign ?? DEFAULT_LDS_ALIGN,
      };
    }),
    hidden: kernel.hiddenArgs,
    staticLdsBytes: kernel.groupBytes,
    hasMetadata: kernel.metadata !== undefined,
  };
}

interface NamedType {
  readonly name: string;
  readonly type: ArgType;
}

/** The signature's entries in the order of the kernel's arguments. */
function matchSignature(kernel: KernelInfo, signature: Readonly<Record<string, ArgType>>): NamedType[] {
  const entries = Object.entries(signature).map(([name, type]) => ({ name, type }));
  const names = kernel.args.map((arg) => arg.name);
  const fail = (problem: string): HsaError =>
    new HsaError('ERR_INVALID_ARGUMENT', {
      message: `the signature of ${kernel.name} does not fit: ${problem}`,
      hint:
        names.length === 0
          ? 'The kernel takes no arguments that the metadata knows of.'
          : `The kernel takes (${names.join(', ')}).`,
      details: { kernel: kernel.name, expected: names, got: entries.map((entry) => entry.name) },
    });
  if (entries.length !== kernel.args.length)
    throw fail(`it has ${entries.length} arguments, the code object ${kernel.args.length}`);
  if (!kernel.args.some((arg) => arg.hasName)) return entries;
  return kernel.args.map((arg) => {
    const entry = entries.find((candidate) => candidate.name === arg.name);
    if (!entry) throw fail(`it lacks the argument ${arg.name}`);
    return entry;
  });
}

function checkType(kernel: KernelInfo, arg: KernelArg, index: number, given: NamedType): SlotType {
  const { type } = given;
  const fail = (expected: string): HsaError =>
    new HsaError('ERR_INVALID_ARGUMENT', {
      message: `the signature of ${kernel.name} says ${type} for argument ${given.name} (number ${index}); the code object has ${expected}`,
      details: { kernel: kernel.name, argument: given.name, index, got: type, expected },
    });
  const natural = typeOf(arg);
  switch (natural) {
    case 'global':
    case 'lds':
      if (type !== natural) throw fail(natural === 'lds' ? 'a dynamic LDS pointer' : 'a pointer to global memory');
      return type;
    default: {
      const expected = `${arg.typeName ?? (natural === 'struct' ? 'a struct' : 'a value')} of ${arg.sizeBytes} bytes`;
      if (type === 'struct') return type;
      if (!isScalarType(type) || SCALARS[type].sizeBytes !== arg.sizeBytes) throw fail(expected);
      if (isScalarType(natural) && SCALARS[natural].kind !== SCALARS[type].kind) throw fail(expected);
      return type;
    }
  }
}

/** The type of an argument as the metadata tells it. */
function typeOf(arg: KernelArg): SlotType {
  switch (arg.kind) {
    case 'dynamic_shared_pointer':
      return 'lds';
    case 'by_value': {
      const scalar = arg.typeName === undefined ? undefined : scalarOfTypeName(arg.typeName, arg.sizeBytes);
      if (scalar !== undefined) return scalar;
      const isScalarSize = arg.sizeBytes === 1 || arg.sizeBytes === 2 || arg.sizeBytes === 4 || arg.sizeBytes === 8;
      return isScalarSize && arg.typeName === undefined ? 'integer' : 'struct';
    }
    case 'global_buffer':
    case 'sampler':
    case 'image':
    case 'pipe':
    case 'queue':
      return 'global';
  }
}
