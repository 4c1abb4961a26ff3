/**
 * Where things lie in the one shared WebAssembly.Memory of an emulated machine. Offsets are bytes in that memory.
 *
 *   0 … STATE_BYTES         the emulator's own state: never reachable by a kernel
 *   STATE_BYTES … 4 GiB     memory that GPU addresses reach: address = GPU_BASE + offset (first form of translation), or wherever
 *                           the windows say (second form)
 */

/** Reserved size of the memory: 65 536 WebAssembly pages; initial == maximum, so that it never grows (growing would unprotect pages). */
export const MEMORY_BYTES = 0x1_0000_0000;
export const MEMORY_PAGES = 65_536;
/** The page of protections and of the page table. */
export const PAGE_BYTES = 4096;
export const PAGE_COUNT: number = MEMORY_BYTES / PAGE_BYTES;

/** The emulator's own state ends here; a kernel's address check folds this bound in. */
export const STATE_BYTES = 0x1000_0000;

/** High dword of every GPU address of the first form of translation, and the 4 GiB-aligned base itself. */
export const GPU_BASE_HIGH = 0x42;
export const GPU_BASE = 0x42_0000_0000n;

/** Software page table: one byte a page ({@link PAGE_READ} | …), for accesses that cannot trap: atomics, bulk, host. */
export const PAGE_TABLE = 0x10_0000;
export const PAGE_READ = 1;
export const PAGE_WRITE = 2;
export const PAGE_EXECUTE = 4;
/** Coarse-grained memory: while kernels run, nobody but them touches the page (HSA platform specification, memory model). */
export const PAGE_COARSE = 8;
/** Control words, queue table, dispatch blocks, interrupt ring: see device/shared-state.ts. */
export const CONTROL = 0x20_0000;
export const CONTROL_BYTES = 0x60_0000;
/** Windows of the second form of translation: see address-windows.ts. Pages that are not used cost nothing. */
export const WINDOWS = 0x80_0000;
export const WINDOWS_BYTES = 0x80_0000;
/** Wave state and LDS, one slice for each compute worker; {@link WORKER_SLICE_BYTES} each. */
export const WORKER_SLICES = 0x100_0000;
export const WORKER_SLICE_BYTES = 0xf0_0000;
export const MAX_WORKERS = 16;

/** System memory and VRAM are two heaps behind the state. */
export const SYSTEM_HEAP = 0x1000_0000;
export const SYSTEM_HEAP_BYTES = 0x4000_0000;
export const VRAM_HEAP: number = SYSTEM_HEAP + SYSTEM_HEAP_BYTES;
export const VRAM_HEAP_BYTES = 0x8000_0000;
/** Doorbell pages and other device pages that user space maps. */
export const DEVICE_HEAP: number = VRAM_HEAP + VRAM_HEAP_BYTES;
export const DEVICE_HEAP_BYTES: number = MEMORY_BYTES - DEVICE_HEAP;

/** Compiled code that a machine's workers share lies in memory of its own (execute/code-store.ts); pages that are not used cost nothing. */
export const CODE_STORE_BYTES = 0x400_0000;
