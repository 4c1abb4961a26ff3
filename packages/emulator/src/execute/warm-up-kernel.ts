/** A kernel that has a bit of all that kernels are mostly made of, for engines to get to know this compiler by (tools/kernels/src/warm-up.c). */
import { KERNELS } from '../generated/warm-up-code.js';

export interface WarmUpKernel {
  /** Its descriptor; the entry offset in it is of the file that it came from. */
  readonly descriptor: Uint8Array;
  readonly code: Uint8Array;
}

/** The kernel for a processor of the same generation; undefined: there is none. */
export function warmUpKernel(processor: string): WarmUpKernel | undefined {
  const generation = /^gfx(?:9|\d\d)/.exec(processor)?.[0] ?? processor;
  const found = KERNELS[processor] ?? Object.entries(KERNELS).find(([name]) => name.startsWith(generation))?.[1];
  return found === undefined ? undefined : { descriptor: bytesOf(found.descriptor), code: bytesOf(found.code()) };
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, index) => parseInt(text.slice(index * 2, index * 2 + 2), 16));
}
