/** From a GPU address to the offset in the machine's memory and back: one interface, two forms of translation. */
import { WindowReader } from '../address-windows.js';
import { GPU_BASE, GPU_BASE_HIGH, MEMORY_BYTES, STATE_BYTES } from '../memory-map.js';

/** `fixed`: an address is a constant base plus the offset. `scattered`: the client chooses addresses, and windows say where they lie. */
export type AddressForm = 'fixed' | 'scattered';

/** What every thread knows of addresses. */
export interface Translation {
  readonly form: AddressForm;
  /** The offset of `bytes` bytes at the address of these two dwords; -1 when they do not all lie where GPUs may go. */
  find(low: number, high: number, bytes: number): number;
  /** The same for a 64-bit address. */
  offsetOf(address: bigint, bytes: number): number;
  /** An address of a byte of the machine's memory; undefined when it has none. */
  addressOf(offset: number): bigint | undefined;
}

/** The threads' view of a memory's addresses. */
export function createTranslation(memory: WebAssembly.Memory, form: AddressForm): Translation {
  return form === 'fixed' ? fixedTranslation : new WindowReader(memory);
}

export const fixedTranslation: Translation = {
  form: 'fixed',
  // hot
  find(low, high, bytes) {
    const offset = low >>> 0;
    return high === GPU_BASE_HIGH && offset >= STATE_BYTES && offset + bytes <= MEMORY_BYTES ? offset : -1;
  },
  offsetOf: (address, bytes) => offsetOfAddress(address, bytes) ?? -1,
  addressOf: addressOfOffset,
};

/** First address of the first form that user space and kernels may use. */
const FIRST_ADDRESS: bigint = GPU_BASE + BigInt(STATE_BYTES);
/** One past the last. */
const END_ADDRESS: bigint = GPU_BASE + BigInt(MEMORY_BYTES);

/** The offset behind `sizeBytes` bytes at `address` of the first form; undefined when they do not all lie where user space may go. */
function offsetOfAddress(address: bigint, sizeBytes: number): number | undefined {
  if (address < FIRST_ADDRESS || address > END_ADDRESS) return undefined;
  const offset = Number(address - GPU_BASE);
  return offset + sizeBytes <= MEMORY_BYTES ? offset : undefined;
}

/** The address of a byte of the machine's memory in the first form. */
export function addressOfOffset(offset: number): bigint {
  return GPU_BASE + BigInt(offset);
}

/** `bytes` rounded up to a multiple of `alignBytes`, a power of two. */
export function alignUp(bytes: number, alignBytes: number): number {
  return Math.ceil(bytes / alignBytes) * alignBytes;
}
