import { SHF_ALLOC } from '../elf/elf-constants.js';
import type { LinkProblem, LinkRelocation, LinkSymbol } from './link-types.js';

/** Addresses of the linked file. */
export interface Addresses {
  symbol(symbol: LinkSymbol): bigint;
  /** Of the symbol's entry in the global offset table. */
  gotEntry(symbol: LinkSymbol): bigint;
}

/** Where and into what a relocation is applied. */
export interface RelocationTarget {
  /** Address of the section's first byte. */
  readonly vaddr: number;
  readonly flags: number;
  readonly bytes: Uint8Array;
}

/**
 * Writes the value of one relocation (LLVM AMDGPUUsage, "Relocation Records") that is resolved now; those for load time leave
 * zeros. Gives a problem when the value has no room.
 */
export function applyRelocation(
  relocation: LinkRelocation,
  target: RelocationTarget,
  addresses: Addresses,
): LinkProblem | undefined {
  const view = new DataView(target.bytes.buffer, target.bytes.byteOffset, target.bytes.byteLength);
  const { offset, symbol, addend, type } = relocation;
  const place = BigInt(target.vaddr + offset);
  const isLoaded = (target.flags & SHF_ALLOC) !== 0;
  const absolute = (): bigint => addresses.symbol(symbol) + addend;
  const relative = (): bigint => absolute() - place;
  const got = (): bigint => addresses.gotEntry(symbol) + addend - place;
  const set32 = (value: bigint): void => view.setUint32(offset, Number(BigInt.asUintN(32, value)), true);
  switch (type) {
    case 'ABS32':
    case 'ABS32_LO':
      set32(absolute());
      return undefined;
    case 'ABS32_HI':
      set32(absolute() >> 32n);
      return undefined;
    case 'ABS64':
      if (!isLoaded || symbol.place.kind === 'absolute') view.setBigUint64(offset, BigInt.asUintN(64, absolute()), true);
      return undefined;
    case 'REL32':
    case 'REL32_LO':
      set32(relative());
      return undefined;
    case 'REL32_HI':
      set32(relative() >> 32n);
      return undefined;
    case 'REL64':
      view.setBigUint64(offset, BigInt.asUintN(64, relative()), true);
      return undefined;
    case 'GOTPCREL':
    case 'GOTPCREL32_LO':
      set32(got());
      return undefined;
    case 'GOTPCREL32_HI':
      set32(got() >> 32n);
      return undefined;
    case 'REL16': {
      // In dwords from the end of the 4-byte instruction.
      const dwords = (relative() - 4n) / 4n;
      if (dwords < -0x8000n || dwords > 0x7fffn) {
        return { message: `the branch to ${symbol.name} reaches ${dwords} dwords; at most 32767 fit`, origin: relocation.origin };
      }
      view.setInt16(offset, Number(dwords), true);
      return undefined;
    }
    case 'RELATIVE64':
      return undefined;
  }
}
