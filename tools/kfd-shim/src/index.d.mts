import type { OpenNodeEmulatedDeviceOptions } from '@doorbell/emulator/node';

/** Builds the preloaded library into `folder`; its path, for LD_PRELOAD. */
export function buildShim(folder: string): string;

/** A server of emulated devices, one for each client process. */
export interface KfdServer extends AsyncDisposable {
  readonly socketPath: string;
  /** Folder of the emulated machine's files. */
  readonly root: string;
  /** What a client needs in its environment beside LD_PRELOAD. */
  readonly env: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

export function startKfdServer(options?: OpenNodeEmulatedDeviceOptions): Promise<KfdServer>;
