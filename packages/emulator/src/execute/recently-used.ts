/** Things that are kept while they are used: not more than memory should hold, however many come and go. */

export interface KeepLimits {
  readonly items: number;
  /** Of all of them together. */
  readonly size: number;
}

export interface Kept {
  /** May grow while the thing is used. */
  readonly size: number;
  /** Another one is kept from now on. */
  rest?(): void;
}

interface Entry<Item> {
  /** What things that may be the same have in common. */
  readonly key: string;
  readonly item: Item;
}

export class RecentlyUsed<Item extends Kept> {
  readonly #limits: KeepLimits;
  /** Used last: at the end. */
  readonly #entries: Entry<Item>[] = [];

  constructor(limits: KeepLimits) {
    this.#limits = limits;
  }

  find(key: string, isSame: (item: Item) => boolean): Item | undefined {
    const at = this.#entries.findLastIndex((entry) => entry.key === key && isSame(entry.item));
    const [entry] = at < 0 ? [] : this.#entries.splice(at, 1);
    if (entry === undefined) return undefined;
    this.#entries.push(entry);
    return entry.item;
  }

  /** Takes a new one in; the others rest, and those that were used least recently are forgotten beyond the limits. */
  add(key: string, item: Item): void {
    for (const other of this.#entries) other.item.rest?.();
    this.#entries.push({ key, item });
    let size = this.#entries.reduce((sum, entry) => sum + entry.item.size, 0);
    while (this.#entries.length > 1 && (this.#entries.length > this.#limits.items || size > this.#limits.size)) {
      size -= this.#entries.shift()?.item.size ?? 0;
    }
  }
}
