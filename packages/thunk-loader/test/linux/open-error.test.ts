import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/access.js';
import { openError } from '../../src/linux/open-error.js';
import { fakeSysfs, kfdTree } from '../support/fake-sysfs.js';

const ada: Caller = {
  userName: 'ada',
  uid: 1000,
  gids: [1000],
  groupName: (gid) => (gid === 109 ? 'render' : undefined),
  ownerName: () => 'root',
};
const failure = (errno: number, sysfs = fakeSysfs({})) => openError({ path: '/dev/kfd', errno, sysfs, caller: ada });

describe('openError', () => {
  it('keeps EACCES and names the command that cures it', () => {
    const sysfs = fakeSysfs({}, { '/dev/kfd': { kind: 'character-device', mode: 0o660, uid: 0, gid: 109 } });
    const error = failure(13, sysfs);
    expect(error).toMatchObject({ code: 'ERR_KFD_PERMISSION', errno: 13, details: { group: 109, mode: '0660', gids: [1000] } });
    expect(error.hint).toContain('usermod -a -G render ada');
  });

  it('calls ENOMEM without GPU node what it is: a card that the driver does not support', () => {
    const error = failure(12, fakeSysfs(kfdTree([])));
    expect(error).toMatchObject({ code: 'ERR_KFD_UNSUPPORTED', errno: 12 });
    expect(error.message).toContain('does not support this card');
    expect(error.hint).toContain('dmesg');
  });

  it('does not call ENOMEM so where the topology has GPUs', () => {
    expect(failure(12, fakeSysfs(kfdTree()))).toMatchObject({ code: 'ERR_DEVICE_FILE', details: { gpuNodes: 1 } });
  });

  it('tells a missing module', () => {
    const error = failure(2);
    expect(error).toMatchObject({ code: 'ERR_KFD_MISSING', errno: 2, details: { amdgpuModule: 'not loaded' } });
    expect(error.message).toContain('CONFIG_HSA_AMD');
    expect(error.hint).toContain('emulated');
  });

  it('tells a module without HSA_AMD', () => {
    const error = failure(2, fakeSysfs({ '/sys/module/amdgpu/version': '' }));
    expect(error.hint).toContain('CONFIG_HSA_AMD=y');
  });

  it('tells a container without the device', () => {
    const error = failure(2, fakeSysfs({ '/sys/class/kfd/kfd/dev': '' }));
    expect(error.hint).toContain('--device=/dev/kfd');
  });

  it('calls a folder a folder', () => {
    expect(failure(21)).toMatchObject({
      code: 'ERR_DEVICE_FILE',
      errno: 21,
      message: expect.stringContaining('folder') as string,
    });
  });

  it.each([11, 5])('keeps errno %i', (errno) => {
    expect(failure(errno)).toMatchObject({ code: 'ERR_DEVICE_FILE', errno });
  });
});
