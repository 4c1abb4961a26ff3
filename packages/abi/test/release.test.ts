import { describe, expect, it } from 'vitest';
import { releaseAll, releaseAllAsync } from '../src/index.js';

const fail = (name: string) => (): void => {
  throw new Error(name);
};
const group = (): void => {
  throw new AggregateError([new Error('c'), new AggregateError([new Error('d')])]);
};

describe('releaseAll', () => {
  it('runs every step in order and reports every failure, also those in groups', () => {
    const ran: string[] = [];
    let thrown: unknown;
    try {
      releaseAll([() => ran.push('a'), fail('b'), group, () => ran.push('e')], 'left behind');
    } catch (error) {
      thrown = error;
    }
    expect(ran).toEqual(['a', 'e']);
    expectFailures(thrown);
  });

  it('throws nothing when nothing failed', () => {
    expect(() => releaseAll([() => 1], 'left behind')).not.toThrow();
  });
});

describe('releaseAllAsync', () => {
  it('runs each step when the one before has ended, and reports every failure', async () => {
    const ran: string[] = [];
    const later = (name: string) => async (): Promise<void> => {
      await Promise.resolve();
      ran.push(name);
    };
    const rejects = (): Promise<void> => Promise.reject(new Error('b'));
    const done = releaseAllAsync([later('a'), rejects, group, () => ran.push('e')], 'left behind');
    expectFailures(await done.catch((error: unknown) => error));
    expect(ran).toEqual(['a', 'e']);
  });

  it('rejects nothing when nothing failed', async () => {
    await expect(releaseAllAsync([() => 1], 'left behind')).resolves.toBeUndefined();
  });
});

function expectFailures(thrown: unknown): void {
  expect(thrown).toBeInstanceOf(AggregateError);
  const { message, errors } = thrown as AggregateError;
  expect(message).toBe('left behind');
  expect(errors.map((error: Error) => error.message)).toEqual(['b', 'c', 'd']);
}
