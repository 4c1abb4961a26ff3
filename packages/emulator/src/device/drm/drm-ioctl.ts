/** How DRM takes an ioctl on a render node (drm_ioctl.c): by number, for any size of the caller. */
import type { Fields, StructInit, StructLayout, StructValue } from '@doorbell/abi';
import type { RenderFile } from '../files.js';
import type { Gpu } from '../gpu.js';
import type { IoctlDirection } from '../ioctl.js';
import type { Process } from '../process.js';

/** What a handler works on: the process, the open file, the GPU behind it. */
export interface DrmContext {
  readonly process: Process;
  readonly file: RenderFile;
  readonly gpu: Gpu;
}

export interface DrmIoctl {
  readonly sizeBytes: number;
  readonly direction: IoctlDirection;
  /** 0 or a negative errno. */
  readonly run: (context: DrmContext, arg: Uint8Array) => number;
}

/** Binds a handler to the layout of its argument. */
export function defineDrmIoctl<F extends Fields>(
  layout: StructLayout<F>,
  direction: IoctlDirection,
  handler: (call: DrmContext & { readonly args: StructValue<F>; readonly put: (values: StructInit<F>) => void }) => number,
): DrmIoctl {
  return {
    sizeBytes: layout.sizeBytes,
    direction,
    run: (context, arg) =>
      handler({
        ...context,
        args: layout.read(arg),
        put: (values): void => {
          layout.write(arg, values);
        },
      }),
  };
}
