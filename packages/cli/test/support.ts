import { fileURLToPath } from 'node:url';
import type { CliIo, ExitCode } from '../src/index.js';
import { runCli } from '../src/index.js';

// The runtime's notice of falling back to the emulated GPU goes past the command to the process's own stderr.
process.env['DOORBELL_LOG'] ??= 'error';

export interface CliRun {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in this process, and keeps what it printed. */
export async function run(argv: readonly string[], io: Partial<CliIo> = {}): Promise<CliRun> {
  const printed = { out: '', err: '' };
  const code = await runCli(argv, {
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    env: { DOORBELL_LOG: 'error' },
    colors: false,
    isTerminal: false,
    signal: new AbortController().signal,
    ...io,
  });
  return { code, ...printed };
}

/** A code object that the runtime's tests have. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../runtime/test/${name}`, import.meta.url));
}

/** A code object that the code-object package's tests have. */
export function codeObjectFixture(name: string): string {
  return fileURLToPath(new URL(`../../code-object/test/fixtures/${name}`, import.meta.url));
}

/** A bundle in clang's layout: magic, count, then offset, size and id of each entry. */
export function makeBundle(entries: readonly (readonly [id: string, bytes: Uint8Array])[]): Uint8Array {
  const magic = new TextEncoder().encode('__CLANG_OFFLOAD_BUNDLE__');
  const headBytes = magic.length + 8 + entries.reduce((sum, [id]) => sum + 24 + id.length, 0);
  const total = entries.reduce((sum, [, bytes]) => sum + bytes.length, headBytes);
  const bundle = new Uint8Array(total);
  const view = new DataView(bundle.buffer);
  bundle.set(magic);
  view.setBigUint64(magic.length, BigInt(entries.length), true);
  let head = magic.length + 8;
  let data = headBytes;
  for (const [id, bytes] of entries) {
    view.setBigUint64(head, BigInt(data), true);
    view.setBigUint64(head + 8, BigInt(bytes.length), true);
    view.setBigUint64(head + 16, BigInt(id.length), true);
    bundle.set(new TextEncoder().encode(id), head + 24);
    bundle.set(bytes, data);
    head += 24 + id.length;
    data += bytes.length;
  }
  return bundle;
}
