import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { startKfdServer } from '../src/index.mjs';
import { missing } from './client.js';

/** Sends one request; resolves with how many bytes came back before the server closed, or with the first answer. */
async function ask(path: string, op: number, body: Uint8Array): Promise<number> {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(body.length, 0);
  head.writeInt32LE(op, 4);
  const socket = connect(path);
  socket.write(Buffer.concat([head, body]));
  const received = await new Promise<number>((resolve, reject) => {
    socket.on('data', (bytes: Buffer) => resolve(bytes.length));
    socket.on('close', () => resolve(0));
    socket.on('error', reject);
  });
  socket.destroy();
  return received;
}

it.skipIf(missing() !== '')('lets a client go that speaks another language, and serves the others', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await using server = await startKfdServer({ processor: ['gfx1030'], workers: 1 });
  const { socketPath } = server;
  // An ioctl before any greeting, and an operation that there is none of.
  expect(await ask(socketPath, 2, new Uint8Array(64))).toBe(0);
  expect(await ask(socketPath, 4711, new Uint8Array(64))).toBe(0);
  expect(stderr.mock.calls.map(([text]) => String(text))).toEqual([
    expect.stringMatching(/^kfd-shim: a client is let go: /),
    expect.stringContaining('operation 4711'),
  ]);
  stderr.mockRestore();
  expect(await ask(socketPath, 1, new Uint8Array(64))).toBeGreaterThan(0);
});
