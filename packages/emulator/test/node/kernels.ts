/** Machine code for gfx1100, as llvm-mc 22 assembles the text beside it. */
import type { Heap } from '../device/test-queue.js';

const code = (...dwords: number[]): Uint8Array => new Uint8Array(Uint32Array.from(dwords).buffer);

/** s_endpgm */
const END = 0xbfb0_0000;

export const CODE: Readonly<Record<'end' | 'trap' | 'loop' | 'storeIds', Uint8Array>> = {
  end: code(END),
  /** s_trap 2; s_endpgm */
  trap: code(0xbf90_0002, END),
  /** s_branch to itself */
  loop: code(0xbfa0_ffff, END),
  /**
   * s_load_b64 s[2:3], s[0:1], 0x0; s_waitcnt lgkmcnt(0); v_lshlrev_b32_e32 v1, 2, v0; global_store_b32 v1, v0, s[2:3];
   * s_endpgm: stores each lane's id at the pointer that is the first kernel argument.
   */
  storeIds: code(0xf404_0080, 0xf800_0000, 0xbf89_fc07, 0x3002_0082, 0xdc6a_0000, 0x0002_0001, END),
};

/** compute_pgm_rsrc2: two user SGPRs; kernel_code_properties: wave32, kernarg pointer in s[0:1]. */
const RSRC2 = 2 << 1;
const PROPERTIES = (1 << 10) | (1 << 3);

/** A kernel of this code in GPU memory: the address of its descriptor. */
export function loadKernel(heap: Heap, bytes: Uint8Array, rsrc1 = 0): bigint {
  return heap.kernel({ rsrc1, properties: PROPERTIES, rsrc2: RSRC2, code: bytes });
}
