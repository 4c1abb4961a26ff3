import pc from 'picocolors';
import { runCli } from './run-cli.js';

const abort = new AbortController();
// The second Ctrl-C ends the process at once, by the system's own rule.
process.once('SIGINT', () => abort.abort(new Error('interrupted by Ctrl-C')));
// A reader that has seen enough (`doorbell disasm … | head`) is no failure; a full disk is one, and no bug.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`doorbell: the results cannot be written: ${error.message}\n`);
  process.exit(1);
});
// Messages that nobody reads any more (`doorbell doctor 2>&1 >file | head`) are no failure of the job; there is nowhere to tell others.
process.stderr.on('error', () => undefined);

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  env: process.env,
  colors: pc.isColorSupported && process.stdout.isTTY,
  isTerminal: process.stderr.isTTY,
  signal: abort.signal,
});
