import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bench, describe } from 'vitest';
import type * as isa from '../src/index.js';
import type { Instruction } from '../src/index.js';
import { bundleForBrowser } from '../test/support/browser-bundle.js';

/** Decodes the kernels of bench/kernels as clang-22 compiles them for each generation; llvm-objdump's time for the same file is printed beside. */
const KERNELS = fileURLToPath(new URL('../../../bench/kernels/kernels.cl', import.meta.url));
const TARGETS = ['gfx900', 'gfx90a', 'gfx942', 'gfx950', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'];
/** The code is repeated up to this size. */
const MIN_BYTES = 1_000_000;

function run(program: string, ...args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return performance.now() - start;
}

/** The .text of the kernels, and how long llvm-objdump takes for it. */
function compile(target: string, level: string): { readonly text: Uint8Array; readonly objdumpMs: number } {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-isa-'));
  try {
    const object = join(folder, 'kernels.hsaco');
    const text = join(folder, 'text.bin');
    const language = ['-x', 'cl', '-cl-std=CL2.0', '-Xclang', '-finclude-default-header', '-w', level];
    run('clang-22', ...language, '-target', 'amdgcn-amd-amdhsa', `-mcpu=${target}`, '-nogpulib', KERNELS, '-o', object);
    run('llvm-objcopy-22', '-O', 'binary', '-j', '.text', object, text);
    return { text: new Uint8Array(readFileSync(text)), objdumpMs: run('llvm-objdump-22', '-d', object) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The bundled package: in vitest's modules every use of an import is a getter call, which costs ten times what decoding does. */
async function loadBundle(): Promise<typeof isa> {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-isa-'));
  try {
    const path = join(folder, 'isa.mjs');
    writeFileSync(path, await bundleForBrowser());
    // Safe: the bundle was made of this module.
    return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as typeof isa;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { createDecoder, formatInstruction } = await loadBundle();

for (const target of TARGETS) {
  for (const level of ['-O0', '-O3']) {
    const { text, objdumpMs } = compile(target, level);
    const code = new Uint8Array(Math.ceil(MIN_BYTES / text.length) * text.length);
    for (let offset = 0; offset < code.length; offset += text.length) code.set(text, offset);
    const decoder = createDecoder(target);
    const walk = (visit: (instruction: Instruction) => void): number => {
      let count = 0;
      for (let offset = 0; offset < code.length; count++) {
        const decoded = decoder.decode(code, offset);
        if (decoded.ok) visit(decoded.instruction);
        offset += decoded.ok ? decoded.instruction.sizeBytes : decoded.failure.sizeBytes;
      }
      return count;
    };
    const count = walk(() => undefined);
    const objdump = `llvm-objdump-22: ${objdumpMs.toFixed(0)} ms for ${text.length} bytes`;
    describe(`${target} ${level}, ${count} instructions per operation (${objdump}), Node ${process.version}`, () => {
      let sink = 0;
      bench('decode', () => {
        walk((instruction) => (sink += instruction.entry));
      });
      bench('decode and read operands', () => {
        walk((instruction) => {
          for (const operand of instruction.operands) sink += operand.code;
        });
      });
      bench('decode and print', () => {
        walk((instruction) => (sink += formatInstruction(instruction).length));
      });
    });
  }
}
