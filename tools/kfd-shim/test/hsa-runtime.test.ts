import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { compileProgram, missing, removeFiles, runOn } from './client.js';

const reason = missing('clang-22');
const SOURCE = fileURLToPath(new URL('../../kernels/src/vadd.cl', import.meta.url));

/** ROCr 5.2.3 loads code objects up to version 4; those that the other tests have are newer. */
function compileKernel(target: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-hsa-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const output = join(folder, 'vadd.hsaco');
  const options = ['-x', 'cl', '-cl-std=CL2.0', '-O3', '-target', 'amdgcn-amd-amdhsa', '-nogpulib', '-mcode-object-version=4'];
  execFileSync('clang-22', [...options, `-mcpu=${target}`, '-Xclang', '-finclude-default-header', SOURCE, '-o', output]);
  return output;
}

afterAll(removeFiles);

describe.skipIf(reason !== '')(`AMD's HSA runtime on the emulated device ${reason}`, () => {
  it.each([
    ['gfx90a', 'gfx90a:xnack-'],
    ['gfx1030', 'gfx1030'],
  ])('loads a kernel by its own copy kernel on %s, and runs it', async (processor, target) => {
    const run = await runOn(processor, compileProgram('hsa-vadd', 'hsa-runtime64'), compileKernel(target));
    expect(run).toEqual({ code: 0, out: 'right\n', err: '' });
  });
});
