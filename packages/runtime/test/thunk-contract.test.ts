import { openNodeEmulatedDevice, openSharedEmulatedDevice } from '@doorbell/emulator/node';
import { openKfdThunk } from '@doorbell/thunk-loader';
import { describeThunk } from '../../thunk-loader/test/contract/thunk-contract.js';

for (const processor of ['gfx90a', 'gfx1030', 'gfx1100']) {
  describeThunk(`kfd on the emulated ${processor}`, async () => ({
    thunk: await openKfdThunk(await openNodeEmulatedDevice({ processor, workers: 1 })),
  }));
}

describeThunk(
  'kfd on two emulated GPUs',
  async () => ({
    thunk: await openKfdThunk(await openNodeEmulatedDevice({ processor: ['gfx90a', 'gfx90a'], workers: 1 })),
  }),
  { gpus: 2 },
);

const lacks = {
  'shared virtual memory': 'the memory of such a client is known where it is registered, not where it is mapped',
};
describeThunk(
  'kfd on an emulated gfx1100 for a client with its own address space',
  async () => {
    const { device } = await openSharedEmulatedDevice({ processor: 'gfx1100', workers: 1 });
    return { thunk: await openKfdThunk(device) };
  },
  { lacks },
);
