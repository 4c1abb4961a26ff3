import { writeFile } from 'node:fs/promises';
import { chooseDevice, HsaError, Runtime } from '@doorbell/runtime';
import type { RuntimeOptions } from '@doorbell/runtime';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommonOptions } from '../common-options.js';
import { addCommonOptions } from '../common-options.js';
import type { DeviceOptions } from '../device-choice.js';
import { addDeviceOptions } from '../device-choice.js';
import type { CliIo } from '../io.js';
import { Output } from '../output.js';
import { describeRuntime } from '../info-report.js';
import type { InfoReport } from '../info-report.js';
import { UsageError } from '../failures.js';
import { drawMachine } from '../info-svg.js';
import { formatInfo } from '../info-text.js';
import { formatInfoTree } from '../info-tree.js';
import { count } from '../text.js';

interface InfoOptions extends CommonOptions, DeviceOptions {
  readonly tree?: boolean;
  readonly svg?: string;
  readonly gpus?: number;
  readonly cpuNodes?: number;
  readonly links?: (typeof LINKS)[number];
}

/** What the runtime emulates when nothing is named. */
const DEFAULT_PROCESSOR = 'gfx1100';
const LINKS = ['pcie', 'xgmi'] as const;

/** `doorbell info`. */
export function createInfoCommand(io: CliIo): Command {
  const command = new Command('info')
    .description('Shows the runtime, the thunks that were tried, and agents with pools, caches and links.')
    .option('--tree', 'print machine, nodes, agents, pools, caches and links as a tree')
    .option('--svg <file>', 'draw nodes and links into a file')
    .option('--gpus <count>', 'GPUs of the emulated machine (default: 1)', parseCount)
    .option('--cpu-nodes <count>', 'NUMA nodes of the emulated machine (default: 1)', parseCount)
    .addOption(new Option('--links <kind>', 'how the GPUs of the emulated machine are linked').choices(LINKS))
    .action(async (options: InfoOptions) => {
      const output = new Output(io, options);
      const runtime = await Runtime.acquire(runtimeOptions(options, io));
      let report: InfoReport;
      try {
        report = describeRuntime(runtime);
      } finally {
        await runtime.release();
      }
      if (options.svg !== undefined) await drawTo(options.svg, report);
      const { tree: isTree = false, svg } = options;
      output.result(report, () => {
        if (isTree) return formatInfoTree(report, output.color);
        return svg === undefined ? formatInfo(report, output.color) : `drew ${count(report.agents.length, 'agent')} into ${svg}`;
      });
    });
  return addCommonOptions(addDeviceOptions(command), 'doorbell info --backend emulated --isa gfx1100');
}

/** A machine of a certain shape can only be an emulated one. */
function runtimeOptions(options: InfoOptions, io: CliIo): RuntimeOptions {
  const { gpus, cpuNodes, links } = options;
  const hasShape = gpus !== undefined || cpuNodes !== undefined || links !== undefined;
  const { backend, isa } = chooseDevice(options, io.env);
  if (hasShape && backend !== 'auto' && backend !== 'emulated') {
    throw new UsageError(`--gpus, --cpu-nodes and --links describe an emulated machine, not ${backend}`);
  }
  const processor = isa?.split(':')[0];
  return {
    backend: hasShape ? 'emulated' : backend,
    ...(processor === undefined ? {} : { emulatedProcessor: processor }),
    ...(gpus === undefined ? {} : { emulatedProcessor: Array.from({ length: gpus }, () => processor ?? DEFAULT_PROCESSOR) }),
    ...(cpuNodes === undefined && links === undefined
      ? {}
      : { emulatedMachine: { ...(cpuNodes === undefined ? {} : { cpuNodes }), ...(links === undefined ? {} : { links }) } }),
  };
}

async function drawTo(path: string, report: InfoReport): Promise<void> {
  try {
    await writeFile(path, drawMachine(report));
  } catch (cause) {
    throw new HsaError('ERR_FILE', {
      message: `${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      details: { path },
      cause,
    });
  }
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError(`${text} is no count`);
  return Number(text);
}
