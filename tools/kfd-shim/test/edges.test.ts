import { afterAll, describe, expect, it } from 'vitest';
import { compileProgram, missing, removeFiles, runOn } from './client.js';

const reason = missing();

/** What amdkfd and Linux say in each case (kfd_chardev.c, kfd_events.c, open(2), ioctl(2)). */
const EXPECTED = `
open ok
ioctl of a copy ok
major version ok
ioctl of a closed copy EBADF
bad argument EFAULT
render node is 226:128 ok
stat by name ok
no other render node ENOENT
other ioctls go to the system ENOTTY
device /sys/devices/pci0000:00/0000:63:00.0
render nodes 1
files of the system ok
ioctl of a child EBADF
VM of a file that is no render node EINVAL
VM ok
VM of the same file ok
VM of another file EBUSY
memory with a hole EFAULT
memory ok
the same address again EADDRINUSE
a part of it elsewhere ok
more than a part EFAULT
shared 11, not 0
map the whole ok
free the part ok
free the whole while it is mapped EBUSY
still shared 1
unmap the whole ok
a part of it elsewhere ok
free the whole ok
still shared 1
free the part ok
free it again EINVAL
own again 0, kept
video memory ok
used memory grew by 1048576
hidden video memory EINVAL
free video memory ok
create event ok
map event page ok
slot ffffffffffffffff
wait with a bad pointer EFAULT
ioctl beside waits ok
wait ok
wait ok
`.trim();

afterAll(removeFiles);

describe.skipIf(reason !== '')(`a program on the device files ${reason}`, () => {
  it('finds what it may do with copies, children, bad pointers, its own memory and several threads', async () => {
    const { code, out, err } = await runOn('gfx90a', compileProgram('edges'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.trim().split('\n')).toEqual(EXPECTED.split('\n'));
  });
});
