/**
 * From a buffer instruction to addresses and range checks (semantics.md §10). Two forms: the plain one, an address in parts that the
 * compiler keeps apart, for lanes of resources that neither swizzle nor add the lane; and any other, lane by lane.
 */
import type { BufferAccess } from '@doorbell/isa';
import { bufferAccessOf } from '@doorbell/isa';
import { PRIVATE_BASE_HIGH } from '../ir/apertures.js';
import type { Address, MemorySpace, Value } from '../ir/block.js';
import type { BufferResource } from './buffer-resource.js';
import { CHECK_EMPTY, CHECK_INDEX, CHECK_RAW, CHECK_STRUCTURED, hasPrivateBuffer, readResource } from './buffer-resource.js';
import { need } from './memory.js';
import type { Operation } from './operation.js';

export interface BufferPlace {
  readonly access: BufferAccess;
  readonly resource: BufferResource;
  readonly space: MemorySpace;
  /** The address of the instruction's offset; more is added to the constant. */
  readonly plain: Address;
  /** Whether the plain address is right: uniform. */
  readonly isPlain: Value;
  /** The address of a byte that far behind, for every resource. */
  readonly any: (bytes: number) => Address;
  /** Whether `size` bytes that far behind are in range: uniform or by lane. */
  readonly inRange: (bytes: number, size: number | Value) => Value;
}

export function placeOf(o: Operation): BufferPlace {
  const { b } = o;
  const access = bufferAccessOf(o.instruction, o.generation.processor);
  const resource = readResource(o, need(o, 'srsrc'));
  const vector = o.find('vaddr');
  const index = access.idxen && vector !== undefined ? o.read32(vector) : undefined;
  const offset = access.offen && vector !== undefined ? o.read32(vector, access.idxen ? 1 : 0) : undefined;
  const constant = o.immediate('offset');
  const soffset = o.read32(need(o, 'soffset'));
  const waveShift = b.i32(b.waveSize === 64 ? 6 : 5);
  const { isPrivate, stride } = resource;
  // A stack pointer counts bytes of the whole wave; private memory is addressed by the lane's own bytes.
  const privateBase = b.op('pack64', b.op('shrU32', soffset, waveShift), b.i32(PRIVATE_BASE_HIGH));
  const base = b.op('select64', isPrivate, privateBase, b.op('add64', resource.base, b.op('pack64', soffset, b.i32(0))));
  const zero = b.i32(0);
  const isSpecial = b.op('and', b.op('or', resource.isSwizzled, resource.addsLane), b.op('not', isPrivate));
  const wide = (value: Value): Value => b.op('pack64', value, zero);
  const plain: Address =
    index === undefined
      ? { base, ...(offset === undefined ? {} : { offset }), constant }
      : { vector: b.op('add64', b.op('mulWideU32', index, stride), sum64(o, base, offset)), constant };
  return {
    access,
    resource,
    space: hasPrivateBuffer(o) ? 'flat' : 'global',
    plain,
    isPlain: b.op('not', isSpecial),
    any: (bytes) => {
      const lane = b.op('select32', resource.addsLane, b.op('laneId'), zero);
      const at = b.op('add32', offset ?? zero, b.i32(constant + bytes));
      const vectorAddress = b.op('add64', base, swizzle(o, resource, b.op('add32', index ?? zero, lane), at));
      return isPrivate.kind === 'const'
        ? { vector: vectorAddress, constant: 0 }
        : { vector: b.op('select64', isPrivate, b.op('add64', base, wide(at)), vectorAddress), constant: 0 };
    },
    inRange: (bytes, size) => inRange(o, { resource, access, index, offset, soffset }, constant + bytes, size),
  };
}

function sum64(o: Operation, base: Value, offset: Value | undefined): Value {
  const { b } = o;
  return offset === undefined ? base : b.op('add64', base, b.op('pack64', offset, b.i32(0)));
}

/** Bytes from the base: records interleaved by elements where the resource says so, else index · stride + offset. */
function swizzle(o: Operation, resource: BufferResource, index: Value, offset: Value): Value {
  const { b } = o;
  const zero = b.i32(0);
  const shift = (value: Value): Value => b.op('select32', resource.isSwizzled, value, zero);
  const [records, element] = [shift(resource.indexShift), shift(resource.elementShift)];
  const low = (value: Value, bits: Value): Value => b.op('and32', value, b.op('sub32', b.op('shl32', b.i32(1), bits), b.i32(1)));
  const wholeElements = b.op('sub32', offset, low(offset, element));
  const row = b.op(
    'add64',
    b.op('mulWideU32', b.op('shrU32', index, records), resource.stride),
    b.op('pack64', wholeElements, zero),
  );
  const inRow = b.op('add32', b.op('shl32', low(index, records), element), low(offset, element));
  return b.op('add64', b.op('shl64', row, records), b.op('pack64', inRow, zero));
}

interface RangeInput {
  readonly resource: BufferResource;
  readonly access: BufferAccess;
  readonly index: Value | undefined;
  readonly offset: Value | undefined;
  readonly soffset: Value;
}

/** A bound that counts where `counts` holds. */
interface Bound {
  readonly counts: Value;
  readonly limit: Value;
}

function inRange(o: Operation, input: RangeInput, from: number, size: number | Value): Value {
  const { b } = o;
  const { resource, index, offset } = input;
  const zero = b.i32(0);
  const [indexBound, offsetBound] = o.generation.isGfx9 ? olderBounds(o, input) : newerBounds(o, resource);
  const lane = b.op('select32', resource.addsLane, b.op('laneId'), zero);
  const wholeIndex = b.op('add32', index ?? zero, lane);
  const holds = (bound: Bound, condition: Value): Value => b.op('or', b.op('not', bound.counts), condition);
  const indexFits = holds(indexBound, b.op('ltU32', wholeIndex, indexBound.limit));
  // from + size ≤ limit, and offset ≤ limit - (from + size): nothing wraps.
  const end = typeof size === 'number' ? b.i32(from + size) : b.op('add32', size, b.i32(from));
  const fitsAlone = b.op('not', b.op('ltU32', offsetBound.limit, end));
  const fits =
    offset === undefined
      ? fitsAlone
      : b.op('and', fitsAlone, b.op('not', b.op('ltU32', b.op('sub32', offsetBound.limit, end), offset)));
  const result = b.op('and', indexFits, holds(offsetBound, fits));
  const isEmpty = b.op('and', b.op('eq32', resource.check, b.i32(CHECK_EMPTY)), b.op('eq32', resource.records, zero));
  return b.op('or', resource.isPrivate, b.op('and', result, b.op('not', isEmpty)));
}

/** gfx9: with an index and a stride the index counts records; else the offset counts bytes, the soffset with it. */
function olderBounds(o: Operation, { resource, access, soffset }: RangeInput): readonly [Bound, Bound] {
  const { b } = o;
  const { records, stride, isSwizzled } = resource;
  const isStructured = access.idxen ? b.op('not', b.op('eq32', stride, b.i32(0))) : b.bool(0);
  const rest = b.op('select32', b.op('ltU32', records, soffset), b.i32(0), b.op('sub32', records, soffset));
  return [
    { counts: isStructured, limit: records },
    {
      counts: b.op('or', b.op('not', isStructured), isSwizzled),
      limit: b.op('select32', isStructured, stride, rest),
    },
  ];
}

function newerBounds(o: Operation, resource: BufferResource): readonly [Bound, Bound] {
  const { b } = o;
  const { records, stride, isSwizzled, check } = resource;
  const is = (value: number): Value => b.op('eq32', check, b.i32(value));
  const hasRecords = b.op('and', isSwizzled, b.op('not', b.op('eq32', stride, b.i32(0))));
  const isRaw = b.op('and', is(CHECK_RAW), b.op('not', hasRecords));
  const isStructured = b.op('or', is(CHECK_STRUCTURED), b.op('and', is(CHECK_RAW), hasRecords));
  return [
    { counts: b.op('or', isStructured, is(CHECK_INDEX)), limit: records },
    { counts: b.op('or', isStructured, isRaw), limit: b.op('select32', isRaw, records, stride) },
  ];
}
