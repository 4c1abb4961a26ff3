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
