/** KFD's ioctls by number, to show their arguments; kfd_ioctl.h. */
import type { Fields, StructLayout } from '@doorbell/abi';
import { kfd } from '@doorbell/abi';

/** An ioctl and its argument structure. */
export interface KnownIoctl {
  readonly name: string;
  readonly layout: StructLayout<Fields> | undefined;
  /** Members that point at arrays: element type, and the member that counts them. */
  readonly arrays: readonly PointedArray[];
}

/** An array that a member points at. */
interface PointedArray {
  readonly pointer: string;
  readonly count: string;
  readonly element: StructLayout<Fields> | 'u32';
}

const DEVICE_IDS: readonly PointedArray[] = [{ pointer: 'device_ids_array_ptr', count: 'n_devices', element: 'u32' }];

const IOCTLS: readonly (readonly [number, KnownIoctl])[] = [
  row(0x01, 'GET_VERSION', kfd.kfd_ioctl_get_version_args),
  row(0x02, 'CREATE_QUEUE', kfd.kfd_ioctl_create_queue_args),
  row(0x03, 'DESTROY_QUEUE', kfd.kfd_ioctl_destroy_queue_args),
  row(0x04, 'SET_MEMORY_POLICY', kfd.kfd_ioctl_set_memory_policy_args),
  row(0x05, 'GET_CLOCK_COUNTERS', kfd.kfd_ioctl_get_clock_counters_args),
  row(0x06, 'GET_PROCESS_APERTURES', kfd.kfd_ioctl_get_process_apertures_args),
  row(0x07, 'UPDATE_QUEUE', kfd.kfd_ioctl_update_queue_args),
  row(0x08, 'CREATE_EVENT', kfd.kfd_ioctl_create_event_args),
  row(0x09, 'DESTROY_EVENT', kfd.kfd_ioctl_destroy_event_args),
  row(0x0a, 'SET_EVENT', kfd.kfd_ioctl_set_event_args),
  row(0x0b, 'RESET_EVENT', kfd.kfd_ioctl_reset_event_args),
  row(0x0c, 'WAIT_EVENTS', kfd.kfd_ioctl_wait_events_args),
  row(0x11, 'SET_SCRATCH_BACKING_VA', kfd.kfd_ioctl_set_scratch_backing_va_args),
  row(0x12, 'GET_TILE_CONFIG', kfd.kfd_ioctl_get_tile_config_args),
  row(0x13, 'SET_TRAP_HANDLER', kfd.kfd_ioctl_set_trap_handler_args),
  row(0x14, 'GET_PROCESS_APERTURES_NEW', kfd.kfd_ioctl_get_process_apertures_new_args, [
    { pointer: 'kfd_process_device_apertures_ptr', count: 'num_of_nodes', element: kfd.kfd_process_device_apertures },
  ]),
  row(0x15, 'ACQUIRE_VM', kfd.kfd_ioctl_acquire_vm_args),
  row(0x16, 'ALLOC_MEMORY_OF_GPU', kfd.kfd_ioctl_alloc_memory_of_gpu_args),
  row(0x17, 'FREE_MEMORY_OF_GPU', kfd.kfd_ioctl_free_memory_of_gpu_args),
  row(0x18, 'MAP_MEMORY_TO_GPU', kfd.kfd_ioctl_map_memory_to_gpu_args, DEVICE_IDS),
  row(0x19, 'UNMAP_MEMORY_FROM_GPU', kfd.kfd_ioctl_unmap_memory_from_gpu_args, DEVICE_IDS),
  row(0x1a, 'SET_CU_MASK', kfd.kfd_ioctl_set_cu_mask_args),
  row(0x1b, 'GET_QUEUE_WAVE_STATE', kfd.kfd_ioctl_get_queue_wave_state_args),
  row(0x1c, 'GET_DMABUF_INFO', kfd.kfd_ioctl_get_dmabuf_info_args),
  row(0x1d, 'IMPORT_DMABUF', kfd.kfd_ioctl_import_dmabuf_args),
  row(0x1e, 'ALLOC_QUEUE_GWS', kfd.kfd_ioctl_alloc_queue_gws_args),
  row(0x1f, 'SMI_EVENTS', kfd.kfd_ioctl_smi_events_args),
  row(0x20, 'SVM', kfd.kfd_ioctl_svm_args),
  row(0x21, 'SET_XNACK_MODE', kfd.kfd_ioctl_set_xnack_mode_args),
  row(0x22, 'CRIU_OP', kfd.kfd_ioctl_criu_args),
  row(0x23, 'AVAILABLE_MEMORY', kfd.kfd_ioctl_get_available_memory_args),
  row(0x24, 'EXPORT_DMABUF', kfd.kfd_ioctl_export_dmabuf_args),
  row(0x25, 'RUNTIME_ENABLE', kfd.kfd_ioctl_runtime_enable_args),
  row(0x26, 'DBG_TRAP', kfd.kfd_ioctl_dbg_trap_args),
  [0x27, { name: 'CREATE_PROCESS', layout: undefined, arrays: [] }],
];

const BY_NUMBER: ReadonlyMap<number, KnownIoctl> = new Map(IOCTLS);

/** Type letter of KFD's ioctls, bits 15:8 of the request (asm-generic/ioctl.h). */
const KFD_TYPE = 0x4b;

/** The ioctl of a request, whatever the size of its structure: it grew from version to version. */
export function findIoctl(request: number): KnownIoctl | undefined {
  return ((request >>> 8) & 0xff) === KFD_TYPE ? BY_NUMBER.get(request & 0xff) : undefined;
}

function row<F extends Fields>(
  number: number,
  name: string,
  layout: StructLayout<F>,
  arrays: readonly PointedArray[] = [],
): readonly [number, KnownIoctl] {
  return [number, { name, layout, arrays }];
}
