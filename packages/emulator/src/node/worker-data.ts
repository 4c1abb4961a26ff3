/** What a device worker is made with. */
export interface DeviceWorkerData {
  /** Its start message, a `WorkerStart`; a spare worker gets it later, as a message. */
  readonly start?: unknown;
  /** What an earlier worker of this process left. */
  readonly code?: DeviceCode;
}

/** The script of the device threads and what V8 compiled of it, in shared memory. */
export interface DeviceCode {
  readonly source: Uint8Array;
  readonly compiled: Uint8Array;
}

/** What a device worker says by itself: code for later ones. */
export interface DeviceCodeMessage {
  readonly code: DeviceCode;
}
