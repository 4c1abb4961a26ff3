/** The first number that stands for a value of TypeScript: no address of a process is as high. */
const FIRST_TOKEN = 0x7d00_0000_0000_0000n;

/**
 * `void *` that callers want to see again in their callbacks. C's own go through TypeScript as addresses; TypeScript's, which may be
 * anything, go through C as numbers.
 */
export class UserData {
  readonly #values = new Map<bigint, unknown>();
  readonly #tokens = new Map<unknown, bigint>();
  #next = FIRST_TOKEN;

  /** What C gets for a value of TypeScript; NULL for `null`. */
  toC(value: unknown): bigint {
    if (value === null) return 0n;
    if (typeof value === 'bigint' && value > 0n && value < FIRST_TOKEN) return value;
    const known = this.#tokens.get(value);
    if (known !== undefined) return known;
    const token = this.#next++;
    this.#tokens.set(value, token);
    this.#values.set(token, value);
    return token;
  }

  /** The value behind what C hands over: TypeScript's own, or an address. */
  fromC(data: bigint): unknown {
    if (data === 0n) return null;
    return this.#values.has(data) ? this.#values.get(data) : data;
  }

  /** Whether C has a number for it. */
  has(value: unknown): boolean {
    return this.#tokens.has(value);
  }

  /** Forgets a value that C will not hand back any more. */
  forget(value: unknown): void {
    const token = this.#tokens.get(value);
    if (token === undefined) return;
    this.#tokens.delete(value);
    this.#values.delete(token);
  }
}
