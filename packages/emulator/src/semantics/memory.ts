/** What GLOBAL, FLAT, SCRATCH, DS and SMEM share: addresses in parts, and values of one to sixteen dwords (semantics.md §10). */
import type { Operand } from '@doorbell/isa';
import type { Address, Value } from '../ir/block.js';
import type { Access } from '../ir/wave-builder.js';
import type { Operation } from './operation.js';

function offsetAddress(address: Address, bytes: number): Address {
  return bytes === 0 ? address : { ...address, constant: address.constant + bytes };
}

/** A vector access under EXEC. */
export function laneAccess(o: Operation, space: Access['space'], address: Address): Required<Access> {
  return { space, address, mask: o.b.execMask() };
}

/** Loads `dwords` consecutive dwords. */
export function loadDwords(o: Operation, access: Access, dwords: number): Value[] {
  const group = o.b.newGroup();
  return Array.from({ length: dwords }, (_, n) =>
    o.b.load({ ...access, address: offsetAddress(access.address, 4 * n) }, 32, group),
  );
}

/** Stores the dwords of a register operand. */
export function storeDwords(o: Operation, access: Required<Access>, data: Operand, dwords: number): void {
  const values = Array.from({ length: dwords }, (_, n) => o.read32(data, n));
  const group = o.b.newGroup();
  for (const [n, value] of values.entries()) {
    o.b.store({ ...access, address: offsetAddress(access.address, 4 * n) }, 32, value, group);
  }
}

/** Writes consecutive dwords to a register operand, from `part` on. */
export function setDwords(o: Operation, values: readonly Value[], operand: Operand = o.result(), part: number = 0): void {
  for (const [n, value] of values.entries()) o.set32(value, operand, part + n);
}

/** How a sub-dword load fills its register. */
export interface NarrowLoad {
  readonly bits: 8 | 16;
  readonly isSigned: boolean;
  /** A d16 load writes one half and keeps the other. */
  readonly half: 'low' | 'high' | '';
}

export function loadNarrow(o: Operation, access: Access, narrow: NarrowLoad): void {
  needResult(o);
  setNarrow(o, o.b.load(access, narrow.bits), narrow);
}

/** The result of a sub-dword load from what was loaded, zero-extended. */
export function setNarrow(o: Operation, loaded: Value, { bits, isSigned, half }: NarrowLoad): void {
  const { b } = o;
  const value = isSigned ? o.signExtend(loaded, bits) : loaded;
  if (half === '') {
    o.set32(value);
    return;
  }
  const old = o.read32(o.result());
  const kept = b.op('and32', old, b.i32(half === 'high' ? 0xffff : 0xffff_0000));
  const part = half === 'high' ? b.op('shl32', value, b.i32(16)) : b.op('and32', value, b.i32(0xffff));
  o.set32(b.op('or32', kept, part));
}

export function storeNarrow(o: Operation, access: Required<Access>, data: Operand, bits: 8 | 16, half: 'high' | ''): void {
  const value = o.read32(data);
  o.b.store(access, bits, half === 'high' ? o.b.op('shrU32', value, o.b.i32(16)) : value);
}

/** Loads without a result go to LDS. */
function needResult(o: Operation): void {
  if (o.results.length === 0) o.unsupported('load into LDS');
}

/** An operand that must be there. */
export function need(o: Operation, name: string): Operand {
  return o.find(name) ?? o.unsupported(`${o.name} without ${name}`);
}

/** gfx1250 multiplies a register's offset by the size of the access where this bit of the cache policy is set (LLVM SIDefines.h, CPol). */
const SCALE_OFFSET = 1 << 11;

/** The offset that a register adds to an address of `bytes` bytes. */
export function scaledOffset(o: Operation, register: Operand, bytes: number): Value {
  const offset = o.read32(register);
  const isScaled = o.generation.family === 'gfx1250' && (o.immediate('cpol') & SCALE_OFFSET) !== 0;
  return isScaled ? o.b.op('mul32', offset, o.b.i32(bytes)) : offset;
}
