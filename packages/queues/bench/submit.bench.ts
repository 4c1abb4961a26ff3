import { openKfdThunk } from '@doorbell/thunk-loader';
import { bench, describe } from 'vitest';
import { FakeDevice } from '../../thunk-loader/test/support/fake-device.js';
import { GPU_ID } from '../../thunk-loader/test/support/fake-sysfs.js';
import { AqlPacket } from '../src/aql-packet.js';
import { AqlQueue } from '../src/aql-queue.js';
import { SignalPool } from '../src/signal-pool.js';

const BATCH = 1000;

const device = new FakeDevice();
const thunk = await openKfdThunk(device);
const signals = new SignalPool(thunk);
const queue = AqlQueue.create({ thunk, signals, gpuId: GPU_ID, packets: 1024 });
const packet = new AqlPacket().kernelDispatch({ grid: [64], workgroup: [64], kernelObject: 64n, kernargAddress: 64n });
const readIndex = new BigInt64Array(device.memory, Number(queue.address - 0x7f00_0000_0000n) + 128, 1);
// The page keeps no list of what was rung.
Object.defineProperty(queue.thunkQueue.doorbell.page, 'ring', { value: () => undefined });

describe(`node ${process.version}: into a ring without consumer, ${BATCH} packets an iteration`, () => {
  bench('trySubmit', () => {
    // The ring is emptied as a whole, so that it never fills up.
    Atomics.store(readIndex, 0, queue.loadWriteIndex());
    for (let i = 0; i < BATCH; i++) queue.trySubmit(packet);
  });

  const done = signals.create({ value: 1 });
  bench('trySubmit, with kernarg and completion set each time', () => {
    Atomics.store(readIndex, 0, queue.loadWriteIndex());
    for (let i = 0; i < BATCH; i++) {
      done.rearm(1);
      queue.trySubmit(packet.setKernarg(i * 64, 0x42).setCompletion(done));
    }
  });
});
