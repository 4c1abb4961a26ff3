/**
 * High dwords of the 4 GiB windows through which flat addresses reach LDS and private memory: the Linux driver's defaults, 1 << 48
 * and 2 << 48 (kfd_flat_memory.c). Code reads them as src_shared_base and src_private_base.
 */
export const SHARED_BASE_HIGH = 0x0001_0000;
export const PRIVATE_BASE_HIGH = 0x0002_0000;
/**
 * Bits 47:32 of the base in the buffer resource that gives a wave its private memory, up to gfx10: no address of user memory has
 * them. The rest of an address in it is the offset that hardware would interleave over the lanes.
 */
export const PRIVATE_BUFFER_HIGH = 0xffff;

/**
 * gfx1250: private memory of every lane has addresses, base + lane << 52 + offset (LLVM SIISelLowering.cpp, lowerADDRSPACECAST). This
 * is the base's high dword; its upper six bits say that an address is one of those, and the lane is the one that accesses.
 */
export const PRIVATE_LANES_HIGH = 0x4000_0000;
/** Bits of the address below those six. */
export const PRIVATE_LANES_SHIFT = 58;
