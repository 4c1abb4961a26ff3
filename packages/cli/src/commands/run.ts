import { chooseDevice } from '@doorbell/runtime';
import { Command } from 'commander';
import type { CommonOptions } from '../common-options.js';
import { addCommonOptions } from '../common-options.js';
import type { DeviceOptions } from '../device-choice.js';
import { addDeviceOptions } from '../device-choice.js';
import { UsageError } from '../failures.js';
import type { CliIo } from '../io.js';
import type { NamedRequest } from '../kernel-arguments.js';
import { ARG_FORMS, parseArgRequest } from '../kernel-arguments.js';
import type { ResultReport, RunReport, Sizes } from '../launch-file.js';
import { launchFile } from '../launch-file.js';
import type { Colors } from '../output.js';
import { Output } from '../output.js';
import { Progress } from '../progress.js';
import { formatBytes, formatDuration, formatTable } from '../text.js';

interface RunOptions extends CommonOptions, DeviceOptions {
  readonly kernel: string;
  readonly grid: Sizes;
  readonly workgroup: Sizes;
  readonly arg: readonly NamedRequest[];
  readonly dynamicLds: number;
  readonly timeout?: number;
  readonly device?: number;
}

const EXAMPLE =
  'doorbell run vadd.hsaco --kernel vadd --grid 1024 --workgroup 256 --arg a=rand:f32:1024 --arg b=rand:f32:1024:2 --arg c=out:f32:1024 --arg n=1024';

/** `doorbell run FILE`. */
export function createRunCommand(io: CliIo): Command {
  const command = new Command('run')
    .description('Runs one kernel of a code object, on a GPU or on the emulated one.')
    .argument('<file>', 'a code object (.hsaco) or an offload bundle')
    .requiredOption('--kernel <name>', 'the kernel')
    .requiredOption('--grid <x[,y[,z]]>', 'work-items in all (not workgroups)', (text: string) => parseSizes('--grid', text))
    .requiredOption('--workgroup <x[,y[,z]]>', 'work-items of a workgroup', (text: string) => parseSizes('--workgroup', text))
    .option('--arg <name=value>', 'an argument of the kernel (once for each)', collectArgument, [])
    .option('--dynamic-lds <bytes>', 'LDS beyond the static size that no argument names', parseDynamicLds, 0)
    .option('--timeout <time>', 'time without progress after which the launch fails: 500ms, 30s (default: 30s)', parseTimeout)
    .option('--device <index>', 'the GPU of this index in its backend', parseIndex)
    .action(async (path: string, options: RunOptions) => {
      const output = new Output(io, options);
      const report = await launchWithProgress(io, path, options);
      output.result(report, () => formatRun(report, output.color));
    });
  return addCommonOptions(addDeviceOptions(command), EXAMPLE).addHelpText(
    'after',
    `\nForms of --arg (TYPE: i8 … u64, f16, bf16, f32, f64):\n  ${ARG_FORMS}\n`,
  );
}

async function launchWithProgress(io: CliIo, path: string, options: RunOptions): Promise<RunReport> {
  const { kernel, grid, workgroup, arg: args, dynamicLds: dynamicLdsBytes, timeout: timeoutMs, device: index } = options;
  const device = chooseDevice(index === undefined ? options : { ...options, index }, io.env);
  using progress = new Progress(io, kernel);
  return await launchFile({
    path,
    kernel,
    grid,
    workgroup,
    args,
    dynamicLdsBytes,
    timeoutMs,
    device,
    signal: io.signal,
    onProgress: (done, total) => {
      if (options.quiet !== true) progress.update(done, total);
    },
  });
}

function parseSizes(option: string, text: string): Sizes {
  const sizes = text.split(',').map((part) => (/^\d+$/.test(part) ? Number(part) : NaN));
  if (sizes.length > 3 || sizes.some((size) => !Number.isInteger(size) || size < 1 || size > 0xffff_ffff)) {
    throw new UsageError(`${option} is X[,Y[,Z]] with whole numbers from 1 on, not ${text}`);
  }
  const [x = 1, y = 1, z = 1] = sizes;
  // The number of dimensions is the launch's own.
  return sizes.length === 1 ? [x] : sizes.length === 2 ? [x, y] : [x, y, z];
}

function collectArgument(text: string, before: readonly NamedRequest[]): readonly NamedRequest[] {
  const request = parseArgRequest(text);
  if (before.some(({ name }) => name === request.name)) throw new UsageError(`argument ${request.name} is given twice`);
  return [...before, request];
}

function parseDynamicLds(text: string): number {
  const bytes = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(bytes <= 0xffff_ffff)) throw new UsageError(`--dynamic-lds is a number of bytes, not ${text}`);
  return bytes;
}

function parseTimeout(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text) ?? [];
  const timeoutMs = number === undefined ? 0 : Math.ceil(Number(number) * (unit === 's' ? 1000 : 1));
  if (timeoutMs < 1) throw new UsageError(`--timeout is a time like 500ms or 30s (without unit: milliseconds), not ${text}`);
  return timeoutMs;
}

function parseIndex(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new UsageError(`--device is an index from 0 on, not ${text}`);
  return Number(text);
}

function formatRun(report: RunReport, color: Colors): string {
  const { device, grid, workgroup } = report;
  const groups = grid.map((size = 1, i) => Math.ceil(size / (workgroup[i] ?? 1)));
  const head =
    `${color.bold(report.kernel)}: ${product(grid)} work-items in ${product(groups)} workgroups, ` +
    `${formatDuration(report.durationNs)} on ${device.name} (${device.isa}, backend ${device.backend})\n`;
  return head + formatTable(report.results.map(formatResult));
}

function product(sizes: readonly (number | undefined)[]): number {
  return sizes.reduce<number>((all, size = 1) => all * size, 1);
}

function formatResult(result: ResultReport): string[] {
  const shape = `${result.type}[${result.length}]`;
  if ('file' in result) return [result.name, shape, `written to ${result.file} (${formatBytes(result.sizeBytes)})`];
  const first = result.first.map((value) => formatNumber(result, value)).join(', ');
  const more = result.length > result.first.length ? ', …' : '';
  const [min, max, sum] = [result.min, result.max, result.sum].map((value) => formatNumber(result, value));
  return [result.name, shape, `${first}${more}`, `min ${min}, max ${max}, sum ${sum}`];
}

/** No more digits than the element type has. */
function formatNumber({ type }: { readonly type: string }, value: number | string): string {
  if (typeof value === 'string' || type === 'f64' || !/^b?f/.test(type)) return String(value);
  return String(Number(value.toPrecision(7)));
}
