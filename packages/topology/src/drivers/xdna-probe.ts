/** amdxdna: the driver of AMD NPUs (rocr amd_xdna_driver.cpp; linux include/uapi/drm/amdxdna_accel.h). */
import type { SysfsSource } from '@doorbell/abi';
import { errnoName } from '@doorbell/thunk-loader/core';
import type { DeviceFile } from '@doorbell/thunk-loader';
import type { DriverProbe, DriverProbeContext, DriverReport, NpuDevice } from './driver-report.js';
import { drmRequest, queryDrm } from './drm-query.js';
import type { QueryAnswer } from './drm-query.js';

const FOLDER = '/dev/accel';
/** ROCr looks at accel0…accel63. */
const MAX_DEVICES = 64;

/** struct amdxdna_drm_get_info { param, buffer_size: u32; buffer: u64 }. */
const GET_INFO = { command: 7, argumentBytes: 16 } as const;
/** enum amdxdna_drm_get_param. */
const QUERY_AIE_METADATA = 1;
const QUERY_AIE_VERSION = 2;
/** sizeof amdxdna_drm_query_aie_version, amdxdna_drm_query_aie_metadata. */
const VERSION_BYTES = 8;
const METADATA_BYTES = 64;
/** Offsets in amdxdna_drm_query_aie_metadata: cols, rows, core.row_count. */
const COLUMNS_OFFSET = 4;
const ROWS_OFFSET = 6;
const CORE_ROWS_OFFSET = 16;

/** PCI device ids that ROCr runs on; Phoenix has one DMA to the host less than columns. */
const ARCHITECTURES: Readonly<Record<number, { readonly name: string; readonly columnsKept: number }>> = {
  0x1502: { name: 'aie2', columnsKept: 1 },
  0x17f0: { name: 'aie2p', columnsKept: 0 },
};

/** The first device that opens and answers the version query is taken, as ROCr does. */
export const xdnaProbe: DriverProbe = {
  driver: 'xdna',
  devicePath: `${FOLDER}/accel0`,
  probe(context) {
    const devices = listDevices(context.source);
    const failed: DriverReport[] = [];
    for (const index of devices.amd) {
      const report = probeDevice(context, index);
      if (report.state === 'usable') return report;
      failed.push(report);
    }
    const [first] = failed;
    if (first !== undefined) return first;
    const others = devices.others.length === 0 ? '' : `; other drivers: ${devices.others.join(', ')}`;
    const reason =
      devices.errno === undefined || devices.errno === 'ENOENT'
        ? `there is no NPU of AMD in ${FOLDER}${others}`
        : `listing ${FOLDER} failed with ${devices.errno}`;
    return { driver: 'xdna', devicePath: `${FOLDER}/accel0`, state: 'absent', reason };
  },
};

interface AccelDevices {
  readonly amd: readonly number[];
  readonly others: readonly string[];
  readonly errno?: string;
}

/** Other vendors' NPUs have the same device names: the bound driver tells them apart, where sysfs shows it. */
function listDevices(source: SysfsSource): AccelDevices {
  const names = source.list(FOLDER);
  if (!names.ok) return { amd: [], others: [], errno: names.errno };
  const amd: number[] = [];
  const others: string[] = [];
  for (const name of names.value) {
    const index = /^accel(\d{1,2})$/.exec(name)?.[1];
    if (index === undefined || Number(index) >= MAX_DEVICES) continue;
    const driver = source.readLink(`${deviceFolder(Number(index))}/driver`);
    const bound = driver.ok ? driver.value.split('/').pop() : undefined;
    if (bound === undefined || bound === 'amdxdna') amd.push(Number(index));
    else others.push(`${name} (${bound})`);
  }
  return { amd: amd.sort((a, b) => a - b), others };
}

function deviceFolder(index: number): string {
  return `/sys/class/accel/accel${index}/device`;
}

function probeDevice({ source, openDevice }: DriverProbeContext, index: number): DriverReport {
  const devicePath = `${FOLDER}/accel${index}`;
  const row = { driver: 'xdna', devicePath } as const;
  if (openDevice === undefined) return { ...row, state: 'not-probed', reason: `${devicePath} is there; it was not opened` };
  const opened = openDevice(devicePath);
  if (!opened.ok) {
    const { errno } = opened;
    const hint = errno === 'EACCES' ? { hint: `Add the user to the group that owns ${devicePath} and log in again.` } : {};
    return { ...row, state: 'unusable', reason: `opening ${devicePath} failed with ${errno}`, errno, ...hint };
  }
  using file = opened.value;
  const silent = (what: string, status: number): DriverReport => {
    const errno = errnoName(-status);
    return { ...row, state: 'unusable', reason: `${devicePath} does not answer the ${what} query: ${errno}`, errno };
  };
  const version = getInfo(file, { param: QUERY_AIE_VERSION, answerBytes: VERSION_BYTES });
  if (typeof version === 'number') return silent('version', version);
  const metadata = getInfo(file, { param: QUERY_AIE_METADATA, answerBytes: METADATA_BYTES });
  if (typeof metadata === 'number') return silent('metadata', metadata);
  const found = { major: version.getUint32(0, true), minor: version.getUint32(4, true) };
  const npu = describeNpu(source, { index, metadata });
  if (typeof npu === 'string') return { ...row, state: 'unsupported', reason: npu, version: found };
  const reason = `${npu.architecture} NPU with ${npu.columns} × ${npu.coreRows} compute tiles, version ${found.major}.${found.minor}; this runtime runs no code on it`;
  return { ...row, state: 'usable', reason, version: found, npu };
}

function getInfo(
  file: DeviceFile,
  { param, answerBytes }: { readonly param: number; readonly answerBytes: number },
): QueryAnswer {
  return queryDrm(file, {
    request: drmRequest(GET_INFO),
    argumentBytes: GET_INFO.argumentBytes,
    answerBytes,
    fill(argument, address) {
      argument.setUint32(0, param, true);
      argument.setUint32(4, answerBytes, true);
      argument.setBigUint64(8, address, true);
    },
  });
}

/** The NPU, or why it is none that is known. */
function describeNpu(
  source: SysfsSource,
  { index, metadata }: { readonly index: number; readonly metadata: DataView },
): NpuDevice | string {
  const folder = deviceFolder(index);
  const text = (name: string): string => {
    const read = source.readText(`${folder}/${name}`);
    return read.ok ? read.value.trim().slice(0, 128) : '';
  };
  const deviceId = Number.parseInt(text('device'), 16);
  const architecture = ARCHITECTURES[deviceId];
  if (architecture === undefined) {
    return `${FOLDER}/accel${index} is device ${text('device') || 'without an id'}, which is no known NPU`;
  }
  const place = source.readLink(folder);
  const columns = metadata.getUint16(COLUMNS_OFFSET, true);
  const coreRows = metadata.getUint16(CORE_ROWS_OFFSET, true);
  return {
    architecture: architecture.name,
    productName: text('vbnv'),
    pciAddress: place.ok ? (place.value.split('/').pop() ?? '') : '',
    deviceId,
    columns,
    rows: metadata.getUint16(ROWS_OFFSET, true),
    coreRows,
    neuralCores: Math.max(0, columns - architecture.columnsKept) * coreRows,
  };
}
