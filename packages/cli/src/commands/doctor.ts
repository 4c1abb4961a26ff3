import { Command } from 'commander';
import type { CommonOptions } from '../common-options.js';
import { addCommonOptions } from '../common-options.js';
import type { Check, CheckResult, Diagnosis } from '../diagnose.js';
import { diagnose } from '../diagnose.js';
import type { ExitCode } from '../failures.js';
import type { CliIo } from '../io.js';
import type { Colors } from '../output.js';
import { Output } from '../output.js';

/** `doorbell doctor`: exit code 0 when a GPU or the emulated GPU is usable, 3 when neither is. */
export function createDoctorCommand(io: CliIo, done: (code: ExitCode) => void): Command {
  const command = new Command('doctor')
    .description('Checks, in order, everything between a program and a GPU, and says what to do.')
    .action(async (options: CommonOptions) => {
      const output = new Output(io, options);
      const diagnosis = await diagnose({ env: io.env });
      output.result(diagnosis, () => formatDiagnosis(diagnosis, output.color));
      done(diagnosis.usable === 'none' ? 3 : 0);
    });
  return addCommonOptions(command, 'doorbell doctor').addHelpText(
    'after',
    '\nExit code: 0 when a GPU or the emulated GPU is usable (the last line says which), 3 when neither is.\n',
  );
}

/** The text of `doorbell doctor`. */
function formatDiagnosis({ checks, verdict }: Diagnosis, color: Colors): string {
  return `${checks.map((check) => formatCheck(check, color)).join('')}\n${color.bold(verdict)}\n`;
}

function formatCheck({ name, result, evidence, hint }: Check, color: Colors): string {
  const mark: Record<CheckResult, string> = {
    ok: color.green('ok     '),
    warning: color.yellow('warning'),
    failed: color.red('failed '),
    skipped: color.dim('skipped'),
  };
  const indent = ' '.repeat(9);
  const lines = evidence.flatMap((text) => text.split('\n')).map((line) => `${indent}${line}\n`);
  return `${mark[result]}  ${name}\n${lines.join('')}${hint === undefined ? '' : `${indent}→ ${hint}\n`}`;
}
