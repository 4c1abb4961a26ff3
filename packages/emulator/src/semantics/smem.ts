/** Scalar loads (semantics.md §10, SMEM). */
import type { Address } from '../ir/block.js';
import { loadDwords, need, scaledOffset, setDwords } from './memory.js';
import type { Operation, Semantic } from './operation.js';

const ALIGNED = 0xffff_fffc;

/** SBASE + offset + soffset of a load of less than a dword: at any address. */
function narrowAddress(o: Operation, bytes: number): Address {
  const base = o.read64(need(o, 'sbase'));
  const register = o.find('soffset');
  const constant = o.immediate('offset');
  if (register === undefined || o.scalarIndex(register) === -1) return { base, constant };
  return { base, offset: scaledOffset(o, register, bytes), constant };
}

/** SBASE & ~3 + offset + soffset; the low two bits of the sum are ignored. `bytes` are those of the access. */
export function scalarAddress(o: Operation, bytes: number): Address {
  const { b } = o;
  const offset = o.immediate('offset');
  const base = b.op('and64', o.read64(need(o, 'sbase')), b.i64(ALIGNED, 0xffff_ffff));
  const register = o.find('soffset');
  if (register === undefined || o.scalarIndex(register) === -1) return { base, constant: offset & ~3 };
  const scalar = scaledOffset(o, register, bytes);
  if ((offset & 3) === 0) return { base, offset: b.op('and32', scalar, b.i32(ALIGNED)), constant: offset };
  // The low bits of offset and soffset may carry.
  const sum = b.op('add64', b.op('pack64', scalar, b.i32(0)), b.i64(offset, offset < 0 ? 0xffff_ffff : 0));
  return { base: b.op('add64', base, b.op('and64', sum, b.i64(ALIGNED, 0xffff_ffff))), constant: 0 };
}

function load(dwords: number): Semantic {
  return (o) => {
    setDwords(o, loadDwords(o, { space: 'global', address: scalarAddress(o, dwords * 4) }, dwords));
  };
}

/** gfx12: 8 or 16 bits, extended. */
function narrow(bits: 8 | 16, isSigned: 'signed' | 'unsigned'): Semantic {
  return (o) => {
    const value = o.b.load({ space: 'global', address: narrowAddress(o, bits / 8) }, bits);
    o.set32(isSigned === 'signed' ? o.signExtend(value, bits) : value);
  };
}

export const SMEM: Readonly<Record<string, Semantic>> = {
  s_load_b32: load(1),
  s_load_b64: load(2),
  s_load_b96: load(3),
  s_load_b128: load(4),
  s_load_u8: narrow(8, 'unsigned'),
  s_load_i8: narrow(8, 'signed'),
  s_load_u16: narrow(16, 'unsigned'),
  s_load_i16: narrow(16, 'signed'),
  s_load_b256: load(8),
  s_load_b512: load(16),
};
