export { runCli } from './run-cli.js';
export type { ExitCode } from './failures.js';
export type { CliIo } from './io.js';
