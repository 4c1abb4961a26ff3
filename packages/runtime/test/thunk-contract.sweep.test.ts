import { openNodeEmulatedDevice } from '@doorbell/emulator/node';
import { openKfdThunk } from '@doorbell/thunk-loader';
import { describeThunk } from '../../thunk-loader/test/contract/thunk-contract.js';

/** The other targets, machines of several kinds of GPUs, and older and newer drivers. */
for (const processor of [['gfx942'], ['gfx1201'], ['gfx1250'], ['gfx1100', 'gfx1030', 'gfx90a', 'gfx1201']]) {
  describeThunk(
    `kfd on the emulated ${processor.join(' + ')}`,
    async () => ({ thunk: await openKfdThunk(await openNodeEmulatedDevice({ processor, workers: 1 })) }),
    { gpus: processor.length },
  );
}

for (const interfaceMinor of [12, 14, 16, 19]) {
  describeThunk(`kfd on a driver of interface version 1.${interfaceMinor}`, async () => ({
    thunk: await openKfdThunk(await openNodeEmulatedDevice({ processor: 'gfx1100', interfaceMinor, workers: 1 })),
  }));
}

describeThunk(
  'kfd on a driver of interface version 1.11',
  async () => ({
    thunk: await openKfdThunk(await openNodeEmulatedDevice({ processor: 'gfx90a', interfaceMinor: 11, workers: 1 })),
  }),
  { lacks: { 'dma-bufs': 'export came with 1.12' } },
);
