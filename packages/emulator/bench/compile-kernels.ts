/** The kernels of about 1,000 instructions that the benches compile. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const COMPILE_KERNELS = ['straight', 'branchy'] as const;

const SOURCE = fileURLToPath(new URL('compile.c', import.meta.url));
const VARIED = 0x5bd1_e995;

/** The object of compile.c for gfx1100. */
export function buildKernels(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-compile-'));
  try {
    const target = ['--target=amdgcn-amd-amdhsa', '-mcpu=gfx1100', '-nogpulib', '-O3', '-ffp-contract=off'];
    execFileSync('clang-22', [...target, '-c', SOURCE, '-o', join(folder, 'compile.o')]);
    execFileSync('ld.lld-22', ['-shared', join(folder, 'compile.o'), '-o', join(folder, 'compile.hsaco')]);
    return new Uint8Array(readFileSync(join(folder, 'compile.hsaco')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The object with another number in its code, so that nothing made from it is there before. */
export function variedKernels(object: Uint8Array, number: number): Uint8Array {
  const copy = object.slice();
  const view = new DataView(copy.buffer);
  for (let at = 0; at + 4 <= copy.length; at += 4) {
    if (view.getUint32(at, true) === VARIED) view.setUint32(at, (VARIED + number) >>> 0, true);
  }
  return copy;
}
