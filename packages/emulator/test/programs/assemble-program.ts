/** Assembler text to the bytes of .text, with llvm-mc; labels and calls resolved. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramText } from './generator.js';
import type { ProgramCode } from './run-program.js';

export function assembleProgram({ text, waveSize }: ProgramText): ProgramCode {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-program-'));
  try {
    const [source, object, bytes] = ['p.s', 'p.o', 'p.bin'].map((name) => join(folder, name)) as [string, string, string];
    writeFileSync(source, text);
    const wave = waveSize === 64 ? '-wavefrontsize32,+wavefrontsize64' : '+wavefrontsize32,-wavefrontsize64';
    run('llvm-mc-22', ['-triple=amdgcn', '-mcpu=gfx1100', `-mattr=${wave}`, '-filetype=obj', source, '-o', object]);
    run('llvm-objcopy-22', ['-O', 'binary', '--only-section=.text', object, bytes]);
    return { code: readFileSync(bytes), waveSize };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
