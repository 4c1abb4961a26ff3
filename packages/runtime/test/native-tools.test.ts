import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDevice, read, Runtime, thunkLoader, write } from '../src/index.js';
import { countsOf, ToolShop, whyNoTools } from './native-tools.js';

const VADD = readFileSync(new URL('./programs/vadd.hsaco', import.meta.url));
const reason = whyNoTools();

/** A runtime of its own, with tools. */
function open(tools: string, env: Readonly<Record<string, string>> = {}): Promise<Runtime> {
  return Runtime.acquire({ backend: 'emulated', env: { HSA_TOOLS_LIB: tools, HSA_TOOLS_REPORT_LOAD_FAILURE: '0', ...env } });
}

/** Runs `body` on a device that was opened with the tools in the environment, as a program's user sets them. */
async function withTools(tools: string, body: (device: Awaited<ReturnType<typeof openDevice>>) => Promise<void>): Promise<void> {
  process.env['HSA_TOOLS_LIB'] = tools;
  try {
    await using device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
    await body(device);
  } finally {
    delete process.env['HSA_TOOLS_LIB'];
  }
}

async function launchVadd(device: Awaited<ReturnType<typeof openDevice>>): Promise<Float32Array> {
  using module = await device.load(VADD);
  const vadd = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });
  const n = 1024;
  using a = await device.from(new Float32Array(n).fill(1));
  using b = await device.from(new Float32Array(n).fill(2));
  using c = device.alloc('f32', n);
  await vadd.launch({ grid: n, workgroup: 256, args: { a, b, c, n } });
  return c.read();
}

describe.skipIf(reason !== '')(`native tools ${reason}`, () => {
  const shop = new ToolShop();
  afterAll(() => shop[Symbol.dispose]());

  it('sees every call of a launch through the friendly API', async () => {
    const path = shop.build('counting');
    // Keeps the library open after the runtime has closed it, so that the count of OnUnload can be read.
    const foreign = thunkLoader.loadForeignFunctions();
    const held = foreign.openLibrary(path);
    await withTools(path, async (device) => {
      expect(device.failedTools).toEqual([]);
      expect(new Set(await launchVadd(device))).toEqual(new Set([3]));
      expect(countsOf(path)).toEqual({
        queueCreate: 1,
        freeze: 1,
        readerBytes: VADD.length,
        allocate: expect.any(Number) as number,
        ring: 1,
        queueSize: 1024,
        unloaded: 0,
        symbol: 1,
      });
      expect(countsOf(path).allocate).toBeGreaterThanOrEqual(4);
    });
    expect(countsOf(path).unloaded).toBe(1);
    if (held.ok) held.library.close();
  });

  it('puts the last tool of the list outermost', async () => {
    const inner = shop.build('counting', { as: 'inner', flags: ['-DFACTOR=4'] });
    const outer = shop.build('counting', { as: 'outer', flags: ['-DFACTOR=2'] });
    await withTools(`${inner} "${outer}"`, async (device) => {
      await launchVadd(device);
      expect([countsOf(outer).queueSize, countsOf(inner).queueSize]).toEqual([1024, 2048]);
      expect([countsOf(outer).ring, countsOf(inner).ring]).toEqual([1, 1]);
    });
  });

  it('leaves out a tool of another version, says both versions, and runs on', async () => {
    const refusing = shop.build('other-version');
    const declaring = shop.build('declared-version');
    const counting = shop.build('counting', { as: 'third' });
    await withTools(`${refusing} ${declaring} ${counting}`, async (device) => {
      const [refused, declared] = device.failedTools;
      expect(device.failedTools.map(({ path, reason }) => [path, reason])).toEqual([
        [refusing, 'refused'],
        [declaring, 'version'],
      ]);
      expect(refused?.message).toContain('core 2 (1016 bytes, step 0) here');
      expect(declared?.versions[0]).toEqual({
        table: 'root',
        ours: { major: 3, minor: 64, step: 1 },
        theirs: { major: 1, minor: 48, step: 0 },
      });
      expect(declared?.message).toContain('core 2 (1016 bytes, step 0) here, 1 (1016 bytes, step 0) of the tool');
      expect(new Set(await launchVadd(device))).toEqual(new Set([3]));
      expect(countsOf(counting).queueCreate).toBe(1);
    });
  });

  it('leaves out what is missing, what is no library and what has no OnLoad', async () => {
    const missing = join(shop.folder, 'libmissing.so');
    const without = shop.build('no-on-load');
    const runtime = await open(`${missing} ${without} ${import.meta.filename}`);
    try {
      expect(runtime.loadedTools).toEqual([]);
      expect(runtime.failedTools).toMatchObject([
        { name: missing, kind: 'library', reason: 'not-opened', dlopenMessage: expect.stringContaining('No such file') as string },
        { reason: 'not-opened', dlopenMessage: expect.stringContaining('invalid ELF header') as string },
        { name: without, path: without, reason: 'no-on-load' },
      ]);
    } finally {
      await runtime.release();
    }
  });
});
