import { describe, expect, it } from 'vitest';
import { openTestDevice } from './support.js';

const ENOTTY = 25;
const REQUEST = 0xc008_4b00;

/** Numbers of kfd_ioctl.h that the emulated driver has, and the minor version that brought each (0: the first). */
const SINCE: Readonly<Record<number, number>> = {
  ...Object.fromEntries(Array.from({ length: 0x1e }, (_, i) => [i + 1, 0])),
  0x20: 5,
  0x21: 5,
  0x23: 9,
  0x24: 12,
  0x25: 13,
};

/** SMI_EVENTS, CRIU_OP, DBG_TRAP, CREATE_PROCESS, and what AMD's own module has beyond the mainline kernel. */
const ABSENT = [0x1f, 0x22, 0x26, 0x27, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85];

describe('the ioctls of an interface version', () => {
  it.each([1, 5, 11, 12, 14, 17, 19])('1.%i: those of the version, and ENOTTY for all other numbers', async (interfaceMinor) => {
    await using device = await openTestDevice({ interfaceMinor });
    const found = new Set<number>();
    for (let number = 0; number < 256; number += 1) {
      if (device.ioctl(REQUEST + number, new Uint8Array(256)) !== -ENOTTY) found.add(number);
    }
    const wanted = Object.entries(SINCE).filter(([, since]) => since <= interfaceMinor);
    expect([...found]).toEqual(wanted.map(([number]) => Number(number)));
    for (const number of ABSENT) expect(found.has(number), `0x${number.toString(16)}`).toBe(false);
    const version = new Uint8Array(8);
    expect(device.ioctl(0x8008_4b01, version)).toBe(0);
    expect([...new Uint32Array(version.buffer)]).toEqual([1, interfaceMinor]);
  });

  it('are of type K', async () => {
    await using device = await openTestDevice();
    expect(device.ioctl(0x8008_6401, new Uint8Array(256))).toBe(-ENOTTY);
  });
});
