import { Command, CommanderError } from 'commander';
import { readFileSync } from 'node:fs';
import { createAsmCommand } from './commands/asm.js';
import { createDisasmCommand } from './commands/disasm.js';
import { createDoctorCommand } from './commands/doctor.js';
import { createHotSwapCommand } from './commands/hotswap.js';
import { createInfoCommand } from './commands/info.js';
import { createInspectCommand } from './commands/inspect.js';
import { createRunCommand } from './commands/run.js';
import type { ExitCode } from './failures.js';
import { describeFailure, UsageError } from './failures.js';
import type { CliIo } from './io.js';
import { toJson } from './output.js';

/**
 * Runs the `doorbell` command with `argv` (without node and script) and gives its exit code: 0 done, 1 the job failed, 2 wrong
 * usage, 3 the environment lacks something. It never throws.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const done = (code: ExitCode): void => void (exitCode = code);
  try {
    await createProgram(io, done).parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its message (or the help) already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportFailure(error, argv, io);
  }
}

function createProgram(io: CliIo, done: (code: ExitCode) => void): Command {
  const program = new Command('doorbell')
    .description('Looks at AMD GPUs and code objects, and runs kernels, on a GPU or on the emulated one.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  $ doorbell doctor\n');
  const commands = [
    createInfoCommand,
    createDoctorCommand,
    createInspectCommand,
    createDisasmCommand,
    createAsmCommand,
    createRunCommand,
    createHotSwapCommand,
  ];
  for (const create of commands) {
    program.addCommand(create(io, done));
  }
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    command
      .exitOverride()
      .showHelpAfterError('(--help says more)')
      .configureOutput({ writeOut: io.out, writeErr: io.err, getOutHasColors: () => false, getErrHasColors: () => false });
  }
  return program;
}

function reportFailure(error: unknown, argv: readonly string[], io: CliIo): ExitCode {
  const { exitCode, isBug, ...failure } = describeFailure(error);
  io.err(`doorbell: ${isBug ? `unexpected error, please report it: ${failure.message}` : failure.message}\n`);
  if (failure.hint !== undefined) io.err(`hint: ${failure.hint}\n`);
  if (argv.includes('--debug') && error instanceof Error) io.err(`${stackOf(error)}\n`);
  else if (isBug) io.err('hint: --debug prints where.\n');
  if (argv.includes('--json')) io.out(`${toJson({ error: { exitCode, ...failure } })}\n`);
  return exitCode;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by: ${stackOf(error.cause)}` : '';
  return `${error instanceof UsageError ? error.message : (error.stack ?? error.message)}${cause}`;
}

/** From the manifest, which lies beside `src` and `dist`. */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion && typeof manifest.version === 'string' ? manifest.version : 'unknown';
}
