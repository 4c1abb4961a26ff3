import { describe, expect, it } from 'vitest';
import { DRM_IOCTLS } from '../../src/device/drm/index.js';
import { IOCTLS } from '../../src/device/ioctls/index.js';
import { expectSection, table } from './docs-page.js';

const PAGE = 'emulated-driver.md';
const ERRNO_NAMES: Readonly<Record<number, string>> = { 13: 'EACCES', 25: 'ENOTTY' };

/** What one should know of an ioctl beside that it is there. */
const KFD_REMARKS: Readonly<Record<string, string>> = {
  CREATE_QUEUE: 'AQL; other types `ENOTSUPP`',
  GET_PROCESS_APERTURES: 'the old form, up to seven GPUs',
  DBG_REGISTER_DEPRECATED: 'always `EPERM`, as in the kernel',
  DBG_UNREGISTER_DEPRECATED: 'always `EPERM`, as in the kernel',
  DBG_ADDRESS_WATCH_DEPRECATED: 'always `EPERM`, as in the kernel',
  DBG_WAVE_CONTROL_DEPRECATED: 'always `EPERM`, as in the kernel',
  GET_TILE_CONFIG: 'zeros, as from gfx9 on',
  SET_MEMORY_POLICY: 'checked; no effect from gfx9 on',
  SET_TRAP_HANDLER: 'checked; no trap handler runs',
  SET_CU_MASK: 'checked; no effect',
  GET_QUEUE_WAVE_STATE: 'of a stopped queue: nothing saved',
  SET_XNACK_MODE: 'on where every GPU is gfx90a or gfx942',
  SVM: 'memory of `mapAnonymous`',
  IMPORT_DMABUF: 'files of this device',
  IPC_IMPORT_HANDLE: 'not in the mainline kernel',
  IPC_EXPORT_HANDLE: 'not in the mainline kernel',
  CROSS_MEMORY_COPY: 'not in the mainline kernel',
  RLC_SPM: 'not in the mainline kernel',
  PC_SAMPLE: 'not in the mainline kernel',
};
const DRM_REMARKS: Readonly<Record<string, string>> = {
  GET_UNIQUE: 'not for render nodes, as in the kernel',
  GET_MAGIC: 'not for render nodes, as in the kernel',
  GET_CLIENT: 'not for render nodes, as in the kernel',
  GET_CAP: 'PRIME, monotonic time, no syncobj',
  AMDGPU_INFO: 'accel, device, firmware, memory, time; registers and engines are zero',
  AMDGPU_GEM_VA: 'map and unmap, whole buffers',
  AMDGPU_GEM_OP: 'how it was created',
  AMDGPU_GEM_WAIT_IDLE: 'always idle: nothing is submitted through DRM',
};

describe('docs/emulated-driver.md', () => {
  it('lists the ioctls of KFD', () => {
    const rows = IOCTLS.map(({ name, number, since, ioctl }) => [
      `\`${name}\``,
      hex(number),
      since === 0 ? '' : `1.${since}`,
      ioctl === undefined ? '`ENOTTY`' : 'there',
      KFD_REMARKS[name] ?? '',
    ]);
    expectSection(PAGE, 'kfd', table(['`AMDKFD_IOC_…`', 'number', 'since', 'state', 'remark'], rows));
    expect(Object.keys(KFD_REMARKS).filter((name) => !IOCTLS.some((ioctl) => ioctl.name === name))).toEqual([]);
  });

  it('lists the ioctls of a render node', () => {
    const rows = DRM_IOCTLS.map(({ name, number, ioctl, errno }) => [
      `\`${name}\``,
      hex(number),
      ioctl === undefined ? `\`${ERRNO_NAMES[errno ?? 25]}\`` : 'there',
      DRM_REMARKS[name] ?? '',
    ]);
    expectSection(PAGE, 'drm', table(['`DRM_IOCTL_…`', 'number', 'state', 'remark'], rows));
  });
});

function hex(number: number): string {
  return `0x${number.toString(16).padStart(2, '0')}`;
}
