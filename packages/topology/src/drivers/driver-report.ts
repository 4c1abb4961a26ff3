/** What is found out about one kernel driver. */
import type { SysfsSource } from '@doorbell/abi';
import type { DeviceOpener } from '@doorbell/thunk-loader';

/** Kernel drivers that ROCr knows. */
export type DriverName = 'kfd' | 'xdna' | 'kfd-virtio';

/** What was found of one driver. */
export interface DriverReport {
  readonly driver: DriverName;
  /** The device file that belongs to it; empty where there is none. */
  readonly devicePath: string;
  /**
   * `usable`: probed, and agents can come from it. `absent`: there is no device of it. `unusable`: it is there and cannot be
   * used. `unsupported`: it works, and this runtime cannot run on it. `not-probed`: it is there, and nobody may open it to look.
   */
  readonly state: 'usable' | 'absent' | 'unusable' | 'unsupported' | 'not-probed';
  /** Evidence for the state. */
  readonly reason: string;
  readonly errno?: string;
  readonly hint?: string;
  /** Version of the interface that the driver answered with. */
  readonly version?: { readonly major: number; readonly minor: number };
  /** The NPU behind an XDNA driver that answered. */
  readonly npu?: NpuDevice;
}

/** An NPU: an array of AI engine tiles (amdxdna_accel.h amdxdna_drm_query_aie_metadata). */
export interface NpuDevice {
  /** `aie2` or `aie2p`. */
  readonly architecture: string;
  /** Name of the product as the driver tells it; empty where it does not. */
  readonly productName: string;
  /** `0000:c6:00.1`; empty where sysfs does not tell. */
  readonly pciAddress: string;
  readonly deviceId: number;
  readonly columns: number;
  readonly rows: number;
  /** Rows of compute tiles. */
  readonly coreRows: number;
  /** Compute tiles that programs can use. */
  readonly neuralCores: number;
}

/** What a probe may look at. */
export interface DriverProbeContext {
  readonly source: SysfsSource;
  /** Opens device files; undefined: nothing may be opened. */
  readonly openDevice: DeviceOpener | undefined;
}

/** How to look for one driver. */
export interface DriverProbe {
  readonly driver: DriverName;
  /** The device file, for the report of a probe that fails. */
  readonly devicePath: string;
  probe(context: DriverProbeContext): DriverReport;
}
