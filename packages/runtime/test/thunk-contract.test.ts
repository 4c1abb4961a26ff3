import { openNodeEmulatedDevice } from '@doorbell/emulator/node';
import { openKfdThunk } from '@doorbell/thunk-loader';
import { describeThunk } from '../../thunk-loader/test/contract/thunk-contract.js';

describeThunk('kfd on the emulated gfx1100', async () => ({
  thunk: await openKfdThunk(await openNodeEmulatedDevice({ processor: 'gfx1100' })),
}));
