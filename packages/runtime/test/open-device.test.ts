import type { abi } from '@doorbell/runtime/layers';
import { listDevices, openDevice, Runtime } from '@doorbell/runtime';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';

describe('openDevice', () => {
  it('falls back to the emulated GPU and says what it is', async () => {
    await using device = await openDevice({ backend: 'emulated' });
    expect([device.name, device.isa, device.backend]).toEqual(['Radeon RX 7900 XTX (emulated)', 'gfx1100', 'emulated']);
  });

  it('opens other emulated targets', async () => {
    await using device = await openDevice({ backend: 'emulated', isa: 'gfx942' });
    expect(device.isa).toBe('gfx942:sramecc+:xnack-');
  });

  it('refuses a target that nothing emulates', async () => {
    await expect(openDevice({ backend: 'emulated', isa: 'gfx9999' })).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED' });
  });

  it('fails for a named backend that is not there', async () => {
    await expect(openDevice({ backend: 'dxg' })).rejects.toMatchObject({ name: 'HsaError' });
  });

  it('rejects when aborted before it begins', async () => {
    await expect(openDevice({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ERR_ABORTED' });
  });

  it('rejects unknown words and indices', async () => {
    // Safe: what a JavaScript caller might pass.
    await expect(openDevice({ backend: 'cuda' as never })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    await expect(openDevice({ index: -1 })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    await expect(openDevice({ backend: 'emulated', index: 7 })).rejects.toMatchObject({ code: 'ERR_NO_DEVICE' });
  });

  it('shares one runtime among devices and closes it with the last', async () => {
    const first = await openDevice({ backend: 'emulated' });
    const second = await openDevice({ backend: 'emulated' });
    expect(first.apiTable).toBe(second.apiTable);
    await first.dispose();
    using buffer = second.alloc('u32', 4);
    expect(buffer.length).toBe(4);
    buffer.dispose();
    const table = second.apiTable;
    await second.dispose();
    expect(table.core.hsa_iterate_agents(() => 0, null)).toBe(0x100b);
  });
});

describe('listDevices', () => {
  it('lists the emulated GPU last, without throwing for what is missing', async () => {
    const devices = await listDevices();
    expect(devices.at(-1)).toMatchObject({
      backend: 'emulated',
      isa: 'gfx1100',
      name: 'Radeon RX 7900 XTX (emulated)',
      vramBytes: 2 ** 31,
    });
  });
});

describe('Runtime', () => {
  it('publishes its load steps in order', async () => {
    const steps: unknown[] = [];
    const listener = (event: unknown): void => {
      steps.push((event as abi.LibraryEvent).details['step']);
    };
    subscribe('@doorbell/runtime:load-step', listener);
    const runtime = await Runtime.acquire({ backend: 'emulated' });
    unsubscribe('@doorbell/runtime:load-step', listener);
    // The order of the C runtime: Runtime::Load.
    expect(steps).toEqual([
      'cpu-features',
      'flags',
      'thunk-loader',
      'thunk-abi',
      'thunk-instance',
      'wait-mode',
      'drivers',
      'topology',
      'clocks',
      'error-handlers',
      'code-object-loader',
      'extensions',
      'agents',
      'tools',
      'virtual-memory',
      'ipc',
      'svm-profile',
    ]);
    expect(runtime.candidates.map(({ backend, state }) => [backend, state])).toEqual([['emulated', 'taken']]);
    await runtime.release();
    expect(runtime.isOpen).toBe(false);
    await expect(runtime.release()).rejects.toMatchObject({ code: 'ERR_NOT_INITIALIZED' });
  });
});
