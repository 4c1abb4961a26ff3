import { InternalError } from '@doorbell/runtime';
import { codeObject, hotswapTool } from '@doorbell/runtime/layers';
import { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { fileError, readBytes } from '../code-file.js';
import type { CommonOptions } from '../common-options.js';
import { addCommonOptions } from '../common-options.js';
import type { ExitCode } from '../failures.js';
import type { DeviceEntry } from '../hotswap/entries.js';
import { candidatesFor, listDeviceEntries, onlyEntry } from '../hotswap/entries.js';
import type { FileReport } from '../hotswap/inspect-report.js';
import { formatInspection, inspectFile } from '../hotswap/inspect-report.js';
import { formatComparison, formatPlan, formatProof } from '../hotswap/report-text.js';
import type { CliIo } from '../io.js';
import { Output } from '../output.js';
import { count } from '../text.js';

interface TargetOptions extends CommonOptions {
  readonly target: string;
  readonly source?: string;
  readonly entry?: string;
}

interface RewriteOptions extends TargetOptions {
  readonly output: string;
}

const FILE = 'a code object, an offload bundle (also compressed), or a program or library with bundles in it';
const ENTRY = 'which code object of the file: its number in `hotswap inspect`, its id, or its target';

/** `doorbell hotswap inspect|plan|rewrite|verify`. */
export function createHotSwapCommand(io: CliIo, done: (code: ExitCode) => void): Command {
  return new Command('hotswap')
    .description('Looks at code objects and moves them to another processor of their family, with proof.')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  $ doorbell hotswap plan app.hsaco --target gfx1031\n')
    .addCommand(inspectCommand(io))
    .addCommand(planCommand(io, done))
    .addCommand(rewriteCommand(io, done))
    .addCommand(verifyCommand(io, done));
}

function inspectCommand(io: CliIo): Command {
  const command = new Command('inspect')
    .description(
      'Lists the code objects of a file: targets in header and metadata, versions, places; with --target, what suits it.',
    )
    .argument('<file>', FILE)
    .option('--target <target>', 'the processor to look with: gfx1031, gfx90a:xnack-')
    .action(async (path: string, options: CommonOptions & { readonly target?: string }) => {
      const output = new Output(io, options);
      const target = options.target === undefined ? undefined : codeObject.parseTargetId(options.target);
      const report: FileReport = inspectFile(path, await readBytes(path, io.signal), target);
      output.result(report, () => formatInspection(report, output.color));
    });
  return addCommonOptions(command, 'doorbell hotswap inspect /usr/lib/libapp.so --target gfx1031');
}

function planCommand(io: CliIo, done: (code: ExitCode) => void): Command {
  const command = addTargetOptions(new Command('plan'))
    .description(
      'Says what a rewrite would change and what stands in its way; changes nothing. Exits with 1 where it would be refused.',
    )
    .action(async (path: string, options: TargetOptions) => {
      const output = new Output(io, options);
      const { entry, result } = firstAccepted(await readEntries(path, io, options), options, planEntry);
      const { report } = result;
      // Another family: nothing moves, but what would have to change is worth knowing.
      const comparison =
        report.relation === 'unrelated' ? hotswapTool.compareTargets(entry.entry.bytes, rewriteOptionsOf(options)) : undefined;
      output.result({ file: path, entry: describe(entry), report, ...(comparison === undefined ? {} : { comparison }) }, () => {
        const plan = formatPlan(report, output.color);
        return `${titleOf(path, entry)}${plan}${comparison === undefined ? '' : formatComparison(comparison, output.color)}`;
      });
      if (report.status === 'refused') done(1);
    });
  return addCommonOptions(command, 'doorbell hotswap plan app.hsaco --target gfx1031');
}

function rewriteCommand(io: CliIo, done: (code: ExitCode) => void): Command {
  const command = addTargetOptions(new Command('rewrite'))
    .description('Writes the code object for another processor of its family, or refuses with every reason (exit code 1).')
    .requiredOption('-o, --output <path>', 'the code object to write')
    .action(async (path: string, options: RewriteOptions) => {
      const output = new Output(io, options);
      const { entry, result } = firstAccepted(await readEntries(path, io, options), options, hotswapTool.rewrite);
      const { status, report, ranges } = result;
      const bytes = result.status === 'rewritten' ? result.bytes : entry.entry.bytes;
      if (status !== 'refused') await write(options.output, bytes);
      const written = status === 'refused' ? {} : { output: options.output, sizeBytes: bytes.length };
      output.result({ file: path, entry: describe(entry), status, ...written, ranges, report }, () => {
        if (status === 'refused') return titleOf(path, entry) + formatPlan(report, output.color);
        const how = status === 'unchanged' ? 'as it was' : `${count(ranges.length, 'range')} changed`;
        return `${options.output}: ${bytes.length} bytes, ${report.source.isaName} → ${report.target.isaName}, ${how}\n`;
      });
      if (status === 'refused') done(1);
    });
  return addCommonOptions(command, 'doorbell hotswap rewrite app.hsaco --target gfx1031 -o app.gfx1031.hsaco');
}

function verifyCommand(io: CliIo, done: (code: ExitCode) => void): Command {
  const command = new Command('verify')
    .description(
      'Proves that a rewritten code object is the original but for what a rewrite may change. Exits with 1 where it is not.',
    )
    .argument('<original>', FILE)
    .argument('<rewritten>', 'the code object that a rewrite made of it')
    .option('--entry <entry>', `${ENTRY} (of the original)`)
    .action(async (originalPath: string, rewrittenPath: string, options: CommonOptions & { readonly entry?: string }) => {
      const output = new Output(io, options);
      const original = onlyEntry(await readEntries(originalPath, io, options), options.entry);
      const rewritten = onlyEntry(await readEntries(rewrittenPath, io, options), undefined);
      const proof = hotswapTool.verifyRewrite(original.entry.bytes, rewritten.entry.bytes);
      output.result({ original: originalPath, rewritten: rewrittenPath, ...proof }, () => formatProof(proof, output.color));
      if (!proof.ok) done(1);
    });
  return addCommonOptions(command, 'doorbell hotswap verify app.hsaco app.gfx1031.hsaco');
}

function addTargetOptions(command: Command): Command {
  return command
    .argument('<file>', FILE)
    .requiredOption('--target <target>', 'the processor to move to: gfx1031, gfx10-3-generic, gfx90a:xnack-')
    .option('--source <target>', 'what the code object was made for, against what it says of itself')
    .option('--entry <entry>', ENTRY);
}

async function readEntries(path: string, io: CliIo, options: CommonOptions): Promise<readonly DeviceEntry[]> {
  const file = codeObject.parseDeviceFile(await readBytes(path, io.signal));
  const output = new Output(io, options);
  for (const { message } of file.problems) output.note(`${path}: ${message}`);
  return listDeviceEntries(file);
}

interface Outcome {
  readonly report: hotswapTool.RewriteReport;
}

interface Attempt<R extends Outcome> {
  readonly entry: DeviceEntry;
  readonly result: R;
}

/** The first candidate that is not refused, or the first one with its refusal. */
function firstAccepted<R extends Outcome>(
  entries: readonly DeviceEntry[],
  options: TargetOptions,
  attempt: (bytes: Uint8Array, options: hotswapTool.RewriteOptions) => R,
): Attempt<R> {
  const { target } = hotswapTool.parseSteppedIsa(options.target);
  let refused: Attempt<R> | undefined;
  for (const entry of candidatesFor(entries, target, options.entry)) {
    const result = attempt(entry.entry.bytes, rewriteOptionsOf(options));
    if (result.report.status !== 'refused') return { entry, result };
    refused ??= { entry, result };
  }
  if (refused === undefined) throw new InternalError('there is no candidate, and no error says so');
  return refused;
}

function rewriteOptionsOf({ target, source }: TargetOptions): hotswapTool.RewriteOptions {
  return { target, ...(source === undefined ? {} : { source }) };
}

function planEntry(bytes: Uint8Array, options: hotswapTool.RewriteOptions): Outcome {
  return { report: hotswapTool.planRewrite(bytes, options) };
}

function describe({ index, entry }: DeviceEntry): object {
  return { index, id: entry.id, place: entry.place };
}

/** Says which entry it is where the file has several. */
function titleOf(path: string, { index, entry }: DeviceEntry): string {
  return entry.place.bundle === undefined ? `${path}: ` : `${path}, entry ${index} (${entry.id}): `;
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes);
  } catch (error) {
    throw fileError(path, { action: 'written', error });
  }
}
