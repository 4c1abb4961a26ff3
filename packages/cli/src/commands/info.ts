import { chooseDevice, Runtime } from '@doorbell/runtime';
import { Command } from 'commander';
import type { CommonOptions } from '../common-options.js';
import { addCommonOptions } from '../common-options.js';
import type { DeviceOptions } from '../device-choice.js';
import { addDeviceOptions } from '../device-choice.js';
import type { CliIo } from '../io.js';
import { Output } from '../output.js';
import { describeRuntime } from '../info-report.js';
import type { InfoReport } from '../info-report.js';
import { formatInfo } from '../info-text.js';

type InfoOptions = CommonOptions & DeviceOptions;

/** `doorbell info`. */
export function createInfoCommand(io: CliIo): Command {
  const command = new Command('info')
    .description('Shows the runtime, the thunks that were tried, and agents with pools, caches and links.')
    .action(async (options: InfoOptions) => {
      const output = new Output(io, options);
      const { backend, isa } = chooseDevice(options, io.env);
      const processor = isa?.split(':')[0];
      const runtime = await Runtime.acquire({ backend, ...(processor === undefined ? {} : { emulatedProcessor: processor }) });
      let report: InfoReport;
      try {
        report = describeRuntime(runtime);
      } finally {
        await runtime.release();
      }
      output.result(report, () => formatInfo(report, output.color));
    });
  return addCommonOptions(addDeviceOptions(command), 'doorbell info --backend emulated --isa gfx1100');
}
