import { afterEach, describe, expect, it, vi } from 'vitest';

const here = process.cwd();
const programs = new URL('./programs/', import.meta.url).pathname;

afterEach(() => {
  process.chdir(here);
  vi.restoreAllMocks();
});

/** Runs a program of the documentation in this process, in its own folder, and returns what it printed. */
async function run(name: string): Promise<string[]> {
  process.chdir(programs);
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => void lines.push(words.map(String).join(' ')));
  await import(`./programs/${name}.ts`);
  return lines;
}

describe('the programs of the documentation', () => {
  it('vector add gives 3 and a duration', async () => {
    const [line] = await run('vadd');
    expect(line).toMatch(/^3 \d+\.\d µs on \S/);
  });

  it('two kernels in order run without an error', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const progress = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    await run('pipeline');
    expect(errors).not.toHaveBeenCalled();
    expect(progress).toHaveBeenCalled();
  });

  it('lists devices and inspects a kernel for another target', async () => {
    const exitCode = process.exitCode;
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const lines = await run('list');
    expect(lines[0]).toMatch(/^0 gfx1100 emulated \d+ \S/);
    expect(lines.at(-1)).toMatch(/^matmul \d+ 2048 \[object Object\]$/);
    process.exitCode = exitCode;
  });
});
