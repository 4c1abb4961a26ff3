/** GPU addresses of the first form of translation: a constant base plus the offset in the machine's memory. */
import { GPU_BASE, MEMORY_BYTES, STATE_BYTES } from '../memory-map.js';

/** First address that user space and kernels may use. */
const FIRST_ADDRESS: bigint = GPU_BASE + BigInt(STATE_BYTES);
/** One past the last. */
const END_ADDRESS: bigint = GPU_BASE + BigInt(MEMORY_BYTES);

/** The offset behind `sizeBytes` bytes at `address`; undefined when they do not all lie where user space may go. */
export function offsetOfAddress(address: bigint, sizeBytes: number): number | undefined {
  if (address < FIRST_ADDRESS || address > END_ADDRESS) return undefined;
  const offset = Number(address - GPU_BASE);
  return offset + sizeBytes <= MEMORY_BYTES ? offset : undefined;
}

/** The address of a byte of the machine's memory. */
export function addressOfOffset(offset: number): bigint {
  return GPU_BASE + BigInt(offset);
}

/** `bytes` rounded up to a multiple of `alignBytes`, a power of two. */
export function alignUp(bytes: number, alignBytes: number): number {
  return Math.ceil(bytes / alignBytes) * alignBytes;
}
