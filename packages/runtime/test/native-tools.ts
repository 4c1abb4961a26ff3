import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireTool } from '@doorbell/test-support';
import { thunkLoader } from '../src/index.js';

const SOURCES = fileURLToPath(new URL('./native-tools/', import.meta.url));

/** Why tools cannot be built here; '' when they can. In CI a missing header is an error. */
export function whyNoTools(): string {
  const compiler = requireTool('g++');
  if (!compiler.available) return compiler.reason;
  if (existsSync('/usr/include/hsa/hsa_api_trace.h')) return '';
  if (process.env['DOORBELL_CI'] === '1') throw new Error('needed in CI: /usr/include/hsa/hsa_api_trace.h');
  return 'libhsa-runtime-dev is not installed';
}

/** Builds tools from the sources beside this file, into a folder that goes with it. */
export class ToolShop implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'doorbell-tools-'));

  constructor() {
    // Debian's hsa_api_trace.h includes the others as `inc/…`.
    mkdirSync(join(this.folder, 'include'));
    symlinkSync('/usr/include/hsa', join(this.folder, 'include/inc'));
  }

  /** Gives the library's path. */
  build(source: string, { as = source, flags = [] }: { readonly as?: string; readonly flags?: readonly string[] } = {}): string {
    const path = join(this.folder, `lib${as}.so`);
    const include = join(this.folder, 'include');
    const args = ['-w', '-shared', '-fPIC', '-pthread', '-I', include, '-o', path, join(SOURCES, `${source}.cpp`), ...flags];
    execFileSync('g++', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    return path;
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
