import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { abi, apiTable, thunkLoader } from '../src/layers.js';

const SOURCES = fileURLToPath(new URL('./native-tools/', import.meta.url));

const COMPILER = 'g++';

/** Why tools cannot be built here; '' when they can. In CI what is missing is an error. */
export function whyNoTools(): string {
  const hasCompiler = spawnSync(COMPILER, ['--version']).status === 0;
  if (hasCompiler && existsSync('/usr/include/hsa/hsa_api_trace.h')) return '';
  const missing = hasCompiler ? '/usr/include/hsa/hsa_api_trace.h is not there' : `${COMPILER} is not installed`;
  if (process.env['DOORBELL_CI'] === '1') throw new Error(`needed in CI: ${missing}`);
  return missing;
}

/** Builds tools from the sources beside this file, into a folder that goes with it. */
export class ToolShop implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'doorbell-tools-'));

  constructor() {
    writeFileSync(join(this.folder, 'tables.h'), tablesHeader());
  }

  /** Gives the library's path. */
  build(source: string, { as = source, flags = [] }: { readonly as?: string; readonly flags?: readonly string[] } = {}): string {
    const path = join(this.folder, `lib${as}.so`);
    const args = ['-shared', '-fPIC', '-pthread', '-o', path, join(SOURCES, `${source}.cpp`), ...flags];
    this.#compile(args);
    return path;
  }

  /** Compiles a program of C++ and gives what it prints. */
  run(text: string): string {
    const program = join(this.folder, 'program');
    writeFileSync(`${program}.cpp`, text);
    this.#compile(['-o', program, `${program}.cpp`]);
    return execFileSync(program, { encoding: 'utf8' });
  }

  #compile(args: readonly string[]): void {
    execFileSync(COMPILER, ['-w', '-std=c++17', '-I', this.folder, '-I', SOURCES, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** What a loaded library exports: it is there as long as it is loaded. */
export function exported(path: string, symbol: string, sizeBytes: number): Uint8Array {
  const foreign = thunkLoader.loadForeignFunctions();
  const opened = foreign.openLibrary(path);
  if (!opened.ok) throw new Error(opened.words);
  const address = opened.library.symbol(symbol);
  if (address === undefined) throw new Error(`${path} exports no ${symbol}`);
  const bytes = foreign.view(address, sizeBytes).slice();
  opened.library.close();
  return bytes;
}

/** The `counts` of the counting tool. */
export function countsOf(path: string): Readonly<Record<(typeof COUNTS)[number], number>> {
  const words = new BigUint64Array(exported(path, 'counts', 8 * COUNTS.length).buffer);
  return Object.fromEntries(COUNTS.map((name, index) => [name, Number(words[index])])) as ReturnType<typeof countsOf>;
}

/** In the order of counting.cpp. */
const COUNTS = ['queueCreate', 'freeze', 'readerBytes', 'allocate', 'ring', 'queueSize', 'unloaded', 'symbol'] as const;

/** The lines of a tool's `answers`, by their first word; the rest of the line split at spaces. */
export function answersOf(path: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const bytes = exported(path, 'answers', 16384);
  const lines = new TextDecoder()
    .decode(bytes.subarray(0, bytes.indexOf(0)))
    .trim()
    .split('\n');
  const answers = new Map<string, string[][]>();
  for (const line of lines) {
    const [word = '', ...rest] = line.split(' ');
    answers.set(word, [...(answers.get(word) ?? []), rest]);
  }
  return answers;
}

/** Structure and root member of each table (hsa_api_trace.h). */
export const C_TABLES: Readonly<Record<abi.HsaTableName, readonly [struct: string, member: string]>> = {
  core: ['CoreApiTable', 'core_'],
  amdExt: ['AmdExtTable', 'amd_ext_'],
  finalizerExt: ['FinalizerExtTable', 'finalizer_ext_'],
  imageExt: ['ImageExtTable', 'image_ext_'],
  tools: ['ToolsApiTable', 'tools_'],
  pcSamplingExt: ['PcSamplingExtTable', 'pc_sampling_ext_'],
};

/** Slots whose functions Debian's headers declare, in order. */
export function declaredSlots(): readonly apiTable.NativeSlot[] {
  const headers = ['hsa.h', 'hsa_ext_amd.h', 'hsa_ext_finalize.h', 'hsa_ext_image.h'];
  const words = new Set(
    headers.flatMap((header) => readFileSync(`/usr/include/hsa/${header}`, 'utf8').match(/\w+(?=\()/g) ?? []),
  );
  return apiTable.layoutNativeTables().slots.filter(({ name }) => words.has(name));
}

/** The tables of this version for C++: Debian's header has those of an earlier one, with another order of slots. */
function tablesHeader(): string {
  const declared = new Set(declaredSlots().map(({ name }) => name));
  const structs = apiTable.TABLE_NAMES.map((table) => {
    const members = abi.HSA_TABLES[table].slots.map((name) =>
      declared.has(name) ? `decltype(${name})* ${name}_fn;` : `void (*${name}_fn)();`,
    );
    return `struct ${C_TABLES[table][0]} { ApiTableVersion version; ${members.join(' ')} };`;
  });
  const root = apiTable.TABLE_NAMES.map((table) => `${C_TABLES[table][0]}* ${C_TABLES[table][1]};`);
  return `struct ApiTableVersion { uint32_t major_id, minor_id, step_id, reserved; };
${structs.join('\n')}
struct HsaApiTable { ApiTableVersion version; ${root.join(' ')} };
`;
}

/** Builds the tool that takes every slot, and says how many those are. */
export function buildPassing(shop: ToolShop): { readonly path: string; readonly slots: number } {
  const slots = declaredSlots();
  const list = slots.map(({ table, name }) => `X(${C_TABLES[table].join(', ')}, ${name})`);
  const path = shop.build('passing', { flags: [`-DSLOTS=${list.join(' ')}`] });
  return { path, slots: slots.length };
}
