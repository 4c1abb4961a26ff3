/** The server: opens an emulated device for each client process, and answers the preloaded library over a socket. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSharedEmulatedDevice } from '@doorbell/emulator/node';
import { Session } from './session.mjs';
import { writeSysfsFiles } from './sysfs-files.mjs';
import { Op, RequestReader, encodeAnswer } from './wire.mjs';

/** Starts serving devices like this one (options of `openSharedEmulatedDevice`); `dispose` ends it. */
export async function startKfdServer(deviceOptions = {}) {
  // Before the folder, which nobody would remove when there is no such device.
  const first = await openSharedEmulatedDevice(deviceOptions);
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-kfd-'));
  const socketPath = join(folder, 'socket');
  const root = join(folder, 'root');
  const sessions = new Map();
  const refresh = writeSysfsFiles(first.device.sysfs, root);
  // The device that told what the machine looks like serves the first client.
  let spare = first;

  const openSession = async () => {
    const opened = spare ?? (await openSharedEmulatedDevice(deviceOptions));
    spare = undefined;
    return new Session(opened);
  };
  const enter = (key) => {
    const known = sessions.get(key) ?? { users: 0, session: openSession() };
    sessions.set(key, known);
    known.users += 1;
    return known;
  };
  const leave = async (key) => {
    const known = sessions.get(key);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    sessions.delete(key);
    await (await known.session).dispose();
  };
  const server = createServer((socket) => {
    const reader = new RequestReader();
    let key;
    let session;
    const answer = async ({ op, body }) => {
      if (op === Op.hello) {
        key = `${body.readBigUInt64LE(0)}:${body.readBigUInt64LE(8)}`;
        session = await enter(key).session;
        return session.hello();
      }
      switch (op) {
        case Op.ioctl:
          return session.ioctl(body);
        case Op.open:
          return session.open(body);
        case Op.mmap:
          return session.mmap(body);
        case Op.refresh:
          refresh(session.device.sysfs);
          return encodeAnswer(0);
        default:
          throw new Error(`the preloaded library asked for operation ${op}`);
      }
    };
    socket.on('data', (bytes) => {
      // A thread sends its next request when it has the answer.
      for (const request of reader.take(bytes)) {
        answer(request).then(
          (reply) => socket.write(reply),
          // Its own client gets no answer and ends; others go on.
          (error) => {
            process.stderr.write(`kfd-shim: a client is let go: ${error instanceof Error ? error.message : String(error)}\n`);
            socket.destroy();
          },
        );
      }
    });
    // A client that is gone: `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (key !== undefined) void leave(key);
    });
  });
  await new Promise((resolve) => server.listen(socketPath, resolve));

  const dispose = async () => {
    server.close();
    for (const { session } of sessions.values()) await (await session).dispose();
    sessions.clear();
    await spare?.device[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  return { socketPath, root, env: { DOORBELL_KFD_SOCKET: socketPath }, dispose, [Symbol.asyncDispose]: dispose };
}
