import type { Command } from 'commander';

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** False with `--no-color`. */
  readonly color: boolean;
  readonly debug?: boolean;
}

/** Adds the options that every command has, and an example to its help. */
export function addCommonOptions(command: Command, example: string): Command {
  return command
    .option('--json', 'print one JSON document instead of text')
    .option('-q, --quiet', 'print results and errors only')
    .option('--no-color', 'print without colours (also: NO_COLOR)')
    .option('--debug', 'print the stack of an error')
    .addHelpText('after', `\nExample:\n  $ ${example}\n`);
}
