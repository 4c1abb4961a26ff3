/** DRM ioctls that fill a buffer with an answer. */
import type { DeviceFile } from '@doorbell/thunk-loader';

/** An answer, or the negative errno of the ioctl. */
export type QueryAnswer = DataView | number;

/** drm.h DRM_IOWR: read and write, type 'd', the driver's commands from 0x40 on. */
export function drmRequest({ command, argumentBytes }: { readonly command: number; readonly argumentBytes: number }): number {
  const DRM_COMMAND_BASE = 0x40;
  return ((3 << 30) | (argumentBytes << 16) | (0x64 << 8) | (DRM_COMMAND_BASE + command)) >>> 0;
}

/** Runs an ioctl whose argument `fill` completes with the address of a buffer of `answerBytes`. */
export function queryDrm(
  file: DeviceFile,
  {
    request,
    argumentBytes,
    answerBytes,
    fill,
  }: {
    readonly request: number;
    readonly argumentBytes: number;
    readonly answerBytes: number;
    readonly fill: (argument: DataView, address: bigint) => void;
  },
): QueryAnswer {
  using buffer = file.hostBuffer(answerBytes);
  const argument = new Uint8Array(argumentBytes);
  fill(new DataView(argument.buffer), buffer.address);
  const status = file.ioctl(request, argument);
  if (status < 0) return status;
  const answer = buffer.bytes.slice(0, answerBytes);
  return new DataView(answer.buffer, answer.byteOffset, answer.byteLength);
}
