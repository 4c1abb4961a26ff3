import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InfoReport } from '../src/info-report.js';
import { drawMachine } from '../src/info-svg.js';
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

  it('tells the drivers and files of the emulated machine from those of the real one', async () => {
    const argv = ['info', '--backend', 'emulated'];
    const { out } = await run(argv);
    expect(out).toContain('\nDrivers of the emulated machine\n');
    expect(out).toContain('\nTopology of the emulated machine\n');
    const report = JSON.parse((await run([...argv, '--json'])).out) as InfoReport;
    expect(report.machine).toBe('emulated');
    for (const text of [out, (await run([...argv, '--tree'])).out, ...report.drivers.map(({ reason }) => reason)])
      for (const line of text.split('\n').filter((each) => each.includes('/dev/')))
        expect(line).toContain('in the emulated machine');
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

  it('has every fact in the JSON: nodes as sysfs shows them, capability bits, access to pools', async () => {
    const report = JSON.parse((await run(['info', '--json', '--backend', 'emulated', '--isa', 'gfx90a'])).out) as {
      topology: { summary: string; nodes: { properties: Record<string, unknown> }[] };
      agents: { id: string; capability?: Record<string, unknown>; gpu?: Record<string, unknown>; pools: { access: unknown }[] }[];
      npus: unknown[];
    };
    const { properties } = JSON.parse(
      readFileSync(new URL('../../../tools/topology-generator/data/gfx90a.json', import.meta.url), 'utf8'),
    ) as { properties: Record<string, number | string> };
    const shown = report.topology.nodes[1]!.properties;
    for (const [key, value] of Object.entries(properties)) {
      const field = key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
      expect([key, Number(shown[field])]).toEqual([key, Number(value)]);
    }
    expect(report.topology.summary).toMatch(/^1 CPU node, 1 GPU node/);
    expect(report.agents.map(({ id }) => id)).toEqual(['kfd/0/cpu', 'kfd/1/gpu']);
    expect(report.agents[1]!.capability).toMatchObject({ sramEcc: true, watchPoints: 4, doorbellType: 2 });
    expect(report.agents[1]!.gpu).toMatchObject({ locationId: 25344, vendorId: '0x1002', chipId: '0x740f' });
    expect(report.agents[0]!.pools[0]!.access).toEqual({ 'kfd/0/cpu': 'default', 'kfd/1/gpu': 'on-request' });
    expect(report.npus).toEqual([]);
  });

  it('prints a tree from the machine down to links', async () => {
    const { code, out } = await run(['info', '--tree', '--isa', 'gfx90a', '--gpus', '2', '--links', 'xgmi']);
    expect(code).toBe(0);
    expect(out).toMatch(/^emulated gfx90a \+ gfx90a/);
    expect(out).toContain('└─ node 2\n   └─ GPU gfx90a kfd/2/gpu');
    expect(out).toContain('to node 2: xgmi, weight 15, 1 hop, 50000 MB/s');
    expect(out).toContain('vram fine, 1 GiB, for 2 of 3 agents');
  });

  it('draws nodes and links without overlaps', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doorbell-info-'));
    try {
      const file = join(folder, 'machine.svg');
      const shape = ['--isa', 'gfx942', '--gpus', '8', '--cpu-nodes', '2', '--links', 'xgmi'];
      const { code, out } = await run(['info', ...shape, '--svg', file]);
      expect([code, out]).toEqual([0, `drew 10 agents into ${file}\n`]);
      const svg = readFileSync(file, 'utf8');
      const numbers = (element: string): Record<string, number> =>
        Object.fromEntries([...element.matchAll(/ ([a-z]+)="([-\d.]+)"/g)].map(([, key, value]) => [key!, Number(value)]));
      const [frame, ...rects] = [...svg.matchAll(/<rect[^>]*>/g)].map(([element]) => numbers(element));
      // Boxes have round corners; so have labels, which may lie on lines, not on boxes or each other.
      const round = rects.filter(({ rx }) => rx !== undefined);
      expect(round).toHaveLength(10 + 1 + 8 + 28);
      for (const [index, a] of round.entries()) {
        expect(a['x']! + a['width']!).toBeLessThanOrEqual(frame!['width']!);
        for (const b of round.slice(index + 1)) {
          const isApart =
            a['x']! + a['width']! <= b['x']! ||
            b['x']! + b['width']! <= a['x']! ||
            a['y']! + a['height']! <= b['y']! ||
            b['y']! + b['height']! <= a['y']!;
          expect([a, b, isApart]).toEqual([a, b, true]);
        }
      }
      expect(svg).toContain('xGMI, weight 15, 1 hop, up to 64 GB/s, 28 pairs');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('draws NPUs beside the CPUs, and text from drivers as text', async () => {
    const report = JSON.parse((await run(['info', '--json', '--backend', 'emulated'])).out) as InfoReport;
    const npu = {
      architecture: 'aie2',
      productName: '',
      pciAddress: '',
      deviceId: 0,
      columns: 5,
      rows: 6,
      coreRows: 4,
      neuralCores: 16,
    };
    const interfaceVersion = { major: 1, minor: 0 };
    const agent = { kind: 'aie', driver: 'xdna', id: 'xdna/0/aie', nodeId: 0, name: 'aie2', vendorName: 'AMD' } as const;
    const npus = [{ ...agent, marketingName: '<Ryzen & AI>', devicePath: '/dev/accel/accel0', interfaceVersion, npu }];
    const svg = drawMachine({ ...report, npus });
    expect(svg).toContain('&lt;Ryzen &amp; AI&gt;');
    const boxes = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)"[^>]* rx="8"/g)].map(([, x, y]) => `${x} ${y}`);
    expect(new Set(boxes).size).toBe(3);
  });

  it.each([
    [['--gpus', '0'], 'no count'],
    [['--links', 'string'], 'pcie, xgmi'],
    [['--links', 'xgmi', '--backend', 'kfd'], 'emulated machine'],
    [['--svg', '/nowhere/x.svg', '--backend', 'emulated'], '/nowhere/x.svg cannot be written'],
  ])('exits with 2 for %j', async (options, named) => {
    const { code, err } = await run(['info', ...options]);
    expect([code, err]).toEqual([2, expect.stringContaining(named)]);
  });
});
