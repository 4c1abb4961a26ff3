import { describe, expect, it } from 'vitest';
import { openDeviceFile } from '../../src/index.js';

/** Linux errno: the device knows no such ioctl. */
const ENOTTY = 25;

describe.skipIf(process.platform !== 'linux')('a device file', () => {
  it('opens, answers ioctls with a negative errno, and closes once', () => {
    const opened = openDeviceFile('/dev/null');
    if (!opened.ok) throw new Error(opened.errno);
    const file = opened.value;
    expect(file.ioctl(0xc010_6447, new Uint8Array(16))).toBe(-ENOTTY);
    using buffer = file.hostBuffer(64);
    expect([buffer.bytes.length, buffer.address > 0n]).toEqual([64, true]);
    file[Symbol.dispose]();
    file[Symbol.dispose]();
  });

  it('that is not there says so', () => {
    expect(openDeviceFile('/dev/no-such-device')).toEqual({ ok: false, errno: 'ENOENT' });
  });
});
