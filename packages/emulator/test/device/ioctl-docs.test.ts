import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DoorbellSlots } from '../../src/device/doorbell-slots.js';
import { DRM_IOCTLS } from '../../src/device/drm/index.js';
import { IOCTLS } from '../../src/device/ioctls/index.js';
import { describeMachine, listEmulatedTargets } from '../../src/sysfs/index.js';

const page = (name: string): URL => new URL(`../../../../docs/${name}.md`, import.meta.url);
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
    expectSection('emulated-driver', 'kfd', table(['`AMDKFD_IOC_…`', 'number', 'since', 'state', 'remark'], rows));
    expect(Object.keys(KFD_REMARKS).filter((name) => !IOCTLS.some((ioctl) => ioctl.name === name))).toEqual([]);
  });

  it('lists the ioctls of a render node', () => {
    const rows = DRM_IOCTLS.map(({ name, number, ioctl, errno }) => [
      `\`${name}\``,
      hex(number),
      ioctl === undefined ? `\`${ERRNO_NAMES[errno ?? 25]}\`` : 'there',
      DRM_REMARKS[name] ?? '',
    ]);
    expectSection('emulated-driver', 'drm', table(['`DRM_IOCTL_…`', 'number', 'state', 'remark'], rows));
  });
});

describe('docs/amdkfd.md', () => {
  it('tells engines and doorbells of each part', () => {
    const rows = listEmulatedTargets().map((target) => {
      const { properties } = describeMachine({ gpus: [target] }).gpus[0]!;
      const slots = new DoorbellSlots({ properties });
      let free = 0;
      while (slots.takeForCompute() !== undefined) free += 1;
      const numbers = ['num_sdma_engines', 'num_sdma_xgmi_engines', 'num_sdma_queues_per_engine'].map(
        (key) => properties[key] ?? 0,
      );
      return [`\`${target}\``, ...[...numbers, free].map(String)];
    });
    const head = ['part', 'SDMA to the host', 'SDMA to GPUs', 'queues of an engine', 'doorbells for compute'];
    expectSection('amdkfd', 'engines', table(head, rows));
  });
});

function hex(number: number): string {
  return `0x${number.toString(16).padStart(2, '0')}`;
}

/** As prettier lays it out. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function expectSection(file: string, name: string, text: string): void {
  const whole = readFileSync(page(file), 'utf8');
  const section = new RegExp(`(<!-- begin ${name} -->\n)([\\s\\S]*?)(<!-- end ${name} -->)`);
  if (process.env['DOORBELL_WRITE_DOCS'] === '1') {
    writeFileSync(
      page(file),
      whole.replace(section, (_all, begin: string, _old, end: string) => `${begin}\n${text}\n\n${end}`),
    );
    return;
  }
  expect(section.exec(whole)?.[2]?.trim()).toBe(text);
}
