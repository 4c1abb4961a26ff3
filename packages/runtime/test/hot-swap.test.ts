/** HotSwap in the runtime: retargets at load, what is said when none is asked for, and its life beside that of executables. */
import { read, Runtime, write } from '@doorbell/runtime';
import { abi, hotswapTool } from '@doorbell/runtime/layers';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { OpenDevice } from '../src/api/device.js';
import { EventHub } from '../src/core/event-hub.js';

const { ref } = abi;
const RETARGET = { DOORBELL_HOTSWAP_RETARGET: '1' };
/** The emulated gfx1030 stands for its relative. */
const AS_GFX1031 = { HSA_OVERRIDE_GFX_VERSION: '10.3.1' };
const vadd = (processor: 'gfx1030' | 'gfx90a'): Uint8Array => {
  return new Uint8Array(readFileSync(new URL(`fixtures/vadd.${processor}.hsaco`, import.meta.url)));
};
const SIGNATURE = { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' } as const;

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

/** A runtime with events; `env` is all of its environment. */
async function open(env: Readonly<Record<string, string>>, processors: readonly string[] = ['gfx1030']) {
  const runtime = await Runtime.acquire({ backend: 'emulated', emulatedProcessor: processors, env });
  close = () => runtime.release();
  const { events } = runtime;
  const told: abi.LibraryEvent[] = [];
  events.listen((event) => told.push(event));
  const gpus = runtime.registry.list.filter(({ agent }) => agent.kind === 'gpu');
  return { runtime, told, gpus, core: runtime.tables.public.core };
}

/** The first GPU as a device, which owns its runtime. */
async function openFirst(env: Readonly<Record<string, string>>, processor = 'gfx1030') {
  const opened = await open(env, [processor]);
  const { runtime, gpus } = opened;
  const device = new OpenDevice(runtime, gpus[0]!, runtime.discovery.gpus[0]!);
  close = () => device.dispose();
  return { ...opened, device };
}

type Core = Runtime['tables']['public']['core'];

function loadInto(core: Core, { bytes, agent }: { readonly bytes: Uint8Array; readonly agent: bigint }) {
  const [reader, executable, loaded] = [ref(0n), ref(0n), ref(0n)];
  core.hsa_code_object_reader_create_from_memory(bytes, BigInt(bytes.length), reader);
  core.hsa_executable_create_alt(1, 0, null, executable);
  const status = core.hsa_executable_load_agent_code_object(executable.value, agent, reader.value, null, loaded);
  core.hsa_code_object_reader_destroy(reader.value);
  return { status, executable: executable.value, loaded: loaded.value };
}

async function addOnes(device: OpenDevice, module: Awaited<ReturnType<OpenDevice['load']>>): Promise<number> {
  using a = await device.from(Float32Array.of(1, 2, 3, 4));
  using b = await device.from(Float32Array.of(10, 20, 30, 40));
  using c = device.alloc('f32', 4);
  await module.kernel('vadd', SIGNATURE).launch({ grid: 4, workgroup: 4, args: { a, b, c, n: 4 } });
  return (await c.read())[3]!;
}

describe('a code object for a relative', () => {
  it('is refused with the word that a retarget would do, unless one is asked for', async () => {
    const { device } = await openFirst(AS_GFX1031);
    expect(device.isa).toBe('gfx1031');
    const error: unknown = await device.load(vadd('gfx1030')).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ERR_ISA_MISMATCH', hsaStatus: 0x100d, details: { retarget: 'would-do' } });
    expect(error).toHaveProperty('hint', expect.stringContaining('DOORBELL_HOTSWAP_RETARGET=1'));
    const other: unknown = await device.load(vadd('gfx90a')).catch((reason: unknown) => reason);
    expect(other).toMatchObject({ code: 'ERR_ISA_MISMATCH' });
    expect(other).not.toHaveProperty('details.retarget');
  });

  it('is retargeted when asked for, and runs; the executable outlives HotSwap', async () => {
    const { runtime, device } = await openFirst({ ...AS_GFX1031, ...RETARGET });
    const module = await device.load(vadd('gfx1030'));
    expect(module.target).toBe('gfx1030');
    expect(runtime.hotSwap.statistics.retained).toEqual({ executables: 1, bytes: vadd('gfx1030').length });
    expect(await addOnes(device, module)).toBe(44);
    runtime.hotSwap[Symbol.dispose]();
    expect(await addOnes(device, module)).toBe(44);
    await expect(device.load(vadd('gfx1030'))).rejects.toMatchObject({ code: 'ERR_ISA_MISMATCH' });
    module.dispose();
    // Nobody saw the executable go; a new install does not know it, and is none the worse.
    using again = hotswapTool.installHotSwap(runtime.tables.public, { env: RETARGET });
    (await device.load(vadd('gfx1030'))).dispose();
    expect(again.statistics.retained.executables).toBe(1);
  });

  it('is told apart for two devices of different targets in one process', async () => {
    const { gpus, core } = await open({ HSA_OVERRIDE_GFX_VERSION_1: '10.3.1', ...RETARGET }, ['gfx1030', 'gfx1100', 'gfx90a']);
    expect(gpus.map(({ name }) => name)).toEqual(['gfx1031', 'gfx1100', 'gfx90a']);
    const statuses = (bytes: Uint8Array): number[] => gpus.map(({ handle }) => loadInto(core, { bytes, agent: handle }).status);
    expect(statuses(vadd('gfx1030'))).toEqual([0, 0x100d, 0x100d]);
    expect(statuses(vadd('gfx90a'))).toEqual([0x100d, 0x100d, 0]);
  });

  it('is rewritten once for 64 concurrent loads', async () => {
    const { runtime, device } = await openFirst({ ...AS_GFX1031, ...RETARGET });
    // Bytes that no other test has: code objects may be longer than what their headers name.
    const bytes = Uint8Array.of(...vadd('gfx1030'), 6, 4);
    const before = runtime.hotSwap.statistics.cache;
    const modules = await Promise.all(Array.from({ length: 64 }, () => device.load(bytes)));
    const { hits, misses } = runtime.hotSwap.statistics.cache;
    expect([hits - before.hits, misses - before.misses]).toEqual([63, 1]);
    expect(runtime.hotSwap.statistics.retained.executables).toBe(64);
    for (const module of modules) module.dispose();
    expect(runtime.hotSwap.statistics.retained.executables).toBe(0);
  });
});

describe('an offload bundle', () => {
  /** Made by clang-offload-bundler in the tests of code-object: gfx1100, gfx90a, gfx942, gfx11-generic. */
  const bundle = new Uint8Array(readFileSync(new URL('../../code-object/test/fixtures/bundle.hipfb', import.meta.url)));

  it('gives generic code before code that must be retargeted', async () => {
    const { device, runtime } = await openFirst({ HSA_OVERRIDE_GFX_VERSION: '11.0.2', ...RETARGET }, 'gfx1100');
    using module = await device.load(bundle);
    expect(module.target).toBe('gfx11-generic');
    expect(runtime.hotSwap.statistics.retained.executables).toBe(0);
  });

  it('gives code of a relative where there is no better, and says that it could where none is asked for', async () => {
    const both = bundleOf({ gfx90a: vadd('gfx90a'), gfx1030: vadd('gfx1030') });
    const first = await openFirst({ ...AS_GFX1031, ...RETARGET });
    using module = await first.device.load(both);
    expect(module.target).toBe('gfx1030');
    expect(await addOnes(first.device, module)).toBe(44);
    await first.device.dispose();
    const second = await openFirst(AS_GFX1031);
    await expect(second.device.load(both)).rejects.toMatchObject({
      code: 'ERR_ISA_MISMATCH',
      details: { fileTargets: ['gfx90a', 'gfx1030'], retarget: 'would-do' },
    });
  });
});

/** clang's offload bundle (docs/ClangOffloadBundler.rst, "Bundled Binary File Layout"). */
function bundleOf(entries: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const ids = Object.keys(entries).map((processor) => Buffer.from(`hipv4-amdgcn-amd-amdhsa--${processor}`));
  const word = (value: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  };
  let offset = 24 + 8 + ids.reduce((sum, id) => sum + 24 + id.length, 0);
  const rows = Object.values(entries).flatMap((bytes, index) => {
    const row = [word(offset), word(bytes.length), word(ids[index]!.length), ids[index]!];
    offset += bytes.length;
    return row;
  });
  const magic = Buffer.from('__CLANG_OFFLOAD_BUNDLE__');
  return new Uint8Array(Buffer.concat([magic, word(ids.length), ...rows, ...Object.values(entries)]));
}

describe('HSA_HOTSWAP_VERBOSE', () => {
  it.each([
    [{ HSA_HOTSWAP_VERBOSE: '1' }, 1],
    [{ HSA_HOTSWAP_VERBOSE: '0' }, 0],
    [{ HSA_HOTSWAP_VERBOSE: '1', DOORBELL_LOG: 'off' }, 0],
    [{ HSA_HOTSWAP_VERBOSE: '1', DOORBELL_LOG: 'hotswap-tool:error' }, 0],
    [{ DOORBELL_LOG: 'hotswap-tool:info' }, 1],
  ])('%j prints %i lines', (env, count) => {
    const lines: string[] = [];
    const hub = new EventHub(env, (line) => lines.push(line));
    const event = { level: 'info', name: 'load-decided', message: 'native', details: {} } as const;
    hub.publish({ ...event, source: 'hotswap-tool' });
    hub.publish({ ...event, source: 'queues' });
    expect(lines).toHaveLength(count);
  });
});
