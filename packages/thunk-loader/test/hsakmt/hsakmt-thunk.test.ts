import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openHsakmtThunk } from '../../src/hsakmt/hsakmt-thunk.js';

const DEBIAN = '/usr/lib/x86_64-linux-gnu/libhsakmt.so.1';
const why = !existsSync(DEBIAN) ? ` (skipped: no ${DEBIAN})` : existsSync('/dev/kfd') ? ' (skipped: there is /dev/kfd)' : '';

describe("Debian's libhsakmt", () => {
  it.skipIf(why !== '')(`says why it cannot open the driver${why}`, async () => {
    const error = await openHsakmtThunk({ path: DEBIAN, generation: 'A' }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 'ERR_KFD_MISSING',
      errno: 2,
      details: { call: 'hsaKmtOpenKFD', path: DEBIAN, status: 20, errno: 'ENOENT' },
      cause: { code: 'ERR_KFD_MISSING' },
    });
    // Safe: it matched.
    expect((error as Error).message).toContain(
      `${DEBIAN}: hsaKmtOpenKFD answered HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED (20) while opening /dev/kfd: ENOENT (2)`,
    );
  });
});
