import { codeObject } from '@doorbell/runtime/layers';
import { Command } from 'commander';
import type { CodeFile } from '../code-file.js';
import { parseCodeFile, readBytes } from '../code-file.js';
import type { CommonOptions } from '../common-options.js';
import { addCommonOptions } from '../common-options.js';
import { UsageError } from '../failures.js';
import type { CliIo } from '../io.js';
import { Output } from '../output.js';
import { count, formatBytes, formatTable } from '../text.js';

type CodeObject = codeObject.CodeObject;
type KernelInfo = codeObject.KernelInfo;

interface InspectOptions extends CommonOptions {
  readonly workgroup?: number;
}

/** What `--json` prints of one kernel. */
interface KernelReport {
  readonly name: string;
  readonly symbol: string;
  readonly waveSize: 32 | 64;
  readonly vgprs: number;
  readonly sgprs: number;
  readonly vgprSpills: number;
  readonly sgprSpills: number;
  readonly ldsBytes: number;
  readonly scratchBytes: number;
  readonly usesDynamicStack: boolean;
  readonly kernargBytes: number;
  readonly kernargAlign: number;
  readonly maxWorkgroup: number;
  readonly requiredWorkgroup?: readonly [number, number, number];
  readonly occupancy: codeObject.Occupancy & { readonly workgroup: number };
  readonly args: readonly ArgReport[];
  readonly hiddenArgs: readonly { readonly kind: string; readonly offset: number; readonly sizeBytes: number }[];
}

interface ArgReport {
  readonly name: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly kind: string;
  readonly type: string;
  readonly access?: string;
  readonly addressSpace?: string;
}

interface CodeObjectReport {
  readonly target: string;
  readonly version: number;
  readonly hasMetadata: boolean;
  readonly kernels: readonly KernelReport[];
}

/** `doorbell inspect FILE`. */
export function createInspectCommand(io: CliIo): Command {
  const command = new Command('inspect')
    .description('Shows target, kernels, registers, LDS and arguments of a code object, or of each in a bundle or program.')
    .argument('<file>', 'a code object (.hsaco), an offload bundle, or a program or library with bundles in it')
    .option('--workgroup <size>', 'workgroup size that the occupancy is for (default: 256, or what the kernel allows)', parseSize)
    .action(async (path: string, options: InspectOptions) => {
      const output = new Output(io, options);
      const file = parseCodeFile(await readBytes(path, io.signal));
      const report = reportFile(path, file, options.workgroup);
      output.result(report, () => formatFile(report, output));
    });
  return addCommonOptions(command, 'doorbell inspect vadd.hsaco');
}

function parseSize(text: string): number {
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1 || size > 1024) throw new UsageError(`--workgroup is 1 … 1024, not ${text}`);
  return size;
}

type FileReport =
  | ({ readonly file: string; readonly format: 'code-object'; readonly sizeBytes: number } & CodeObjectReport)
  | {
      readonly file: string;
      readonly format: 'offload-bundle' | 'host-file';
      readonly sizeBytes: number;
      readonly entries: readonly EntryReport[];
      readonly problems: readonly codeObject.DeviceFileProblem[];
    };

interface EntryReport {
  readonly id: string;
  readonly kind: string;
  readonly target?: string;
  readonly place: codeObject.EntryPlace;
  readonly sizeBytes: number;
  readonly problem?: string;
  readonly codeObject?: CodeObjectReport;
}

function reportFile(path: string, file: CodeFile, workgroup: number | undefined): FileReport {
  const { sizeBytes } = file;
  if (file.format === 'code-object') {
    return { file: path, format: file.format, sizeBytes, ...reportCodeObject(file.codeObject, workgroup) };
  }
  const entries = file.entries.map(({ entry, codeObject: code, problem }): EntryReport => {
    const target = entry.target ? { target: codeObject.formatTargetId(entry.target) } : {};
    return {
      id: entry.id,
      kind: entry.kind,
      ...target,
      place: entry.place,
      sizeBytes: entry.bytes.length,
      ...(problem === undefined ? {} : { problem }),
      ...(code === undefined ? {} : { codeObject: reportCodeObject(code, workgroup) }),
    };
  });
  return { file: path, format: file.format, sizeBytes, entries, problems: file.problems };
}

function reportCodeObject(code: CodeObject, workgroup: number | undefined): CodeObjectReport {
  return {
    target: codeObject.formatTargetId(code.target),
    version: code.version,
    hasMetadata: code.metadata !== undefined,
    kernels: code.kernels.map((kernel) => reportKernel(code, kernel, workgroup)),
  };
}

/** Workgroup size of the occupancy where nothing else is said. */
const DEFAULT_WORKGROUP = 256;

function reportKernel({ processor }: CodeObject, kernel: KernelInfo, wanted: number | undefined): KernelReport {
  const { metadata } = kernel;
  const required = metadata?.requiredWorkgroup;
  const natural = required ? required[0] * required[1] * required[2] : Math.min(DEFAULT_WORKGROUP, kernel.maxFlatWorkgroupSize);
  const workgroup = wanted ?? natural;
  const { slots } = codeObject.layoutKernarg(kernel);
  return {
    name: kernel.name,
    symbol: kernel.symbol,
    waveSize: kernel.waveSize,
    vgprs: kernel.vgprs,
    sgprs: kernel.sgprs,
    vgprSpills: metadata?.vgprSpills ?? 0,
    sgprSpills: metadata?.sgprSpills ?? 0,
    ldsBytes: kernel.groupBytes,
    scratchBytes: kernel.privateBytes,
    usesDynamicStack: kernel.usesDynamicStack,
    kernargBytes: kernel.kernargBytes,
    kernargAlign: kernel.kernargAlign,
    maxWorkgroup: kernel.maxFlatWorkgroupSize,
    ...(required === undefined ? {} : { requiredWorkgroup: required }),
    occupancy: { workgroup, ...codeObject.occupancy(kernel, { workgroup: [workgroup, 1, 1], processor }) },
    args: kernel.args.map(({ name, offset, sizeBytes, kind, typeName, access, actualAccess, addressSpace }, index) => {
      const knownAccess = actualAccess ?? access;
      return {
        name,
        offset,
        sizeBytes,
        kind,
        type: typeName ?? slots[index]?.type ?? '',
        ...(knownAccess === undefined ? {} : { access: knownAccess }),
        ...(addressSpace === undefined ? {} : { addressSpace }),
      };
    }),
    hiddenArgs: kernel.hiddenArgs.map(({ kind, offset, sizeBytes }) => ({ kind, offset, sizeBytes })),
  };
}

function formatFile(report: FileReport, output: Output): string {
  const size = formatBytes(report.sizeBytes);
  if (report.format === 'code-object') {
    return `${report.file}: AMDGPU code object, ${size}\n${formatCodeObject(report, output)}`;
  }
  const entries = report.entries.map((entry) => {
    const head = `\nEntry ${output.color.bold(entry.id)}: ${formatBytes(entry.sizeBytes)}\n`;
    if (entry.problem !== undefined) return `${head}  cannot be read: ${entry.problem}\n`;
    return head + (entry.codeObject ? formatCodeObject(entry.codeObject, output) : '');
  });
  const problems = report.problems.map(({ message }) => `\n${message}\n`);
  const what = report.format === 'host-file' ? 'host file with' : 'offload bundle of';
  return `${report.file}: ${what} ${count(report.entries.length, 'entry', 'entries')}, ${size}\n${[...entries, ...problems].join('')}`;
}

function formatCodeObject(report: CodeObjectReport, output: Output): string {
  const note = report.hasMetadata ? '' : ' (no metadata)';
  const head = `  target ${output.color.bold(report.target)}, code object version ${report.version}, ${count(report.kernels.length, 'kernel')}${note}\n`;
  return head + report.kernels.map((kernel) => `\n${formatKernel(kernel, output)}`).join('');
}

function formatKernel(kernel: KernelReport, { color }: Output): string {
  const { occupancy } = kernel;
  const spills = kernel.vgprSpills + kernel.sgprSpills;
  const limit = occupancy.limitedBy === 'none' ? '' : `, limited by ${occupancy.limitedBy}`;
  const required = kernel.requiredWorkgroup ? `, required ${kernel.requiredWorkgroup.join(' × ')}` : '';
  const facts = formatTable([
    [
      'registers',
      `${count(kernel.vgprs, 'VGPR')}, ${count(kernel.sgprs, 'SGPR')}, wave${kernel.waveSize}${spills > 0 ? `, ${count(spills, 'spill')}` : ''}`,
    ],
    ['LDS', formatBytes(kernel.ldsBytes)],
    ['scratch', `${formatBytes(kernel.scratchBytes)}${kernel.usesDynamicStack ? ' and a dynamic stack' : ''}`],
    ['kernarg', `${kernel.kernargBytes} bytes, aligned to ${kernel.kernargAlign}`],
    ['workgroup', `at most ${kernel.maxWorkgroup} work-items${required}`],
    ['occupancy', `${count(occupancy.wavesPerSimd, 'wave')} per SIMD in workgroups of ${occupancy.workgroup}${limit}`],
  ]);
  const rows = [
    ...kernel.args.map(({ offset, sizeBytes, name, kind, type, access = '' }) => [
      `${offset}`,
      `${sizeBytes}`,
      name,
      kind,
      type,
      access,
    ]),
    ...kernel.hiddenArgs.map(({ offset, sizeBytes, kind }) => [`${offset}`, `${sizeBytes}`, '', kind, '', '']),
  ];
  const args = formatTable(rows, { head: ['offset', 'size', 'argument', 'kind', 'type', 'access'], indent: 4 });
  return `Kernel ${color.bold(kernel.name)}\n${facts}${args === '' ? '  no arguments\n' : `  arguments\n${args}`}`;
}
