import { describe, expect, it } from 'vitest';
import type { CodeBytes } from '../../src/execute/code-bytes.js';
import { CodeStore, type StoredCode } from '../../src/execute/code-store.js';

/** Just room for the table and for a little more than one module of {@link BIG} bytes beside what it was made from. */
const BYTES = 0x80_000;
const BIG = 140_000;

function code(...bytes: number[]): CodeBytes {
  return { ranges: [[4, 4 + bytes.length]], bytes: Uint8Array.from(bytes) };
}

function stored(from: CodeBytes, ...module: number[]): StoredCode {
  return { code: from, hasBarrier: true, isRepeatable: false, module: Uint8Array.from(module) };
}

const any = (): boolean => true;
const same =
  (wanted: CodeBytes) =>
  (found: CodeBytes): boolean =>
    found.bytes.join() === wanted.bytes.join();

describe('a code store', () => {
  it('finds by name and by machine code, from any thread that has the memory', () => {
    const memory = new SharedArrayBuffer(BYTES);
    const [here, there] = [new CodeStore(memory), new CodeStore(memory)];
    here.add('a', stored(code(1, 2, 3), 9, 8));
    here.add('a', stored(code(1, 2, 4), 7));
    expect(there.find('a', same(code(1, 2, 3)))).toEqual(stored(code(1, 2, 3), 9, 8));
    expect(there.find('a', same(code(1, 2, 4)))?.module).toEqual(Uint8Array.from([7]));
    expect(there.find('b', any)).toBeUndefined();
    expect(there.find('a', same(code(5)))).toBeUndefined();
  });

  it('hands each wish to one worker, the latest first, and the answer to all', () => {
    const memory = new SharedArrayBuffer(BYTES);
    const [asker, compiler] = [new CodeStore(memory), new CodeStore(memory)];
    const before = asker.version;
    expect(asker.ask('a', code(1))).toBe(true);
    expect(asker.ask('a', code(1))).toBe(true);
    expect(asker.version).not.toBe(before);
    asker.ask('b', code(2));
    expect(compiler.take()?.name).toBe('b');
    const wish = compiler.take();
    expect(wish).toMatchObject({ name: 'a', code: code(1) });
    expect(compiler.take()).toBeUndefined();
    expect(asker.find('a', any)).toBeUndefined();
    const answer = { code: code(1), hasBarrier: false, isRepeatable: true, module: Uint8Array.from([5]) };
    compiler.answer(wish!, answer);
    expect(asker.find('a', any)).toEqual(answer);
  });

  it('hands out urgent wishes first, in their order, and large ones to who takes any', () => {
    const store = new CodeStore(new SharedArrayBuffer(BYTES));
    const needs = [
      ['a', 'urgent'],
      ['b', 'wanted'],
      ['c', 'urgent'],
      ['d', 'large'],
    ] as const;
    for (const [at, [name, need]] of needs.entries()) store.ask(name, code(at), need);
    expect(['a', 'c', 'b', undefined].map(() => store.take('small')?.name)).toEqual(['a', 'c', 'b', undefined]);
    expect(store.take()?.name).toBe('d');
  });

  it('forgets everything when it is full, but not while somebody works for it', () => {
    const store = new CodeStore(new SharedArrayBuffer(BYTES));
    const module = new Uint8Array(BIG);
    store.add('first', { code: code(1), hasBarrier: false, isRepeatable: false, module });
    expect(store.find('first', any)?.module.length).toBe(BIG);
    expect(store.ask('second', code(2))).toBe(true);
    expect(store.find('first', any)).toBeUndefined();
    const wish = store.take()!;
    store.add('third', { code: code(3), hasBarrier: false, isRepeatable: false, module });
    expect(store.ask('fourth', code(4))).toBe(false);
    expect(store.find('third', any)?.module.length).toBe(BIG);
    store.answer(wish, { code: code(2), hasBarrier: false, isRepeatable: false, module: Uint8Array.from([2]) });
    expect(store.find('second', any)?.module).toEqual(Uint8Array.from([2]));
    expect(store.ask('fourth', code(4))).toBe(true);
    expect(store.find('third', any)).toBeUndefined();
  });
});
