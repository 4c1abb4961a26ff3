import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixture, FIXTURE_FOLDER, FIXTURES } from './fixtures.js';

/** What llvm-readobj's JSON says of an ELF file, as far as tests compare it. */
export interface Readobj {
  readonly ElfHeader: {
    readonly Ident: { readonly 'OS/ABI': Named; readonly ABIVersion: number };
    readonly Machine: Named;
    readonly Entry: number;
    readonly Flags: { readonly Value: number };
  };
  readonly Sections: readonly { readonly Section: ReadobjSection }[];
  readonly ProgramHeaders: readonly { readonly ProgramHeader: ReadobjSegment }[];
  readonly Symbols: readonly { readonly Symbol: ReadobjSymbol }[];
  readonly DynamicSymbols: readonly { readonly Symbol: ReadobjSymbol }[];
  readonly Relocations: readonly { readonly Relocs: readonly { readonly Relocation: ReadobjRelocation }[] }[];
}
interface Named {
  readonly Name: string;
  readonly Value: number;
}
export interface ReadobjSection {
  readonly Name: Named;
  readonly Type: Named;
  readonly Flags: { readonly Value: number };
  readonly Address: number;
  readonly Offset: number;
  readonly Size: number;
  readonly Link: number;
  readonly Info: number;
  readonly AddressAlignment: number;
  readonly EntrySize: number;
}
export interface ReadobjSegment {
  readonly Type: Named;
  readonly Offset: number;
  readonly VirtualAddress: number;
  readonly FileSize: number;
  readonly MemSize: number;
  readonly Flags: { readonly Value: number };
  readonly Alignment: number;
}
export interface ReadobjSymbol {
  readonly Name: Named;
  readonly Value: number;
  readonly Size: number;
  readonly Binding: Named;
  readonly Type: Named;
  readonly Section: Named;
}
export interface ReadobjRelocation {
  readonly Offset: number;
  readonly Type: Named;
  readonly Symbol: Named;
  readonly Addend: number;
}

/** The ELF files among the fixtures, which LLVM's tools read all at once. */
const ELF_FILES: readonly string[] = FIXTURES.map(({ file }) => file).filter((file) => /\.(hsaco|o)$/.test(file));

let readobjAnswers: readonly Readobj[] | undefined;

/** What llvm-readobj-22 says of a fixture. */
export function readobj(file: string): Readobj {
  readobjAnswers ??= JSON.parse(
    runOnFixtures('llvm-readobj-22', ['--elf-output-style=JSON', '-h', '-l', '-S', '-s', '--dyn-syms', '-r']),
  ) as readonly Readobj[];
  const answer = readobjAnswers[ELF_FILES.indexOf(file)];
  if (!answer) throw new Error(`llvm-readobj-22 says nothing of ${file}`);
  return answer;
}

function runOnFixtures(tool: string, options: readonly string[]): string {
  return execFileSync(tool, [...options, ...ELF_FILES], { encoding: 'utf8', cwd: FIXTURE_FOLDER, maxBuffer: 16 << 20 });
}

export type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml };

let notes: readonly string[] | undefined;

/** The metadata note of a fixture as llvm-readelf-22 prints it; scalars stay text. */
export function metadataOf(file: string): Yaml {
  notes ??= runOnFixtures('llvm-readelf-22', ['--notes'])
    .split(/^File: /m)
    .slice(1);
  const text = notes.find((note) => note.startsWith(`${file}\n`));
  if (text === undefined) throw new Error(`llvm-readelf-22 says nothing of ${file}`);
  const lines = text
    .slice(text.indexOf('---') + 3, text.indexOf('\n...'))
    .split('\n')
    .filter((line) => line.trim() !== '');
  return new BlockYaml(lines).read();
}

/** The block style that LLVM's YAML writer produces: maps, sequences, plain and single-quoted scalars. */
class BlockYaml {
  readonly #lines: string[];

  constructor(lines: readonly string[]) {
    this.#lines = [...lines];
  }

  read(): Yaml {
    return this.#block(0);
  }

  #block(least: number): Yaml {
    const first = this.#lines[0] ?? '';
    const indent = first.search(/\S/);
    if (indent < least) return '';
    if (first.slice(indent).startsWith('- ')) return this.#sequence(indent);
    return this.#map(indent);
  }

  #sequence(indent: number): Yaml {
    const items: Yaml[] = [];
    while (this.#lines[0]?.search(/\S/) === indent && this.#lines[0].startsWith('- ', indent)) {
      const rest = this.#lines[0].slice(indent + 2);
      if (/^'|^[^:]*$/.test(rest)) {
        items.push(scalar(rest));
        this.#lines.shift();
      } else {
        this.#lines[0] = ' '.repeat(indent + 2) + rest;
        items.push(this.#block(indent + 2));
      }
    }
    return items;
  }

  #map(indent: number): Yaml {
    const map: Record<string, Yaml> = {};
    while (this.#lines[0]?.search(/\S/) === indent) {
      const line = this.#lines.shift() ?? '';
      const [, key = '', value = ''] = /^\s*([^:]+):\s*(.*)$/.exec(line) ?? [];
      map[key] = value === '' ? this.#block(indent) : scalar(value);
    }
    return map;
  }
}

function scalar(text: string): string {
  const bare = text.trim();
  return bare.startsWith("'") ? bare.slice(1, -1).replaceAll("''", "'") : bare;
}

/** Runs `work` with a folder that is removed afterwards. */
export function withFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-code-object-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Assembles for a processor and links a shared object. */
export function assemble(processor: string, source: string): Uint8Array {
  return withFolder((folder) => {
    const file = (name: string): string => join(folder, name);
    writeFileSync(file('in.s'), source);
    execFileSync('llvm-mc-22', [
      '-triple=amdgcn-amd-amdhsa',
      `-mcpu=${processor}`,
      '-filetype=obj',
      file('in.s'),
      '-o',
      file('in.o'),
    ]);
    execFileSync('ld.lld-22', ['-shared', file('in.o'), '-o', file('out')]);
    return new Uint8Array(readFileSync(file('out')));
  });
}

/** Compiles OpenCL C to a code object (or to assembly with `-S`). */
export function compile(source: string, options: readonly string[]): Uint8Array {
  return withFolder((folder) => {
    writeFileSync(join(folder, 'in.cl'), source);
    const fixed = ['-x', 'cl', '-cl-std=CL2.0', '-w', '-nogpulib', '-target', 'amdgcn-amd-amdhsa'];
    execFileSync('clang-22', [...fixed, ...options, 'in.cl', '-o', 'out'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    return new Uint8Array(readFileSync(join(folder, 'out')));
  });
}

/** Runs a fixture's command line and gives what it makes. */
export function rebuild({ file, command }: Fixture): Uint8Array {
  return withFolder((folder) => {
    const [program = '', ...args] = command.split(' ');
    const inputs = args.map((arg) => arg.replace(/^-input=/, ''));
    for (const name of ['kernels.cl', 'calls.cl', 'plain.c', 'host.hip', ...FIXTURES.map((fixture) => fixture.file)]) {
      if (name !== file && inputs.includes(name)) copyFileSync(FIXTURE_FOLDER + name, join(folder, name));
    }
    execFileSync(program, args, { cwd: folder });
    return new Uint8Array(readFileSync(join(folder, file)));
  });
}
