import { badMetadata } from './message-pack.js';

/** Typed, checked access to a decoded MessagePack map; errors name the path. */
export class MetadataMap {
  readonly #map: Readonly<Record<string, unknown>>;
  readonly path: string;

  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badMetadata(`${path} is not a map`);
    // Safe: an object that is no array; MessagePack maps decode to plain objects.
    this.#map = value as Readonly<Record<string, unknown>>;
    this.path = path;
  }

  string(key: string): string {
    return this.optionalString(key) ?? this.#missing(key);
  }

  optionalString(key: string): string | undefined {
    const value = this.#get(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw badMetadata(`${this.path}${key} is ${describe(value)}, not a string`);
    return value;
  }

  /** One of `words`. */
  optionalWord<W extends string>(key: string, words: readonly W[]): W | undefined {
    const value = this.optionalString(key);
    if (value === undefined) return undefined;
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw badMetadata(`${this.path}${key} is "${value}"; known are ${words.join(', ')}`);
    return word;
  }

  /** An integer from 0 to 2³²−1. */
  integer(key: string): number {
    return this.optionalInteger(key) ?? this.#missing(key);
  }

  optionalInteger(key: string): number | undefined {
    const value = this.#get(key);
    return value === undefined ? undefined : toInteger(value, this.path + key);
  }

  /** A flag; some compilers write it as 0 or 1. */
  optionalFlag(key: string): boolean | undefined {
    const value = this.#get(key);
    if (value === undefined || typeof value === 'boolean') return value;
    if (value === 0 || value === 1) return value === 1;
    throw badMetadata(`${this.path}${key} is ${describe(value)}, not a boolean`);
  }

  optionalList(key: string): readonly unknown[] | undefined {
    const value: unknown = this.#get(key);
    if (value === undefined) return undefined;
    if (!isList(value)) throw badMetadata(`${this.path}${key} is ${describe(value)}, not an array`);
    return value;
  }

  optionalTriple(key: string): readonly [number, number, number] | undefined {
    const list = this.#integers(key, 3);
    return list && [list[0] ?? 0, list[1] ?? 0, list[2] ?? 0];
  }

  optionalPair(key: string): readonly [number, number] | undefined {
    const list = this.#integers(key, 2);
    return list && [list[0] ?? 0, list[1] ?? 0];
  }

  #integers(key: string, count: number): readonly number[] | undefined {
    const list = this.optionalList(key);
    if (!list) return undefined;
    if (list.length !== count) throw badMetadata(`${this.path}${key} has ${list.length} elements, not ${count}`);
    return list.map((value, index) => toInteger(value, `${this.path}${key}[${index}]`));
  }

  #get(key: string): unknown {
    const value = Object.hasOwn(this.#map, key) ? this.#map[key] : undefined;
    return value === null ? undefined : value;
  }

  #missing(key: string): never {
    throw badMetadata(`${this.path}${key} is missing`);
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function toInteger(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0xffff_ffff) {
    throw badMetadata(`${path} is ${describe(value)}, not an integer from 0 to 2^32-1`);
  }
  return value;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `the string "${value.slice(0, 40)}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
