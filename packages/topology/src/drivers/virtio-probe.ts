/**
 * virtio-gpu with a native context: the GPU of the host in a guest (libhsakmt virtio/; linux include/uapi/drm/virtgpu_drm.h;
 * virglrenderer hsakmt).
 */
import { errnoName } from '@doorbell/thunk-loader/core';
import type { DriverProbe, DriverProbeContext, DriverReport } from './driver-report.js';
import { drmRequest, queryDrm } from './drm-query.js';

const DRM_CLASS = '/sys/class/drm';
/** struct drm_virtgpu_get_caps { cap_set_id, cap_set_ver: u32; addr: u64; size, pad: u32 }. */
const GET_CAPS = { command: 9, argumentBytes: 24 } as const;
/** VIRGL_RENDERER_CAPSET_HSAKMT, and sizeof virgl_renderer_capset_hsakmt. */
const CAPSET_HSAKMT = 8;
const CAPSET_BYTES = 24;
/** VIRTGPU_HSAKMT_CONTEXT_AMDGPU. */
const CONTEXT_AMDGPU = 1;

/** Looks for a render node of virtio-gpu that offers the capability set of the thunk. */
export const virtioProbe: DriverProbe = {
  driver: 'kfd-virtio',
  devicePath: '',
  probe(context) {
    const { source } = context;
    const names = source.list(DRM_CLASS);
    const minors = (names.ok ? names.value : []).flatMap((name) => /^renderD(\d{1,3})$/.exec(name)?.[1] ?? []);
    const reports: DriverReport[] = [];
    for (const minor of minors) {
      const driver = source.readLink(`${DRM_CLASS}/renderD${minor}/device/driver`);
      if (driver.ok && driver.value.split('/').pop() === 'virtio_gpu')
        reports.push(probeNode(context, `/dev/dri/renderD${minor}`));
    }
    return (
      reports.find(({ state }) => state === 'unsupported') ??
      reports[0] ?? { driver: 'kfd-virtio', devicePath: '', state: 'absent', reason: 'there is no virtio-gpu render node' }
    );
  },
};

function probeNode({ openDevice }: DriverProbeContext, devicePath: string): DriverReport {
  const row = { driver: 'kfd-virtio', devicePath } as const;
  if (openDevice === undefined) {
    return { ...row, state: 'not-probed', reason: `${devicePath} belongs to virtio-gpu; it was not opened` };
  }
  const opened = openDevice(devicePath);
  if (!opened.ok) {
    const { errno } = opened;
    return { ...row, state: 'unusable', reason: `opening ${devicePath} failed with ${errno}`, errno };
  }
  using file = opened.value;
  const caps = queryDrm(file, {
    request: drmRequest(GET_CAPS),
    argumentBytes: GET_CAPS.argumentBytes,
    answerBytes: CAPSET_BYTES,
    fill(argument, address) {
      argument.setUint32(0, CAPSET_HSAKMT, true);
      argument.setBigUint64(8, address, true);
      argument.setUint32(16, CAPSET_BYTES, true);
    },
  });
  if (typeof caps === 'number') {
    const errno = errnoName(-caps);
    const reason = `${devicePath} offers no native context for AMD GPUs: ${errno}`;
    return {
      ...row,
      state: 'unusable',
      reason,
      errno,
      hint: 'The virtual machine has to be started with native context (vDRM) for amdgpu.',
    };
  }
  const version = { major: caps.getUint32(4, true), minor: caps.getUint32(8, true) };
  const contextType = caps.getUint32(16, true);
  if (contextType !== CONTEXT_AMDGPU) {
    return {
      ...row,
      state: 'unusable',
      reason: `${devicePath} offers a context of type ${contextType}, not one for amdgpu`,
      version,
    };
  }
  const reason = `${devicePath} offers the host's AMD GPU, interface ${version.major}.${version.minor}; this runtime has no virtio thunk`;
  return { ...row, state: 'unsupported', reason, version };
}
