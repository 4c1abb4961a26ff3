import { AMD_SIGNAL } from '@doorbell/abi';
import type { Thunk } from '@doorbell/thunk-loader';
import { openKfdThunk } from '@doorbell/thunk-loader';
import { FakeDevice } from '../../../thunk-loader/test/support/fake-device.js';
import { GPU_ID } from '../../../thunk-loader/test/support/fake-sysfs.js';
import type { AqlQueueOptions } from '../../src/aql-queue.js';
import { AqlQueue } from '../../src/aql-queue.js';
import type { Signal } from '../../src/signal.js';
import { SignalPool } from '../../src/signal-pool.js';

export { GPU_ID };

/** A thunk on a device that does no work, with signals; disposing looks for leaks. */
export interface Bench extends AsyncDisposable {
  readonly device: FakeDevice;
  readonly thunk: Thunk;
  readonly signals: SignalPool;
  queue(options?: Partial<AqlQueueOptions>): AqlQueue;
  /** The device completes a signal: value, mailbox, interrupt. */
  complete(signal: Signal, value?: bigint): void;
}

export async function openBench(): Promise<Bench> {
  const device = new FakeDevice();
  const thunk = await openKfdThunk(device);
  const signals = new SignalPool(thunk);
  const queues: AqlQueue[] = [];
  return {
    device,
    thunk,
    signals,
    queue(options = {}) {
      const queue = AqlQueue.create({ thunk, signals, gpuId: GPU_ID, packets: 64, ...options });
      queues.push(queue);
      return queue;
    },
    complete(signal, value = signal.load() - 1n) {
      const bytes = device.bytesAt(signal.handle, 64);
      const { event_id: eventId } = AMD_SIGNAL.read(bytes);
      AMD_SIGNAL.write(bytes, { value });
      if (eventId !== 0) device.signal(eventId);
    },
    async [Symbol.asyncDispose]() {
      for (const queue of queues) queue.dispose();
      await signals.dispose();
      const leaks = Object.entries(device.leaks()).filter(([, count]) => count !== 0);
      await thunk[Symbol.asyncDispose]();
      if (leaks.length > 0) throw new Error(`left behind: ${leaks.map(([what, count]) => `${count} ${what}`).join(', ')}`);
    },
  };
}

/** What the command processor does with the next packet: takes it, marks the slot free, moves on. */
export function consume(bench: Bench, queue: AqlQueue, count = 1): void {
  const read = new BigInt64Array(bench.device.memory, Number(queue.address - 0x7f00_0000_0000n) + 128, 1);
  Atomics.add(read, 0, BigInt(count));
}
