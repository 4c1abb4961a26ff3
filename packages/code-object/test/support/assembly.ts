import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type ElfFile, parseElf } from '../../src/index.js';
import { FIXTURE_FOLDER } from './fixtures.js';
import { withFolder } from './llvm.js';

/** A hand-written source, and beside it the code object that clang 22 makes of it (`NAME.hsaco`). */
export interface AssemblySource {
  readonly file: string;
  readonly target: string;
}

export const ASSEMBLY_FOLDER: string = join(FIXTURE_FOLDER, 'assemble/');

export const ASSEMBLY_SOURCES: readonly AssemblySource[] = [
  { file: 'vadd.gfx1100.s', target: 'gfx1100' },
  { file: 'dual.gfx1100.s', target: 'gfx1100' },
  { file: 'reduce.gfx1100.s', target: 'gfx1100' },
  { file: 'reverse.gfx1100.s', target: 'gfx1100' },
  { file: 'tables.gfx1100.s', target: 'gfx1100' },
  { file: 'saxpy.gfx90a.s', target: 'gfx90a:xnack-' },
  { file: 'mfma.gfx90a.s', target: 'gfx90a' },
  { file: 'loop.gfx942.s', target: 'gfx942' },
  { file: 'barriers.gfx1250.s', target: 'gfx1250' },
  { file: 'literals.gfx1250.s', target: 'gfx1250' },
];

export function assemblySource(file: string): string {
  return readFileSync(ASSEMBLY_FOLDER + file, 'utf8');
}

/** What clang 22 made of the source when it was recorded. */
export function recordedObject(file: string): Uint8Array {
  return new Uint8Array(readFileSync(ASSEMBLY_FOLDER + file.replace(/\.s$/, '.hsaco')));
}

/** What the clang that is installed makes of a source now. */
export function clangObject(path: string, target: string): Uint8Array {
  return withFolder((folder) => {
    const out = join(folder, 'out.hsaco');
    execFileSync('clang-22', ['-target', 'amdgcn-amd-amdhsa', `-mcpu=${target}`, path, '-o', out], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Uint8Array(readFileSync(out));
  });
}

const SHF_ALLOC = 2n;
const SHT_NOBITS = 8;

/** All that is loaded, by section: where, how, and the bytes in hexadecimal. */
export function loadedSections(bytes: Uint8Array): readonly unknown[] {
  const elf = parseElf(bytes);
  return elf.sections
    .filter((section) => (section.flags & SHF_ALLOC) !== 0n)
    .map(({ name, type, flags, vaddr, fileOffset, sizeBytes, align, entryBytes, info }) => ({
      name,
      type,
      flags,
      vaddr,
      fileOffset,
      align,
      entryBytes,
      info,
      bytes:
        type === SHT_NOBITS
          ? `${sizeBytes} zeros`
          : Buffer.from(bytes.subarray(Number(fileOffset), Number(fileOffset + sizeBytes))).toString('hex'),
    }));
}

/** The rest that a loader or a debugger reads: headers, segments, symbols. */
export function loadedHeaders(bytes: Uint8Array): unknown {
  const { header, programHeaders, symtab, dynsym, relocations }: ElfFile = parseElf(bytes);
  return { header, programHeaders, symtab, dynsym, relocations };
}
