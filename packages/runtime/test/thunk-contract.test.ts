import { openNodeEmulatedDevice, openSharedEmulatedDevice } from '@doorbell/emulator/node';
import { openKfdThunk } from '@doorbell/thunk-loader';
import { describeThunk } from '../../thunk-loader/test/contract/thunk-contract.js';

describeThunk('kfd on the emulated gfx1100', async () => ({
  thunk: await openKfdThunk(await openNodeEmulatedDevice({ processor: 'gfx1100' })),
}));

describeThunk('kfd on an emulated gfx1100 for a client with its own address space', async () => {
  const { device } = await openSharedEmulatedDevice({ processor: 'gfx1100' });
  return { thunk: await openKfdThunk(device) };
});
