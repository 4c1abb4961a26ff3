import { Command } from 'commander';
import type { CommonOptions } from '../common-options.js';
import { addCommonOptions } from '../common-options.js';
import type { Check, CheckResult } from '../checks/check.js';
import type { Diagnosis } from '../diagnose.js';
import { diagnose, firstAction } from '../diagnose.js';
import type { ExitCode } from '../failures.js';
import type { CliIo } from '../io.js';
import type { Colors } from '../output.js';
import { Output } from '../output.js';
import { TracePrinter } from '../trace-printer.js';

interface DoctorOptions extends CommonOptions {
  readonly trace?: boolean;
}

/** `doorbell doctor`: exit code 0 when a GPU or the emulated GPU is usable, 3 when neither is or a variable makes programs fail. */
export function createDoctorCommand(io: CliIo, done: (code: ExitCode) => void): Command {
  const command = new Command('doctor')
    .description('Checks, in order, everything between a program and a GPU, and says what to do.')
    .option('--trace', 'print each step of loading as it happens: candidates, files, symbols, ioctls, sysfs reads')
    .action(async (options: DoctorOptions) => {
      const output = new Output(io, options);
      const trace = options.trace === true ? new TracePrinter(io, output) : undefined;
      const diagnosis = await diagnose({
        env: io.env,
        ...(trace === undefined ? {} : { trace: (event) => trace.step(event), onCheck: (name) => trace.check(name) }),
      });
      trace?.end();
      const document = trace === undefined ? diagnosis : { ...diagnosis, trace: trace.events };
      output.result(document, () => formatDiagnosis(diagnosis, output.color));
      done(diagnosis.usable === 'none' ? 3 : 0);
    });
  return addCommonOptions(command, 'doorbell doctor').addHelpText(
    'after',
    '\nExit code: 0 when a GPU or the emulated GPU is usable (the last line says which), 3 when neither is, or when a variable\nthat is set makes programs fail.\n',
  );
}

/** The text of `doorbell doctor`. */
function formatDiagnosis(diagnosis: Diagnosis, color: Colors): string {
  const { checks, verdict, usable } = diagnosis;
  const action = usable === 'gpu' ? undefined : firstAction(diagnosis);
  const next = action?.hint === undefined ? '' : `For a GPU, begin with «${action.name}»: ${action.hint}\n`;
  return `${checks.map((check) => formatCheck(check, color)).join('')}\n${next}${color.bold(verdict)}\n`;
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
