import type { EventSink } from '@doorbell/abi';
import type { DescribeMachineOptions, EmulatedDevice } from '@doorbell/emulator';
import { openNodeEmulatedDevice } from '@doorbell/emulator/node';

/** The emulated device behind a runtime: a driver like any other, that can also say in words what happened in it. */
export interface EmulatedMachine {
  readonly device: EmulatedDevice;
}

/** What the emulated machine is like beside its GPUs. */
export type EmulatedMachineShape = Pick<DescribeMachineOptions, 'cpuNodes' | 'links'>;

/** @throws {HsaError} ERR_NOT_SUPPORTED for a processor without captured data; ERR_HOST where memory or threads are not to be had. */
export async function openEmulatedMachine({
  processor,
  machine,
  events,
  threads,
}: {
  readonly processor: string | readonly string[];
  readonly machine?: EmulatedMachineShape;
  readonly events: EventSink;
  readonly threads: 'now' | 'when-needed';
}): Promise<EmulatedMachine> {
  return { device: await openNodeEmulatedDevice({ processor, events, threads, ...(machine === undefined ? {} : { machine }) }) };
}
