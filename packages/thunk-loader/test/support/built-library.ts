/** Shared libraries made by the C compiler, for the loader to judge. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { skipReason } from '@doorbell/test-support';
import { MANDATORY_SYMBOLS, OPTIONAL_SYMBOLS } from '../../src/load/thunk-symbols.js';

/** Why libraries cannot be built here; empty when they can. */
export const noCompiler: string = skipReason('gcc');

/** Functions of a library that looks like one of ROCm 5.2 to 6.2, all there. */
export const OLD_FUNCTIONS: readonly string[] = [...MANDATORY_SYMBOLS, ...OPTIONAL_SYMBOLS];

/** What to build. */
export interface LibraryRecipe {
  readonly functions: readonly string[];
  readonly soname?: string;
  /** Node of a version script that exports exactly the functions. */
  readonly version?: string;
  /** Strings of the program, as arguments of getenv. */
  readonly strings?: readonly string[];
  readonly code?: string;
  readonly flags?: readonly string[];
}

/** A folder that is gone after `using`. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** Builds a library at a path of the folder. */
  build(name: string, recipe: LibraryRecipe): string;
  write(name: string, bytes: Uint8Array | string): string;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'doorbell-library-'));
  const at = (name: string): string => {
    const full = join(path, name);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  return {
    path,
    build(name, recipe) {
      const target = at(name);
      compile(target, recipe);
      return target;
    },
    write(name, bytes) {
      const target = at(name);
      writeFileSync(target, bytes);
      return target;
    },
    [Symbol.dispose]: () => {
      rmSync(path, { recursive: true });
    },
  };
}

/** Functions and strings alone go to the assembler, which is much quicker than the compiler. */
function compile(target: string, { functions, soname, version, strings = [], code, flags = [] }: LibraryRecipe): void {
  const assembly = [
    '.text',
    ...functions.map((name) => `.globl ${name}\n.type ${name}, %function\n${name}:\nret\n.size ${name}, .-${name}`),
    '.section .rodata',
    ...strings.map((text) => `.asciz "${text}"`),
  ];
  const c = [...functions.map((name) => `int ${name}(void) { return 0; }`), code];
  const [language, source] = code === undefined ? ['assembler', assembly] : ['c', c];
  const script = version === undefined ? [] : [versionScript(target, version, functions)];
  const name = soname === undefined ? [] : [`-Wl,-soname,${soname}`];
  const options = ['-shared', '-fPIC', '-s', '-nostdlib', '-w', '-o', target, '-x', language, '-', '-x', 'none'] as string[];
  execFileSync('gcc', [...options, ...name, ...script, ...flags], {
    input: `${source.join('\n')}\n`,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

function versionScript(target: string, version: string, functions: readonly string[]): string {
  const path = `${target}.ver`;
  writeFileSync(path, `${version} { global: ${functions.join('; ')}; local: *; };\n`);
  return `-Wl,--version-script=${path}`;
}
