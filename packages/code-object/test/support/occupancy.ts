import { findProcessor } from '@doorbell/abi';
import { occupancy, parseCodeObject } from '../../src/index.js';
import { compile } from './llvm.js';

const COUNTS = [3, 24, 25, 37, 63, 64, 84, 100, 128, 167, 168, 255];
/** Kernels that use VGPRs up to v<n>. */
const KERNELS = COUNTS.map(
  (n) => `kernel void k${n}(global float *x) { x[0] = 1; __asm__ volatile("v_mov_b32 v${n}, 0" ::: "v${n}"); }`,
).join('\n');

/** Waves of a SIMD by kernel: as clang prints them in the comments of its assembly, and as we count them. */
export function compareOccupancy(name: string): {
  readonly clang: ReadonlyMap<string, number>;
  readonly ours: ReadonlyMap<string, number>;
} {
  const options = [`-mcpu=${name}`, '-O2'];
  const assembly = new TextDecoder().decode(compile(KERNELS, [...options, '-S']));
  const codeObject = compile(KERNELS, options);
  const clang = new Map<string, number>();
  let current = '';
  for (const line of assembly.split('\n')) {
    current = /\.amdhsa_kernel (\w+)/.exec(line)?.[1] ?? current;
    const waves = /; Occupancy: (\d+)/.exec(line)?.[1];
    if (waves !== undefined) clang.set(current, Number(waves));
  }
  if (clang.size !== COUNTS.length) throw new Error(`clang gives the occupancy of ${clang.size} kernels of ${COUNTS.length}`);
  const processor = findProcessor(name);
  if (!processor) throw new Error(`there is no processor ${name}`);
  const ours = parseCodeObject(codeObject).kernels.map((kernel): [string, number] => [
    kernel.name,
    occupancy(kernel, { workgroup: [kernel.waveSize * 4, 1, 1], processor }).wavesPerSimd,
  ]);
  return { clang, ours: new Map(ours) };
}
