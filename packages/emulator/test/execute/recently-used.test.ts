import { describe, expect, it } from 'vitest';
import { RecentlyUsed, type Kept } from '../../src/execute/recently-used.js';

class FakeKernel implements Kept {
  rests = 0;
  constructor(
    readonly name: string,
    readonly size: number,
  ) {}
  rest(): void {
    this.rests += 1;
  }
}

const LIMITS = { items: 3, size: 100 };

function add(kernels: RecentlyUsed<FakeKernel>, names: string, size: number): void {
  for (const name of names) kernels.add('key', new FakeKernel(name, size));
}

/** In the order asked for, which makes them the most recent ones. */
function known(kernels: RecentlyUsed<FakeKernel>, names: string): string {
  return [...names].filter((name) => kernels.find('key', (kernel) => kernel.name === name) !== undefined).join('');
}

describe('kernels that a worker remembers', () => {
  it('are the last ones, however many have the same start', () => {
    const kernels = new RecentlyUsed<FakeKernel>(LIMITS);
    add(kernels, 'abcde', 1);
    expect(known(kernels, 'abcde')).toBe('cde');
  });

  it('stay while they are used', () => {
    const kernels = new RecentlyUsed<FakeKernel>(LIMITS);
    add(kernels, 'abc', 1);
    expect(known(kernels, 'a')).toBe('a');
    add(kernels, 'd', 1);
    expect(known(kernels, 'abcd')).toBe('acd');
  });

  it('have code of a limited size together, but for one that is larger', () => {
    const kernels = new RecentlyUsed<FakeKernel>(LIMITS);
    add(kernels, 'ab', 60);
    expect(known(kernels, 'ab')).toBe('b');
    add(kernels, 'c', 200);
    expect(known(kernels, 'bc')).toBe('c');
  });

  it('rest when another one is made, also those that did not run last', () => {
    const kernels = new RecentlyUsed<FakeKernel>(LIMITS);
    const first = new FakeKernel('a', 1);
    const second = new FakeKernel('b', 1);
    kernels.add('key', first);
    expect(first.rests).toBe(0);
    kernels.add('key', second);
    expect(known(kernels, 'a')).toBe('a');
    add(kernels, 'c', 1);
    expect([first.rests, second.rests]).toEqual([2, 1]);
  });
});
