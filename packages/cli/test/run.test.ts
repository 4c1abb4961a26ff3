import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Progress } from '../src/progress.js';
import { codeObjectFixture, fixture, run } from './support.js';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'doorbell-cli-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const N = 1000;
const LAUNCH = [
  'run',
  fixture('programs/vadd.hsaco'),
  '--kernel',
  'vadd',
  '--grid',
  `${N}`,
  '--workgroup',
  '256',
  '--backend',
  'emulated',
];

function file(name: string, data: Uint8Array | Float32Array): string {
  const path = join(folder, name);
  writeFileSync(path, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return path;
}

describe('doorbell run', () => {
  it('runs a kernel out of a compressed bundle in an object file of the host', async () => {
    const total = join(folder, 'total.bin');
    const launch = ['--kernel', 'count', '--grid', '100', '--workgroup', '64', '--backend', 'emulated', '--isa', 'gfx1030'];
    const { code, err } = await run(['run', codeObjectFixture('host.o'), ...launch, '--arg', `arg0=out:i32:1:${total}`]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(readFileSync(total).readInt32LE(0)).toBe(100);
  });

  it.each([
    ['in a bundle', [codeObjectFixture('host.o'), '--kernel', 'count', '--arg', 'arg0=out:i32:1'], [100]],
    [
      'by itself',
      [
        ...[fixture('fixtures/vadd.gfx1030.hsaco'), '--kernel', 'vadd', '--arg', 'a=rand:f32:100', '--arg', 'b=zero:f32:100'],
        ...['--arg', 'c=out:f32:100', '--arg', 'n=0'],
      ],
      [0, 0, 0, 0],
    ],
  ])('retargets code of a relative %s where that is asked for, and says so where it is not', async (_, words, first) => {
    const argv = ['run', ...words, '--grid', '100', '--workgroup', '64', '--backend', 'emulated', '--isa', 'gfx1031'];
    const refused = await run(argv);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('DOORBELL_HOTSWAP_RETARGET=1');
    // The runtime reads the environment of the process.
    process.env['DOORBELL_HOTSWAP_RETARGET'] = '1';
    try {
      const { code, out, err } = await run([...argv, '--json']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const { results } = JSON.parse(out) as { results: { name: string; first: number[] }[] };
      expect(results.find(({ name }) => name === 'arg0' || name === 'c')?.first.slice(0, 4)).toEqual(first);
    } finally {
      delete process.env['DOORBELL_HOTSWAP_RETARGET'];
    }
  });

  it('adds vectors from files as the host does', async () => {
    const a = Float32Array.from({ length: N }, (_, i) => i * 0.75 - 100);
    const b = Float32Array.from({ length: N }, (_, i) => 1 / (i + 1));
    const sum = join(folder, 'sum.bin');
    const args = [
      '--arg',
      `a=in:f32:${file('a.bin', a)}`,
      '--arg',
      `b=in:f32:${file('b.bin', b)}`,
      '--arg',
      `c=out:f32:${N}:${sum}`,
      '--arg',
      `n=${N}`,
    ];
    const { code, out, err } = await run([...LAUNCH, ...args]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^vadd: 1000 work-items in 4 workgroups, .* \(gfx1100, backend emulated\)\n/);
    expect(out).toContain(`written to ${sum}`);
    const written = readFileSync(sum);
    const result = new Float32Array(written.buffer.slice(written.byteOffset, written.byteOffset + written.byteLength));
    // One IEEE addition each: the host's are the same bits.
    expect(result).toEqual(a.map((value, i) => Math.fround(value + b[i]!)));
  });

  it('summarises results without a file, as JSON', async () => {
    const a = file('ones.bin', new Float32Array(N).fill(1));
    const args = ['--arg', `a=inout:f32:${a}`, '--arg', `b=in:f32:${a}`, '--arg', `c=zero:f32:${N}`, '--arg', `n=${N}`, '--json'];
    const { code, out } = await run([...LAUNCH, ...args]);
    expect(code).toBe(0);
    const { results, kernel, device, durationNs } = JSON.parse(out) as {
      results: unknown[];
      kernel: string;
      device: { backend: string };
      durationNs: number;
    };
    expect({ kernel, backend: device.backend }).toEqual({ kernel: 'vadd', backend: 'emulated' });
    expect(durationNs).toBeGreaterThan(0);
    expect(results).toMatchObject([
      { name: 'a', min: 1, max: 1, sum: N },
      { name: 'c', type: 'f32', length: N, first: Array(8).fill(2), min: 2, max: 2, sum: 2 * N },
    ]);
  });

  it.each([
    [['--arg', 'a=zero:f32:4'], /no --arg for b, c, n/],
    [
      ['--arg', 'a=zero:f32:4', '--arg', 'b=zero:f32:4', '--arg', 'c=zero:f32:4', '--arg', 'n=-1'],
      /argument n: -1 is out of the range of u32/,
    ],
    [['--arg', 'a=5x', '--arg', 'b=zero:f32:4', '--arg', 'c=zero:f32:4', '--arg', 'n=4'], /argument a: it is a pointer/],
    [
      ['--arg', 'a=zero:f32:4', '--arg', 'b=zero:f32:4', '--arg', 'c=zero:f32:4', '--arg', 'n=zero:u32:1'],
      /argument n: it is u32, not a pointer/,
    ],
    [
      ['--arg', 'a=zero:f32:4', '--arg', 'b=zero:f32:4', '--arg', 'c=zero:f32:4', '--arg', 'n=4', '--arg', 'm=4'],
      /there is no m/,
    ],
    [['--arg', 'a=1', '--arg', 'a=2'], /given twice/],
    [['--timeout', 'soon'], /--timeout is a time/],
    [['--device', '-1'], /--device is an index/],
    [['--grid', '0'], /--grid is X/],
    [['--workgroup', '1,1,1,1'], /--workgroup is X/],
    [['--dynamic-lds', 'much'], /--dynamic-lds/],
    [['--isa', 'gfx9999'], /"gfx9999" is not a target id/],
  ])('refuses %j before anything runs, with exit code 2', async (args, message) => {
    const { code, out, err } = await run([...LAUNCH, ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n +at /);
  });

  it('refuses more random elements than the device has memory before it makes them', async () => {
    // 1e15 elements: neither an array nor the time for them is there.
    const args = ['--arg', `a=rand:f32:${1e15}`, '--arg', 'b=zero:f32:4', '--arg', 'c=zero:f32:4', '--arg', 'n=1'];
    const { code, err } = await run([...LAUNCH, ...args]);
    expect(code).toBe(1);
    expect(err).toContain('whose largest allocation is');
  });

  it('refuses an input file that holds no whole number of elements', async () => {
    const path = file('odd.bin', new Uint8Array(6));
    const args = ['--arg', `a=in:f32:${path}`, '--arg', 'b=zero:f32:4', '--arg', 'c=zero:f32:4', '--arg', 'n=1'];
    const { code, err } = await run([...LAUNCH, ...args]);
    expect(code).toBe(2);
    expect(err).toContain('has 6 bytes');
  });

  it('names the kernels there are when asked for another', async () => {
    const { code, err } = await run(LAUNCH.map((word) => (word === 'vadd' ? 'vmul' : word)));
    expect(code).toBe(2);
    expect(err).toContain('it has vadd');
  });

  it('names both targets when the file was made for another', async () => {
    const argv = LAUNCH.map((word) => (word.endsWith('.hsaco') ? codeObjectFixture('gfx90a-v5.hsaco') : word));
    const { code, err } = await run(argv);
    expect(code).toBe(1);
    expect(err).toMatch(/gfx90a[\s\S]*gfx1100/);
    expect(err).toContain('hint: Compile with --offload-arch=gfx1100');
  });

  it('exits with 3 where the named backend is not there', async () => {
    const argv = LAUNCH.map((word) => (word === 'emulated' ? 'dxg' : word));
    expect((await run(argv)).code).toBe(3);
  });

  it('stops a kernel that never ends after the time-out, with exit code 1', async () => {
    const launch = ['run', fixture('fixtures/faults.gfx1100.hsaco'), '--kernel', 'spin', '--grid', '64', '--workgroup', '64'];
    const { code, out, err } = await run([...launch, '--backend', 'emulated', '--arg', 'flag=zero:u32:1', '--timeout', '0.2s']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/no progress for 200 ms/);
  });

  it('says what a kernel that faults touched', async () => {
    const launch = [
      'run',
      fixture('fixtures/faults.gfx1100.hsaco'),
      '--kernel',
      'stray_write',
      '--grid',
      '64',
      '--workgroup',
      '64',
    ];
    const args = ['--arg', 'out=out:u32:64', '--arg', 'stride=0x1000000', '--json'];
    const { code, out, err } = await run([...launch, '--backend', 'emulated', ...args]);
    expect(code).toBe(1);
    expect((JSON.parse(out) as { error: { code: string } }).error.code).toBe('ERR_MEMORY_FAULT');
    expect(err).toContain('stray_write');
    expect(err).toMatch(/out/);
  });

  it('stops at Ctrl-C before it begins', async () => {
    const { code, err } = await run(LAUNCH, { signal: AbortSignal.abort() });
    expect(code).toBe(1);
    expect(err).toContain('aborted');
  });
});

describe('Progress', () => {
  function watch(isTerminal: boolean): { text: string; now: number; progress: Progress } {
    const state = { text: '', now: 0 };
    const io = { err: (text: string) => void (state.text += text), isTerminal };
    const progress = new Progress(
      { ...io, out: () => undefined, env: {}, colors: false, signal: AbortSignal.any([]) },
      'k',
      () => state.now,
    );
    return Object.assign(state, { progress });
  }

  it('rewrites one line on a terminal and clears it', () => {
    const state = watch(true);
    state.progress.update(1, 2);
    state.progress[Symbol.dispose]();
    expect(state.text).toBe('\r\u001b[Kk: 1 of 2 workgroups\r\u001b[K');
  });

  it('prints a line every 10 s elsewhere', () => {
    const state = watch(false);
    state.progress.update(1, 9);
    state.now = 10_000;
    state.progress.update(5, 9);
    state.progress.update(6, 9);
    expect(state.text).toBe('k: 5 of 9 workgroups\n');
  });
});
