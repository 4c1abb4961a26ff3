import { describe, expect, it } from 'vitest';
import { releaseAll } from '../src/index.js';

describe('releaseAll', () => {
  const fail = (name: string) => (): void => {
    throw new Error(name);
  };

  it('runs every step in order and reports every failure, also those of before and those in groups', () => {
    const ran: string[] = [];
    const group = (): void => {
      throw new AggregateError([new Error('c'), new AggregateError([new Error('d')])]);
    };
    let thrown: unknown;
    try {
      releaseAll([() => ran.push('a'), fail('b'), group, () => ran.push('e')], 'left behind', [new Error('before')]);
    } catch (error) {
      thrown = error;
    }
    expect(ran).toEqual(['a', 'e']);
    expect(thrown).toBeInstanceOf(AggregateError);
    const { message, errors } = thrown as AggregateError;
    expect(message).toBe('left behind');
    expect(errors.map((error: Error) => error.message)).toEqual(['before', 'b', 'c', 'd']);
  });

  it('throws nothing when nothing failed', () => {
    expect(() => releaseAll([() => 1], 'left behind')).not.toThrow();
  });
});
