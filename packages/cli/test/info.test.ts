import { describe, expect, it } from 'vitest';
import { run } from './support.js';

interface Info {
  readonly backend: string;
  readonly candidates: readonly { readonly backend: string; readonly state: string }[];
  readonly agents: readonly {
    readonly kind: string;
    readonly isaNames: readonly string[];
    readonly pools: readonly { readonly kind: string; readonly sizeBytes: number }[];
    readonly caches: readonly unknown[];
    readonly links: readonly unknown[];
  }[];
}

describe('doorbell info', () => {
  it('shows agents with pools, caches and links', async () => {
    const { code, out, err } = await run(['info', '--backend', 'emulated']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Agent 1: GPU gfx1100');
    expect(out).toContain('amdgcn-amd-amdhsa--gfx1100');
    expect(out).toMatch(/4 pools/);
    expect(out).toMatch(/L2 +6 MiB/);
  });

  it('lists every thunk that was tried', async () => {
    const { candidates, agents } = JSON.parse((await run(['info', '--json'])).out) as Info;
    expect(candidates.map(({ backend }) => backend)).toEqual(['kfd', 'libhsakmt', 'dxg', 'emulated']);
    expect(candidates.filter(({ state }) => state === 'taken')).toHaveLength(1);
    expect(agents.map(({ kind }) => kind)).toContain('gpu');
  });

  it('takes the device from DOORBELL_DEVICE, and options before it', async () => {
    const env = { DOORBELL_LOG: 'error', DOORBELL_DEVICE: 'emulated:gfx1030' };
    const fromEnv = JSON.parse((await run(['info', '--json'], { env })).out) as Info;
    expect(fromEnv.agents[1]!.isaNames[0]).toBe('amdgcn-amd-amdhsa--gfx1030');
    const argv = ['info', '--json', '--backend', 'emulated', '--isa', 'gfx1100'];
    expect((JSON.parse((await run(argv, { env })).out) as Info).agents[1]!.isaNames[0]).toBe('amdgcn-amd-amdhsa--gfx1100');
  });

  it('exits with 3 and a sentence where the named backend is not there', async () => {
    const { code, err } = await run(['info', '--backend', 'dxg']);
    expect(code).toBe(3);
    expect(err).toMatch(/^doorbell: .+\n/);
  });

  it.each([
    [{}, ['--backend', 'cuda'], 'cuda'],
    [{ DOORBELL_DEVICE: 'emulated:tuesday' }, [], 'DOORBELL_DEVICE=emulated:tuesday'],
  ])('exits with 2 for a backend or device that does not exist: %j %j', async (env, options, named) => {
    const { code, out, err } = await run(['info', ...options], { env });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^doorbell: .+\n$/);
    expect(err).toContain(named);
  });
});
