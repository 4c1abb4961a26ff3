import { type Backend, BACKENDS } from '@doorbell/runtime';
import { codeObject } from '@doorbell/runtime/layers';
import type { Command } from 'commander';

/** Options that choose a device, as given: the runtime's `chooseDevice` checks them. */
export interface DeviceOptions {
  readonly backend?: Backend;
  readonly isa?: string;
}

/** Adds `--backend` and `--isa`. */
export function addDeviceOptions(command: Command): Command {
  return command
    .option('--backend <name>', `where the device comes from: ${BACKENDS.join(', ')} (default: DOORBELL_DEVICE, else auto)`)
    .option('--isa <target>', 'target of the emulated GPU, or what a GPU must have: gfx1100', (text: string) =>
      codeObject.formatTargetId(codeObject.parseTargetId(text)),
    );
}
